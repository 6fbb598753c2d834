import { storeFailureOf } from '@fucina/shared';
import type { DataFolder } from './data-folder.ts';

/** Runs what makes room; when the disk is full, once more with the reserve freed. It must change nothing when it throws. */
export type WithReserve = <Result>(act: () => Result | Promise<Result>) => Promise<Result>;

export function createWithReserve({ freeReserve }: Pick<DataFolder, 'freeReserve'>): WithReserve {
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      // A full disk shows in several ways: SQLite's shared memory cannot grow either.
      const failure = storeFailureOf(error);
      const isDisk = failure === 'disk-full' || failure === 'disk-failed';
      if (!isDisk || !freeReserve()) throw error;
      return act();
    }
  };
}
