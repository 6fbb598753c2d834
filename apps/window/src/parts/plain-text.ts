import { lexer, type Token } from 'marked';

/** The words of a Markdown text without its signs, for places that show or speak one line. */
export function plainText(markdown: string): string {
  return wordsIn(lexer(markdown), ' ').replaceAll(/\s+/g, ' ').trim();
}

const wordsIn = (tokens: readonly Token[], gap: '' | ' '): string => tokens.map(wordsOf).join(gap);

function wordsOf(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'br':
    case 'hr':
    case 'html':
      return ' ';
    case 'list':
      return wordsIn(token['items'], ' ');
    case 'list_item':
    case 'blockquote':
      return wordsIn(token.tokens ?? [], ' ');
    case 'table':
      return [token['header'], ...token['rows']]
        .flat()
        .map(({ tokens }: { tokens: Token[] }) => wordsIn(tokens, ''))
        .join(' ');
    default:
      return 'tokens' in token && token.tokens ? wordsIn(token.tokens, '') : textOf(token);
  }
}

const textOf = (token: Token): string => ('text' in token && typeof token.text === 'string' ? token.text : token.raw);

/** Mark the beginning and end of a hit while the signs around it are removed; texts have no such characters. */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];

/** The pieces of an excerpt without Markdown signs; what was found stays apart. */
export function plainPieces<Piece extends { testo: string; trovato: boolean }>(
  pieces: readonly Piece[],
): { testo: string; trovato: boolean }[] {
  const marked = pieces.map(({ testo, trovato }) => (trovato ? `${OPEN}${testo}${CLOSE}` : testo)).join('');
  return plainText(marked)
    .split(/(\ue000[^\ue001]*\ue001?)/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ testo: piece.replaceAll(/[\ue000\ue001]/g, ''), trovato: piece.startsWith(OPEN) }));
}
