import { setFlagsFromString } from 'node:v8';

/** Kept where V8's flags are, in the process: a program and its loader are bundled apart. */
const COMPILES = Symbol.for('fucina.compiles-first-calls');
const ofProcess = globalThis as { [COMPILES]?: boolean };

/**
 * From now on V8 compiles a function when it is first called, instead of interpreting it until it has run for a while:
 * the first turns of a server call nearly all of their functions for the first time. Not during a start, which calls
 * most of its functions only once.
 */
export function compileFirstCalls(): void {
  ofProcess[COMPILES] = true;
  setFlag(true);
}

/** V8 refuses stored code that was compiled with other flags: scripts are read with the usual ones. */
export function withUsualFlags<Result>(readScript: () => Result): Result {
  if (!ofProcess[COMPILES]) return readScript();
  setFlag(false);
  try {
    return readScript();
  } finally {
    setFlag(true);
  }
}

function setFlag(isOn: boolean): void {
  setFlagsFromString(isOn ? '--always-sparkplug' : '--no-always-sparkplug');
}
