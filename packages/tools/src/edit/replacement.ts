import { diffLines } from '@fucina/conversation/line-diff';
import type { Found, Span } from './find-places.ts';
import { reindenter } from './indentation.ts';
import { lineIn } from './line-form.ts';

const LF = '\n';
const CRLF = '\r\n';

/**
 * What is written in place of a span: lines that the edit does not change keep the characters, the line ends and the
 * indentation that they have. Undefined when the indentation that is meant cannot be known.
 */
export function replacementFor(text: string, span: Span, found: Found): string | undefined {
  const { old, fresh } = found.reading;
  const there = text.slice(span.start, span.end);
  if (found.form === 'exact') return withEnds(fresh, endsFor(text, span, { old, fresh }));
  const olds = withoutReturns(old).split('\n');
  const freshLines = withoutReturns(fresh).split('\n');
  const thereLines = there.split('\n').map((line) => ({ line: lineIn('ends', line), end: endOf(line) }));
  if (olds.length === thereLines.length + 1 && olds.at(-1) === '') {
    olds.pop();
    if (freshLines.length > 1 && freshLines.at(-1) === '') freshLines.pop();
  }
  const pairs = olds.map((line, index) => [line, thereLines[index]?.line ?? ''] as const);
  const changed =
    found.form === 'indentation' ? reindenter(pairs, { fresh: freshLines, text }) : (line: string) => line;
  if (!changed) return undefined;
  const lines = aligned(pairs, freshLines).map(({ line, at, beside }) => {
    const kept = at === undefined ? undefined : thereLines[at];
    if (kept) return kept;
    const pair = beside === undefined || found.form === 'indentation' ? undefined : pairs[beside];
    return { line: pair ? patched(pair, line) : changed(line), end: '' };
  });
  const end = endsNear(text, span);
  return lines.map(({ line, end: own }, index) => line + (index + 1 < lines.length ? own || end : '')).join('');
}

interface AlignedLine {
  line: string;
  /** The line of the old text that it repeats. */
  at?: number;
  /** The line of the old text that it replaces, where as many lines replace as many. */
  beside?: number;
}

function aligned(pairs: readonly (readonly [string, string])[], fresh: readonly string[]): AlignedLine[] {
  const runs = diffLines(
    pairs.map(([old]) => old),
    fresh,
  );
  const lines: AlignedLine[] = [];
  let old = 0;
  for (const [index, { kind, lines: run }] of runs.entries()) {
    const isEven =
      kind === 'added' && runs[index - 1]?.kind === 'removed' && runs[index - 1]?.lines.length === run.length;
    if (kind !== 'added') old += run.length;
    if (kind === 'removed') continue;
    for (const offset of run.keys()) {
      const line = fresh[lines.length] ?? '';
      const at = old - run.length + offset;
      lines.push(kind === 'same' ? { line, at } : { line, ...(isEven && { beside: at }) });
    }
  }
  return lines;
}

/** The new line, with the characters of the file where it begins and ends like the old line. */
function patched([old, there]: readonly [string, string], fresh: string): string {
  const ends = [old, there, fresh].map((line) => line.trimEnd().length);
  const [oldEnd = 0, thereEnd = 0, freshEnd = 0] = ends;
  const shortest = Math.min(oldEnd, freshEnd);
  let start = 0;
  while (start < shortest && old[start] === fresh[start]) start++;
  let same = 0;
  while (same < shortest - start && old[oldEnd - 1 - same] === fresh[freshEnd - 1 - same]) same++;
  const middle = fresh.slice(start, freshEnd - same);
  return there.slice(0, start) + middle + there.slice(thereEnd - same, thereEnd) + fresh.slice(freshEnd);
}

const withoutReturns = (text: string): string => text.replaceAll(CRLF, LF);
const withEnds = (text: string, end: string | undefined): string =>
  end === undefined ? text : withoutReturns(text).replaceAll(LF, end);
const endOf = (line: string): string => (line.endsWith('\r') ? CRLF : LF);

/** The line ends for an exact edit; undefined to leave them as they were sent. */
function endsFor(text: string, span: Span, { old, fresh }: { old: string; fresh: string }): string | undefined {
  const changesEnds = withoutReturns(old) === withoutReturns(fresh);
  if (changesEnds || !/\n/.test(fresh)) return undefined;
  const hasOwnEnds = old.includes(LF) && !old.includes(CRLF);
  return hasOwnEnds ? undefined : endsNear(text, span);
}

/** Of the span itself, else of the line before or after it. */
function endsNear(text: string, { start, end }: Span): string {
  const inside = text.slice(start, end).indexOf(LF);
  const before = text.lastIndexOf(LF, start - 1);
  const at = inside >= 0 ? start + inside : before >= 0 && start > 0 ? before : text.indexOf(LF, end);
  return at > 0 && text[at - 1] === '\r' ? CRLF : LF;
}
