import { isAppError } from '@fucina/shared';
import { refuseConflicts } from '../changing/commits.ts';
import { gitError } from '../errors.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import { readSigning } from '../programs/signing.ts';
import { headOf } from '../reading/status.ts';
import { currentBranch } from '../reading/upstream.ts';
import { joinHistories, MERGE_OPTIONS } from '../remotes/pull.ts';
import { type IncomingFiles, incomingFiles, refuseDirty } from '../remotes/pull-files.ts';
import { type GitFolder, openGitFolder } from '../repository/git-folder.ts';
import { checkPaths, PATHSPEC_FROM_STDIN, pathInput } from '../repository/paths.ts';
import { rawExists } from '../repository/raw-files.ts';
import { type GitLauncher, succeeded, WRITE_MS } from '../run/launcher.ts';
import { replayCommits } from './rebase.ts';
import type { WorktreeRecord } from './record.ts';
import { looseCommit, rehearseMerge, type Snapshot, takeSnapshot, treeOf } from './snapshot.ts';
import { openWorktree } from './status.ts';

export interface WorktreeMerge {
  /** Commits the worktree's uncommitted changes with this message first. */
  message?: string;
  /** Where a merge commit would be needed: the worktree's commits are put on top of the branch instead. */
  isRebase?: boolean;
}

export interface MergedWorktree {
  /** False when files are in conflict: then neither work tree has changed. */
  isMerged: boolean;
  conflicts: string[];
  way: 'none' | 'fast-forward' | 'merge' | 'rebase';
  /** The branch that was merged into; null when detached. */
  into: string | null;
  /** The commit of the folder before and after. */
  before: string;
  after: string;
}

interface Sides {
  /** The work tree that the worktree was made from. */
  target: GitFolder;
  own: GitFolder;
  record: WorktreeRecord;
}

/** Throws NOT_FOUND when the worktree is gone, GIT_NOT_A_REPOSITORY when the folder that it was made from is. */
export async function openSides(launcher: GitLauncher, record: WorktreeRecord): Promise<Sides> {
  const own = await openWorktree(launcher, record);
  if (own === undefined) throw gitError('NOT_FOUND', { reason: 'worktree' });
  return { record, own, target: await openGitFolder(launcher, record.source) };
}

/**
 * Merges the worktree's commits into the branch that the source folder is on: a fast-forward where possible, otherwise
 * a merge commit or a rebase, which moves the worktree's branch too. Conflicts are found before anything changes. Throws
 * GIT_WORKTREE_DIRTY: `worktree-changes` without a message for them, `merge-target` when the folder has uncommitted
 * changes in the way; GIT_CONFLICTS for conflicts from before, GIT_COMMIT_UNKNOWN without a common commit. Then nothing has changed.
 */
export async function mergeWorktree(
  sides: Sides,
  { message, isRebase = false }: WorktreeMerge,
): Promise<MergedWorktree> {
  const { own, target } = sides;
  const snapshot = await takeSnapshot(own);
  if (snapshot.isChanged && !message?.trim()) throw gitError('GIT_WORKTREE_DIRTY', { reason: 'worktree-changes' });
  await refuseConflicts(target);
  const before = await commitOf(target);
  const theirs = snapshot.isChanged ? await looseCommit(own, snapshot.tree, snapshot.head) : snapshot.head;
  const into = (await currentBranch(target)) ?? null;
  const base = await mergeBase(target, before, theirs);
  if (base === theirs) return { isMerged: true, conflicts: [], way: 'none', into, before, after: before };
  if (isRebase && base !== before) return rebaseWorktree(sides, { snapshot, message, theirs, base, before, into });
  const way = base === before ? 'fast-forward' : 'merge';
  const { conflicts } = way === 'merge' ? await rehearseMerge(target, before, theirs) : { conflicts: [] };
  if (conflicts.length > 0) return { isMerged: false, conflicts, way, into, before, after: before };
  const incoming = await incomingFiles(target, base, theirs);
  await refuseDirty(target, incoming, way).catch(asMergeTarget);
  const commit = snapshot.isChanged ? await commitSnapshot(own, snapshot, message ?? '') : theirs;
  const name = (await currentBranch(own)) ?? commit.slice(0, 10);
  const options = way === 'merge' ? ['--ff', '-m', `Merge branch '${name}'`] : ['--ff-only'];
  const args = [...MERGE_OPTIONS, ...options, commit];
  const isMerged = await joinHistories(target, { way, args, branch: into ?? '', incoming }).catch(asCommandFailed);
  // Rehearsed, so this is a change that another program made in the meantime.
  if (!isMerged) await target.git.text(['merge', '--abort'], { timeoutMs: WRITE_MS });
  return { isMerged, conflicts: [], way, into, before, after: await commitOf(target) };
}

interface RebaseFacts extends Pick<MergedWorktree, 'into' | 'before'> {
  snapshot: Snapshot;
  message: string | undefined;
  theirs: string;
  base: string;
}

async function rebaseWorktree(
  { own, target }: Sides,
  { snapshot, message, theirs, base, before, into }: RebaseFacts,
): Promise<MergedWorktree> {
  const last = snapshot.isChanged ? await commitOfTree(own, snapshot, message ?? '') : theirs;
  const { commit, conflicts } = await replayCommits(target, { base, last, onto: before });
  if (conflicts.length > 0) return { isMerged: false, conflicts, way: 'rebase', into, before, after: before };
  const incoming = await incomingFiles(target, before, commit);
  await refuseDirty(target, incoming, 'fast-forward').catch(asMergeTarget);
  await refuseIgnored(own, await incomingFiles(own, last, commit));
  const old = snapshot.isChanged ? await commitSnapshot(own, snapshot, message ?? '') : snapshot.head;
  await moveBranch(own, commit);
  const args = [...MERGE_OPTIONS, '--ff-only', commit];
  try {
    await joinHistories(target, { way: 'fast-forward', args, branch: into ?? '', incoming }).catch(asCommandFailed);
  } catch (error) {
    await moveBranch(own, old);
    throw error;
  }
  return { isMerged: true, conflicts: [], way: 'rebase', into, before, after: await commitOf(target) };
}

/** git replaces ignored files without a question. */
async function refuseIgnored(own: GitFolder, { added, changed, commit }: IncomingFiles): Promise<void> {
  await refuseFiltered(own, [...added, ...changed], commit);
  for (const path of added)
    if (await rawExists(own.repository.root, path))
      throw gitError('GIT_WORKTREE_DIRTY', { reason: 'worktree-ignored' });
}

/** The work tree, its index and its branch; the old commits stay in the branch's log. */
async function moveBranch({ git }: GitFolder, commit: string): Promise<void> {
  const args = ['reset', '--quiet', '--keep', commit];
  const outcome = await git.run(args, { timeoutMs: WRITE_MS });
  if (outcome.exitCode !== 0 && OVERWRITTEN.test(outcome.stderr))
    throw gitError('GIT_WORKTREE_DIRTY', { reason: 'worktree-changes', details: { stderr: outcome.stderr } });
  succeeded(outcome, args);
}

const OVERWRITTEN = /would be overwritten|not uptodate/;

async function commitOf({ git }: GitFolder): Promise<string> {
  const commit = await headOf(git);
  if (commit === undefined) throw gitError('GIT_COMMIT_UNKNOWN', { reason: 'no-commit' });
  return commit;
}

async function mergeBase({ git }: GitFolder, ours: string, theirs: string): Promise<string> {
  const args = ['merge-base', ours, theirs];
  const outcome = await git.run(args);
  if (outcome.exitCode === 1) throw gitError('GIT_COMMIT_UNKNOWN', { reason: 'no-common-commit' });
  return succeeded(outcome, args).toString('utf8').trim();
}

function asMergeTarget(error: unknown): never {
  if (isAppError(error, 'GIT_WORKTREE_DIRTY'))
    throw gitError('GIT_WORKTREE_DIRTY', { reason: 'merge-target', cause: error });
  throw error;
}

/** The rest of this operation is no pull. */
function asCommandFailed(error: unknown): never {
  if (!isAppError(error, 'GIT_PULL_FAILED')) throw error;
  throw gitError('GIT_COMMAND_FAILED', { reason: error.reason, details: error.details, cause: error });
}

/** The work tree's files become a commit of its branch; the files themselves are not touched. */
async function commitSnapshot(own: GitFolder, { head, tree }: Snapshot, message: string): Promise<string> {
  const commit = await commitOfTree(own, { head, tree }, message);
  await own.git.text(['update-ref', '-m', 'commit: before a merge', 'HEAD', commit, head], { timeoutMs: WRITE_MS });
  await own.git.text(['reset', '--quiet', '--mixed'], { timeoutMs: WRITE_MS });
  return commit;
}

async function commitOfTree(
  own: GitFolder,
  { head, tree }: Omit<Snapshot, 'isChanged'>,
  message: string,
): Promise<string> {
  const { isSigned, options } = await readSigning(own);
  const args = ['commit-tree', tree, '-p', head, ...(isSigned ? ['-S'] : []), '-m', message.trim()];
  return (await own.git.text(args, { ...options, timeoutMs: WRITE_MS })).trim();
}

/**
 * Gives the source folder these files as they are in the worktree, committed or not; a deleted one is deleted. Throws
 * GIT_PATHS_REQUIRED, GIT_PATH_INVALID, GIT_PATH_UNCHANGED (the same on both sides), GIT_WORKTREE_DIRTY (changed in the
 * folder and not committed), GIT_CONFLICTS (committed on the folder's branch since); then nothing has changed.
 */
export async function takeFiles({ own, target }: Sides, paths: readonly string[]): Promise<string[]> {
  const checked = checkPaths(paths);
  const snapshot = await takeSnapshot(own);
  const here = await takeSnapshot(target);
  const base = await mergeBase(target, here.head, snapshot.head);
  const trees = {
    theirs: snapshot.tree,
    head: await treeOf(target, here.head),
    disk: here.tree,
    base: await treeOf(target, base),
  };
  const kept: string[] = [];
  for (const path of checked) {
    const [theirs, head, disk, old] = await Promise.all(
      [trees.theirs, trees.head, trees.disk, trees.base].map((tree) => blobAt(target, tree, path)),
    );
    if (theirs === disk) throw gitError('GIT_PATH_UNCHANGED', { params: { path } });
    if (disk !== head) throw gitError('GIT_WORKTREE_DIRTY', { reason: 'merge-target', params: { path } });
    if (head !== old) throw gitError('GIT_CONFLICTS', { reason: 'changed-on-both-sides', params: { path } });
    kept.push(path);
  }
  const source = await looseCommit(own, snapshot.tree, snapshot.head);
  const args = ['restore', `--source=${source}`, '--worktree', '--no-recurse-submodules', ...PATHSPEC_FROM_STDIN];
  succeeded(await target.git.run(args, { input: pathInput(kept), timeoutMs: WRITE_MS }), args);
  return kept;
}

/** Mode and object of a file in a tree; undefined when it has none. GIT_PATH_INVALID for a folder. */
async function blobAt({ git }: GitFolder, tree: string, path: string): Promise<string | undefined> {
  const row = (await git.text(['ls-tree', '-z', '--full-tree', tree, '--', path])).split('\0')[0] ?? '';
  const [mode, type, object] = (row.split('\t')[0] ?? '').split(' ');
  if (type === 'tree' || type === 'commit') throw gitError('GIT_PATH_INVALID', { reason: 'folder' });
  return object === undefined ? undefined : `${mode} ${object}`;
}
