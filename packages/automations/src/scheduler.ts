import type { Ambient } from '@fucina/shared';
import type { Engine } from './engine.ts';
import type { AnyAutomation } from './records.ts';
import type { Store } from './store.ts';
import { nextFree } from './timing.ts';

/** Wakes when a run is due, and at intervals, so that a change of the system clock is noticed. */
export interface Scheduler {
  start(): Promise<void>;
  /** Called when the next due time may have changed. */
  nudge(): void;
  close(): Promise<void>;
}

export interface SchedulerNeeds {
  ambient: Ambient;
  store: Store;
  engine: Engine;
  systemZone: string;
}

const LONGEST_SLEEP_MS = 30_000;
const CROWDED_MS = 1_000;
const BATCH = 20;
const BACKWARD_MS = 1_000;
/** How many are computed at once without blocking other work. */
const RECOMPUTED_AT_ONCE = 100;

export function createScheduler({ ambient, store, engine, systemZone }: SchedulerNeeds): Scheduler {
  let cancel = (): void => undefined;
  let isClosed = true;
  let looking: Promise<void> | undefined;
  let lastNow = Number.NEGATIVE_INFINITY;

  function plan(): void {
    cancel();
    if (isClosed) return;
    const wake = store.nextWake();
    const wait = wake === undefined ? LONGEST_SLEEP_MS : wake - ambient.now();
    // Runs that are due but could not start yet: checks again after a pause.
    cancel = ambient.timer(Math.min(LONGEST_SLEEP_MS, wait <= 0 ? CROWDED_MS : wait), tick);
  }

  function tick(): void {
    looking ??= look()
      .catch((error: unknown) => ambient.log.error('automations.look-failed', { error }))
      .finally(() => {
        looking = undefined;
        plan();
      });
  }

  async function look(): Promise<void> {
    const now = ambient.now();
    const wentBack = now < lastNow - BACKWARD_MS;
    lastNow = now;
    if (wentBack) await recompute();
    while (!isClosed && (await engine.fireDue(BATCH)) === BATCH) await breathe();
  }

  /** The clock went back: recomputes the next times; times that were already claimed stay claimed. */
  async function recompute(): Promise<void> {
    ambient.log.warn('automations.clock-went-back', { now: ambient.now() });
    const all = store.list().filter(({ isOn }) => isOn);
    for (let from = 0; from < all.length; from += RECOMPUTED_AT_ONCE) {
      await store.write(() => all.slice(from, from + RECOMPUTED_AT_ONCE).forEach(renew));
      await breathe();
    }
  }

  function renew({ id }: AnyAutomation): void {
    const record = store.read(id);
    if (!record?.isOn || (record.version === 2 && record.schedule.kind === 'once')) return;
    const nextRunAt = nextFree(record, ambient.now(), { store, systemZone });
    store.save({ ...record, nextRunAt, waitsUntil: null });
  }

  return {
    async start() {
      isClosed = false;
      lastNow = store.lastStart() ?? lastNow;
      await engine.recover();
      tick();
    },
    nudge() {
      if (!looking) plan();
    },
    async close() {
      isClosed = true;
      cancel();
      await looking;
    },
  };
}

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
