import { basename, dirname, relative, sep } from 'node:path';
import { createFolderInside, isWithin, PathError, statInside, writeFileInside } from '@fucina/shared';
import { type DiskMount, isFolder, type Mount } from './mounts.ts';

/**
 * Creates the places of mounts inside a read-only one, where bubblewrap can create none. Commands can put links into
 * these folders: nothing is created through one.
 */
export async function createMountPoints(readOnly: readonly DiskMount[], others: readonly Mount[]): Promise<void> {
  for (const { source, target } of readOnly) {
    for (const other of others) {
      if (other.target === target || !isWithin(target, other.target) || other.kind === 'link') continue;
      const path = relative(target, other.target).split(sep).join('/');
      const isFile = other.kind !== 'empty' && !isFolder(other.source);
      await createPlace(dirname(source), `${basename(source)}/${path}`, isFile);
    }
  }
}

async function createPlace(root: string, path: string, isFile: boolean): Promise<void> {
  try {
    if (await isThere(root, path)) return;
    if (isFile) await writeFileInside(root, path, { data: '', createFolders: true });
    else await createFolderInside(root, path, { recursive: true });
  } catch (error) {
    // A link or a file in the way: bubblewrap then reports what it cannot mount.
    if (!(error instanceof PathError)) throw error;
  }
}

async function isThere(root: string, path: string): Promise<boolean> {
  try {
    await statInside(root, path);
    return true;
  } catch (error) {
    if (error instanceof PathError && error.problem === 'missing') return false;
    throw error;
  }
}
