import { once } from '@fucina/shared';
import stringWidth from 'string-width';
import type { Line } from '../line.ts';

/** A grapheme, and its width in columns. */
export interface Cell {
  text: string;
  width: number;
}

/** Made for the first text that is not ASCII: it takes longer than a short answer. */
const segmenter = once(() => new Intl.Segmenter());
const ASCII = /^[\x20-\x7e]*$/;
/** Characters up to here have a width of one, unless a mark follows. */
const FIRST_MARK = 0x300;
/** The segmenter takes quadratic time. */
const SEGMENT_AT_ONCE = 256;
/** Longer graphemes are stacked combining marks, which a terminal would draw for seconds. */
const LONGEST_CELL = 32;
const CACHED_CELLS = 4_096;
const widths = new Map<string, number>();

/** Width of a clean text without line breaks and tabs. */
export function textWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  eachCell(text, (_cell, cellWidth) => {
    width += cellWidth;
  });
  return width;
}

export function lineWidth(line: Line): number {
  let width = 0;
  for (const { text } of line) width += textWidth(text);
  return width;
}

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** The graphemes of a text. */
export function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  eachCell(text, (cell, width) => void cells.push({ text: cell, width }));
  return cells;
}

const TAB_WIDTH = 4;

/** A line with tabs expanded. */
export function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let column = 0;
  return text
    .split('\t')
    .map((piece, index, pieces) => {
      column += textWidth(piece);
      if (index === pieces.length - 1) return piece;
      const gap = TAB_WIDTH - (column % TAB_WIDTH);
      column += gap;
      return piece + ' '.repeat(gap);
    })
    .join('');
}

function eachCell(text: string, visit: (cell: string, width: number) => void): void {
  let at = 0;
  while (at < text.length) {
    if (isPlainAt(text, at)) {
      visit(text.charAt(at), 1);
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < text.length && end - at < SEGMENT_AT_ONCE && !isPlainAt(text, end)) end += 1;
    if (isLowHalf(text.charCodeAt(end))) end += 1;
    if (end === at + 1) visit(text.charAt(at), widthOf(text.charAt(at)));
    else {
      for (const { segment } of segmenter().segment(text.slice(at, end))) {
        const cell = capped(segment);
        visit(cell, widthOf(cell));
      }
    }
    at = end;
  }
}

/** A character that cannot be joined by the next one. */
function isPlainAt(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return text.charCodeAt(at) < FIRST_MARK && !(next >= FIRST_MARK);
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function widthOf(cell: string): number {
  let width = widths.get(cell);
  if (width !== undefined) return width;
  // The palette's replacement has a width of one.
  width = cell < ' ' ? 1 : stringWidth(cell);
  if (widths.size >= CACHED_CELLS) widths.clear();
  widths.set(cell, width);
  return width;
}

function capped(cell: string): string {
  return cell.length <= LONGEST_CELL ? cell : [...cell].slice(0, LONGEST_CELL / 2).join('');
}
