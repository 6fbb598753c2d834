import { isAppError } from '@fucina/shared';
import { refuseConflicts } from '../changing/commits.ts';
import { refuseMarkersOnDisk } from '../changing/conflict-markers.ts';
import { gitError } from '../errors.ts';
import { BEFORE_COMMIT, runCommitHooks } from '../hooks/commit-hooks.ts';
import { HOOKS } from '../hooks/hook-files.ts';
import type { HookedFolder, Hooks, OperationHooks } from '../hooks/hooks.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import { readSigning } from '../programs/signing.ts';
import { headOf, readEntries } from '../reading/status.ts';
import { currentBranch } from '../reading/upstream.ts';
import { mergeWithHooks } from '../remotes/pull.ts';
import { type IncomingFiles, incomingFiles, refuseDirty } from '../remotes/pull-files.ts';
import { type GitFolder, openGitFolder } from '../repository/git-folder.ts';
import { withIndexCopy } from '../repository/index-copy.ts';
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
  /** Hooks that exist and were not run, of the commits in the worktree and in the folder; null when there is none. */
  hooksNotRun: string[] | null;
  /** Hooks that ran afterwards and failed; null when there is none. */
  hooksFailed: string[] | null;
}

interface Sides {
  /** The work tree that the worktree was made from. */
  target: HookedFolder;
  own: HookedFolder;
  record: WorktreeRecord;
}

/** Throws NOT_FOUND when the worktree is gone, GIT_NOT_A_REPOSITORY when the folder that it was made from is. */
export async function openSides(launcher: GitLauncher, record: WorktreeRecord, hooks: Hooks): Promise<Sides> {
  const own = await openWorktree(launcher, record);
  if (own === undefined) throw gitError('NOT_FOUND', { reason: 'worktree' });
  const target = await openGitFolder(launcher, record.source);
  return { record, own: { ...own, hooks }, target: { ...target, hooks } };
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
  const found = await takeSnapshot(own);
  if (found.isChanged) await refuseMarkersOnDisk(own, await readEntries(own, 'all'));
  if (found.isChanged && !message?.trim()) throw gitError('GIT_WORKTREE_DIRTY', { reason: 'worktree-changes' });
  await refuseConflicts(target);
  const before = await commitOf(target);
  const into = (await currentBranch(target)) ?? null;
  const changes = await checkedByHooks(own, found, message ?? '');
  const { snapshot } = changes;
  const theirs = snapshot.isChanged ? await looseCommit(own, snapshot.tree, snapshot.head) : snapshot.head;
  const base = await mergeBase(target, before, theirs);
  const facts = { into, before, ...NO_HOOKS_RUN };
  if (base === theirs) return { ...facts, isMerged: true, conflicts: [], way: 'none', after: before };
  if (isRebase && base !== before) return rebaseWorktree(sides, { changes, theirs, base, before, into });
  const way = base === before ? 'fast-forward' : 'merge';
  const { conflicts } = way === 'merge' ? await rehearseMerge(target, before, theirs) : { conflicts: [] };
  if (conflicts.length > 0) return { ...facts, isMerged: false, conflicts, way, after: before };
  const incoming = await incomingFiles(target, base, theirs);
  await refuseDirty(target, incoming, way).catch(asMergeTarget);
  const commit = snapshot.isChanged ? await commitChanges(own, changes) : theirs;
  const name = (await currentBranch(own)) ?? commit.slice(0, 10);
  const hooks = await target.hooks.begin(target, HOOKS[way]);
  const merge = { way, theirs: commit, branch: into ?? '', incoming, message: `Merge branch '${name}'` } as const;
  const isMerged = await mergeWithHooks(target, hooks, merge).catch(asCommandFailed);
  // Rehearsed, so this is a change that another program made in the meantime.
  if (!isMerged) await target.git.text(['merge', '--abort'], { timeoutMs: WRITE_MS });
  return { ...facts, ...hooksOf(changes.hooks, hooks), isMerged, conflicts: [], way, after: await commitOf(target) };
}

const NO_HOOKS_RUN = { hooksNotRun: null, hooksFailed: null };

function hooksOf(...all: readonly OperationHooks[]): Pick<MergedWorktree, 'hooksNotRun' | 'hooksFailed'> {
  const named = (of: (hooks: OperationHooks) => string[] | null): string[] | null => {
    const names = [...new Set(all.flatMap((hooks) => of(hooks) ?? []))];
    return names.length === 0 ? null : names;
  };
  return { hooksNotRun: named(({ leftOut }) => leftOut), hooksFailed: named((hooks) => hooks.failedAfter()) };
}

/** The uncommitted changes of the worktree as they are to be committed. */
interface Changes {
  snapshot: Snapshot;
  message: string;
  hooks: OperationHooks;
}

/** The hooks of a commit see the changes first, and may change them and the message. */
async function checkedByHooks(own: HookedFolder, snapshot: Snapshot, message: string): Promise<Changes> {
  const hooks = await own.hooks.begin(own, snapshot.isChanged ? HOOKS.commit : []);
  if (!hooks.hasAny(...BEFORE_COMMIT)) return { snapshot, message, hooks };
  return withIndexCopy(own, async (index) => {
    const options = { environment: { GIT_INDEX_FILE: index }, timeoutMs: WRITE_MS };
    await own.git.text(['read-tree', snapshot.tree], options);
    const checked = await runCommitHooks(own, hooks, { index, message: message.trim() });
    const tree = (await own.git.text(['write-tree'], options)).trim();
    return { snapshot: { ...snapshot, tree }, message: checked.message, hooks };
  });
}

/** The commit, on the worktree's branch. */
async function commitChanges(own: HookedFolder, { snapshot, message, hooks }: Changes): Promise<string> {
  const commit = await commitSnapshot(own, snapshot, message);
  await hooks.runAfter('post-commit', { args: [] });
  return commit;
}

interface RebaseFacts extends Pick<MergedWorktree, 'into' | 'before'> {
  changes: Changes;
  theirs: string;
  base: string;
}

async function rebaseWorktree(
  { own, target }: Sides,
  { changes, theirs, base, before, into }: RebaseFacts,
): Promise<MergedWorktree> {
  const { snapshot, message } = changes;
  const facts = { way: 'rebase', into, before } as const;
  const last = snapshot.isChanged ? await commitOfTree(own, snapshot, message) : theirs;
  const { commit, conflicts } = await replayCommits(target, { base, last, onto: before });
  if (conflicts.length > 0) return { ...facts, ...NO_HOOKS_RUN, isMerged: false, conflicts, after: before };
  const incoming = await incomingFiles(target, before, commit);
  await refuseDirty(target, incoming, 'fast-forward').catch(asMergeTarget);
  await refuseIgnored(own, await incomingFiles(own, last, commit));
  const rebase = await own.hooks.begin(own, HOOKS.rebase, ['pre-rebase']);
  await rebase.run('pre-rebase', { args: [before] });
  const old = snapshot.isChanged ? await commitChanges(own, changes) : snapshot.head;
  await moveBranch(own, commit);
  const hooks = await target.hooks.begin(target, HOOKS['fast-forward']);
  const merge = { way: 'fast-forward', theirs: commit, branch: into ?? '', incoming, message: '' } as const;
  try {
    await mergeWithHooks(target, hooks, merge).catch(asCommandFailed);
  } catch (error) {
    await moveBranch(own, old);
    throw error;
  }
  const after = await commitOf(target);
  return { ...facts, ...hooksOf(changes.hooks, rebase, hooks), isMerged: true, conflicts: [], after };
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
