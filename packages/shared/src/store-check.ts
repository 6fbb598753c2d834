import { existsSync, statSync } from 'node:fs';
import { runInWorker, WorkerError } from './bounded-worker.ts';
import { moduleBeside } from './module-beside.ts';
import { refuseWrites } from './sqlite.ts';

/** `sound`, or the problem: `busy` when another process locks it, `unchecked` when it takes too long. */
export type StoreState = 'sound' | 'damaged' | 'missing' | 'busy' | 'unchecked';

export interface StoreCheck {
  state: StoreState;
  /** SQLite's description of the damage. */
  detail?: string;
}

const entry = moduleBeside(import.meta.url, 'store-check-worker');
const BOUNDS = { timeoutMs: 120_000, memoryMiB: 256 };

/**
 * SQLite's integrity check of a whole file, in a thread. After damage is found, this process no longer writes to the
 * file.
 */
export async function checkStore(file: string): Promise<StoreCheck> {
  if (!existsSync(file) || statSync(file).size === 0) return { state: 'missing' };
  const check = await runInWorker<StoreCheck>(entry, { file }, BOUNDS).catch((error: unknown): StoreCheck => {
    if (error instanceof WorkerError) return { state: 'unchecked', detail: error.problem };
    throw error;
  });
  if (check.state === 'damaged') refuseWrites(file);
  return check;
}
