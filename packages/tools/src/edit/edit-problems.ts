import { nearMisses } from './edit-hints.ts';
import type { Span } from './find-places.ts';
import { lineNumberAt, numberedLines } from './numbered-lines.ts';

const MAX_LISTED = 20;
const MAX_SHOWN = 4;

/** A comment or nothing, then dots: a line that stands for others. */
const LEFT_OUT = /^\s*(?:\/\/|#|\/\*|<!--|--|;|%)?\s*(?:\.{3}|…)/;
/** Words for left-out lines, which no program has as its own text. */
const REST_LEFT_OUT =
  /^\s*(?:\/\/|#|\/\*|<!--|--|;|%|\{\/\*)\s*(?:\.{3}|…)?\s*(?:the )?(?:rest of|existing|remaining|unchanged|previous|other|same)\b[^\n]{0,60}?(?:\.{3}|…|unchanged|same|here|as before|code)/i;

/** Why the new text cannot be meant: it has a line that stands for others, which the old text has not. */
export function placeholderIn(old: string, fresh: string): string | undefined {
  const line = fresh.split('\n').find((one) => REST_LEFT_OUT.test(one) && !old.includes(one.trim()));
  if (line === undefined) return undefined;
  return `The new text has the line ${JSON.stringify(line.trim())} in place of lines; it would be written as it is. Write all lines of the new text, or several smaller edits.`;
}

export function notFound(text: string, old: string, label: string): string {
  const at = old.split('\n').findIndex((line) => LEFT_OUT.test(line));
  if (at >= 0) {
    return (
      `The old text leaves lines out (line ${at + 1} of it); it has to hold every line that it replaces. ` +
      'Send the whole text, or an edit for each part.'
    );
  }
  return `the old text does not occur in ${label}.${nearMisses(text, old)}`;
}

/** Lists the places with a line of context on both sides. */
export function ambiguous(
  text: string,
  spans: readonly Span[],
  { label, apartFrom }: { label: string; apartFrom: string },
): string {
  const shown = spans.slice(0, MAX_SHOWN).map(({ start, end }) => {
    const first = lineNumberAt(text, start);
    const last = Math.min(lineNumberAt(text, Math.max(start, end - 1)), first + 3);
    return numberedLines(text, { from: Math.max(1, first - 1), to: last + 1 });
  });
  const lines = [...new Set(spans.slice(0, MAX_LISTED).map(({ start }) => lineNumberAt(text, start)))];
  const more = spans.length > MAX_LISTED ? ` and ${spans.length - MAX_LISTED} more` : '';
  return (
    `the old text occurs ${spans.length} times in ${label}${apartFrom} (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}). ` +
    `Add surrounding lines to make it unique, or replace all of them.\n${shown.join('\n  …\n')}`
  );
}
