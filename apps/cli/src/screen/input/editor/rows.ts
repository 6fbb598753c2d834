import { cleanText } from '../../../clean-text.ts';
import { textWidth } from '../../render/width.ts';
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
  if (isPlain(character)) return character;
  return character === '\t' ? TAB : cleanText(character);
}

/** One column wide, and written as it is. */
function isPlain(character: string): boolean {
  const code = character.charCodeAt(0);
  return character.length === 1 && code >= 0x20 && code < 0x7f;
}

function widthOf(character: string, glyph: Glyph): number {
  return isPlain(character) ? 1 : textWidth(glyph(character));
}

/** Lines that were laid out already; more than a long text has. */
const MAX_KEPT = 20_000;

/** Lays texts out that differ little from one to the next. */
export function createPager(glyph: Glyph): (text: string, width: number) => Page {
  let last: { width: number; page: Page } | undefined;
  /** Where the rows of a line end, within it. */
  const known = new Map<string, readonly number[]>();
  return (text, width) => {
    if (last?.width !== width || known.size > MAX_KEPT) known.clear();
    if (last?.width === width && last.page.text === text) return last.page;
    const rows: Row[] = [];
    let from = 0;
    for (const line of text.split('\n')) {
      let ends = known.get(line);
      if (!ends) known.set(line, (ends = endsOf(line, width, glyph)));
      let start = from;
      for (const end of ends) {
        rows.push({ from: start, to: from + end });
        start = from + end;
      }
      from += line.length + 1;
    }
    last = { width, page: { text, rows, glyph } };
    return last.page;
  };
}

/** For a text that is laid out once. */
export function pageOf(text: string, width: number, glyph: Glyph): Page {
  return createPager(glyph)(text, width);
}

/** Rows of a width, broken at spaces where it can be; spaces at the end of a row hang over it. At least one. */
function endsOf(line: string, width: number, glyph: Glyph): number[] {
  const ends: number[] = [];
  let start = 0;
  let used = 0;
  /** After the last space of this row, and the width up to there. */
  let brk: { at: number; used: number } | undefined;
  for (let at = 0; at < line.length; ) {
    const next = nextPlace(line, at);
    const character = line.slice(at, next);
    const wide = widthOf(character, glyph);
    if (character === ' ') brk = { at: next, used: used + wide };
    else if (used + wide > width && at > start) {
      const cut = brk && brk.at > start ? brk : { at, used };
      ends.push(cut.at);
      start = cut.at;
      used -= cut.used;
      brk = undefined;
    }
    used += wide;
    at = next;
  }
  return [...ends, line.length];
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

/** Columns before a place in its row. */
export function columnOf({ text, rows, glyph }: Page, at: number): number {
  let column = 0;
  for (let place = rows[rowOf(rows, at)]?.from ?? 0; place < at; ) {
    const next = nextPlace(text, place);
    column += widthOf(text.slice(place, next), glyph);
    place = next;
  }
  return column;
}

/** The place of a row nearest to a column, not after it. */
export function offsetInRow({ text, rows, glyph }: Page, index: number, column: number): number {
  const row = rows[index] ?? { from: 0, to: text.length };
  let place = row.from;
  let used = 0;
  // The end of a row that goes on below belongs to the row below.
  const goesOn = rows[index + 1]?.from === row.to;
  while (place < row.to) {
    const next = nextPlace(text, place);
    used += widthOf(text.slice(place, next), glyph);
    if (used > column || (goesOn && next >= row.to)) break;
    place = next;
  }
  return place;
}
