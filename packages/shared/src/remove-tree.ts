import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HAS_PROC } from './disk-facts.ts';
import { systemCode } from './errors.ts';
import { PathError } from './safe-name.ts';

export const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Gives up after this many attempts if another process keeps writing into the folder being deleted. */
const MAX_TRIES = 5;
/** Open folders at a time: a deeper one is moved up and emptied there. */
const MAX_DEPTH = 64;

/**
 * Deletes a file, a link itself or a folder with all its contents, at an absolute path; a missing one is not an error.
 * Folders are accessed by their handles: a name that becomes a link meanwhile leads nowhere (where the system supports
 * it: Linux). Only the folder around `path` must not be one that others can replace. Throws the system's errors, and
 * PathError `denied` when others keep filling the folder.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await withFolderHandle(dirname(path), (folder) => removeEntry(join(folder, basename(path))));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** The same of an entry of a folder that is held open. ENOENT when it is missing. */
export async function removeEntry(path: string): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) return unlink(path);
  let moved = 0;
  const empty = async (folder: string, depth: number, top: string): Promise<void> => {
    for (const name of await readdir(folder)) {
      const entry = join(folder, name);
      await removeOne(entry, async () => {
        if (depth < MAX_DEPTH) await withFolderHandle(entry, (below) => empty(below, depth + 1, top));
        else await rename(entry, join(top, `.fucina-deep-${process.pid}-${++moved}`));
      }).catch(unlessGone);
    }
  };
  for (let tries = 1; ; tries += 1) {
    const before = moved;
    await withFolderHandle(path, (folder) => empty(folder, 1, folder));
    if (moved > before) tries = 0;
    else if (await isRemoved(path)) return;
    else if (tries >= MAX_TRIES) throw new PathError('denied', basename(path));
  }
}

async function removeOne(entry: string, empty: () => Promise<void>): Promise<void> {
  if (!(await lstat(entry)).isDirectory()) return unlink(entry);
  await empty();
  await isRemoved(entry);
}

/** False when it is not empty: something was added, or moved up. */
async function isRemoved(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOTEMPTY' || systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Deleted, moved up or replaced meanwhile: what is left is found in the next round. */
function unlessGone(error: unknown): void {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'].includes(systemCode(error) ?? '')) throw error;
}

/** A folder by its handle: a link that took its name in the meantime is rejected (ENOTDIR, ELOOP). */
export async function withFolderHandle<T>(path: string, act: (folder: string) => Promise<T>): Promise<T> {
  const handle = await open(path, FOLDER);
  try {
    return await act(handledPath(handle, path));
  } finally {
    await handle.close();
  }
}

/** Keeps leading to what is open, whatever happens to its name (where the system supports it: Linux). */
export function handledPath(handle: FileHandle, path: string): string {
  return HAS_PROC ? `/proc/self/fd/${handle.fd}` : path;
}
