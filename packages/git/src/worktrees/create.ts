import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, isAppError, type KeyedQueue, removeTree, systemCode } from '@fucina/shared';
import { branchExists, checkName } from '../changing/branches.ts';
import { gitError } from '../errors.ts';
import { headOf, resolveCommit } from '../reading/status.ts';
import { currentBranch } from '../reading/upstream.ts';
import { type GitFolder, openGitFolder } from '../repository/git-folder.ts';
import { commonDirOf } from '../repository/repository.ts';
import { type GitLauncher, succeeded, WRITE_MS } from '../run/launcher.ts';
import { checkLocalFiles, copyLocalFiles } from './local-files.ts';
import { worktreeName } from './name.ts';
import { fetchPullRequest } from './pull-request.ts';
import type { Reserved, WorktreeRecord, WorktreeRecords } from './record.ts';
import { looseCommit, rehearseMerge, takeSnapshot, treeOf } from './snapshot.ts';

export interface NewWorktree {
  /** A task or a short name, from which the name of the worktree is made. */
  title?: string;
  /** The new branch; by default `fucina/<name>`. */
  branch?: string;
  /** A branch that exists, instead of a new one. */
  existingBranch?: string;
  /** What the new branch starts from: a branch, a tag or a commit. By default the current commit. */
  base?: string;
  /** Starts from this pull request of a remote, which is fetched, instead of `base`; named `pr-<number>`. */
  pullRequest?: number;
  /** Also brings the uncommitted changes of the folder, new files included; the folder keeps them. */
  carriesChanges?: boolean;
  /** Ignored files of the folder's work tree to copy, of those in `WorktreeBases`. */
  localFiles?: readonly string[];
  signal?: AbortSignal;
}

export interface CreateNeeds {
  ambient: Ambient;
  launcher: GitLauncher;
  enqueue: KeyedQueue;
  records: WorktreeRecords;
}

/** A repository of 50,000 files takes seconds; a slow disk takes longer. */
const CHECKOUT_MS = 600_000;
const PREFIX = 'fucina/';

interface Plan {
  record: Omit<WorktreeRecord, 'portBase'>;
  branch: string;
  /** The tree to put in place of the commit's, if changes are carried along. */
  tree: string | undefined;
  localFiles: readonly string[];
}

/**
 * Makes a worktree at its own place, with its branch, as `git worktree add` does. `place` is the root of the work tree
 * it is made from. Throws GIT_COMMIT_UNKNOWN (no commit yet), GIT_BRANCH_INVALID, GIT_BRANCH_EXISTS,
 * GIT_BRANCH_NOT_FOUND, GIT_BRANCH_CURRENT (in use by another work tree), GIT_CONFLICTS (the changes do not apply to the
 * base), GIT_PATH_INVALID (of a local file), and the codes of `fetchPullRequest`; then nothing is left behind, except what
 * was fetched.
 */
export async function createWorktree(
  needs: CreateNeeds,
  place: GitFolder,
  request: NewWorktree,
): Promise<WorktreeRecord> {
  const localFiles = await checkLocalFiles(place, request.localFiles ?? []);
  const base = await baseOf(needs, place, request);
  const tree = request.carriesChanges ? await carriedTree(place, base.commit) : undefined;
  const commonDir = await commonDirOf(place.repository);
  const wanted = await chosenBranch(place, request);
  const reserved = await needs.records.reserve(commonDir, nameOf(request), async (name) =>
    wanted === undefined ? branchExists(place, PREFIX + name) : false,
  );
  const record = {
    id: needs.ambient.newId(),
    path: reserved.path,
    name: reserved.name,
    commonDir,
    source: place.repository.root,
    base,
    ownsBranch: request.existingBranch === undefined,
    createdAt: needs.ambient.now(),
  };
  const branch = wanted ?? PREFIX + reserved.name;
  return make(needs, place, { plan: { record, branch, tree, localFiles }, reserved, signal: request.signal });
}

async function make(
  { launcher, records }: CreateNeeds,
  place: GitFolder,
  { plan, reserved, signal }: { plan: Plan; reserved: Reserved; signal: AbortSignal | undefined },
): Promise<WorktreeRecord> {
  const added = await addRecord(records, plan, reserved);
  let isRegistered = false;
  try {
    await addWorktree(place, plan, signal);
    isRegistered = true;
    const own = await openGitFolder(launcher, added.path);
    await closeSettings(own);
    if (plan.tree !== undefined) await putTree(own, plan.tree);
    await copyLocalFiles(place, own, plan.localFiles);
    return added;
  } catch (error) {
    if (isRegistered || !isRefusal(error)) await unregister(place, plan);
    await records.remove(added);
    throw error;
  }
}

async function addRecord(records: WorktreeRecords, { record }: Plan, { path }: Reserved): Promise<WorktreeRecord> {
  try {
    return await records.add(record);
  } catch (error) {
    await records.remove({ path, portBase: null });
    throw error;
  }
}

/** git refused before it made anything. */
const isRefusal = (error: unknown): boolean =>
  isAppError(error, 'GIT_BRANCH_CURRENT') || isAppError(error, 'GIT_BRANCH_EXISTS');

function nameOf({ title, branch, existingBranch, pullRequest }: NewWorktree): string {
  if (pullRequest !== undefined) return `pr-${pullRequest}`;
  return worktreeName(title || branch?.replace(PREFIX, '') || existingBranch || '');
}

async function baseOf(
  { enqueue }: CreateNeeds,
  place: GitFolder,
  { base, existingBranch, pullRequest, signal }: NewWorktree,
): Promise<{ reference: string | null; commit: string }> {
  const head = await headOf(place.git);
  if (head === undefined) throw gitError('GIT_COMMIT_UNKNOWN', { reason: 'no-commit' });
  if (pullRequest !== undefined) return fetchPullRequest(place, pullRequest, { enqueue, signal });
  const current = await currentBranch(place);
  const currentReference = current === undefined ? null : `refs/heads/${current}`;
  if (existingBranch !== undefined) {
    await checkName(place, existingBranch);
    const commit = await resolveCommit(place.git, `refs/heads/${existingBranch}`);
    if (commit === undefined) throw gitError('GIT_BRANCH_NOT_FOUND');
    return { reference: currentReference, commit };
  }
  if (base === undefined) return { reference: currentReference, commit: head };
  const commit = await commitNamed(place, base);
  for (const reference of [`refs/heads/${base}`, `refs/remotes/${base}`])
    if ((await resolveReference(place, reference)) !== undefined) return { reference, commit };
  return { reference: null, commit };
}

/** Names of local branches first, as everywhere in git but in expressions. */
async function commitNamed({ git }: GitFolder, name: string): Promise<string> {
  const isSafe = name !== '' && name.length <= 1000 && !/[\0\n]/.test(name);
  const candidates = isSafe ? [`refs/heads/${name}`, `refs/remotes/${name}`, name] : [];
  for (const candidate of candidates) {
    const commit = await resolveCommit(git, candidate).catch(() => undefined); // no valid expression
    if (commit !== undefined) return commit;
  }
  throw gitError('GIT_BRANCH_NOT_FOUND');
}

async function resolveReference({ git }: GitFolder, reference: string): Promise<string | undefined> {
  const { exitCode } = await git.run(['show-ref', '--verify', '--quiet', reference]);
  return exitCode === 0 ? reference : undefined;
}

/** The branch that the caller named; undefined for one that is named after the worktree. */
async function chosenBranch(place: GitFolder, { branch, existingBranch }: NewWorktree): Promise<string | undefined> {
  if (existingBranch !== undefined) return existingBranch;
  if (branch === undefined) return undefined;
  await checkName(place, branch);
  if (await branchExists(place, branch)) throw gitError('GIT_BRANCH_EXISTS');
  return branch;
}

/** The base with the folder's changes applied; undefined without changes. */
async function carriedTree(place: GitFolder, base: string): Promise<string | undefined> {
  const { head, tree, isChanged } = await takeSnapshot(place);
  if (!isChanged) return undefined;
  if (base === head) return tree;
  // Both seen as changes of the current commit: commits between it and the base are not carried along.
  const ours = await looseCommit(place, await treeOf(place, base), head);
  const merged = await rehearseMerge(place, ours, await looseCommit(place, tree, head));
  if (merged.conflicts.length > 0)
    throw gitError('GIT_CONFLICTS', {
      reason: 'carried-changes',
      params: { paths: merged.conflicts.slice(0, 20).join(', ') },
    });
  return merged.tree;
}

async function addWorktree(place: GitFolder, { record, branch }: Plan, signal?: AbortSignal): Promise<void> {
  const args = record.ownsBranch
    ? ['worktree', 'add', '--quiet', '--no-track', '-b', branch, '--', record.path, record.base.commit]
    : ['worktree', 'add', '--quiet', '--', record.path, branch];
  const outcome = await place.git.run(args, {
    timeoutMs: CHECKOUT_MS,
    signal,
    settings: [['checkout.workers', '0']],
    writes: [record.path],
  });
  if (outcome.exitCode !== 0) {
    const details = { stderr: outcome.stderr };
    if (/already (checked out|used by worktree)/.test(outcome.stderr))
      throw gitError('GIT_BRANCH_CURRENT', { reason: 'in-use', details });
    if (/cannot lock ref|already exists/.test(outcome.stderr))
      throw gitError('GIT_BRANCH_EXISTS', { reason: 'name-clash', details });
  }
  succeeded(outcome, args);
}

/** A command in the worktree could otherwise add settings of its own, where the repository has such files. */
async function closeSettings({ repository }: GitFolder): Promise<void> {
  try {
    await writeFile(join(repository.gitDir, 'config.worktree'), '', { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Files as in the tree, uncommitted; the index stays that of the commit. */
async function putTree({ git, repository }: GitFolder, tree: string): Promise<void> {
  const options = { folder: repository.root, timeoutMs: CHECKOUT_MS };
  await git.text(['read-tree', '--reset', '-u', tree], options);
  await git.text(['reset', '--quiet', '--mixed'], options);
}

async function unregister({ git }: GitFolder, { record, branch }: Plan): Promise<void> {
  // What was not made yet fails here, and needs nothing. The folder is not git's to delete: see `removeWorktree`.
  await removeTree(record.path);
  await git.run(['worktree', 'remove', '--force', '--force', record.path], { timeoutMs: CHECKOUT_MS });
  if (!record.ownsBranch) return;
  const isOurs = (await resolveCommit(git, `refs/heads/${branch}`)) === record.base.commit;
  if (isOurs) await git.run(['branch', '--delete', '--force', '--quiet', branch], { timeoutMs: WRITE_MS });
}
