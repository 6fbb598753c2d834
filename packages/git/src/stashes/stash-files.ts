import { resolveCommit } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { type IndexEntries, putIndexEntries, readIndexEntries } from '../repository/index-file.ts';
import { binary, PATHSPEC_FROM_STDIN, rawInput } from '../repository/paths.ts';
import { rawExists, rawKind, removeRaw } from '../repository/raw-files.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';

/** Paths here are as git stores them, relative to the repository. */

/** Identity for temporary commits, if the user has none configured. */
export const IDENTITY = {
  GIT_AUTHOR_NAME: 'Fucina',
  GIT_AUTHOR_EMAIL: 'fucina@localhost',
  GIT_COMMITTER_NAME: 'Fucina',
  GIT_COMMITTER_EMAIL: 'fucina@localhost',
};

export interface StashedFiles {
  /** Tracked files. */
  tracked: string[];
  fresh: string[];
}

/** The files of a stash entry. */
export async function filesOf({ git }: GitFolder, commit: string): Promise<StashedFiles> {
  const options = ['-r', '-z', '--name-only', '--no-renames', '--no-relative'];
  const hasFresh = (await resolveCommit(git, `${commit}^3`)) !== undefined;
  return {
    tracked: await namesOf(git, ['diff-tree', ...options, `${commit}^1`, commit, '--']),
    fresh: hasFresh ? await treeOf(git, `${commit}^3`) : [],
  };
}

const treeOf = (git: GitFolder['git'], commit: string): Promise<string[]> =>
  namesOf(git, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);

const DIFFERING = ['--name-only', '-z', '--no-renames', '--no-relative', '--no-ext-diff', '--ignore-submodules=dirty'];

async function namesOf(git: GitFolder['git'], args: readonly string[], folder?: string): Promise<string[]> {
  return binary(succeeded(await git.run(args, { folder }), args))
    .split('\0')
    .filter(Boolean);
}

/** The entry of a stash that failed later: restores its files and deletes it. */
export async function rollBackStash(place: GitFolder, before: string | undefined): Promise<void> {
  const { git, repository } = place;
  const made = await resolveCommit(git, 'refs/stash');
  if (made === undefined || made === before) return;
  const { tracked, fresh } = await filesOf(place, made);
  const held = new Set(await treeOf(git, made));
  // Unchanged files are not rewritten: an unwritable one may be the cause of the failure.
  const differing = new Set(await namesOf(git, ['diff', ...DIFFERING, made, '--'], repository.root));
  await restore(place, { paths: tracked.filter((path) => held.has(path) && differing.has(path)), source: made });
  for (const path of tracked) if (!held.has(path)) await removeRaw(repository.root, path);
  const missing: string[] = [];
  for (const path of fresh) if (!(await rawExists(repository.root, path))) missing.push(path);
  await restore(place, { paths: missing, source: `${made}^3` });
  await git.text(['stash', 'drop', '--quiet', 'stash@{0}'], { timeoutMs: WRITE_MS });
}

export interface RecordedFiles {
  entries: IndexEntries;
  present: string[];
  absent: string[];
}

/** For files that match the index (`tracked`), or do not exist. */
export async function recordFiles(place: GitFolder, { tracked, fresh }: StashedFiles): Promise<RecordedFiles> {
  const entries = await readIndexEntries(place, [...tracked, ...fresh]);
  const kept: RecordedFiles = { entries, present: [], absent: [...fresh] };
  for (const path of tracked) ((await rawExists(place.repository.root, path)) ? kept.present : kept.absent).push(path);
  return kept;
}

export async function restoreStashedFiles(
  place: GitFolder,
  { entries, present, absent }: RecordedFiles,
): Promise<void> {
  await putIndexEntries(place, entries);
  for (const path of absent)
    if ((await rawKind(place.repository.root, path)) === 'file') await removeRaw(place.repository.root, path);
  await restore(place, { paths: present });
}

/** From a commit, or from the index. */
async function restore(
  { git, repository }: GitFolder,
  { paths, source }: { paths: readonly string[]; source?: string },
): Promise<void> {
  if (paths.length === 0) return;
  const from = source === undefined ? [] : [`--source=${source}`];
  const args = ['restore', ...from, '--worktree', '--no-recurse-submodules', ...PATHSPEC_FROM_STDIN];
  succeeded(await git.run(args, { input: rawInput(paths), folder: repository.root, timeoutMs: WRITE_MS }), args);
}
