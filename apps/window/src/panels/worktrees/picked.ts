import { useState } from 'react';
import type { PickedChange } from '../../wire/picked-changes.ts';

export type Picks = readonly PickedChange[];

/** The changes that were chosen in the comparison. */
export interface PickState {
  picks: Picks;
  /** The choice of a file of a session, if it is of this diff. */
  of(sessionId: string, path: string, fingerprint: string): PickedChange | undefined;
  /** Replaces the choice of that file. */
  pick(change: PickedChange): void;
  unpick(sessionId: string, path: string): void;
  clear(): void;
}

export function usePicks(): PickState {
  const [picks, setPicks] = useState<Picks>([]);
  const others = (all: Picks, sessionId: string, path: string): Picks =>
    all.filter((one) => one.sessionId !== sessionId || one.path !== path);
  return {
    picks,
    of: (sessionId, path, fingerprint) =>
      picks.find((one) => one.sessionId === sessionId && one.path === path && one.fingerprint === fingerprint),
    pick: (change) => setPicks((all) => [...others(all, change.sessionId, change.path), change]),
    unpick: (sessionId, path) => setPicks((all) => others(all, sessionId, path)),
    clear: () => setPicks([]),
  };
}

/** The choice with one hunk more or less; undefined when none is left. Without `hunks` it is the whole file. */
export function withHunk(
  change: PickedChange | undefined,
  file: PickedChange,
  { hunk, count }: { hunk: number; count: number },
): PickedChange | undefined {
  const all = Array.from({ length: count }, (_, at) => at);
  const now = change ? (change.hunks ?? all) : [];
  const next = now.includes(hunk) ? now.filter((one) => one !== hunk) : [...now, hunk].sort((a, b) => a - b);
  if (next.length === 0) return undefined;
  return { ...file, hunks: next };
}
