import type { Input } from '../input/input.ts';
import type { Line } from '../line.ts';
import type { DrawnLines, ScreenPart, Size } from '../part.ts';
import { padLine, withBackground } from '../render/wrap.ts';
import type { TranscriptPosition, TranscriptView } from './transcript.ts';

/** The parts of the screen, from top to bottom. */
export interface ScreenParts {
  transcript(size: Size): TranscriptView;
  /** The highlighted row of the transcript. */
  marked: TranscriptPosition | undefined;
  side(size: Size): readonly Line[];
  live: Line | undefined;
  /** A card that waits for an answer. */
  panel: ScreenPart<Input> | undefined;
  /** Has the focus instead of the composer. */
  picker: ScreenPart<Input> | undefined;
  search: ScreenPart<Input> | undefined;
  composer: ScreenPart<Input>;
  /** Shown below the transcript while it is scrolled up. */
  below(newRows: number): Line;
  status: Line;
}

export interface ScreenRows extends DrawnLines {
  /** For each row of the screen, its row of the transcript. */
  places: readonly (TranscriptPosition | undefined)[];
}

/** Minimum rows of the conversation on a short terminal. */
const LEAST_TRANSCRIPT = 3;
const SIDE_SHARE = 4;

/** All parts on the available rows. What the user answers or writes takes precedence over what they read. */
export function layOut(floors: ScreenParts, size: Size): ScreenRows {
  const { width, height } = size;
  const { live, panel, picker, search, composer, status } = floors;
  const room = Math.max(1, height - 1);
  const writing = picker ? picker.draw({ width, height: Math.max(1, room - LEAST_TRANSCRIPT) }) : composer.draw(size);
  const asked = panel?.draw({ width, height: Math.max(1, room - writing.lines.length - LEAST_TRANSCRIPT) });
  const sought = search?.draw({ width, height: 1 });
  const fixed = writing.lines.length + (asked?.lines.length ?? 0) + (sought?.lines.length ?? 0) + (live ? 1 : 0);
  const side = floors.side({ width, height: Math.max(0, Math.floor((room - fixed) / SIDE_SHARE)) });
  const left = Math.max(0, room - fixed - side.length);
  const { lines, places } = transcriptRows(floors, { width, height: left });
  const stack: DrawnLines[] = [
    { lines },
    { lines: side },
    { lines: live ? [live] : [] },
    asked ?? { lines: [] },
    sought ?? { lines: [] },
    writing,
    { lines: [status] },
  ];
  // On a terminal with very few rows the bottom is shown, where the user writes.
  const over = Math.max(0, stack.reduce((sum, part) => sum + part.lines.length, 0) - height);
  const cursor = cursorOf(stack, sought ?? (asked?.cursor ? asked : writing));
  return {
    lines: stack.flatMap((part) => part.lines).slice(over),
    places: places.slice(over),
    cursor: cursor && cursor.row >= over ? { row: cursor.row - over, column: cursor.column } : undefined,
  };
}

function transcriptRows(
  { transcript, below, marked }: ScreenParts,
  { width, height }: Size,
): { lines: Line[]; places: (TranscriptPosition | undefined)[] } {
  if (height === 0) return { lines: [], places: [] };
  const { lines, places, newBelow } = transcript({ width, height });
  const rows = lines.map((line, row) => {
    const place = places[row];
    const isMarked = marked !== undefined && place?.key === marked.key && place.row === marked.row;
    return isMarked ? withBackground(padLine(line, width), 'raised') : line;
  });
  const filled = [...rows, ...Array.from({ length: Math.max(0, height - rows.length) }, (): Line => [])];
  if (newBelow !== undefined) filled[height - 1] = below(newBelow);
  return { lines: filled, places: [...places] };
}

function cursorOf(stack: readonly DrawnLines[], focused: DrawnLines): DrawnLines['cursor'] {
  if (!focused.cursor) return undefined;
  const above = stack.slice(0, stack.indexOf(focused)).reduce((sum, part) => sum + part.lines.length, 0);
  return { row: above + focused.cursor.row, column: focused.cursor.column };
}
