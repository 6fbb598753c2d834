import { setFlagsFromString } from 'node:v8';

/** A flag of V8 that a process changes while it runs, and the same with the value that V8 starts with. */
export interface ChangeableFlag {
  changed: string;
  usual: string;
}

/** Kept where V8's flags are, in the process: a program and its loader are bundled apart. */
const CHANGED = Symbol.for('fucina.changed-v8-flags');
const ofProcess = globalThis as { [CHANGED]?: Set<ChangeableFlag> };

export function changeFlag(flag: ChangeableFlag): void {
  ofProcess[CHANGED] ??= new Set();
  ofProcess[CHANGED].add(flag);
  setFlagsFromString(flag.changed);
}

export function restoreFlag(flag: ChangeableFlag): void {
  ofProcess[CHANGED]?.delete(flag);
  setFlagsFromString(flag.usual);
}

/** V8 refuses stored code that was compiled with other flags: scripts are read with the usual ones. */
export function withUsualFlags<Result>(readScript: () => Result): Result {
  const changed = [...(ofProcess[CHANGED] ?? [])];
  if (changed.length === 0) return readScript();
  for (const flag of changed) setFlagsFromString(flag.usual);
  try {
    return readScript();
  } finally {
    for (const flag of changed) setFlagsFromString(flag.changed);
  }
}
