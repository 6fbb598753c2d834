import { plural } from '../cut.ts';
import type { EditedText } from './apply-edits.ts';
import { lineNumberAt, numberedLines } from './numbered-lines.ts';

const MAX_LISTED = 20;
/** Of one place, at its start and at its end. */
const MAX_ENDS = 8;
const MAX_PLACES = 10;

/** What was edited, what was adjusted, and the changed lines with a line before and after. */
export function editedWords({ text, spans, adjustments }: EditedText, label: string): string {
  const numbers = [...new Set(spans.slice(0, MAX_LISTED).map(({ start }) => lineNumberAt(text, start)))];
  const more = spans.length > MAX_LISTED ? ` and ${spans.length - MAX_LISTED} more` : '';
  const where = `${numbers.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')}${more}`;
  const head = `Edited ${label}: ${plural(spans.length, 'replacement')} at ${where}.`;
  const note = adjustments.length > 0 ? [`Adjusted: ${adjustments.join('; ')}.`] : [];
  return [head, ...note, changedLines(text, spans)].join('\n');
}

function changedLines(text: string, spans: EditedText['spans']): string {
  const ranges: { from: number; to: number }[] = [];
  for (const { start, end } of spans.slice(0, MAX_PLACES)) {
    const from = Math.max(1, lineNumberAt(text, start) - 1);
    const to = lineNumberAt(text, Math.max(start, end - 1)) + 1;
    const last = ranges.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  const shown = ranges.map(({ from, to }) => {
    if (to - from < 2 * MAX_ENDS + 1) return numberedLines(text, { from, to });
    const left = to - from + 1 - 2 * MAX_ENDS;
    const ends = [
      { from, to: from + MAX_ENDS - 1 },
      { from: to - MAX_ENDS + 1, to },
    ];
    return ends.map((range) => numberedLines(text, range)).join(`\n  … ${plural(left, 'line')} …\n`);
  });
  const rest = spans.length > MAX_PLACES ? [`  … ${spans.length - MAX_PLACES} more places …`] : [];
  return [...shown.map((part, index) => (index === 0 ? part : `  …\n${part}`)), ...rest].join('\n');
}
