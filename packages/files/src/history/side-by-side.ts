import { setImmediate as yieldToOthers } from 'node:timers/promises';

const YIELD_EVERY = 200;

interface Crew {
  act(path: string): Promise<void>;
  most: number;
  signal: AbortSignal;
}

/** Acts on each path, at most `most` at a time, in order of their start. */
export async function sideBySide(paths: readonly string[], { act, most, signal }: Crew): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      signal.throwIfAborted();
      await act(path);
      if (next % YIELD_EVERY === 0) await yieldToOthers();
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
}
