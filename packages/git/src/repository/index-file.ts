import { headOf } from '../reading/status.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';
import type { GitFolder } from './git-folder.ts';
import { binary, bytesOf } from './paths.ts';

/**
 * The index entries of some paths, to be restored by git itself, so that changes of others to the rest of the index are
 * preserved.
 */
export interface IndexEntries {
  /** As git stores them, relative to the repository. */
  paths: readonly string[];
  /** Input of `update-index`: a path that was not in the index is restored by removing it. */
  rows: Buffer;
}

export async function readIndexEntries(
  { git, repository }: GitFolder,
  paths: readonly string[],
): Promise<IndexEntries> {
  const wanted = new Set(paths);
  const list = ['ls-files', '--stage', '-z', '--full-name'];
  const held = binary(succeeded(await git.run(list, { folder: repository.root }), list))
    .split('\0')
    .filter((row) => wanted.delete(row.slice(row.indexOf('\t') + 1)));
  const nothing = '0'.repeat((await headOf(git))?.length ?? 40);
  const absent = [...wanted].map((path) => `0 ${nothing}\t${path}`);
  return { paths, rows: bytesOf([...held, ...absent].map((row) => `${row}\0`).join('')) };
}

/** Restores the changed entries. Waits for another git that is writing the index. */
export async function putIndexEntries(place: GitFolder, { paths, rows }: IndexEntries): Promise<void> {
  if (rows.equals((await readIndexEntries(place, paths)).rows)) return;
  const args = ['update-index', '-z', '--index-info'];
  const options = {
    input: rows,
    folder: place.repository.root,
    timeoutMs: WRITE_MS,
    waitsForLock: true,
    isFilterChecked: true,
  };
  succeeded(await place.git.run(args, options), args);
}
