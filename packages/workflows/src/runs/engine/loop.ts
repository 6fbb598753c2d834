import { type Ambient, systemCode } from '@fucina/shared';

/** Does `turn` once whatever asked for it meanwhile, at the next turn of the event loop: what arrives together is done together. */
export interface Loop {
  wake(): void;
  isScheduled(): boolean;
  /** True while the store is given time. */
  isPausing(): boolean;
  isStopped(): boolean;
  stop(): void;
}

const FIRST_PAUSE_MS = 50;
const MOST_PAUSE_MS = 5_000;

/** `turn` answers what the store said when it refused: the same is tried again, later and later. */
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

/** Busy, full or failing: the same transaction may succeed later. */
export function isStoreFailure(error: unknown): boolean {
  return systemCode(error)?.startsWith('SQLITE_') ?? false;
}
