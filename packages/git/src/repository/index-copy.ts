import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemCode } from '@fucina/shared';
import type { GitFolder } from './git-folder.ts';

/** For a command that announces files in a copied index: git also stores the empty object, here beside that index. */
export const announcing = (index: string): Record<string, string> => ({
  GIT_INDEX_FILE: index,
  GIT_OBJECT_DIRECTORY: dirname(index),
});

/** Calls `act` with a copy of the index, which is deleted afterwards. */
export async function withIndexCopy<T>(
  { repository }: Pick<GitFolder, 'repository'>,
  act: (index: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fucina-index-'));
  const copy = join(folder, 'index');
  try {
    await copyIfThere(join(repository.gitDir, 'index'), copy);
    return await act(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    // Git assumes a file is unchanged when the index is newer than it: the copy must not look newer than the original.
    await utimes(to, Math.floor(mtimeMs) / 1000, Math.floor(mtimeMs) / 1000);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
