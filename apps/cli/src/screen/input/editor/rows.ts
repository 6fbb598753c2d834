import { cleanText } from '../../../clean-text.ts';
import { textWidth } from '../../render/width.ts';
import { nextPlace } from './text.ts';

/** A text laid out in rows. Line breaks are not part of a row. */
export interface Row {
  from: number;
  to: number;
}

/** The display form of one character. */
export type Glyph = (character: string) => string;

const TAB = '    ';

export function plainGlyph(character: string): string {
  if (isPlain(character)) return character;
  return character === '\t' ? TAB : cleanText(character);
}

/** Shown as itself, in one column. */
function isPlain(character: string): boolean {
  const code = character.charCodeAt(0);
  return character.length === 1 && code >= 0x20 && code < 0x7f;
}

function widthOf(character: string, glyph: Glyph): number {
  return isPlain(character) ? 1 : textWidth(glyph(character));
}

/** Cached line layouts; more than a long text has. */
const MAX_STORED = 20_000;

/** Lays out texts that change little from one to the next. */
export function createPager(glyph: Glyph): (text: string, width: number) => Page {
  let last: { width: number; page: Page } | undefined;
  /** Offsets of the row ends within a line. */
  const known = new Map<string, readonly number[]>();
  return (text, width) => {
    if (last?.width !== width || known.size > MAX_STORED) known.clear();
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

/** Without a cache, for one layout. */
export function pageOf(text: string, width: number, glyph: Glyph): Page {
  return createPager(glyph)(text, width);
}

/** Rows of a given width, broken at spaces where possible; trailing spaces hang over. At least one row. */
function endsOf(line: string, width: number, glyph: Glyph): number[] {
  const ends: number[] = [];
  let start = 0;
  let used = 0;
  /** Position after the last space of this row, and the width up to there. */
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

/** The row of a position: at a break between two rows of one line, the lower. */
export function rowOf(rows: readonly Row[], at: number): number {
  let found = 0;
  for (const [index, row] of rows.entries()) if (row.from <= at) found = index;
  return found;
}

/** A laid out text. */
export interface Page {
  text: string;
  rows: readonly Row[];
  glyph: Glyph;
}

/** Columns before a position in its row. */
export function columnOf({ text, rows, glyph }: Page, at: number): number {
  let column = 0;
  for (let place = rows[rowOf(rows, at)]?.from ?? 0; place < at; ) {
    const next = nextPlace(text, place);
    column += widthOf(text.slice(place, next), glyph);
    place = next;
  }
  return column;
}

/** The position of a row nearest to a column, not after it. */
export function offsetInRow({ text, rows, glyph }: Page, index: number, column: number): number {
  const row = rows[index] ?? { from: 0, to: text.length };
  let place = row.from;
  let used = 0;
  // The end of a row that continues below belongs to the next row.
  const goesOn = rows[index + 1]?.from === row.to;
  while (place < row.to) {
    const next = nextPlace(text, place);
    used += widthOf(text.slice(place, next), glyph);
    if (used > column || (goesOn && next >= row.to)) break;
    place = next;
  }
  return place;
}
