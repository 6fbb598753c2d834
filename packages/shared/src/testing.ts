import { randomBytes } from 'node:crypto';
import type { Ambient } from './ambient.ts';
import { createLog } from './log.ts';

export { type ConnectProxy, createConnectProxy } from './connect-proxy.ts';
export { sqliteDriver } from './sqlite-driver.ts';
export { swapNames } from './swapped-names.ts';
export { type TestAuthority, type TestCertificate, testAuthority } from './test-certificates.ts';

export interface FakeAmbient extends Ambient {
  /** Moves both clocks and fires what is due. */
  advance(ms: number): Promise<void>;
  /** How many timers wait for their time. */
  waiting(): number;
  /** Every log line so far. */
  readonly lines: string[];
}

interface Timer {
  at: number;
  fire(): void;
}

/** Time stands still until `advance`; ids count upwards; the log is recorded. */
export function fakeAmbient(start = Date.UTC(2026, 0, 1)): FakeAmbient {
  let elapsed = 0;
  let count = 0;
  const timers = new Set<Timer>();
  const lines: string[] = [];
  const timer = (ms: number, callback: () => void): (() => void) => {
    const entry: Timer = { at: elapsed + ms, fire: callback };
    timers.add(entry);
    return () => timers.delete(entry);
  };

  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    timer,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = timer(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
    newId: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    randomBytes,
    log: createLog({ level: 'debug', now: () => start + elapsed, write: (line) => lines.push(line) }),
    waiting: () => timers.size,
    lines,
    async advance(ms) {
      const target = elapsed + ms;
      for (;;) {
        const next = [...timers].filter((entry) => entry.at <= target).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        elapsed = Math.max(elapsed, next.at);
        timers.delete(next);
        next.fire();
        await new Promise((resolve) => setImmediate(resolve));
      }
      elapsed = target;
    },
  };
}
