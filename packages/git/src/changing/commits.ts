import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitError, rollBack } from '../errors.ts';
import { HOOKS, hooksLeftOut, readSigning } from '../programs/commit-programs.ts';
import { headOf, namesEntry, type RepositoryState, readEntries, readStaged, readState } from '../reading/status.ts';
import { type GitFolder, insideFolder } from '../repository/git-folder.ts';
import { withIndexCopy } from '../repository/index-copy.ts';
import { binary, checkPaths, PATHSPEC_FROM_STDIN, pathInput, readable } from '../repository/paths.ts';
import { type GitOptions, succeeded, WRITE_MS } from '../run/launcher.ts';
import { addPaths, checkedForFilters } from './staging.ts';

export interface Committed {
  commit: string;
  /** Hooks that exist and were not run; null when there is none. */
  hooksNotRun: string[] | null;
  state: RepositoryState;
}

const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * Commits the named paths as they are on disk; other staged changes stay staged. Throws GIT_PATHS_REQUIRED,
 * GIT_PATH_INVALID, GIT_MESSAGE_REQUIRED, GIT_NOTHING_TO_COMMIT, GIT_WORKTREE_DIFFERS (staged, then changed),
 * GIT_CONFLICTS.
 */
export async function commitPaths(
  place: GitFolder,
  paths: readonly string[],
  message: string,
): Promise<Committed & { paths: string[] }> {
  const checked = checkPaths(paths);
  const text = checkMessage(message);
  await refuseConflicts(place);
  await checkedForFilters(place, checked);
  const entries = (await readEntries(place)).filter((entry) => namesEntry(checked, entry));
  if (entries.length === 0) throw gitError('GIT_NOTHING_TO_COMMIT');
  if (entries.some((entry) => entry.isStaged && entry.isUnstaged)) throw gitError('GIT_WORKTREE_DIFFERS');
  const old = entries.flatMap(({ from, isStaged }) => (from !== null && isStaged ? [from] : []));
  const isToAdd = (path: string): boolean =>
    entries.some((entry) => namesEntry([path], entry) && (entry.isUnstaged || entry.kind === 'untracked'));
  const toAdd = checked.filter(isToAdd);
  const isKnown = (path: string): boolean => entries.some((entry) => namesEntry([path], entry));
  const input = pathInput([...new Set([...checked.filter(isKnown), ...old])]);
  const before = await headOf(place.git);
  // On a copy, so that a failure changes nothing and another git may run at the same time.
  await withIndexCopy(place, async (index) => {
    const environment = { GIT_INDEX_FILE: index };
    if (toAdd.length > 0) await addPaths(place, toAdd, environment);
    await runCommit(place, ['--only', ...PATHSPEC_FROM_STDIN, '-m', text], { input, environment });
  });
  await followCommit(place, before, input);
  return { paths: checked, ...(await committed(place)) };
}

/**
 * Commits what is staged, if it has not changed since the user saw it. Throws GIT_MESSAGE_REQUIRED, GIT_CONFLICTS,
 * GIT_STAGED_CHANGED, GIT_NOTHING_STAGED, GIT_STAGED_OUTSIDE.
 */
export async function commitStaged(place: GitFolder, message: string, fingerprint: string): Promise<Committed> {
  const text = checkMessage(message);
  await refuseConflicts(place, { mayMerge: true });
  const staged = await checkStaged(place, fingerprint);
  if (staged === 0 && !(await isMerging(place))) throw gitError('GIT_NOTHING_STAGED');
  await runCommit(place, ['-m', text]);
  return committed(place);
}

/**
 * Replaces the last commit by one with this message and what is staged. Throws GIT_MESSAGE_REQUIRED, GIT_HEAD_CHANGED,
 * GIT_COMMIT_PUSHED, GIT_CONFLICTS, GIT_STAGED_CHANGED, GIT_STAGED_OUTSIDE.
 */
export async function amend(
  place: GitFolder,
  { message, fingerprint, commit }: { message: string; fingerprint: string; commit: string },
): Promise<Committed> {
  const text = checkMessage(message);
  await checkOwnHead(place, commit);
  await refuseConflicts(place);
  await checkStaged(place, fingerprint);
  await runCommit(place, ['--amend', '--allow-empty', '-m', text]);
  return committed(place, HOOKS.amend);
}

/**
 * Undoes the last commit; its changes become staged. Throws GIT_HEAD_CHANGED, GIT_COMMIT_PUSHED, GIT_MERGE_COMMIT,
 * GIT_COMMIT_OUTSIDE, GIT_CONFLICTS.
 */
export async function undoCommit(
  place: GitFolder,
  commit: string,
): Promise<{ message: string; state: RepositoryState }> {
  const { git } = place;
  await checkOwnHead(place, commit);
  await refuseConflicts(place);
  const parents = (await git.text(['rev-parse', `${commit}^@`])).split('\n').filter(Boolean);
  if (parents.length > 1) throw gitError('GIT_MERGE_COMMIT');
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--root',
    '--no-commit-id',
    '--name-only',
    '--no-renames',
    '--no-relative',
    commit,
  ];
  const touched = binary(succeeded(await git.run(args), args))
    .split('\0')
    .filter(Boolean)
    .map(readable);
  if (touched.some((path) => insideFolder(place, path) === undefined)) throw gitError('GIT_COMMIT_OUTSIDE');
  const message = (
    await git.text(['log', '-1', '--no-show-signature', '--encoding=UTF-8', '--format=%B', commit])
  ).trimEnd();
  const [parent] = parents;
  await moveHead(git, { from: commit, to: parent, why: 'undo: moving to the commit before' });
  return { message, state: await readState(place) };
}

/** Truncated to git's limit. Throws GIT_MESSAGE_REQUIRED. */
function checkMessage(message: string): string {
  const text = message.trim();
  if (text === '' || text.includes('\0') || Buffer.byteLength(text) > MAX_MESSAGE_BYTES)
    throw gitError('GIT_MESSAGE_REQUIRED');
  return text;
}

async function runCommit(
  place: GitFolder,
  options: readonly string[],
  run: Pick<GitOptions, 'input' | 'environment'> = {},
): Promise<void> {
  const signing = await readSigning(place);
  const args = ['commit', '--quiet', '--no-verify', signing.flag, '--no-status', '--cleanup=whitespace', ...options];
  succeeded(
    await place.git.run(args, { timeoutMs: WRITE_MS, isFilterChecked: true, ...signing.options, ...run }),
    args,
  );
}

/** Updates the index for these paths to the new commit; if that fails, the commit is not made. */
async function followCommit({ git }: GitFolder, before: string | undefined, input: Buffer): Promise<void> {
  const commit = (await headOf(git)) ?? '';
  try {
    const args = ['reset', '--quiet', ...PATHSPEC_FROM_STDIN, commit];
    succeeded(await git.run(args, { input, timeoutMs: WRITE_MS, waitsForLock: true, isFilterChecked: true }), args);
  } catch (error) {
    await rollBack(error, () => moveHead(git, { from: commit, to: before, why: 'commit: taken back' }));
  }
}

/** Moves HEAD only if it is still at `from`. */
async function moveHead(
  git: GitFolder['git'],
  { from, to, why }: { from: string; to: string | undefined; why: string },
): Promise<void> {
  const move = to === undefined ? ['-d', 'HEAD', from] : ['HEAD', to, from];
  await git.text(['update-ref', '-m', why, ...move], { timeoutMs: WRITE_MS });
}

async function committed(place: GitFolder, hooks: readonly string[] = HOOKS.commit): Promise<Committed> {
  const [commit = '', hooksNotRun] = await Promise.all([headOf(place.git), hooksLeftOut(place, hooks)]);
  return { commit, hooksNotRun, state: await readState(place) };
}

export async function refuseConflicts(place: GitFolder, { mayMerge = false } = {}): Promise<void> {
  if ((await place.git.text(['ls-files', '--unmerged', '-z'], { folder: place.repository.root })) !== '')
    throw gitError('GIT_CONFLICTS');
  if (!mayMerge && (await isMerging(place))) throw gitError('GIT_CONFLICTS', { reason: 'merge-in-progress' });
}

export async function isMerging({ repository }: GitFolder): Promise<boolean> {
  return stat(join(repository.gitDir, 'MERGE_HEAD')).then(
    () => true,
    () => false,
  );
}

/** How many files are staged. */
async function checkStaged(place: GitFolder, fingerprint: string): Promise<number> {
  const staged = await readStaged(place);
  if (staged.fingerprint !== fingerprint) throw gitError('GIT_STAGED_CHANGED');
  const outside = staged.paths.filter((path) => insideFolder(place, path) === undefined).length;
  if (outside > 0) throw gitError('GIT_STAGED_OUTSIDE', { params: { count: outside } });
  return staged.paths.length;
}

/** The commit is still the last one and was not pushed. */
async function checkOwnHead({ git }: GitFolder, commit: string): Promise<void> {
  if ((await headOf(git)) !== commit) throw gitError('GIT_HEAD_CHANGED');
  const remote = await git.text(['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/remotes']);
  if (remote !== '') throw gitError('GIT_COMMIT_PUSHED');
}
