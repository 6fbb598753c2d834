import { cleanText } from '../../clean-text.ts';
import type { Line, Span } from '../line.ts';
import { cellsOf, expandTabs, isAscii, lineWidth, textWidth } from './width.ts';

export type TextStyle = Omit<Span, 'text'>;

export interface WrapOptions {
  /** Prefixes of the first row, and of the following ones. They count in the width. */
  first?: Line;
  rest?: Line;
  /** Breaks between any two characters, for text with significant spaces: code, output. */
  isExact?: boolean;
}

/** Cleaned external text as lines of one style, not wrapped or cut. */
export function textLines(text: string, look: TextStyle = {}): Line[] {
  return cleanText(text)
    .split('\n')
    .map((line) => (line === '' ? [] : [{ ...look, text: expandTabs(line) }]));
}

/** Cleaned external text on one line: line breaks and runs of spaces become one space. */
export function textSpan(text: string, look: TextStyle = {}): Span {
  return { ...look, text: cleanText(text).replace(/\s+/g, ' ') };
}

/** The line wrapped at spaces where possible, never inside a wide glyph. At least one row. */
export function wrapLine(line: Line, width: number, options: WrapOptions = {}): Line[] {
  const { first = [], rest = first.length ? [{ text: ' '.repeat(lineWidth(first)) }] : [], isExact = false } = options;
  const room = [first, rest].map((prefix) => Math.max(1, width - lineWidth(prefix))) as [number, number];
  if (fits(line, room[0]))
    return [lineWidth(first) < width ? [...first, ...line] : cutLine([...first, ...line], width)];
  const flat = flatten(line);
  const rows = isExact ? exactRows(flat, room) : wordRows(flat, room);
  const widest = flat.widths.reduce((most, cell) => Math.max(most, cell), 0);
  const isCertain = width - Math.max(lineWidth(first), lineWidth(rest)) >= widest;
  return rows.map(([start, end], index) => {
    const row = [...(index === 0 ? first : rest), ...slice(line, flat, [start, end])];
    return isCertain ? row : cutLine(row, width);
  });
}

/** Truncated to `width` with … at the end. */
export function cutLine(line: Line, width: number): Line {
  if (fits(line, width)) return line;
  if (width < 1) return [];
  const cut: Span[] = [];
  let left = width - 1;
  for (const span of line) {
    const text = headOf(span.text, left);
    if (text) cut.push({ ...span, text });
    left -= textWidth(text);
    if (text.length < span.text.length) {
      cut.push({ ...span, text: '…' });
      break;
    }
  }
  return cut;
}

/** Exactly `width` columns, padded in the style of `fill`. */
export function padLine(line: Line, width: number, fill: TextStyle = {}): Line {
  const cut = cutLine(line, width);
  const missing = width - lineWidth(cut);
  return missing > 0 ? [...cut, { ...fill, text: ' '.repeat(missing) }] : cut;
}

/** The line with a background. */
export function withBackground(line: Line, background: Span['background']): Line {
  return line.map((span) => ({ ...span, background: span.background ?? background }));
}

/** Left and right content of one row; the left is truncated. */
export function alignLine(left: Line, right: Line, width: number): Line {
  const end = cutLine(right, width);
  const gap = end.length ? 1 : 0;
  const start = padLine(left, Math.max(0, width - lineWidth(end) - gap));
  return [...start, ...(gap && lineWidth(start) + lineWidth(end) < width ? [{ text: ' ' }] : []), ...end];
}

/** Also limits the length to what a row can use. */
function fits(line: Line, width: number): boolean {
  return lineWidth(line) <= width && line.every(({ text }) => text.length <= 8 * width + 64);
}

function headOf(text: string, width: number): string {
  if (isAscii(text)) return text.slice(0, Math.max(0, width));
  let head = '';
  let left = width;
  // No character is longer.
  for (const cell of cellsOf(text.slice(0, 32 * (width + 1)))) {
    if (cell.width > left) break;
    head += cell.text;
    left -= cell.width;
  }
  return head;
}

/** The graphemes of a whole line: their offsets and widths. */
interface Flat {
  cells: readonly string[];
  widths: readonly number[];
  /** Number of graphemes up to the end of each span. */
  ends: readonly number[];
}

type Range = readonly [start: number, end: number];

function flatten(line: Line): Flat {
  const cells: string[] = [];
  const widths: number[] = [];
  const ends = line.map((span) => {
    if (isAscii(span.text)) for (let at = 0; at < span.text.length; at += 1) cells.push(span.text.charAt(at));
    else for (const cell of cellsOf(span.text)) cells[widths.push(cell.width) - 1] = cell.text;
    while (widths.length < cells.length) widths.push(1);
    return cells.length;
  });
  return { cells, widths, ends };
}

function slice(line: Line, { cells, ends }: Flat, [start, end]: Range): Line {
  const row: Span[] = [];
  let from = start;
  for (const [index, span] of line.entries()) {
    const to = Math.min(end, ends[index] ?? 0);
    if (to <= from) continue;
    row.push({ ...span, text: cells.slice(from, to).join('') });
    from = to;
  }
  return row;
}

function exactRows({ widths }: Flat, [firstRoom, restRoom]: readonly [number, number]): Range[] {
  const rows: Range[] = [];
  let start = 0;
  let used = 0;
  for (const [at, width] of widths.entries()) {
    if (used > 0 && used + width > (rows.length ? restRoom : firstRoom)) {
      rows.push([start, at]);
      start = at;
      used = 0;
    }
    used += width;
  }
  rows.push([start, widths.length]);
  return rows;
}

/** A row ends before the word that does not fit; the spaces between hang over and are not shown. */
function wordRows({ cells, widths }: Flat, [firstRoom, restRoom]: readonly [number, number]): Range[] {
  const rows: Range[] = [];
  let start = 0;
  let used = 0;
  /** Where the row may end, where the next starts, and the width of the part after that. */
  let breakAt = -1;
  let resumeAt = -1;
  let usedAfter = 0;
  let hasWord = false;
  const feed = (end: number, next: number, carried: number): void => {
    rows.push([start, end]);
    start = next;
    used = carried;
    breakAt = -1;
    hasWord = carried > 0;
  };
  for (const [at, width] of widths.entries()) {
    const room = rows.length ? restRoom : firstRoom;
    if (cells[at] === ' ') {
      if (hasWord && cells[at - 1] !== ' ') breakAt = at;
      used += 1;
      resumeAt = at + 1;
      usedAfter = 0;
      // Trailing spaces hang over; only leading spaces of a line indent it.
      if (!hasWord && used > room) {
        feed(at, at, 1);
        hasWord = false;
      }
      continue;
    }
    // Between wide glyphs a break is allowed anywhere.
    if (hasWord && cells[at - 1] !== ' ' && (width > 1 || (widths[at - 1] ?? 0) > 1)) {
      breakAt = at;
      resumeAt = at;
      usedAfter = 0;
    }
    if (used + width > room && used > 0) {
      if (breakAt >= 0) feed(breakAt, resumeAt, usedAfter);
      if (used + width > restRoom && used > 0) feed(at, at, 0);
    }
    used += width;
    usedAfter += width;
    hasWord = true;
  }
  const end = breakAt >= 0 && resumeAt === cells.length && cells.at(-1) === ' ' ? breakAt : cells.length;
  rows.push([start, end]);
  return rows;
}
