import type { Line } from '../line.ts';
import { lineWidth } from '../render/width.ts';
import { cutLine, padLine, textSpan, withBackground } from '../render/wrap.ts';

/** One choice. */
export interface ListRow {
  label: string;
  /** Shown muted beside it. */
  detail?: string | undefined;
  isCurrent?: boolean | undefined;
}

const GAP_SPAN = { text: '  ' };
/** Labels leave room for the details. */
const MOST_OF_WIDTH = 0.6;

/** The part of a list around the selected row, with details in a second column. */
export function listLines(
  rows: readonly ListRow[],
  chosen: number,
  { width, height }: { width: number; height: number },
): Line[] {
  const count = Math.max(0, Math.min(height, rows.length));
  const first = Math.max(0, Math.min(chosen - Math.floor(count / 2), rows.length - count));
  const shown = rows.slice(first, first + count);
  const labels = shown.map((row, at) => labelOf(row, first + at === chosen));
  const column = Math.min(Math.max(0, ...labels.map(lineWidth)), Math.floor(width * MOST_OF_WIDTH));
  return shown.map(({ detail }, at) => {
    const label = labels[at] ?? [];
    const line = detail ? [...padLine(label, column), GAP_SPAN, textSpan(detail, { token: 'muted' })] : label;
    return first + at === chosen ? withBackground(padLine(line, width), 'raised') : cutLine(line, width);
  });
}

function labelOf({ label, isCurrent }: ListRow, isChosen: boolean): Line {
  return [
    { text: isChosen ? ' ▸ ' : '   ', token: 'accent' },
    textSpan(label, { token: isChosen ? 'accent' : 'text', isBold: isChosen }),
    ...(isCurrent ? [{ text: ' ●', token: 'success' } as const] : []),
  ];
}
