import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { changeFlag, restoreFlag } from './v8-flags.ts';

/** Of both halves. V8 doubles them while much survives, up to 32 MiB. */
const ENOUGH_BYTES = 16 * 1024 * 1024;
const NO_GROWTH = { changed: '--semi-space-growth-factor=1', usual: '--semi-space-growth-factor=2' };

/**
 * From now on V8's space for young objects does not grow beyond 16 MiB: with more, a burst of deltas is no faster. V8
 * makes it small again when a process is idle, and it may grow again then.
 */
export function limitYoungGeneration(): void {
  let isLimited = false;
  new PerformanceObserver(() => {
    const isEnough = youngBytes() >= ENOUGH_BYTES;
    if (isEnough === isLimited) return;
    isLimited = isEnough;
    if (isEnough) changeFlag(NO_GROWTH);
    else restoreFlag(NO_GROWTH);
  }).observe({ entryTypes: ['gc'] });
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
