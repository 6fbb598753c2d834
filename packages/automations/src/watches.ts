import type { Ambient } from '@fucina/shared';
import type { Engine } from './engine.ts';
import { automationsError } from './errors.ts';
import type { WatchedChange } from './needs.ts';
import type { AnyAutomation } from './records.ts';
import type { Store } from './store.ts';

/** Which changes of files start an automation. */
export interface WatchView {
  /** Lines of patterns as in `.gitignore`; null: none. */
  patterns: string | null;
}

/** Changes of files in its folder start an automation. */
export interface Watches {
  view(id: string): WatchView;
  /** AUTOMATION_INVALID (`watch-patterns`), AUTOMATION_LEGACY. */
  set(id: string, patterns: string | null): Promise<WatchView>;
  /** Begins to watch; only one process may do so. */
  start(): void;
  close(): void;
}

export interface WatchesNeeds {
  ambient: Ambient;
  store: Store;
  engine: Engine;
  folderOf(path: string): Promise<string | undefined>;
  /** Undefined where nothing is watched. */
  watchFolder: ((folder: string, onChange: (changes: readonly WatchedChange[]) => void) => () => void) | undefined;
  /** NOT_FOUND. */
  found(id: string): AnyAutomation;
}

/** Changes that follow each other start one run. */
const DEBOUNCE_MS = 2_000;
/** A program that writes all the time starts a run a minute. */
const GAP_MS = 60_000;
/** Another process may have changed an automation. */
const LOOK_MS = 30_000;
const MOST_PATHS = 100;
const MOST_LINES = 50;

interface Watched {
  folder: string;
  patterns: string;
  stop(): void;
}

export function createWatches(needs: WatchesNeeds): Watches {
  const { ambient, store, engine, found, watchFolder } = needs;
  const watched = new Map<string, Watched>();
  let cancelLook: (() => void) | undefined;
  let last: Promise<void> = Promise.resolve();
  let isOpen = false;

  /** One after the other. */
  function refresh(): Promise<void> {
    last = last.then(apply).catch((error: unknown) => ambient.log.warn('automations.not-watched', { error }));
    return last;
  }
  async function apply(): Promise<void> {
    const wanted = isOpen ? wantedIn(store) : new Map<string, Pick<Watched, 'folder' | 'patterns'>>();
    for (const [id, { folder, patterns, stop }] of watched) {
      const same = wanted.get(id);
      if (same?.folder === folder && same.patterns === patterns) continue;
      stop();
      watched.delete(id);
    }
    for (const [id, { folder, patterns }] of wanted) {
      if (watched.has(id) || !watchFolder) continue;
      const at = await needs.folderOf(folder);
      const matches = await matcherOf(patterns);
      if (at === undefined || !isOpen) continue;
      const gathering = createGathering(id, { ambient, store, engine });
      const stop = watchFolder(at, (changes) => gathering.add(changes.filter(({ path }) => matches(path))));
      watched.set(id, { folder, patterns, stop: () => (gathering.end(), stop()) });
    }
  }
  function look(): void {
    void refresh().then(() => {
      if (isOpen) cancelLook = ambient.timer(LOOK_MS, look);
    });
  }

  return {
    view(id) {
      found(id);
      return { patterns: store.watch(id) ?? null };
    },
    async set(id, patterns) {
      if (found(id).version === 1) throw automationsError('AUTOMATION_LEGACY');
      if (patterns !== null) await assertPatterns(patterns);
      await store.write(() => {
        found(id);
        store.saveWatch(id, patterns);
      });
      await refresh();
      return { patterns };
    },
    start() {
      isOpen = true;
      look();
    },
    close() {
      isOpen = false;
      cancelLook?.();
      for (const { stop } of watched.values()) stop();
      watched.clear();
    },
  };
}

function wantedIn(store: Store): Map<string, Pick<Watched, 'folder' | 'patterns'>> {
  const wanted = new Map<string, Pick<Watched, 'folder' | 'patterns'>>();
  for (const { id, patterns } of store.watches()) {
    const record = store.read(id);
    if (record?.version === 2 && record.isOn) wanted.set(id, { folder: record.folder, patterns });
  }
  return wanted;
}

interface Gathering {
  add(changes: readonly WatchedChange[]): void;
  end(): void;
}

/** Collects changes, and starts a run when they stop. Those of its own run are left out. */
function createGathering(
  id: string,
  { ambient, store, engine }: Pick<WatchesNeeds, 'ambient' | 'store' | 'engine'>,
): Gathering {
  const paths = new Set<string>();
  let cancel: (() => void) | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;

  async function fire(): Promise<void> {
    const text = [...paths].sort().join('\n');
    paths.clear();
    cancel = undefined;
    const record = store.read(id);
    if (!record?.isOn || record.running) return;
    startedAt = ambient.monotonic();
    await engine.runNow(id, { kind: 'files', text });
  }
  return {
    add(changes) {
      const record = store.read(id);
      if (!record?.isOn || record.running) return;
      const endedAt = store.runs(id, 1)[0]?.finishedAt ?? 0;
      const fresh = changes.filter(({ kind, changedAt }) => kind !== 'folder' && changedAt > endedAt);
      if (fresh.length === 0) return;
      for (const { path } of fresh) if (paths.size < MOST_PATHS) paths.add(path);
      cancel?.();
      const waitMs = Math.max(DEBOUNCE_MS, startedAt + GAP_MS - ambient.monotonic());
      cancel = ambient.timer(waitMs, () => {
        fire().catch((error: unknown) => ambient.log.warn('automation.not-started', { automationId: id, error }));
      });
    },
    end: () => cancel?.(),
  };
}

async function matcherOf(patterns: string): Promise<(path: string) => boolean> {
  const { default: ignore } = await import('ignore');
  const rules = ignore({ ignorecase: false, allowRelativePaths: false }).add(patterns);
  return (path) => ignore.isPathValid(path) && rules.ignores(path);
}

async function assertPatterns(patterns: string): Promise<void> {
  const lines = patterns.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const isUsable = lines.length > 0 && lines.length <= MOST_LINES && lines.some((line) => !line.startsWith('!'));
  if (!isUsable) throw automationsError('AUTOMATION_INVALID', { reason: 'watch-patterns' });
  await matcherOf(patterns);
}
