import { type FileHandle, mkdtemp, open, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeEntry, systemCode } from '@fucina/shared';
import { FOLDER, handled, moveRawTo, placeRaw } from './raw-files.ts';
import type { Repository } from './repository.ts';

/**
 * A new folder for files of the work tree. Commands of agents can rename it or put a link in its place, so it is held
 * open: what is written to `path` goes there all the same (Linux).
 */
export interface AsideFolder {
  readonly parent: string;
  /** Absolute, until it is closed. */
  readonly path: string;
  /** Gives the folder another name; `target` is in a folder that is held open. */
  moveTo(target: string): Promise<void>;
  /** Deletes and closes it; after `moveTo`, closes it only. */
  remove(): Promise<void>;
  /** Leaves it where it is. May be called again. */
  close(): Promise<void>;
}

/** `parent` is an absolute real path that others cannot replace. */
export async function makeAside(parent: string, prefix = 'fucina-aside-'): Promise<AsideFolder> {
  const around = await open(parent, FOLDER);
  let folder: FileHandle | undefined;
  try {
    const name = basename(await mkdtemp(join(handled(around, parent), prefix)));
    folder = await open(join(handled(around, parent), name), FOLDER);
    return heldOpen(parent, name, { around, folder });
  } catch (error) {
    await folder?.close();
    await around.close();
    throw error;
  }
}

function heldOpen(
  parent: string,
  name: string,
  { around, folder }: Record<'around' | 'folder', FileHandle>,
): AsideFolder {
  let isMoved = false;
  const close = async (): Promise<void> => {
    await folder.close();
    await around.close();
  };
  return {
    parent,
    path: handled(folder, join(parent, name)),
    async moveTo(target) {
      await rename(join(handled(around, parent), name), target);
      isMoved = true;
    },
    async remove() {
      try {
        if (!isMoved) await removeEntry(join(handled(around, parent), name)).catch(unlessGone);
      } finally {
        await close();
      }
    },
    close,
  };
}

function unlessGone(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}

/** Entries moved out of the way. */
export interface MovedEntries {
  /** Each entry is there under the name that `storedAs` gives. */
  readonly folder: AsideFolder;
  /** Undefined if the entry was missing. */
  storedAs(path: string): string | undefined;
  /** A missing entry is not an error. */
  take(path: string): Promise<void>;
  /** Moves each back to its place, overwriting what is there now; then the folder is deleted. */
  putBack(): Promise<void>;
}

/** In the git folder where that is on the same disk. */
export async function openMovedEntries({ root, gitDir }: Repository): Promise<MovedEntries> {
  const isNear = (await stat(root)).dev === (await stat(gitDir)).dev;
  const folder = await (isNear ? makeAside(gitDir) : makeAside(root, '.fucina-aside-'));
  const taken: { path: string; to: string }[] = [];
  return {
    folder,
    storedAs: (path) => {
      const place = taken.findIndex((entry) => entry.path === path);
      return place < 0 ? undefined : String(place);
    },
    async take(path) {
      const to = join(folder.path, String(taken.length));
      try {
        await moveRawTo(root, path, to);
        taken.push({ path, to });
      } catch (error) {
        if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
      }
    },
    async putBack() {
      for (const { path, to } of taken.reverse()) await placeRaw(root, path, to);
      await folder.remove();
    },
  };
}
