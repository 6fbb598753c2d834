import { type Ambient, systemCode } from '@fucina/shared';

/** Calls `turn` once for all requests of one tick of the event loop. */
export interface Loop {
  wake(): void;
  isScheduled(): boolean;
  /** True during the pause after a store failure. */
  isPausing(): boolean;
  isStopped(): boolean;
  stop(): void;
}

const FIRST_PAUSE_MS = 50;
const MOST_PAUSE_MS = 5_000;

/** `turn` returns the store's error: the same work is retried with increasing pauses. */
export function createLoop(ambient: Ambient, turn: () => unknown): Loop {
  let isScheduled = false;
  let isPausing = false;
  let isStopped = false;
  let pauseMs = FIRST_PAUSE_MS;

  const pause = (error: unknown): void => {
    ambient.log.warn('workflows.store-refuses', { error, pauseMs });
    isPausing = true;
    ambient.timer(pauseMs, () => {
      isPausing = false;
      wake();
    });
    pauseMs = Math.min(pauseMs * 2, MOST_PAUSE_MS);
  };
  const wake = (): void => {
    if (isScheduled || isPausing || isStopped) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (isStopped) return;
      const refused = turn();
      if (refused === undefined) pauseMs = FIRST_PAUSE_MS;
      else pause(refused);
    });
  };
  return {
    wake,
    isScheduled: () => isScheduled,
    isPausing: () => isPausing,
    isStopped: () => isStopped,
    stop: () => void (isStopped = true),
  };
}

/** Locked, full or failing: the same transaction may succeed later. */
export function isStoreFailure(error: unknown): boolean {
  return systemCode(error)?.startsWith('SQLITE_') ?? false;
}
