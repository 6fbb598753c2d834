import type { CardLook } from '../cards/card.ts';
import type { ItemDrawer } from '../cards/draw-item.ts';
import { isEvent } from '../cards/event-card.ts';
import type { ScreenItem } from '../conversation/state.ts';
import type { Line } from '../line.ts';
import type { Size } from '../part.ts';

/** The conversation as one long page, of which the terminal shows a part. */
export interface Transcript {
  draw(view: View, size: Size): TranscriptView;
  /** Scrolls by rows, up if negative. At the end it follows the conversation again. */
  scroll(by: number): void;
  toStart(): void;
  toEnd(): void;
  /** Scrolls a row to a third from the top. */
  reveal(place: TranscriptPosition): void;
  /** The rows that contain the text, ignoring case, from the first. */
  find(text: string): TranscriptPosition[];
}

export interface View {
  items: readonly ScreenItem[];
  look: CardLook;
  /** Items with their own folded or unfolded state. */
  isTurned(key: string): boolean;
  /** Shown elsewhere on the screen. */
  hidden: string | undefined;
}

export interface TranscriptPosition {
  key: string;
  /** Row within the item, including the empty row before it. */
  row: number;
}

export interface TranscriptView {
  lines: readonly Line[];
  /** The item of each row. */
  places: readonly (TranscriptPosition | undefined)[];
  /** Undefined while it follows the end; else how many rows were added since the user scrolled up. */
  newBelow: number | undefined;
}

export function createTranscript(drawer: ItemDrawer): Transcript {
  /** The first visible row; undefined: the end is visible. */
  let top: TranscriptPosition | undefined;
  /** The end of the conversation when the user scrolled up. */
  let left: { key: string; rows: number } | undefined;
  let last: { view: View; size: Size; top: TranscriptPosition | undefined } | undefined;

  const rowsOf = ({ look, isTurned, hidden }: View, item: ScreenItem): readonly Line[] => {
    if (item.key === hidden) return [];
    const isUnfolded = look.isUnfolded !== isTurned(item.key);
    return drawer.draw(item, look, isUnfolded);
  };

  const leaveEnd = (): void => {
    const item = last?.view.items.at(-1);
    if (last && item) left ??= { key: item.key, rows: blockOf(last.view, last.view.items.length - 1, rowsOf).length };
  };

  return {
    draw(view, size) {
      const from = top === undefined ? undefined : view.items.findIndex(({ key }) => key === top?.key);
      let shown =
        from === undefined || from < 0
          ? fromEnd(view, size, rowsOf)
          : fromTop(view, size, { from, row: top?.row ?? 0, rowsOf });
      if (from !== undefined && (from < 0 || shown.lines.length < size.height)) {
        top = undefined;
        left = undefined;
        shown = fromEnd(view, size, rowsOf);
      }
      last = { view, size, top: shown.places.find((place) => place !== undefined) };
      return { ...shown, newBelow: top === undefined ? undefined : newRows(view, left, rowsOf) };
    },
    scroll(by) {
      if (!last?.top) return;
      if (by < 0) leaveEnd();
      else if (top === undefined) return;
      top = moved(last.view, top ?? last.top, { by, rowsOf });
    },
    toStart() {
      const first = last?.view.items[0];
      if (!first) return;
      leaveEnd();
      top = { key: first.key, row: 0 };
    },
    toEnd() {
      top = undefined;
      left = undefined;
    },
    reveal(place) {
      if (!last) return;
      leaveEnd();
      top = moved(last.view, place, { by: -Math.floor(last.size.height / 3), rowsOf });
    },
    find: (text) => (last ? findRows(last.view, text, rowsOf) : []),
  };
}

type RowsOf = (view: View, item: ScreenItem) => readonly Line[];

/** Consecutive tool calls have no empty row between them; all other items do. */
function hasGap(before: ScreenItem | undefined, item: ScreenItem): boolean {
  if (!before) return false;
  if (item.kind === 'end' && item.outcome === 'done') return true;
  return !((before.kind === 'tool' && item.kind === 'tool') || (isEvent(before) && isEvent(item)));
}

/** An item's rows with the empty row before them. */
function blockOf(view: View, index: number, rowsOf: RowsOf): readonly Line[] {
  const item = view.items[index];
  if (!item) return [];
  const rows = rowsOf(view, item);
  if (rows.length === 0) return rows;
  let before = index - 1;
  while (before >= 0 && isSilent(view, before, rowsOf)) before -= 1;
  return hasGap(view.items[before], item) ? [[], ...rows] : rows;
}

function isSilent(view: View, index: number, rowsOf: RowsOf): boolean {
  const item = view.items[index];
  return item === undefined || rowsOf(view, item).length === 0;
}

interface Shown {
  lines: Line[];
  places: TranscriptPosition[];
}

function fromEnd(view: View, { height }: Size, rowsOf: RowsOf): Shown {
  const blocks: { key: string; rows: readonly Line[] }[] = [];
  let count = 0;
  for (let index = view.items.length - 1; index >= 0 && count < height; index -= 1) {
    const rows = blockOf(view, index, rowsOf);
    blocks.push({ key: view.items[index]?.key ?? '', rows });
    count += rows.length;
  }
  return cutOut(blocks.reverse(), Math.max(0, count - height), height);
}

function fromTop(
  view: View,
  { height }: Size,
  { from, row, rowsOf }: { from: number; row: number; rowsOf: RowsOf },
): Shown {
  const blocks: { key: string; rows: readonly Line[] }[] = [];
  let count = -row;
  for (let index = from; index < view.items.length && count < height; index += 1) {
    const rows = blockOf(view, index, rowsOf);
    blocks.push({ key: view.items[index]?.key ?? '', rows });
    count += rows.length;
  }
  return cutOut(blocks, row, height);
}

/** This many rows of all blocks, from row `start`. One answer may have many more than are visible. */
function cutOut(blocks: readonly { key: string; rows: readonly Line[] }[], start: number, height: number): Shown {
  const shown: Shown = { lines: [], places: [] };
  let before = 0;
  for (const { key, rows } of blocks) {
    const first = Math.max(0, start - before);
    const seen = rows.slice(first, Math.max(first, start + height - before));
    shown.lines.push(...seen);
    shown.places.push(...seen.map((_line, row) => ({ key, row: first + row })));
    before += rows.length;
  }
  return shown;
}

/** The position this many rows further, or the first one. */
function moved(
  view: View,
  place: TranscriptPosition,
  { by, rowsOf }: { by: number; rowsOf: RowsOf },
): TranscriptPosition {
  let index = view.items.findIndex(({ key }) => key === place.key);
  let row = place.row + by;
  while (row < 0 && index > 0) {
    index -= 1;
    row += blockOf(view, index, rowsOf).length;
  }
  for (;;) {
    const { length } = blockOf(view, index, rowsOf);
    if (row < length || index >= view.items.length - 1) break;
    row -= length;
    index += 1;
  }
  return { key: view.items[index]?.key ?? place.key, row: Math.max(0, row) };
}

function findRows(view: View, text: string, rowsOf: RowsOf): TranscriptPosition[] {
  const wanted = text.toLowerCase();
  return view.items.flatMap(({ key }, index) =>
    blockOf(view, index, rowsOf).flatMap((line, row) => {
      const shown = line.map((span) => span.text).join('');
      return shown.toLowerCase().includes(wanted) ? [{ key, row }] : [];
    }),
  );
}

function newRows(view: View, left: { key: string; rows: number } | undefined, rowsOf: RowsOf): number {
  if (!left) return 0;
  let count = -left.rows;
  for (let index = view.items.length - 1; index >= 0; index -= 1) {
    count += blockOf(view, index, rowsOf).length;
    if (view.items[index]?.key === left.key) break;
  }
  return Math.max(0, count);
}
