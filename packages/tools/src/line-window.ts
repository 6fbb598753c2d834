import { textStart } from '@fucina/shared';
import { plural } from './cut.ts';
import { visible } from './edit/numbered-lines.ts';
import { MAX_LINE_CHARS, READ_LINES, RESULT_BYTES } from './limits.ts';

export interface LineWindow {
  /** First requested line, from 1. */
  da?: number | undefined;
  righe?: number | undefined;
  /** Shown in brackets before the lines. */
  notes?: readonly string[];
  /** The unit if it is not a line: page texts, cells. */
  subject?: string;
  maxBytes?: number;
  /** Without a range the end is shown too: of outputs. */
  showsEnd?: boolean;
}

const NOTE_ROOM = 160;

/** Numbered lines within the model's limit, from the start unless a range is given. A note gives the line to continue with. */
export function windowText(
  text: string,
  { da, righe, notes = [], subject = 'file', maxBytes = RESULT_BYTES, showsEnd = false }: LineWindow,
): string {
  const starts = lineStarts(text);
  const total = starts.length - 1;
  const line = (number: number): string => numbered(text.slice(starts[number - 1], starts[number]), number);
  const about = notes.length > 0 ? [`[${notes.join(', ')}]`] : [];
  const room = maxBytes - NOTE_ROOM - about.join('').length;

  if (showsEnd && da === undefined && righe === undefined) {
    const whole = forward(line, { from: 1, to: total, room });
    if (whole.next > total) return [...about, ...whole.lines].join('\n');
    const head = forward(line, { from: 1, to: total, room: Math.floor((room * 2) / 3) });
    const tail = backward(line, { from: total, downTo: head.next, room: Math.floor(room / 3) });
    const gap = `[… lines ${head.next}-${tail.next} of ${total} not shown; continue with da=${head.next} …]`;
    return [...about, ...head.lines, ...(tail.next < head.next ? [] : [gap]), ...tail.lines].join('\n');
  }
  const from = da ?? 1;
  if (from > total) return `The ${subject} has ${plural(total, 'line')}; da=${from} is past its end.`;
  const to = Math.min(total, from + (righe ?? READ_LINES) - 1);
  const { lines, next } = forward(line, { from, to, room });
  const isCut = next <= to || righe === undefined;
  const rest = isCut ? `continue with da=${next}` : `next: da=${next}`;
  const end = next <= total ? [`[lines ${from}-${next - 1} of ${total}; ${rest}]`] : [];
  return [...about, ...lines, ...end].join('\n');
}

/** Numbered lines that contain a text, whatever its case, with the lines beside them; within the limit. */
export function linesWith(text: string, part: string, { from, maxBytes }: { from: number; maxBytes: number }): string {
  const lines = text.split('\n');
  const wanted = part.toLowerCase();
  const found = [...lines.keys()].filter((at) => at + 1 >= from && (lines[at] ?? '').toLowerCase().includes(wanted));
  const shown: string[] = [];
  let left = maxBytes - NOTE_ROOM;
  let next = 0;
  for (const [index, at] of found.entries()) {
    for (let line = Math.max(next, at - 1); line <= Math.min(lines.length - 1, at + 1); line++) {
      const words = numbered(lines[line] ?? '', line + 1);
      left -= Buffer.byteLength(words) + 1;
      if (left < 0 && shown.length > 0)
        return [
          ...shown,
          `[${found.length - index} more of ${plural(found.length, 'line')}; continue with da=${at + 1}]`,
        ].join('\n');
      shown.push(words);
      next = line + 1;
    }
  }
  return [`[${plural(found.length, 'line')} with it]`, ...shown].join('\n');
}

/** Start of each line, and the end of the text: line `n` (from 1) is between entries `n - 1` and `n`. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  starts.push(text.length);
  return starts;
}

interface Window {
  lines: string[];
  /** The first line that did not fit. */
  next: number;
}

function forward(
  line: (number: number) => string,
  { from, to, room }: { from: number; to: number; room: number },
): Window {
  const lines: string[] = [];
  let left = room;
  let next = from;
  for (; next <= to; next++) {
    const text = line(next);
    left -= Buffer.byteLength(text) + 1;
    if (left < 0 && lines.length > 0) break;
    lines.push(text);
  }
  return { lines, next };
}

function backward(
  line: (number: number) => string,
  { from, downTo, room }: { from: number; downTo: number; room: number },
): Window {
  const lines: string[] = [];
  let left = room;
  let next = from;
  for (; next >= downTo; next--) {
    const text = line(next);
    left -= Buffer.byteLength(text) + 1;
    if (left < 0) break;
    lines.unshift(text);
  }
  return { lines, next };
}

function numbered(raw: string, number: number): string {
  const text = raw.replace(/\r?\n$/, '');
  const shown =
    text.length > MAX_LINE_CHARS ? `${textStart(text, MAX_LINE_CHARS)} [… line of ${text.length} characters]` : text;
  return `${String(number).padStart(5)}\t${visible(shown)}`;
}
