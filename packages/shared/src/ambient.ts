import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessLauncher } from './launch.ts';
import { createLog, type Log, type LogLevel } from './log.ts';
import type { Tracing } from './tracing.ts';

/**
 * What a domain may not access directly: time, ids, randomness, the log. The first field of every `needs`. `now` is
 * wall time in ms since the epoch, for display and schedules; `monotonic` is for durations and expiry.
 */
export interface Ambient {
  now(): number;
  monotonic(): number;
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`; the returned function cancels it. Does not keep the process alive. */
  timer(ms: number, callback: () => void): () => void;
  /** A UUID v4. */
  newId(): string;
  randomBytes(count: number): Buffer;
  log: Log;
  /** Starts programs through the launcher process, if the server has one. */
  launcher?: Pick<ProcessLauncher, 'launch'> | undefined;
  /** Present while traces are collected. */
  tracing?: Tracing | undefined;
}

export function systemAmbient(level: LogLevel = 'info'): Ambient {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: async (ms, signal) => {
      await delay(ms, undefined, signal ? { signal } : {});
    },
    timer(ms, callback) {
      const handle = setTimeout(callback, ms);
      handle.unref();
      return () => clearTimeout(handle);
    },
    newId: () => randomUUID(),
    randomBytes: (count) => randomBytes(count),
    log: createLog({ level, now: () => Date.now(), write: (line) => process.stderr.write(line) }),
  };
}
