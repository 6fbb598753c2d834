import { systemCode } from '@fucina/shared';
import { gitError, rollBack } from '../errors.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import { type ChangedEntry, type RepositoryState, readEntries, readState } from '../reading/status.ts';
import { type MovedEntries, openMovedEntries } from '../repository/aside-folder.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { checkPaths, PATHSPEC_FROM_STDIN, rawInput } from '../repository/paths.ts';
import { removeEmptyAbove, removeRaw } from '../repository/raw-files.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';
import { storeDiscard } from './discards.ts';

export interface DiscardedChanges {
  /** Tracked files, restored from the index. */
  restored: string[];
  /** New files, deleted with the folders that become empty. */
  removed: string[];
  state: RepositoryState;
}

/** All or nothing; staged changes stay; `undoDiscard` reverts it. Throws GIT_NOTHING_TO_DISCARD, GIT_CONFLICTS, GIT_NESTED_REPO. */
export async function discard(place: GitFolder, paths: readonly string[]): Promise<DiscardedChanges> {
  const checked = checkPaths(paths);
  const entries = (await readEntries(place, 'all')).filter((entry) => isNamed(entry, checked));
  if (entries.some((entry) => entry.isConflict)) throw gitError('GIT_CONFLICTS');
  const changed = entries.filter((entry) => entry.isUnstaged || entry.kind === 'untracked');
  if (changed.some((entry) => entry.isRepository)) throw gitError('GIT_NESTED_REPO');
  if (changed.length === 0) throw gitError('GIT_NOTHING_TO_DISCARD');
  const restored = changed.filter((entry) => entry.isUnstaged);
  await refuseFiltered(
    place,
    restored.map(({ rawPath }) => rawPath),
  );
  const removed = changed.filter((entry) => !entry.isUnstaged);
  const { root } = place.repository;
  const aside = await openMovedEntries(place.repository);
  try {
    for (const { rawPath } of changed) await aside.take(rawPath);
    await restore(place, restored);
  } catch (error) {
    // What cannot be put back stays in the folder.
    await rollBack(failureOf(error), () => restoreFiles(root, aside, restored).finally(aside.folder.close));
  }
  await storeDiscard(
    place,
    aside,
    changed.map(({ rawPath }) => rawPath),
  );
  for (const { rawPath } of removed) await removeEmptyAbove(root, rawPath, place.prefix);
  const shown = (list: readonly ChangedEntry[]): string[] => list.map(({ path }) => path);
  return { restored: shown(restored), removed: shown(removed), state: await readState(place) };
}

async function restore({ git, repository }: GitFolder, entries: readonly ChangedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const args = ['restore', '--worktree', '--no-recurse-submodules', ...PATHSPEC_FROM_STDIN];
  const input = rawInput(entries.map(({ rawPath }) => rawPath));
  succeeded(await git.run(args, { input, folder: repository.root, timeoutMs: WRITE_MS, isFilterChecked: true }), args);
}

async function restoreFiles(root: string, aside: MovedEntries, restored: readonly ChangedEntry[]): Promise<void> {
  for (const { rawPath } of restored) await removeRaw(root, rawPath);
  await aside.putBack();
}

function failureOf(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return gitError('GIT_COMMAND_FAILED', { reason: 'file-not-moved', details: { code }, cause: error });
}

function isNamed({ path }: ChangedEntry, paths: readonly string[]): boolean {
  return paths.some((named) => path === named || path.startsWith(`${named}/`));
}
