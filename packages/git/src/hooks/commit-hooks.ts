import { lutimes, mkdtemp, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { readFileInside, removeTree, writeFileInside } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { headOf } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { refuseLinks } from '../repository/git-links.ts';
import { binary } from '../repository/paths.ts';
import { succeeded } from '../run/launcher.ts';
import type { HookCall } from './hook-process.ts';
import type { OperationHooks } from './hooks.ts';

/** Hooks that decide about a commit, before it is made. */
export const BEFORE_COMMIT = ['pre-commit', 'prepare-commit-msg', 'commit-msg'] as const;
/** The same of the commit of a merge. */
export const BEFORE_MERGE = ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg'] as const;

export interface HookedCommit {
  /** Absolute path of a copy of the index with what is to be committed: what the hooks stage is in it afterwards. */
  index: string;
  message: string;
  isMerge?: boolean;
}

export interface CheckedCommit {
  message: string;
  /** Paths, as git stores them, whose entries the hooks changed. */
  changed: string[];
}

const MESSAGE = 'COMMIT_EDITMSG';
const MAX_INDEX_BYTES = 1024 ** 3;
const MAX_MESSAGE_BYTES = 1024 ** 2;

/**
 * Runs the hooks before a commit, as git does: the message is in COMMIT_EDITMSG, the index in a file of the git folder.
 * Only the copy of the index changes. Throws what `OperationHooks.run` throws, and GIT_COMMAND_FAILED (`head-moved`)
 * when a commit was made meanwhile: the index was not meant for that one.
 */
export async function runCommitHooks(
  place: GitFolder,
  hooks: OperationHooks,
  { index, message, isMerge = false }: HookedCommit,
): Promise<CheckedCommit> {
  const { repository, git } = place;
  await refuseLinks(repository);
  const [head, before] = await Promise.all([headOf(git), rowsOf(place, index)]);
  const checked = await withHookIndex(repository.gitDir, index, async (shownIndex) => {
    const call = (...args: string[]): HookCall => ({ args, index: shownIndex });
    await hooks.run(isMerge ? 'pre-merge-commit' : 'pre-commit', call());
    if (!hooks.hasAny('prepare-commit-msg', 'commit-msg')) return message;
    const { root, gitDir } = repository;
    const path =
      gitDir === join(root, '.git')
        ? relative(root, join(gitDir, MESSAGE)).split(sep).join('/')
        : join(gitDir, MESSAGE);
    await writeFileInside(gitDir, MESSAGE, { data: `${message}\n` });
    await hooks.run('prepare-commit-msg', call(path, isMerge ? 'merge' : 'message'));
    await hooks.run('commit-msg', call(path));
    return (await readFileInside(gitDir, MESSAGE, MAX_MESSAGE_BYTES)).bytes.toString('utf8');
  });
  if ((await headOf(git)) !== head) throw gitError('GIT_COMMAND_FAILED', { reason: 'head-moved' });
  return { message: checked, changed: changedRows(before, await rowsOf(place, index)) };
}

/** Commands in the sandbox see no temporary files of ours: the copy is in the git folder meanwhile. */
async function withHookIndex<T>(gitDir: string, index: string, act: (shown: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(gitDir, 'fucina-hooks-'));
  const inside = `${basename(folder)}/index`;
  try {
    const { mtimeMs } = await stat(index);
    const seconds = Math.floor(mtimeMs) / 1000;
    await writeFileInside(gitDir, inside, { data: await readFile(index) });
    // Git assumes a file is unchanged when the index is newer than it.
    await lutimes(join(gitDir, inside), seconds, seconds);
    const result = await act(join(gitDir, inside));
    // Hooks may have put a link there: it is not followed out of the git folder.
    const { bytes, stats } = await readFileInside(gitDir, inside, MAX_INDEX_BYTES);
    await writeFile(index, bytes);
    await utimes(index, Math.floor(stats.mtimeMs) / 1000, Math.floor(stats.mtimeMs) / 1000);
    return result;
  } finally {
    await removeTree(folder);
  }
}

async function rowsOf({ git, repository }: GitFolder, index: string): Promise<Map<string, string>> {
  const args = ['ls-files', '--stage', '-z', '--full-name'];
  const options = { folder: repository.root, environment: { GIT_INDEX_FILE: index } };
  const rows = binary(succeeded(await git.run(args, options), args))
    .split('\0')
    .filter(Boolean);
  return new Map(rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.slice(0, row.indexOf('\t'))]));
}

function changedRows(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.filter((path) => before.get(path) !== after.get(path));
}
