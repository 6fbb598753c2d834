import type { Ambient, ModelFailureClass } from '@fucina/shared';

/** Keys that rest after a failure; in memory, since a new start may try them all. */
export interface Benches {
  /** Ignores causes that say nothing about the key. `resetMs` is the provider's own wait and wins over the table. */
  bench(fingerprint: string, cause: ModelFailureClass, resetMs: number | null): void;
  of(fingerprint: string): Bench | undefined;
  clear(fingerprint: string): void;
}

interface Bench {
  cause: ModelFailureClass;
  /** Wall time, for people. */
  until: number;
  /** On the monotonic clock. */
  endsAt: number;
}

const HOUR = 3_600_000;
const BENCH_MS: Partial<Record<ModelFailureClass, number>> = {
  'rate-limit': HOUR,
  credential: 300_000,
  credit: HOUR,
  network: 60_000,
  timeout: 60_000,
  server: 60_000,
  'stream-interrupted': 60_000,
};

export function createBenches(ambient: Ambient): Benches {
  const benches = new Map<string, Bench>();
  return {
    bench(fingerprint, cause, resetMs) {
      const ms = BENCH_MS[cause] === undefined ? undefined : (resetMs ?? BENCH_MS[cause]);
      if (ms === undefined) return;
      benches.set(fingerprint, { cause, until: ambient.now() + ms, endsAt: ambient.monotonic() + ms });
    },
    of(fingerprint) {
      const bench = benches.get(fingerprint);
      if (bench && bench.endsAt <= ambient.monotonic()) {
        benches.delete(fingerprint);
        return undefined;
      }
      return bench;
    },
    clear(fingerprint) {
      benches.delete(fingerprint);
    },
  };
}
