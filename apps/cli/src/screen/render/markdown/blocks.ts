import type { Token, Tokens } from 'marked';
import type { Line, Span } from '../../line.ts';
import type { Highlight } from '../highlight.ts';
import { lineWidth } from '../width.ts';
import { alignLine, cutLine, padLine, textLines, textSpan, withBackground, wrapLine } from '../wrap.ts';
import { inlineLines } from './inline.ts';
import { tableLines } from './table.ts';

export interface BlockPlace {
  width: number;
  highlight: Highlight;
  /** Nesting depth of the list. */
  depth?: number;
}

/** Blocks with a blank line between them. */
export function blockLines(tokens: readonly Token[], place: BlockPlace): Line[] {
  const blocks = tokens.filter(({ type }) => type !== 'space' && type !== 'def');
  return blocks.flatMap((token, index) => [...(index > 0 ? [[]] : []), ...linesOfBlock(token, place)]);
}

function linesOfBlock(token: Token, place: BlockPlace): Line[] {
  const { width } = place;
  switch (token.type) {
    case 'heading':
      return flow(token.tokens ?? [], width, HEADINGS[Number(token.depth) - 1] ?? { isBold: true });
    case 'code':
      return codeLines(token as Tokens.Code, place);
    case 'blockquote':
      return framed(token.tokens ?? [], place);
    case 'list':
      return listLines(token as Tokens.List, place);
    case 'table':
      return tableLines(token as Tokens.Table, width);
    case 'hr':
      return [[{ text: '─'.repeat(Math.max(1, width)), token: 'line' }]];
    case 'html':
      return textLines(token.raw.trimEnd(), { token: 'muted' }).flatMap((line) => wrapLine(line, width));
    default:
      return flow(
        'tokens' in token && token.tokens ? token.tokens : [{ type: 'text', raw: token.raw, text: token.raw }],
        width,
      );
  }
}

const HEADINGS: readonly Omit<Span, 'text'>[] = [
  { token: 'accent', isBold: true, isUnderlined: true },
  { token: 'accent', isBold: true },
];

function flow(tokens: readonly Token[], width: number, look: Omit<Span, 'text'> = {}): Line[] {
  return inlineLines(tokens, look).flatMap((line) => wrapLine(line, width));
}

const CODE_MARGIN = 2;

/** On its own background, with its language in the upper right corner. */
export function codeLines({ text, lang }: { text: string; lang?: string | undefined }, place: BlockPlace): Line[] {
  const { width, highlight } = place;
  const language = /^[\w+#.-]+/.exec(lang ?? '')?.[0].toLowerCase() ?? '';
  const code = highlight(text, language) ?? textLines(text, { token: 'codeText' });
  const margin: Line = width > 4 * CODE_MARGIN ? [{ text: ' '.repeat(CODE_MARGIN) }] : [];
  const rows = code.flatMap((line) =>
    wrapLine(line, Math.max(1, width - lineWidth(margin)), { isExact: true, first: margin }),
  );
  const mark: Line[] = language ? [alignLine([], [textSpan(`${language} `, { token: 'codeComment' })], width)] : [];
  return [...mark, ...rows].map((row) => withBackground(padLine(row, width, { token: 'codeText' }), 'codeBackground'));
}

const NARROWEST = 12;

function framed(tokens: readonly Token[], place: BlockPlace): Line[] {
  const bar: Line = place.width > NARROWEST ? [{ text: '│ ', token: 'muted' }] : [];
  return blockLines(tokens, { ...place, width: place.width - lineWidth(bar) }).map((line) => [...bar, ...line]);
}

const BULLETS = ['•', '◦', '▪'];

function listLines({ items, ordered, start, loose }: Tokens.List, place: BlockPlace): Line[] {
  const { width, depth = 0 } = place;
  const last = Number(start || 1) + items.length - 1;
  return items.flatMap((item, index) => {
    const number = `${Number(start || 1) + index}.`.padStart(ordered ? String(last).length + 1 : 0);
    const sign = ordered ? number : (BULLETS[depth % BULLETS.length] ?? '');
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const first: Line = cutLine(
      [{ text: `${sign} `, token: 'accent' }, ...(box ? [{ text: box, token: 'muted' as const }] : [])],
      width - 1,
    );
    const indent = width > NARROWEST ? lineWidth(first) : 0;
    const lines = itemLines(item.tokens, loose, {
      ...place,
      width: width - Math.max(indent, lineWidth(first)),
      depth: depth + 1,
    });
    const rows = lines.length ? lines : [[]];
    return [
      ...(loose && index > 0 ? [[]] : []),
      ...rows.map(
        (line, row): Line => [...(row === 0 ? first : line.length ? [{ text: ' '.repeat(indent) }] : []), ...line],
      ),
    ];
  });
}

/** Items of a tight list have no blank lines. */
function itemLines(tokens: readonly Token[], isLoose: boolean, place: BlockPlace): Line[] {
  const parts = tokens.filter(({ type }) => type !== 'checkbox');
  return isLoose ? blockLines(parts, place) : parts.flatMap((token) => blockLines([token], place));
}
