import { diffLines } from '@fucina/conversation/line-diff';

/** One line of a unified diff; `old` and `new` are its line numbers, from 1. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
  old: number | undefined;
  new: number | undefined;
  /** The changed range compared with the replaced line, `[from, to)`; absent if not useful. */
  mark?: [number, number];
}

export interface Hunk {
  lines: DiffLine[];
}

export interface FileDiff {
  hunks: Hunk[];
  added: number;
  removed: number;
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Marks changes inside lines that were replaced one by one. */
export function markPairs(lines: DiffLine[]): void {
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at]?.kind !== 'removed') continue;
    let removed = at;
    while (lines[removed]?.kind === 'removed') removed += 1;
    let added = removed;
    while (lines[added]?.kind === 'added') added += 1;
    if (removed - at === added - removed) {
      for (let pair = at; pair < removed; pair += 1) {
        markPair(lines[pair] as DiffLine, lines[pair + removed - at] as DiffLine);
      }
    }
    at = added - 1;
  }
}

function markPair(one: DiffLine, other: DiffLine): void {
  const shortest = Math.min(one.text.length, other.text.length);
  let head = 0;
  while (head < shortest && one.text[head] === other.text[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && one.text.at(-1 - tail) === other.text.at(-1 - tail)) tail += 1;
  if ((head + tail) * 3 < shortest) return;
  one.mark = [head, one.text.length - tail];
  other.mark = [head, other.text.length - tail];
}

function cut(lines: DiffLine[], context: number): Hunk[] {
  const hunks: Hunk[] = [];
  let last = -1;
  lines.forEach((line, at) => {
    if (line.kind === 'same') return;
    const from = Math.max(last, at - context);
    const to = Math.min(lines.length, at + context + 1);
    const open = hunks.at(-1);
    if (open && last >= 0 && from <= last) open.lines.push(...lines.slice(last, Math.max(last, to)));
    else hunks.push({ lines: lines.slice(Math.max(0, at - context), to) });
    last = Math.max(last, to);
  });
  return hunks;
}

/** The diff of two texts; null is a missing file. */
export function diffTexts(before: string | null, after: string | null, context = 3): FileDiff {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const lines: DiffLine[] = [];
  let [o, n, added, removed] = [0, 0, 0, 0];
  for (const run of diffLines(old, fresh)) {
    const { kind } = run;
    for (const text of run.lines) {
      if (kind !== 'added') o += 1;
      if (kind !== 'removed') n += 1;
      lines.push({ kind, text, old: kind === 'added' ? undefined : o, new: kind === 'removed' ? undefined : n });
    }
    if (kind === 'added') added += run.lines.length;
    if (kind === 'removed') removed += run.lines.length;
  }
  markPairs(lines);
  return { hunks: cut(lines, context), added, removed };
}
