import { diffArrays } from 'diff';

/** Consecutive lines with the same change. */
export interface LineRun {
  kind: 'same' | 'added' | 'removed';
  lines: readonly string[];
}

/**
 * Above this number of edits lines are no longer paired and the rest is shown as replaced, because pairing would take
 * seconds.
 */
const MOST_EDITS = 1_500;

/** Differences from the old to the new lines; the common start and end are not compared. No run is empty. */
export function diffLines(old: readonly string[], next: readonly string[]): LineRun[] {
  const shortest = Math.min(old.length, next.length);
  let start = 0;
  while (start < shortest && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  const runs: LineRun[] = [
    { kind: 'same', lines: old.slice(0, start) },
    ...changedRuns(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    { kind: 'same', lines: old.slice(old.length - end) },
  ];
  return runs.filter(({ lines }) => lines.length > 0);
}

function changedRuns(removed: string[], added: string[]): LineRun[] {
  const changes = diffArrays(removed, added, { maxEditLength: MOST_EDITS });
  if (!changes) {
    return [
      { kind: 'removed', lines: removed },
      { kind: 'added', lines: added },
    ];
  }
  return changes.map((change) => ({
    kind: change.added ? 'added' : change.removed ? 'removed' : 'same',
    lines: change.value,
  }));
}
