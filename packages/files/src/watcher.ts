import { stat } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import type { Ambient } from '@fucina/shared';

/** Tells what changes below folders, while somebody wants to know. */
export interface FolderWatcher extends AsyncDisposable {
  /**
   * Relative, `/`-separated paths, gathered for a moment and each told once; what versions, packages and builds hold is
   * left out. A folder that goes away is watched again when it comes back. The answer ends it.
   */
  watch(folder: string, onChange: (paths: readonly string[]) => void): () => void;
}

const GATHER_MS = 250;
/** A reader that only looks in must not cost a walk through the tree. */
const START_MS = 400;
const RETRY_MS = 2_000;
const MAX_PATHS = 500;
const SKIPPED = new Set([
  '.git',
  'node_modules',
  'dist',
  'build',
  'target',
  'coverage',
  '.venv',
  '__pycache__',
  '.turbo',
  '.cache',
]);

type Listener = (paths: readonly string[]) => void;

export function createWatcher({ ambient }: { ambient: Ambient }): FolderWatcher {
  const watched = new Map<string, { listeners: Set<Listener>; end(): Promise<void> }>();

  return {
    watch(folder, onChange) {
      const entry = watched.get(folder) ?? open(ambient, folder);
      watched.set(folder, entry);
      entry.listeners.add(onChange);
      return () => {
        entry.listeners.delete(onChange);
        if (entry.listeners.size) return;
        if (watched.get(folder) === entry) watched.delete(folder);
        void entry.end();
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...watched.values()].map((entry) => entry.end()));
      watched.clear();
    },
  };
}

function open(ambient: Ambient, folder: string) {
  const listeners = new Set<Listener>();
  let pending = new Set<string>();
  let cancelTimer: (() => void) | undefined;
  let cancelGather: (() => void) | undefined;
  let close: (() => Promise<void>) | undefined;
  let isOver = false;

  const tell = (): void => {
    cancelGather = undefined;
    const paths = [...pending].sort();
    pending = new Set();
    for (const listener of listeners) listener(paths);
  };
  const note = (path: string): void => {
    const inner = relative(folder, path).split(sep).join('/');
    if (!inner || isOver || pending.size >= MAX_PATHS) return;
    pending.add(inner);
    cancelGather ??= ambient.timer(GATHER_MS, tell);
  };
  const again = (): void => {
    const closing = close;
    close = undefined;
    void closing?.();
    cancelTimer?.();
    if (!isOver) cancelTimer = ambient.timer(RETRY_MS, () => void start());
  };
  const start = async (): Promise<void> => {
    const isThere = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isThere) return again();
    const { watch } = await import('chokidar');
    if (isOver || close) return;
    const watcher = watch(folder, {
      ignoreInitial: true,
      // A watch that it begins while it is being closed stays open, and must keep no process from ending.
      persistent: false,
      followSymlinks: false,
      ignored: (path) => path !== folder && SKIPPED.has(basename(path)),
    });
    const mine = (): Promise<void> => watcher.close();
    close = mine;
    watcher.on('all', (event, path) => {
      // One that is being closed may still tell, also of an end that was told before.
      if (close !== mine) return;
      if (path === folder) {
        if (event === 'unlinkDir') again();
      } else note(path);
    });
    watcher.on('error', (error) => ambient.log.warn('folder.not-watched', { error }));
  };
  cancelTimer = ambient.timer(START_MS, () => void start());

  return {
    listeners,
    async end() {
      isOver = true;
      cancelTimer?.();
      cancelGather?.();
      await close?.();
    },
  };
}
