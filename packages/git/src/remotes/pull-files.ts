import { gitError } from '../errors.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { binary, PATHSPEC_FROM_STDIN, rawInput } from '../repository/paths.ts';
import { rawExists, removeRaw } from '../repository/raw-files.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';

/** The files that a merge will write, as bytes with one character each, relative to the repository. */
export interface IncomingFiles {
  /** The commit that brings them. */
  commit: string;
  /** Files that do not exist here yet. */
  added: string[];
  changed: string[];
}

export async function incomingFiles({ git, repository }: GitFolder, from: string, to: string): Promise<IncomingFiles> {
  const args = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', '--no-relative', from, to, '--'];
  const fields = binary(succeeded(await git.run(args, { folder: repository.root }), args)).split('\0');
  const incoming: IncomingFiles = { commit: to, added: [], changed: [] };
  for (let at = 0; at + 1 < fields.length; at += 2)
    incoming[fields[at] === 'A' ? 'added' : 'changed'].push(fields[at + 1] ?? '');
  return incoming;
}

/**
 * Throws GIT_WORKTREE_DIRTY when an incoming file is modified or untracked here; a merge also requires an empty stage, and
 * a rebase no changes at all. Throws the errors of `refuseFiltered`, too.
 */
export async function refuseDirty(place: GitFolder, incoming: IncomingFiles, way: string): Promise<void> {
  const paths = new Set([...incoming.added, ...incoming.changed]);
  await refuseFiltered(place, [...paths], incoming.commit);
  const args = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=dirty', '--no-renames'];
  const records = binary(succeeded(await place.git.run(args, { folder: place.repository.root }), args)).split('\0');
  const dirty = records.filter(Boolean).map((record) => ({ isStaged: record[0] !== ' ', path: record.slice(3) }));
  if (way === 'rebase' && dirty.length > 0) throw gitError('GIT_WORKTREE_DIRTY', { reason: 'rebase' });
  if (way !== 'fast-forward' && dirty.some(({ isStaged }) => isStaged))
    throw gitError('GIT_WORKTREE_DIRTY', { reason: 'staged' });
  if (dirty.some(({ path }) => paths.has(path))) throw gitError('GIT_WORKTREE_DIRTY');
  const tracked = new Set(await trackedOf(place, incoming.added));
  for (const path of incoming.added) {
    if (!tracked.has(path) && (await rawExists(place.repository.root, path)))
      throw gitError('GIT_WORKTREE_DIRTY', { reason: 'not-tracked' });
  }
}

/** Restores the files, which were unchanged before. Never throws: the user sees what could not be restored. */
export async function restoreFiles(place: GitFolder, incoming: IncomingFiles): Promise<void> {
  const options = { folder: place.repository.root, timeoutMs: WRITE_MS };
  const here = new Set(await trackedOf(place, [...incoming.added, ...incoming.changed], 'HEAD'));
  const fresh = incoming.added.filter((path) => !here.has(path));
  if (fresh.length > 0) {
    const args = ['rm', '--quiet', '--cached', '--force', '--ignore-unmatch', ...PATHSPEC_FROM_STDIN];
    await place.git.run(args, { ...options, input: rawInput(fresh) });
    for (const path of fresh) await removeRaw(place.repository.root, path);
  }
  if (here.size === 0) return;
  const args = [
    'restore',
    '--source=HEAD',
    '--staged',
    '--worktree',
    '--no-recurse-submodules',
    ...PATHSPEC_FROM_STDIN,
  ];
  await place.git.run(args, { ...options, input: rawInput([...here]) });
}

/** Which of the paths are in the index, or in a commit. */
async function trackedOf({ git, repository }: GitFolder, paths: readonly string[], commit?: string): Promise<string[]> {
  if (paths.length === 0) return [];
  const args =
    commit === undefined ? ['ls-files', '-z'] : ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit];
  const held = new Set(binary(succeeded(await git.run(args, { folder: repository.root }), args)).split('\0'));
  return paths.filter((path) => held.has(path));
}
