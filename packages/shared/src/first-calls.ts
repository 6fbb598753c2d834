import { changeFlag } from './v8-flags.ts';

const FIRST_CALLS = { changed: '--always-sparkplug', usual: '--no-always-sparkplug' };

/**
 * From now on V8 compiles a function when it is first called, instead of interpreting it until it has run for a while:
 * the first turns of a server call nearly all of their functions for the first time. Not during a start, which calls
 * most of its functions only once.
 */
export function compileFirstCalls(): void {
  changeFlag(FIRST_CALLS);
}
