import { readFileSync } from 'node:fs';

/**
 * How long the main thread of a process has waited for a processor since it started, in ms: what a busy machine adds to
 * every time. 0 where the system does not report it, undefined when the process has ended.
 */
export function processorWaitMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return 0;
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const SAMPLE_MS = 20;

/** The same, also after the process has ended: then as last seen. */
export function watchProcessorWait(pid: number): { ms(): number; end(): void } {
  let last = 0;
  const look = (): number => {
    last = processorWaitMs(pid) ?? last;
    return last;
  };
  const timer = setInterval(look, SAMPLE_MS).unref();
  return { ms: look, end: () => clearInterval(timer) };
}
