import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Ambient } from '@fucina/shared';
import { CLOCK_STEP_MS } from './history/folder-index.ts';

/** Reports what changes below folders, while someone wants to know. */
export interface FolderWatcher extends AsyncDisposable {
  /**
   * Changes since this call, gathered for a moment and each reported once; what versions, packages and builds hold is
   * left out. Of more than 500 at a time only the folders at the top are named. A folder that goes away is watched again
   * when it comes back. The answer ends it, and reports first what was gathered.
   */
  watch(folder: string, onChange: (changes: readonly FolderChange[]) => void): () => void;
}

export interface FolderChange {
  /** Relative, `/`-separated. */
  path: string;
  kind: 'file' | 'folder' | 'gone';
  /** Epoch ms: the last change of the entry itself; of one that is gone, the last change of the folder it was in. */
  changedAt: number;
}

const GATHER_MS = 250;
/** A reader that only looks in must not cost a walk through the tree. */
const START_MS = 400;
const RETRY_MS = 2_000;
const MAX_PATHS = 500;
/** Of the first scan: what is deleted beyond them before the watch has begun is not noticed. */
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
/** Our own, on their way to their names. */
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
  /** Reports what was gathered. */
  flush(): void;
  end(): Promise<void>;
}

function open(ambient: Ambient, folder: string): Watched {
  const listeners = new Set<Listener>();
  const gathering = createGathering(ambient, folder, listeners);
  const over = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let close: (() => Promise<void>) | undefined;
  /** What is newer was changed while someone wanted to know. */
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
      // A watch that it begins while it is being closed stays open, and must keep no process from ending.
      persistent: false,
      followSymlinks: false,
      ignored: (path) => path !== folder && isSkipped(path),
    });
    const mine = (): Promise<void> => watcher.close();
    close = mine;
    let seen: Set<string> | undefined = new Set();
    watcher.on('all', (event, path, stats) => {
      // One that is being closed may still report, also an end that was reported before.
      if (close !== mine) return;
      if (path === folder) {
        if (event === 'unlinkDir') again();
        return;
      }
      const isListing = seen !== undefined && (event === 'add' || event === 'addDir');
      seen?.add(path);
      // A folder's own times change with what is in it.
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

/** Collects paths for a moment, then reports them with the time of their change. */
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
  const stats = await lstat(join(folder, path)).catch(() => undefined); // gone, or out of reach
  if (stats) return { path, kind: stats.isDirectory() ? 'folder' : 'file', changedAt: stats.ctimeMs };
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const held = await lstat(join(folder, parent)).catch(() => undefined); // gone with it
    if (held || parent === '.') return { path, kind: 'gone', changedAt: held?.mtimeMs ?? 0 };
  }
}

/** The absolute paths of what a folder holds at all depths; as far as they can be read. */
async function namesIn(folder: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []); // gone meanwhile, or not ours to read
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
