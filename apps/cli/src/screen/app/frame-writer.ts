import type { Output } from '../../io.ts';

/** The whole content of the terminal: painted rows from the top, and the visible cursor position. */
export interface Frame {
  rows: readonly string[];
  cursor?: { row: number; column: number } | undefined;
}

/** Writes frames to the terminal: only changed rows, in one synchronized write. */
export interface FrameWriter {
  show(frame: Frame): void;
  /** The content of the terminal is unknown: the next frame is written whole. */
  forget(): void;
  /** The terminal is released: nothing is written until `open`, which writes the next frame whole. */
  close(): void;
  open(): void;
}

const BEGIN = '\x1b[?2026h\x1b[?25l';
const END = '\x1b[?2026l';
const SHOW_CURSOR = '\x1b[?25h';

export function createFrameWriter(output: Output): FrameWriter {
  let shown: readonly string[] | undefined;
  let shownCursor = '';
  /** A slow terminal gets the latest frame when it is ready, not all frames in between. */
  let waiting: Frame | undefined;
  let isOpen = true;

  const write = ({ rows, cursor }: Frame): void => {
    const before = shown;
    const changed = rows.flatMap((row, index) => (before?.[index] === row ? [] : [`${at(index)}\x1b[0m\x1b[K${row}`]));
    const gone = before
      ? before.slice(rows.length).map((_row, index) => `${at(rows.length + index)}\x1b[0m\x1b[K`)
      : [];
    const place = cursor ? `\x1b[${cursor.row + 1};${cursor.column + 1}H${SHOW_CURSOR}` : '';
    if (changed.length + gone.length === 0 && place === shownCursor) return;
    const clear = before ? '' : '\x1b[0m\x1b[2J';
    shown = rows;
    shownCursor = place;
    const isTaken = output.write(BEGIN + clear + changed.join('') + gone.join('') + place + END);
    if (!isTaken) output.once('drain', catchUp);
  };
  const catchUp = (): void => {
    const latest = waiting;
    waiting = undefined;
    if (latest && isOpen) write(latest);
  };

  const forget = (): void => {
    shown = undefined;
    shownCursor = '';
  };

  return {
    show(frame) {
      if (!isOpen) return;
      if (output.writableNeedDrain) waiting = frame;
      else write(frame);
    },
    forget,
    close() {
      isOpen = false;
      waiting = undefined;
    },
    open() {
      isOpen = true;
      forget();
    },
  };
}

function at(row: number): string {
  return `\x1b[${row + 1};1H`;
}
