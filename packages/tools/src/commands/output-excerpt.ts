import { textStart } from '@fucina/shared';
import { type CutText, cutMiddle, plural } from '../cut.ts';

/** Parts of the limit: the start of an output says what ran, its end how it ended. */
const HEAD = 0.2;
const TAIL = 0.4;
const LINES_BEFORE = 2;
const LINES_AFTER = 8;
const MAX_LINE_CHARS = 400;
/** Room for the lines that say how much is missing. */
const GAPS_CHARS = 400;

const FAILURE =
  /(?:\b(?:error|errors|exception|panic|panicked|traceback|fatal|failed|failure|failing|fail|assertion\w*|assert|segfault|segmentation fault|undefined reference|not ok|unhandled|abort(?:ed)?)\b|\w(?:Error|Exception)\b|[✕✗✘❌●]|^E {3}|^\s*>?\s*×)/i;
const NO_FAILURE =
  /\b(?:0|no|without)\s+(?:error|failure|fail|exception|warning)|\b(?:fail(?:ed|ures?|s)?|errors?)\W{0,3}0\b/i;

/** The start, the end, and from what is between them the parts that look like failures, with the lines around them. */
export function outputExcerpt(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, isCut: false };
  const lines = text.split('\n');
  const room = limit - GAPS_CHARS;
  const head = linesWithin(lines, room * HEAD, 'start');
  const tail = linesWithin(lines, room * TAIL, 'end');
  const from = head;
  const to = lines.length - tail;
  const parts = failingParts(lines, { from, to, room: room * (1 - HEAD - TAIL) });
  if (parts.length === 0) return cutMiddle(text, limit);
  const shown = [
    ...(head > 0 ? [{ from: 0, to: head }] : []),
    ...parts,
    ...(tail > 0 ? [{ from: to, to: lines.length }] : []),
  ];
  const words: string[] = [];
  let next = 0;
  for (const range of shown) {
    if (range.from > next) words.push(`[… ${plural(range.from - next, 'line')} cut …]`);
    words.push(...lines.slice(range.from, range.to).map(shortened));
    next = range.to;
  }
  if (next < lines.length) words.push(`[… ${plural(lines.length - next, 'line')} cut …]`);
  return { text: words.join('\n'), isCut: true };
}

interface Range {
  from: number;
  /** Not in it. */
  to: number;
}

const shortened = (line: string): string =>
  line.length > MAX_LINE_CHARS ? `${textStart(line, MAX_LINE_CHARS)} […]` : line;
const sizeOf = (line: string): number => Math.min(line.length, MAX_LINE_CHARS + 4) + 1;

function linesWithin(lines: readonly string[], room: number, end: 'start' | 'end'): number {
  let left = room;
  let count = 0;
  while (count < lines.length) {
    left -= sizeOf((end === 'start' ? lines[count] : lines.at(-1 - count)) ?? '');
    if (left < 0) break;
    count++;
  }
  return count;
}

/** The first ones, as long as they fit. */
function failingParts(lines: readonly string[], { from, to, room }: Range & { room: number }): Range[] {
  const parts: Range[] = [];
  let left = room;
  for (let at = from; at < to; at++) {
    const line = textStart(lines[at] ?? '', MAX_LINE_CHARS);
    if (!FAILURE.test(line) || NO_FAILURE.test(line)) continue;
    const last = parts.at(-1);
    const start = Math.max(from, at - LINES_BEFORE, last?.to ?? 0);
    let end = Math.max(start, last?.to ?? 0);
    while (end < Math.min(to, at + LINES_AFTER + 1)) {
      left -= sizeOf(lines[end] ?? '');
      if (left < 0) break;
      end++;
    }
    if (last && start === last.to) last.to = end;
    else if (end > at) parts.push({ from: start, to: end });
    if (left < 0) break;
  }
  return parts;
}
