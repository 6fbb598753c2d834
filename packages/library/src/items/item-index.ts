import { lstatSync } from 'node:fs';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Ambient } from '@fucina/shared';
import { itemIds, LIBRARY_FOLDER, META_FILE, metaPath, type ReadItem, readItem } from './item-files.ts';
import type { ItemMeta } from './item-meta.ts';
import { createLibraryWatches, type LibraryWatch } from './library-watches.ts';

/** The metadata of all items of a project. Only files changed since the last call are read. */
export interface ItemIndex extends AsyncDisposable {
  /** The same object for an unchanged file, and the same list while nothing changed. One call at a time per project. */
  all(project: string, damaged: 'throw' | 'skip'): Promise<readonly ItemMeta[]>;
}

interface Kept {
  ids: Set<string>;
  /** Of a part of the ids; the others are read at each call. */
  known: Map<string, ReadItem>;
  /** `ids` is of a whole listing, and `known` was compared with it. */
  isWhole: boolean;
  /** The answer of the last call, while it is the next one's, too. */
  metas: readonly ItemMeta[] | undefined;
  watch: LibraryWatch;
  /** Settles when the calls so far have ended. */
  turn: Promise<unknown>;
}

const READS_AT_ONCE = 32;
const PROJECTS = 4;
/** How long file checks may block the event loop. */
const SLICE_MS = 5;
/** Two changes within one tick of the file system's clock have the same time. */
const CLOCK_TICK_MS = 50;

export function createItemIndex({ ambient }: { ambient: Ambient }): ItemIndex {
  const projects = new Map<string, Kept>();
  const watches = createLibraryWatches({ ambient });

  const keptOf = (project: string): Kept => {
    const kept = projects.get(project) ?? newKept(project);
    projects.delete(project);
    projects.set(project, kept);
    for (const [oldest, { watch }] of [...projects].slice(0, -PROJECTS)) {
      projects.delete(oldest);
      void watch.end();
    }
    return kept;
  };
  const newKept = (project: string): Kept => ({
    ids: new Set(),
    known: new Map(),
    isWhole: false,
    metas: undefined,
    watch: watches.of({ project, folder: LIBRARY_FOLDER, file: META_FILE }),
    turn: Promise.resolve(),
  });

  /** The ids whose files changed since they were read. */
  const changed = async (project: string, ids: Iterable<string>, { known }: Kept): Promise<string[]> => {
    const found: string[] = [];
    let pauseAt = ambient.monotonic() + SLICE_MS;
    for (const id of ids) {
      const item = known.get(id);
      if (!item || !isSameFile(item.stats, factsOf(`${project}/${metaPath(id)}`))) found.push(id);
      if (ambient.monotonic() < pauseAt) continue;
      await yieldToOthers();
      pauseAt = ambient.monotonic() + SLICE_MS;
    }
    return found;
  };

  /** Updates `ids` and returns those to be read; they are in `known` no longer. */
  const refresh = async (project: string, kept: Kept): Promise<string[]> => {
    const { ids, known } = kept;
    const changes = kept.isWhole ? await kept.watch.changes(ids.size) : undefined;
    kept.isWhole = false;
    const present = changes ? changes.changed : await itemIds(project);
    const gone = changes ? changes.gone : missingFrom(ids, present);
    for (const id of gone) {
      ids.delete(id);
      known.delete(id);
    }
    for (const id of present) ids.add(id);
    const stale = new Set(await changed(project, present, kept));
    for (const id of stale) known.delete(id);
    if (known.size + stale.size < ids.size) for (const id of ids) if (!known.has(id)) stale.add(id);
    if (gone.length > 0 || stale.size > 0) kept.metas = undefined;
    kept.isWhole = true;
    return [...stale];
  };

  const readAgain = async (project: string, id: string, { known }: Kept): Promise<ItemMeta | undefined> => {
    const readAt = ambient.now();
    const item = await readItem(project, id);
    if (item && item.stats.ctimeMs + CLOCK_TICK_MS < readAt) known.set(id, item);
    return item?.meta;
  };

  const readAll = async (project: string, kept: Kept, damaged: 'throw' | 'skip'): Promise<readonly ItemMeta[]> => {
    const stale = await refresh(project, kept);
    if (kept.metas) return kept.metas;
    const read = new Map<string, ItemMeta | undefined>();
    for (let at = 0; at < stale.length; at += READS_AT_ONCE) {
      const reading = stale.slice(at, at + READS_AT_ONCE).map(async (id) => {
        const meta = readAgain(project, id, kept);
        read.set(id, await (damaged === 'throw' ? meta : meta.catch(() => undefined)));
      });
      await Promise.all(reading);
    }
    const metas = [...kept.ids].flatMap((id) => (read.has(id) ? read.get(id) : kept.known.get(id)?.meta) ?? []);
    kept.metas = metas;
    return metas;
  };

  return {
    all(project, damaged) {
      const kept = keptOf(project);
      const mine = kept.turn.then(() => readAll(project, kept, damaged));
      kept.turn = mine.catch(() => undefined);
      return mine;
    },
    async [Symbol.asyncDispose]() {
      const ending = [...projects.values()].map(({ watch }) => watch.end());
      projects.clear();
      await Promise.all(ending);
    },
  };
}

function missingFrom(ids: ReadonlySet<string>, present: readonly string[]): string[] {
  const here = new Set(present);
  return [...ids].filter((id) => !here.has(id));
}

/** lstat, synchronously: through the thread pool it takes five times as long. */
function factsOf(path: string): ReadItem['stats'] | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // Reading it reports the error.
  }
}

function isSameFile(one: ReadItem['stats'], other: ReadItem['stats'] | undefined): boolean {
  return (
    one.ino === other?.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs
  );
}
