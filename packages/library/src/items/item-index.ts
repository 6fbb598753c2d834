import { lstatSync } from 'node:fs';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Ambient } from '@fucina/shared';
import { itemIds, metaPath, type ReadItem, readItem } from './item-files.ts';
import type { ItemMeta } from './item-meta.ts';

/** The metadata of all items of a project. Only files changed since the last call are read. */
export interface ItemIndex {
  /** In the order of the file system, and the same object for an unchanged file.  */
  all(project: string, damaged: 'throw' | 'skip'): Promise<ItemMeta[]>;
}

type Known = Map<string, ReadItem>;

const READS_AT_ONCE = 32;
const PROJECTS = 4;
/** How long file checks may block the event loop. */
const SLICE_MS = 5;
/** Two changes within one tick of the file system's clock have the same time. */
const CLOCK_TICK_MS = 50;

export function createItemIndex({ ambient }: { ambient: Ambient }): ItemIndex {
  const projects = new Map<string, Known>();

  const knownOf = (project: string): Known => {
    const known = projects.get(project) ?? new Map();
    projects.delete(project);
    projects.set(project, known);
    for (const oldest of [...projects.keys()].slice(0, -PROJECTS)) projects.delete(oldest);
    return known;
  };

  /** The ids whose files changed since they were read. */
  const changed = async (project: string, ids: readonly string[], known: Known): Promise<string[]> => {
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

  const readAgain = async (project: string, id: string, known: Known): Promise<ItemMeta | undefined> => {
    const readAt = ambient.now();
    const item = await readItem(project, id);
    if (item && item.stats.ctimeMs + CLOCK_TICK_MS < readAt) known.set(id, item);
    else known.delete(id);
    return item?.meta;
  };

  return {
    async all(project, damaged) {
      const known = knownOf(project);
      const ids = await itemIds(project);
      const present = new Set(ids);
      for (const id of known.keys()) if (!present.has(id)) known.delete(id);
      const stale = await changed(project, ids, known);
      const read = new Map<string, ItemMeta | undefined>();
      for (let at = 0; at < stale.length; at += READS_AT_ONCE) {
        const reading = stale.slice(at, at + READS_AT_ONCE).map(async (id) => {
          const meta = readAgain(project, id, known);
          read.set(id, await (damaged === 'throw' ? meta : meta.catch(() => undefined)));
        });
        await Promise.all(reading);
      }
      return ids.flatMap((id) => (read.has(id) ? read.get(id) : known.get(id)?.meta) ?? []);
    },
  };
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
