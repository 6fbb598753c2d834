import { storeFailureOf } from '@fucina/shared';
import type { DataFolder } from './data-folder.ts';

/**
 * Runs an operation that frees space; if the disk is full, retries it after freeing the reserve. It must change nothing
 * when it throws.
 */
export type WithReserve = <Result>(act: () => Result | Promise<Result>) => Promise<Result>;

export function createWithReserve({ freeReserve }: Pick<DataFolder, 'freeReserve'>): WithReserve {
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      // A full disk causes several errors: SQLite's shared memory cannot grow either.
      const failure = storeFailureOf(error);
      const isDisk = failure === 'disk-full' || failure === 'disk-failed';
      if (!isDisk || !freeReserve()) throw error;
      return act();
    }
  };
}
