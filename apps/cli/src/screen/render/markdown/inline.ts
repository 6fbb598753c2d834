import type { Token } from 'marked';
import type { Line, Span } from '../../line.ts';
import { type TextStyle, textSpan } from '../wrap.ts';

/** Inline content as lines: more than one after hard breaks. */
export function inlineLines(tokens: readonly Token[], look: TextStyle = {}): Line[] {
  const lines: Span[][] = [[]];
  addTokens(tokens, look, lines);
  return lines;
}

function addTokens(tokens: readonly Token[], look: TextStyle, lines: Span[][]): void {
  for (const token of tokens) addToken(token, look, lines);
}

function addToken(token: Token, look: TextStyle, lines: Span[][]): void {
  const put = (text: string, own: TextStyle = look): void => void lines.at(-1)?.push(textSpan(text, own));
  switch (token.type) {
    case 'br':
      lines.push([]);
      return;
    case 'strong':
      return addTokens(token.tokens ?? [], { ...look, isBold: true }, lines);
    case 'em':
      return addTokens(token.tokens ?? [], { ...look, isItalic: true }, lines);
    case 'del':
      return addTokens(token.tokens ?? [], { ...look, isStruck: true }, lines);
    case 'codespan':
      return put(String(token.text), { ...look, token: 'codeFunction', background: 'codeBackground' });
    case 'link': {
      addTokens(token.tokens ?? [], { ...look, token: 'info', isUnderlined: true }, lines);
      const address = String(token.href);
      if (decoded(String(token.text)) !== address && `mailto:${String(token.text)}` !== address) {
        put(` (${address})`, { token: 'muted' });
      }
      return;
    }
    case 'image':
      put(`▣ ${decoded(String(token.text))}`, { ...look, token: 'info' });
      return put(` (${String(token.href)})`, { token: 'muted' });
    case 'checkbox':
      return;
    case 'html':
      if (/^<br\s*\/?>$/i.test(token.raw)) lines.push([]);
      else put(token.raw, { ...look, token: 'muted' });
      return;
    case 'escape':
      return put(String(token.text));
    default:
      if ('tokens' in token && token.tokens) addTokens(token.tokens, look, lines);
      else put(decoded('text' in token ? String(token.text) : token.raw));
  }
}

const ENTITY = /&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  times: '×',
  copy: '©',
};

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (match, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? match;
    const code = Number(`0${name.slice(1)}`.replace(/^0(\d+)$/, '$1'));
    return code <= 0x10ffff ? String.fromCodePoint(code) : match;
  });
}
