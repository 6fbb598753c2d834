import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from './errors.ts';
import { handledPath, removeEntry, withFolderHandle } from './remove-tree.ts';
import { PathError, parseRelativePath } from './safe-name.ts';
import { withFolderInside } from './safe-path.ts';

/**
 * Moves, copies and deletes whole entries of a folder. `root` is an absolute real path, paths are relative to it. A
 * link is moved, copied and deleted itself: its target is never touched. Folders are accessed by their handles, so that
 * a name that changes in the meantime cannot redirect an operation (where the system supports it: Linux).
 */

/** Metadata of an entry itself, links not followed. Problems: invalid, missing, outside, denied. */
export async function entryInside(root: string, path: string): Promise<Stats> {
  const wanted = parseRelativePath(path);
  return withFolderInside(root, parentOf(wanted), (folder) => lstat(join(folder, basename(wanted))));
}

/** Moves or renames an entry. Problems: exists, missing, invalid (a folder into itself), denied. */
export async function moveInside(root: string, from: string, to: string): Promise<void> {
  const [source, target] = [parseRelativePath(from), parseRelativePath(to)];
  if (target === source || target.startsWith(`${source}/`)) throw new PathError('invalid', to);
  await withFolderInside(root, parentOf(source), (fromFolder) =>
    withFolderInside(root, parentOf(target), (toFolder) =>
      moveEntry(join(fromFolder, basename(source)), join(toFolder, basename(target)), to),
    ),
  );
}

/**
 * Moves an entry out of the root, to an absolute path on the same device. Problems: missing, denied; EXDEV is rethrown.
 */
export async function takeOut(root: string, path: string, to: string): Promise<void> {
  const source = parseRelativePath(path);
  await withFolderInside(root, parentOf(source), (folder) => rename(join(folder, basename(source)), to));
}

/** Deletes an entry, a folder with all its contents. Problems: missing, denied. */
export async function removeInside(root: string, path: string): Promise<void> {
  const wanted = parseRelativePath(path);
  await withFolderInside(root, parentOf(wanted), (folder) => removeEntry(join(folder, basename(wanted))));
}

export interface CopyRequest {
  from: string;
  to: string;
  limits: { maxEntries: number; maxBytes: number };
}

/**
 * Copies an entry inside the root without replacing anything. Problems: exists, missing, too-large, denied. A failed
 * copy leaves nothing behind.
 */
export async function copyInside(root: string, { from, to, limits }: CopyRequest): Promise<void> {
  const [source, target] = [parseRelativePath(from), parseRelativePath(to)];
  const budget = { entries: limits.maxEntries, bytes: limits.maxBytes };
  await withFolderInside(root, parentOf(source), (fromFolder) =>
    withFolderInside(root, parentOf(target), async (toFolder) => {
      const copy = join(toFolder, basename(target));
      if (await exists(copy)) throw new PathError('exists', to);
      try {
        await copyEntry(join(fromFolder, basename(source)), copy, budget);
      } catch (error) {
        await removeEntry(copy).catch(() => undefined); // what was copied before the failure
        throw error;
      }
    }),
  );
}

/**
 * A hard link never replaces an existing file; for folders, and where hard links are unsupported, only the earlier
 * check protects it.
 */
async function moveEntry(from: string, to: string, shown: string): Promise<void> {
  const stats = await lstat(from);
  if (!stats.isDirectory()) {
    try {
      await link(from, to);
      return await unlink(from);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') throw new PathError('exists', shown, error);
      if (!NO_LINKS.has(systemCode(error) ?? '')) throw error;
    }
  }
  if (await exists(to)) throw new PathError('exists', shown);
  await rename(from, to).catch((error: unknown) => {
    throw systemCode(error) === 'EINVAL' ? new PathError('invalid', shown, error) : error;
  });
}

const NO_LINKS = new Set(['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV']);

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

async function copyEntry(from: string, to: string, budget: { entries: number; bytes: number }): Promise<void> {
  const stats = await lstat(from);
  budget.entries -= 1;
  budget.bytes -= stats.isFile() ? stats.size : 0;
  if (budget.entries < 0 || budget.bytes < 0) throw new PathError('too-large', basename(from));
  if (stats.isSymbolicLink()) return symlink(await targetOf(from), to);
  if (stats.isDirectory()) {
    await mkdir(to, { mode: stats.mode & 0o777 });
    return withFolderHandle(from, (source) =>
      withFolderHandle(to, async (target) => {
        for (const name of await readdir(source)) await copyEntry(join(source, name), join(target, name), budget);
      }),
    );
  }
  if (!stats.isFile()) return; // a socket or a pipe has no content to copy
  const handle = await open(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    await copyFile(handledPath(handle, from), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } finally {
    await handle.close();
  }
}

/** The link was deleted or replaced in the meantime. */
async function targetOf(link: string): Promise<string> {
  return readlink(link).catch((error: unknown) => {
    throw systemCode(error) === 'EINVAL' ? new PathError('missing', basename(link), error) : error;
  });
}

function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? '' : parent;
}
