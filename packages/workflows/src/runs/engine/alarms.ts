import type { Ambient } from '@fucina/shared';

/** One alarm per run: the earliest requested time, in ms since the epoch. */
export interface Alarms {
  set(run: number, at: number): void;
  clear(run: number): void;
  clearAll(): void;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

export function createAlarms(ambient: Ambient, ring: (run: number) => void): Alarms {
  const set = new Map<number, { at: number; cancel(): void }>();
  const clear = (run: number): void => {
    set.get(run)?.cancel();
    set.delete(run);
  };
  return {
    clear,
    set(run, at) {
      const known = set.get(run);
      if (known && known.at <= at && known.at > ambient.now()) return;
      known?.cancel();
      const ms = Math.min(Math.max(0, at - ambient.now()), MAX_TIMER_MS);
      const cancel = ambient.timer(ms, () => {
        set.delete(run);
        ring(run);
      });
      set.set(run, { at, cancel });
    },
    clearAll() {
      for (const run of set.keys()) clear(run);
    },
  };
}
