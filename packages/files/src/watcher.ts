import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Ambient } from '@fucina/shared';
import { CLOCK_STEP_MS } from './history/folder-index.ts';

/** Reports changes below folders while there are subscribers. */
export interface FolderWatcher extends AsyncDisposable {
  /**
   * Reports changes since this call, batched and each once; contents of version control, packages and builds are left
   * out. Above 500 changes at a time only the top-level folders are named. A deleted folder is watched again when it
   * comes back. The returned function ends the watch, and reports the pending batch first.
   */
  watch(folder: string, onChange: (changes: readonly FolderChange[]) => void): () => void;
}

export interface FolderChange {
  /** Relative, `/`-separated. */
  path: string;
  kind: 'file' | 'folder' | 'gone';
  /** Epoch ms: the last change of the entry itself; for a deleted one, the last change of its folder. */
  changedAt: number;
}

const GATHER_MS = 250;
/** A short-lived subscriber must not cause a walk through the tree. */
const START_MS = 400;
const RETRY_MS = 2_000;
const MAX_PATHS = 500;
/** Limit of the first scan: beyond it, deletions before the watch starts are not noticed. */
const MAX_SCANNED = 20_000;
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

type Listener = (changes: readonly FolderChange[]) => void;
/** Our own temporary files, before they are renamed. */
const TEMPORARY = /^\.fucina-\d+-\d+\.tmp$/;
const isSkipped = (path: string): boolean => SKIPPED.has(basename(path)) || TEMPORARY.test(basename(path));

export function createWatcher({ ambient }: { ambient: Ambient }): FolderWatcher {
  const watched = new Map<string, Watched>();

  return {
    watch(folder, onChange) {
      const entry = watched.get(folder) ?? open(ambient, folder);
      watched.set(folder, entry);
      entry.listeners.add(onChange);
      return () => {
        entry.flush();
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

interface Watched {
  listeners: Set<Listener>;
  /** Reports the pending batch. */
  flush(): void;
  end(): Promise<void>;
}

function open(ambient: Ambient, folder: string): Watched {
  const listeners = new Set<Listener>();
  const gathering = createGathering(ambient, folder, listeners);
  const over = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let close: (() => Promise<void>) | undefined;
  /** Newer changes happened while there was a subscriber. */
  let since = ambient.now() - CLOCK_STEP_MS;
  let before: Promise<ReadonlySet<string>> | undefined = namesIn(folder, over.signal);

  const again = (): void => {
    const closing = close;
    close = undefined;
    before = undefined;
    since = ambient.now();
    void closing?.();
    cancelTimer?.();
    if (!over.signal.aborted) cancelTimer = ambient.timer(RETRY_MS, () => void start());
  };
  const start = async (): Promise<void> => {
    const isThere = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isThere) return again();
    const { watch } = await import('chokidar');
    if (over.signal.aborted || close) return;
    const watcher = watch(folder, {
      alwaysStat: true,
      // A watch that starts during the close stays open, and must not keep the process alive.
      persistent: false,
      followSymlinks: false,
      ignored: (path) => path !== folder && isSkipped(path),
    });
    const mine = (): Promise<void> => watcher.close();
    close = mine;
    let seen: Set<string> | undefined = new Set();
    watcher.on('all', (event, path, stats) => {
      // A watcher that is being closed may still report, even an end that was already reported.
      if (close !== mine) return;
      if (path === folder) {
        if (event === 'unlinkDir') again();
        return;
      }
      const isListing = seen !== undefined && (event === 'add' || event === 'addDir');
      seen?.add(path);
      // A folder's own times change with its entries.
      const changedAt = event === 'addDir' ? stats?.birthtimeMs : stats?.ctimeMs;
      if (!isListing || changedAt === undefined || changedAt >= since) gathering.note(path);
    });
    watcher.on('ready', () => {
      const listed = seen;
      seen = undefined;
      void before?.then((names) => {
        if (close === mine) for (const path of names) if (!listed?.has(path)) gathering.note(path);
      });
      before = undefined;
    });
    watcher.on('error', (error) => ambient.log.warn('folder.not-watched', { error }));
  };
  cancelTimer = ambient.timer(START_MS, () => void start());

  return {
    listeners,
    flush: gathering.flush,
    async end() {
      over.abort();
      cancelTimer?.();
      gathering.end();
      await close?.();
    },
  };
}

/** Batches paths for a moment, then reports them with their change times. */
function createGathering(
  ambient: Ambient,
  folder: string,
  listeners: ReadonlySet<Listener>,
): { note(path: string): void; flush(): void; end(): void } {
  let pending = new Set<string>();
  let cancel: (() => void) | undefined;
  let isOver = false;
  const report = async (to: readonly Listener[]): Promise<void> => {
    cancel = undefined;
    const paths = [...pending].sort();
    pending = new Set();
    const changes = await Promise.all(paths.map((path) => changeOf(folder, path)));
    for (const listener of to) listener(changes);
  };
  return {
    note(path) {
      const inner = relative(folder, path).split(sep).join('/');
      if (!inner || isOver) return;
      pending.add(pending.size < MAX_PATHS ? inner : (inner.split('/')[0] as string));
      cancel ??= ambient.timer(GATHER_MS, () => void report([...listeners]));
    },
    flush() {
      cancel?.();
      if (pending.size > 0) void report([...listeners]);
    },
    end() {
      isOver = true;
      cancel?.();
    },
  };
}

async function changeOf(folder: string, path: string): Promise<FolderChange> {
  const stats = await lstat(join(folder, path)).catch(() => undefined); // deleted, or not accessible
  if (stats) return { path, kind: stats.isDirectory() ? 'folder' : 'file', changedAt: stats.ctimeMs };
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const held = await lstat(join(folder, parent)).catch(() => undefined); // deleted with it
    if (held || parent === '.') return { path, kind: 'gone', changedAt: held?.mtimeMs ?? 0 };
  }
}

/** The absolute paths of everything in a folder, at all depths, where readable. */
async function namesIn(folder: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []); // deleted in the meantime, or not accessible
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (isSkipped(path)) continue;
      if (names.size >= MAX_SCANNED) return names;
      names.add(path);
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return names;
}
