import { lexer, type Token } from 'marked';

/** The plain text of Markdown, for one-line places and screen readers. */
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

/** Markers of a match while Markdown is removed; texts cannot contain these characters. */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];

/** The parts of an excerpt without Markdown; matches are separate. */
export function plainPieces<Piece extends { text: string; hits: boolean }>(
  pieces: readonly Piece[],
): { text: string; hits: boolean }[] {
  const marked = pieces.map(({ text, hits }) => (hits ? `${OPEN}${text}${CLOSE}` : text)).join('');
  return plainText(marked)
    .split(/(\ue000[^\ue001]*\ue001?)/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece.replaceAll(/[\ue000\ue001]/g, ''), hits: piece.startsWith(OPEN) }));
}
