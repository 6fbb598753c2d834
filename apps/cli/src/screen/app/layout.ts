import type { Input } from '../input/input.ts';
import type { Line } from '../line.ts';
import type { Drawn, Part, Size } from '../part.ts';
import { onBackground, padLine } from '../render/wrap.ts';
import type { Place, TranscriptView } from './transcript.ts';

/** What stands under each other on the screen, from the top. */
export interface Floors {
  transcript(size: Size): TranscriptView;
  /** The row of the transcript that is pointed out. */
  marked: Place | undefined;
  side(size: Size): readonly Line[];
  live: Line | undefined;
  /** A card that waits for an answer. */
  panel: Part<Input> | undefined;
  /** Has the focus in the place of the composer. */
  picker: Part<Input> | undefined;
  search: Part<Input> | undefined;
  composer: Part<Input>;
  /** Below the transcript, while it does not show its end. */
  below(newRows: number): Line;
  status: Line;
}

export interface Laid extends Drawn {
  /** Whose row of the transcript each row of the screen is. */
  places: readonly (Place | undefined)[];
}

/** Of a short terminal the conversation keeps at least so many rows. */
const LEAST_TRANSCRIPT = 3;
const SIDE_SHARE = 4;

/** Everything on the rows there are. What a person answers or writes comes before what they read. */
export function layOut(floors: Floors, size: Size): Laid {
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
  const stack: Drawn[] = [
    { lines },
    { lines: side },
    { lines: live ? [live] : [] },
    asked ?? { lines: [] },
    sought ?? { lines: [] },
    writing,
    { lines: [status] },
  ];
  // On a terminal of very few rows the end is kept: there a person writes.
  const over = Math.max(0, stack.reduce((sum, part) => sum + part.lines.length, 0) - height);
  const cursor = cursorOf(stack, sought ?? (asked?.cursor ? asked : writing));
  return {
    lines: stack.flatMap((part) => part.lines).slice(over),
    places: places.slice(over),
    cursor: cursor && cursor.row >= over ? { row: cursor.row - over, column: cursor.column } : undefined,
  };
}

function transcriptRows(
  { transcript, below, marked }: Floors,
  { width, height }: Size,
): { lines: Line[]; places: (Place | undefined)[] } {
  if (height === 0) return { lines: [], places: [] };
  const { lines, places, newBelow } = transcript({ width, height });
  const rows = lines.map((line, row) => {
    const place = places[row];
    const isMarked = marked !== undefined && place?.key === marked.key && place.row === marked.row;
    return isMarked ? onBackground(padLine(line, width), 'raised') : line;
  });
  const filled = [...rows, ...Array.from({ length: Math.max(0, height - rows.length) }, (): Line => [])];
  if (newBelow !== undefined) filled[height - 1] = below(newBelow);
  return { lines: filled, places: [...places] };
}

function cursorOf(stack: readonly Drawn[], focused: Drawn): Drawn['cursor'] {
  if (!focused.cursor) return undefined;
  const above = stack.slice(0, stack.indexOf(focused)).reduce((sum, part) => sum + part.lines.length, 0);
  return { row: above + focused.cursor.row, column: focused.cursor.column };
}
