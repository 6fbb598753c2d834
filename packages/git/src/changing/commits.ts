import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitError, rollBack } from '../errors.ts';
import { BEFORE_COMMIT, runCommitHooks } from '../hooks/commit-hooks.ts';
import { HOOKS } from '../hooks/hook-files.ts';
import type { HookedFolder, OperationHooks } from '../hooks/hooks.ts';
import { readSigning } from '../programs/signing.ts';
import { headOf, namesEntry, type RepositoryState, readEntries, readStaged, readState } from '../reading/status.ts';
import { type GitFolder, inRepository, insideFolder } from '../repository/git-folder.ts';
import { withIndexCopy } from '../repository/index-copy.ts';
import { binary, checkPaths, PATHSPEC_FROM_STDIN, pathInput, rawInput, readable } from '../repository/paths.ts';
import { type GitOptions, succeeded, WRITE_MS } from '../run/launcher.ts';
import { refuseMarkersOnDisk, refuseStagedMarkers } from './conflict-markers.ts';
import { addPaths, checkedForFilters } from './staging.ts';

export interface Committed {
  commit: string;
  /** Hooks that exist and were not run; null when there is none. */
  hooksNotRun: string[] | null;
  /** Hooks that ran after the commit and failed; null when there is none. */
  hooksFailed: string[] | null;
  state: RepositoryState;
}

const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * Commits the named paths as they are on disk; other staged changes stay staged. Throws GIT_PATHS_REQUIRED,
 * GIT_PATH_INVALID, GIT_MESSAGE_REQUIRED, GIT_NOTHING_TO_COMMIT, GIT_WORKTREE_DIFFERS (staged, then changed),
 * GIT_CONFLICTS, GIT_COMMAND_FAILED (`conflict-markers-staged`).
 */
export async function commitPaths(
  place: HookedFolder,
  paths: readonly string[],
  message: string,
): Promise<Committed & { paths: string[] }> {
  const checked = checkPaths(paths);
  const text = checkMessage(message);
  await refuseConflicts(place);
  await checkedForFilters(place, checked);
  const entries = (await readEntries(place)).filter((entry) => namesEntry(checked, entry));
  if (entries.length === 0) throw gitError('GIT_NOTHING_TO_COMMIT');
  await refuseMarkersOnDisk(place, entries);
  if (entries.some((entry) => entry.isStaged && entry.isUnstaged)) throw gitError('GIT_WORKTREE_DIFFERS');
  const old = entries.flatMap(({ from, isStaged }) => (from !== null && isStaged ? [from] : []));
  const isToAdd = (path: string): boolean =>
    entries.some((entry) => namesEntry([path], entry) && (entry.isUnstaged || entry.kind === 'untracked'));
  const toAdd = checked.filter(isToAdd);
  const isKnown = (path: string): boolean => entries.some((entry) => namesEntry([path], entry));
  const named = [...new Set([...checked.filter(isKnown), ...old])];
  const input = pathInput(named);
  const before = await headOf(place.git);
  const hooks = await place.hooks.begin(place, HOOKS.commit);
  let changed: readonly string[] = [];
  // On a copy, so that a failure changes nothing and another git may run at the same time.
  await withIndexCopy(place, async (index) => {
    const environment = { GIT_INDEX_FILE: index };
    if (toAdd.length > 0) await addPaths(place, toAdd, environment);
    if (hooks.hasAny(...BEFORE_COMMIT)) {
      await keepOnly(place, named, environment);
      changed = await commitChecked(place, hooks, { index, message: text });
    } else await runCommit(place, ['--only', ...PATHSPEC_FROM_STDIN, '-m', text], { input, environment });
  });
  await followCommit(place, before, [...rawPathsOf(place, named), ...changed]);
  return { paths: checked, ...(await committed(place, hooks)) };
}

/**
 * Commits what is staged, if it has not changed since the user saw it. Throws GIT_MESSAGE_REQUIRED, GIT_CONFLICTS,
 * GIT_STAGED_CHANGED, GIT_NOTHING_STAGED, GIT_STAGED_OUTSIDE, GIT_COMMAND_FAILED (`conflict-markers-staged`).
 */
export async function commitStaged(place: HookedFolder, message: string, fingerprint: string): Promise<Committed> {
  const text = checkMessage(message);
  await refuseConflicts(place, { mayMerge: true });
  const staged = await checkStaged(place, fingerprint);
  if (staged === 0 && !(await isMerging(place))) throw gitError('GIT_NOTHING_STAGED');
  const hooks = await place.hooks.begin(place, HOOKS.commit);
  await commitIndex(place, hooks, { message: text });
  return committed(place, hooks);
}

/**
 * Replaces the last commit by one with this message and what is staged. Throws GIT_MESSAGE_REQUIRED, GIT_HEAD_CHANGED,
 * GIT_COMMIT_PUSHED, GIT_CONFLICTS, GIT_STAGED_CHANGED, GIT_STAGED_OUTSIDE, GIT_COMMAND_FAILED (`conflict-markers-staged`).
 */
export async function amend(
  place: HookedFolder,
  { message, fingerprint, commit }: { message: string; fingerprint: string; commit: string },
): Promise<Committed> {
  const text = checkMessage(message);
  await checkOwnHead(place, commit);
  await refuseConflicts(place);
  await checkStaged(place, fingerprint);
  const hooks = await place.hooks.begin(place, HOOKS.amend);
  await commitIndex(place, hooks, { message: text, options: ['--amend', '--allow-empty'] });
  return committed(place, hooks, commit);
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

interface CommitOfIndex {
  message: string;
  isMerge?: boolean;
  options?: readonly string[];
}

/** Commits the whole index; the entries that hooks change on the way are then also in the index. */
async function commitIndex(place: GitFolder, hooks: OperationHooks, commit: CommitOfIndex): Promise<void> {
  if (!hooks.hasAny(...BEFORE_COMMIT)) return runCommit(place, [...(commit.options ?? []), '-m', commit.message]);
  const before = await headOf(place.git);
  const changed = await withIndexCopy(place, (index) => commitChecked(place, hooks, { ...commit, index }));
  if (changed.length > 0) await followCommit(place, before, changed);
}

/** Commits a merge that is ready (`--no-commit`), after its hooks. */
export async function commitMerge(place: GitFolder, hooks: OperationHooks, message: string): Promise<void> {
  const before = await headOf(place.git);
  const changed = await withIndexCopy(place, (index) => commitChecked(place, hooks, { message, index, isMerge: true }));
  if (changed.length > 0) await followCommit(place, before, changed);
}

/** Commits a copy of the index after the hooks; returns the paths, as git stores them, that the hooks changed in it. */
async function commitChecked(
  place: GitFolder,
  hooks: OperationHooks,
  { index, message, isMerge, options = [] }: CommitOfIndex & { index: string },
): Promise<string[]> {
  const checked = await runCommitHooks(place, hooks, { index, message, isMerge });
  const text = checkMessage(checked.message);
  await runCommit(place, [...options, '-m', text], { environment: { GIT_INDEX_FILE: index } });
  return checked.changed;
}

/** Takes what is staged beside these paths out of a copy of the index. Paths relative to the folder. */
async function keepOnly(place: GitFolder, paths: readonly string[], environment: Record<string, string>) {
  const { git, repository } = place;
  const options = { folder: repository.root, environment };
  const head = await headOf(git);
  const list =
    head === undefined ? ['ls-files', '-z'] : ['diff-index', '--cached', '--no-renames', '--name-only', '-z', head];
  const staged = binary(succeeded(await git.run(list, options), list))
    .split('\0')
    .filter(Boolean);
  const kept = rawPathsOf(place, paths);
  const others = staged.filter((path) => !kept.some((one) => path === one || path.startsWith(`${one}/`)));
  if (others.length === 0) return;
  const args = ['reset', '--quiet', ...PATHSPEC_FROM_STDIN];
  succeeded(
    await git.run(args, { ...options, input: rawInput(others), timeoutMs: WRITE_MS, isFilterChecked: true }),
    args,
  );
}

/** Paths of the folder as git stores them. */
const rawPathsOf = (place: GitFolder, paths: readonly string[]): string[] =>
  binary(pathInput(paths.map((path) => inRepository(place, path))))
    .split('\0')
    .filter(Boolean);

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

/** Updates the index for these paths, as git stores them, to the new commit; if that fails, the commit is not made. */
async function followCommit(
  { git, repository }: GitFolder,
  before: string | undefined,
  rawPaths: readonly string[],
): Promise<void> {
  const commit = (await headOf(git)) ?? '';
  try {
    const args = ['reset', '--quiet', ...PATHSPEC_FROM_STDIN, commit];
    const options = { folder: repository.root, input: rawInput(rawPaths), timeoutMs: WRITE_MS };
    succeeded(await git.run(args, { ...options, waitsForLock: true, isFilterChecked: true }), args);
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

/** The answer, after the hooks that cannot refuse. `amended`: the commit that was replaced. */
async function committed(place: HookedFolder, hooks: OperationHooks, amended?: string): Promise<Committed> {
  const commit = (await headOf(place.git)) ?? '';
  await hooks.runAfter('post-commit', { args: [] });
  if (amended !== undefined) await hooks.runAfter('post-rewrite', { args: ['amend'], input: `${amended} ${commit}\n` });
  return { commit, hooksNotRun: hooks.leftOut, hooksFailed: hooks.failedAfter(), state: await readState(place) };
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
  await refuseStagedMarkers(place, staged);
  return staged.paths.length;
}

/** The commit is still the last one and was not pushed. */
async function checkOwnHead({ git }: GitFolder, commit: string): Promise<void> {
  if ((await headOf(git)) !== commit) throw gitError('GIT_HEAD_CHANGED');
  const remote = await git.text(['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/remotes']);
  if (remote !== '') throw gitError('GIT_COMMIT_PUSHED');
}
