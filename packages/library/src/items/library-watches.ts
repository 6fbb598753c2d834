import type { Ambient } from '@fucina/shared';
import { type ItemWatch, startItemWatch, type WatchedFolder, watchLimits } from './item-watch.ts';
import type { ItemChanges } from './item-watch-messages.ts';

/** The watch of one library, there only while it pays. */
export interface LibraryWatch {
  /**
   * What changed since the last call; undefined when everything must be read. For many items a watch begins in the
   * background, and ends when nothing called for three minutes. `count`: the items of the last reading.
   */
  changes(count: number): Promise<ItemChanges | undefined>;
  /** For good. */
  end(): Promise<void>;
}

export interface LibraryWatches {
  of(watched: WatchedFolder): LibraryWatch;
}

/** Fewer are checked in the time that a thread takes to start. */
const FEWEST = 1_000;
/** Each takes 2 KiB of memory. */
const MOST = 20_000;
/** Each has a thread. */
const WATCHED_AT_ONCE = 2;
const IDLE_MS = 3 * 60_000;
/** After a watch that was not possible or was lost. */
const RETRY_MS = 60_000;

export function createLibraryWatches({ ambient }: { ambient: Ambient }): LibraryWatches {
  const running = new Set<object>();

  return {
    of(watched) {
      const place = {};
      let watch: ItemWatch | undefined;
      let notBefore = Number.NEGATIVE_INFINITY;
      let cancelIdle: (() => void) | undefined;
      let isOver = false;

      const close = async (): Promise<void> => {
        const closing = watch;
        watch = undefined;
        running.delete(place);
        cancelIdle?.();
        await closing?.end();
      };
      const fail = (reason: string): void => {
        ambient.log.debug('library.not-watched', { reason });
        notBefore = ambient.monotonic() + RETRY_MS;
        watch = undefined;
        cancelIdle?.();
        running.delete(place);
      };
      const begin = async (count: number): Promise<void> => {
        running.add(place);
        const limits = await watchLimits(watched);
        if (isOver) return void running.delete(place);
        if (!limits || count > limits.mostFiles) return fail('not-possible');
        watch = startItemWatch(ambient, { ...watched, mostEvents: limits.mostEvents }, fail);
      };
      return {
        async changes(count) {
          const isWorth = count >= FEWEST && count <= MOST && running.size < WATCHED_AT_ONCE;
          if (isWorth && !isOver && !running.has(place) && ambient.monotonic() >= notBefore) void begin(count);
          cancelIdle?.();
          if (running.has(place)) cancelIdle = ambient.timer(IDLE_MS, () => void close());
          return watch?.changes();
        },
        async end() {
          isOver = true;
          await close();
        },
      };
    },
  };
}
