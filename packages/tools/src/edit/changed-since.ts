import { diffLines } from '@fucina/conversation/line-diff';
import type { EditedText } from './apply-edits.ts';
import { lineNumberAt, numberedLines } from './numbered-lines.ts';

export interface ChangedSince {
  /** For the model. */
  note: string;
  /** The note shows all of it: the session knows the file again. */
  isWhole: boolean;
}

const MAX_SHOWN_LINES = 30;

/** What others changed outside of the edited places in a file that was `read` before; undefined `read`: not known. */
export function changedSince(read: string | undefined, { text, spans }: EditedText): ChangedSince {
  if (read === undefined) {
    const note =
      'The file had changed since you read it, it is not known where: read it again before you rely on the rest.';
    return { note, isWhole: false };
  }
  const own = spans.map(({ start, end }) => ({
    from: lineNumberAt(text, start),
    to: lineNumberAt(text, Math.max(start, end - 1)),
  }));
  const ranges = changedRanges(read, text).filter(
    ({ from, to }) => !own.some((one) => from <= one.to && one.from <= to),
  );
  if (ranges.length === 0) return { note: 'The file had changed since you read it, only here.', isWhole: true };
  const lines = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const isWhole = lines <= MAX_SHOWN_LINES;
  const where = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
  const shown = isWhole
    ? `:\n${ranges.map((range) => numberedLines(text, range)).join('\n  …\n')}`
    : '; read them again before you rely on them.';
  return { note: `The file had changed since you read it, also at lines ${where}${shown}`, isWhole };
}

/** Lines of the new text that are not in the old one; where lines are gone, the line that follows. */
function changedRanges(old: string, text: string): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  let line = 1;
  for (const { kind, lines } of diffLines(old.split('\n'), text.split('\n'))) {
    const last = ranges.at(-1);
    const to = kind === 'added' ? line + lines.length - 1 : line;
    if (kind !== 'same') {
      if (last && last.to >= line - 1 && last.to <= line) last.to = Math.max(last.to, to);
      else ranges.push({ from: line, to });
    }
    if (kind !== 'removed') line += lines.length;
  }
  return ranges;
}
