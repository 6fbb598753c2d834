import type { Ambient } from '@fucina/shared';
import type { Listener } from './gathering.ts';
import { createWatchChannel } from './watch-channel.ts';
import { openFolder, type Watched } from './watched-folder.ts';

export type { FolderChange } from './gathering.ts';

/** Reports changes below folders while there are subscribers, and for some minutes keeps the watch of a folder after them. */
export interface FolderWatcher extends AsyncDisposable {
  /**
   * Reports changes since this call, batched and each once; contents of version control, packages and builds are left
   * out, and folders that the project's ignore files name. Above 500 changes at a time only the top-level folders are
   * named. A deleted folder is watched again when it comes back. The returned function ends the watch, and reports the
   * pending batch first.
   */
  watch(folder: string, onChange: Listener, options?: WatchOptions): () => void;
  /** Reads a folder again that is watched without events of the system, as a new subscriber does. */
  rescan(folder: string): void;
  state(): WatcherState;
}

export interface WatchOptions {
  /** Folders that the project's ignore files name are watched, too. */
  includesIgnored?: boolean;
}

/** Absolute folders. */
export interface WatcherState {
  /** Read again every while, because the system allows no more watches. */
  limited: readonly string[];
  /** Not watched: changes of others are not known. */
  unknown: readonly string[];
}

/** Of a folder without a subscriber. */
const KEEP_MS = 5 * 60_000;
const MOST_KEPT = 8;
export function createWatcher({ ambient }: { ambient: Ambient }): FolderWatcher {
  const watched = new Map<string, Watched>();
  // In one process, the library would give both kinds of watch of a folder the same tree.
  const ruled = createWatchChannel(ambient);
  const all = createWatchChannel(ambient);

  const trim = (): void => {
    const idle = [...watched].filter(([, { listeners }]) => listeners.size === 0);
    for (const [key, entry] of idle.slice(0, Math.max(0, idle.length - MOST_KEPT))) close(key, entry);
  };
  const close = (key: string, entry: Watched): void => {
    if (watched.get(key) === entry) watched.delete(key);
    entry.end();
  };

  return {
    watch(folder, onChange, { includesIgnored = false } = {}) {
      const key = `${includesIgnored ? 'all' : 'ruled'} ${folder}`;
      const entry =
        watched.get(key) ??
        openFolder({ ambient, channel: includesIgnored ? all : ruled, folder, appliesRules: !includesIgnored });
      watched.delete(key);
      watched.set(key, entry);
      entry.listeners.add(onChange);
      entry.cancelEnd();
      entry.rescan();
      return () => {
        if (!entry.listeners.has(onChange)) return;
        entry.flush();
        entry.listeners.delete(onChange);
        if (entry.listeners.size) return;
        if (!entry.hasBegun()) return close(key, entry);
        entry.cancelEnd = ambient.timer(KEEP_MS, () => close(key, entry));
        trim();
      };
    },
    rescan(folder) {
      for (const entry of watched.values()) if (entry.folder === folder) entry.rescan();
    },
    state() {
      const entries = [...watched.values()].filter(({ listeners }) => listeners.size > 0);
      const foldersOf = (state: ReturnType<Watched['state']>): string[] => [
        ...new Set(entries.filter((entry) => entry.state() === state).map(({ folder }) => folder)),
      ];
      return { limited: foldersOf('limited'), unknown: foldersOf('unknown') };
    },
    async [Symbol.asyncDispose]() {
      for (const [key, entry] of watched) close(key, entry);
      ruled.end();
      all.end();
    },
  };
}
