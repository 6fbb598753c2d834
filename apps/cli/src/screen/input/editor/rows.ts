import { cleanText } from '../../../clean-text.ts';
import { textWidth } from '../../look/width.ts';
import { nextPlace } from './text.ts';

/** A text as it is laid out in a box: each row a piece of it. The line end is no part of a row. */
export interface Row {
  from: number;
  to: number;
}

/** How one character is written on the screen. */
export type Glyph = (character: string) => string;

const TAB = '    ';

export function plainGlyph(character: string): string {
  return character === '\t' ? TAB : cleanText(character);
}

/** Rows of a width, broken at spaces where it can be; spaces at the end of a row hang over it. At least one. */
function layOut(text: string, width: number, glyph: Glyph): Row[] {
  const rows: Row[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    layOutLine(text, { from, to: from + line.length }, { width, glyph, rows });
    from += line.length + 1;
  }
  return rows;
}

interface Layout {
  width: number;
  glyph: Glyph;
  rows: Row[];
}

function layOutLine(text: string, { from, to }: Row, { width, glyph, rows }: Layout): void {
  let start = from;
  let used = 0;
  /** After the last space of this row, and the width up to there. */
  let brk: { at: number; used: number } | undefined;
  for (let at = from; at < to; ) {
    const next = nextPlace(text, at);
    const character = text.slice(at, next);
    const wide = textWidth(glyph(character));
    if (character === ' ') brk = { at: next, used: used + wide };
    else if (used + wide > width && at > start) {
      const cut = brk && brk.at > start ? brk : { at, used };
      rows.push({ from: start, to: cut.at });
      start = cut.at;
      used -= cut.used;
      brk = undefined;
    }
    used += wide;
    at = next;
  }
  rows.push({ from: start, to });
}

/** The row a place is in: at a break between two rows of one line, the lower. */
export function rowOf(rows: readonly Row[], at: number): number {
  let found = 0;
  for (const [index, row] of rows.entries()) if (row.from <= at) found = index;
  return found;
}

/** A text laid out. */
export interface Page {
  text: string;
  rows: readonly Row[];
  glyph: Glyph;
}

export function pageOf(text: string, width: number, glyph: Glyph): Page {
  return { text, glyph, rows: layOut(text, width, glyph) };
}

/** Columns before a place in its row. */
export function columnOf({ text, rows, glyph }: Page, at: number): number {
  let column = 0;
  for (let place = rows[rowOf(rows, at)]?.from ?? 0; place < at; ) {
    const next = nextPlace(text, place);
    column += textWidth(glyph(text.slice(place, next)));
    place = next;
  }
  return column;
}

/** The place of a row nearest to a column, not after it. */
export function placeIn({ text, rows, glyph }: Page, index: number, column: number): number {
  const row = rows[index] ?? { from: 0, to: text.length };
  let place = row.from;
  let used = 0;
  // The end of a row that goes on below belongs to the row below.
  const goesOn = rows[index + 1]?.from === row.to;
  while (place < row.to) {
    const next = nextPlace(text, place);
    used += textWidth(glyph(text.slice(place, next)));
    if (used > column || (goesOn && next >= row.to)) break;
    place = next;
  }
  return place;
}
