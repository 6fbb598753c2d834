import { join } from 'node:path';
import { readRegularFile } from '@fucina/shared';
import { commitMerge, isMerging, refuseConflicts } from '../changing/commits.ts';
import { gitError } from '../errors.ts';
import { BEFORE_MERGE } from '../hooks/commit-hooks.ts';
import { HOOKS } from '../hooks/hook-files.ts';
import type { HookedFolder, OperationHooks } from '../hooks/hooks.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import { readSigning, UNSIGNED } from '../programs/signing.ts';
import { headOf, resolveCommit } from '../reading/status.ts';
import { currentBranch, readUpstream, type Upstream } from '../reading/upstream.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { type GitOptions, type GitOutcome, reasonOf, succeeded, WRITE_MS } from '../run/launcher.ts';
import { type IncomingFiles, incomingFiles, refuseDirty, restoreFiles } from './pull-files.ts';

export interface Pulled {
  /** False when files are in conflict: the merge stays open, to be resolved and committed. */
  isMerged: boolean;
  conflicts: number;
  before: string;
  after: string;
  /** Hooks that exist and were not run; null when there is none. */
  hooksNotRun: string[] | null;
  /** Hooks that ran afterwards and failed; null when there is none. */
  hooksFailed: string[] | null;
}

export interface FollowedBranch {
  branch: string;
  upstream: Upstream;
}

const MAX_HEADS_BYTES = 64 * 1024 ** 2;

/** Throws GIT_CONFLICTS, GIT_DETACHED, GIT_NO_UPSTREAM. */
export async function branchToPull(place: GitFolder): Promise<FollowedBranch> {
  await refuseConflicts(place);
  const branch = await currentBranch(place);
  if (branch === undefined) throw gitError('GIT_DETACHED');
  const upstream = await readUpstream(place);
  if (!upstream) throw gitError('GIT_NO_UPSTREAM');
  return { branch, upstream };
}

/** Call it directly after a fetch. Throws GIT_UPSTREAM_GONE. */
export async function refuseMissingUpstream({ repository }: GitFolder): Promise<void> {
  // If the followed branch is gone, no fetched ref is marked as its merge source.
  const heads = String(await readRegularFile(join(repository.gitDir, 'FETCH_HEAD'), MAX_HEADS_BYTES));
  if (!heads.split('\n').some((line) => /^[0-9a-f]{40,64}\t\t/.test(line))) throw gitError('GIT_UPSTREAM_GONE');
}

/**
 * Integrates the followed branch according to the user's pull.ff and pull.rebase; by default with a merge. Throws what
 * `branchToPull` throws, GIT_UPSTREAM_GONE, GIT_WORKTREE_DIRTY, GIT_PULL_FAILED, and what hooks throw; then nothing has
 * changed but the files that a hook changed.
 */
export async function integrate(place: HookedFolder): Promise<Pulled> {
  const { branch, upstream } = await branchToPull(place);
  const theirs = await resolveCommit(place.git, upstream.reference);
  if (theirs === undefined) throw gitError('GIT_UPSTREAM_GONE');
  const before = (await headOf(place.git)) ?? '';
  const base = await mergeBase(place, before, theirs);
  if (base === theirs)
    return { isMerged: true, conflicts: 0, before, after: before, hooksNotRun: null, hooksFailed: null };
  const way = await wayOf(place, branch, base === before);
  const incoming = await incomingFiles(place, base, theirs);
  await refuseDirty(place, incoming, way);
  if (way === 'rebase') await refuseOwnFiltered(place, base, before);
  const hooks = await place.hooks.begin(place, HOOKS[way === 'commit' ? 'merge' : way], ABLE[way]);
  const isMerged = await (way === 'rebase'
    ? rebaseOnto(place, hooks, { theirs, branch, incoming })
    : mergeWithHooks(place, hooks, { way, theirs, branch, incoming, message: messageOf(upstream, branch) }));
  return {
    isMerged,
    conflicts: await countConflicts(place),
    before,
    after: (await headOf(place.git)) ?? before,
    hooksNotRun: hooks.leftOut,
    hooksFailed: hooks.failedAfter(),
  };
}

/** Hooks that can run here: git rebases in one step, so that those in the middle of it are left out. */
const ABLE: Readonly<Record<Way, readonly string[]>> = {
  'fast-forward': HOOKS['fast-forward'],
  merge: HOOKS.merge,
  commit: HOOKS.merge,
  rebase: ['pre-rebase'],
};

interface Joining {
  theirs: string;
  branch: string;
  incoming: IncomingFiles;
}

async function rebaseOnto(
  place: GitFolder,
  hooks: OperationHooks,
  { theirs, branch, incoming }: Joining,
): Promise<boolean> {
  await hooks.run('pre-rebase', { args: [theirs] });
  return joinHistories(place, { way: 'rebase', args: [...REBASE, theirs], branch, incoming });
}

function messageOf({ short }: Upstream, branch: string): string {
  const into = branch === 'main' || branch === 'master' ? '' : ` into ${branch}`;
  return `Merge remote-tracking branch '${short}'${into}`;
}

/**
 * False when it ended in conflicts. With hooks before its commit, the merge is made first and committed after them; if
 * one fails, it is undone. Any other failure is rolled back.
 */
export async function mergeWithHooks(
  place: GitFolder,
  hooks: OperationHooks,
  { way, theirs, branch, incoming, message }: Joining & { way: Exclude<Way, 'rebase'>; message: string },
): Promise<boolean> {
  const isChecked = way !== 'fast-forward' && hooks.hasAny(...BEFORE_MERGE);
  const options = [...(isChecked ? ['--no-commit'] : []), WAYS[way], '-m', message];
  const args = [...MERGE_OPTIONS, ...options, theirs];
  const isMerged = await joinHistories(place, { way, args, branch, incoming });
  // As in git: a merge with conflicts is not over.
  if (!isMerged) return false;
  if (isChecked)
    await commitMerge(place, hooks, message).catch(async (error: unknown) => {
      await rollBack(place, way, incoming);
      throw error;
    });
  await hooks.runAfter('post-merge', { args: ['0'] });
  return true;
}

type Way = 'fast-forward' | 'merge' | 'commit' | 'rebase';
/** The user may want a merge commit even where a fast-forward is possible (pull.ff=false). */
const WAYS = { 'fast-forward': '--ff-only', merge: '--ff', commit: '--no-ff' } as const;
/** A strategy names a program, so the repository may not choose it. */
const STRATEGY = ['--strategy=ort', '--no-verify', '--no-autostash', '--no-stat', '--quiet'];
const MERGE_OPTIONS = ['merge', ...STRATEGY, '--no-edit'];
const REBASE = ['rebase', ...STRATEGY, '--no-fork-point'];

async function wayOf(place: GitFolder, branch: string, isForward: boolean): Promise<Way> {
  const fastForward = await setting(place, 'pull.ff');
  const rebase = (await setting(place, `branch.${branch}.rebase`)) ?? (await setting(place, 'pull.rebase'));
  const isRebase = rebase !== undefined && !NO.test(rebase);
  if (isForward) return fastForward !== undefined && NO.test(fastForward) && !isRebase ? 'commit' : 'fast-forward';
  if (fastForward === 'only') throw gitError('GIT_PULL_FAILED', { reason: 'diverged' });
  return isRebase ? 'rebase' : 'merge';
}

const NO = /^(false|no|off|0)$/i;

async function setting({ git }: GitFolder, key: string): Promise<string | undefined> {
  const args = ['config', '--get', key];
  const outcome = await git.run(args);
  return outcome.exitCode === 1 ? undefined : succeeded(outcome, args).toString('utf8').trim();
}

async function mergeBase({ git }: GitFolder, ours: string, theirs: string): Promise<string> {
  const args = ['merge-base', ours, theirs];
  const outcome = await git.run(args);
  if (outcome.exitCode === 1) throw gitError('GIT_PULL_FAILED', { reason: 'unrelated-histories' });
  return succeeded(outcome, args).toString('utf8').trim();
}

/** A rebase writes the files of the branch's own commits once more. */
async function refuseOwnFiltered(place: GitFolder, base: string, head: string): Promise<void> {
  const { added, changed } = await incomingFiles(place, base, head);
  await refuseFiltered(place, [...added, ...changed], head);
}

/** False when it ended in conflicts. Any other failure is rolled back. */
async function joinHistories(
  place: GitFolder,
  { way, args, branch, incoming }: { way: Way; args: readonly string[]; branch: string; incoming: IncomingFiles },
): Promise<boolean> {
  const signing = way === 'fast-forward' ? UNSIGNED : await readSigning(place);
  const [command = '', ...rest] = args;
  const options: GitOptions = {
    folder: place.repository.root,
    timeoutMs: WRITE_MS,
    isFilterChecked: true,
    ...signing.options,
    settings: [...(signing.options.settings ?? []), [`branch.${branch}.mergeOptions`, '']],
  };
  let outcome: GitOutcome;
  try {
    outcome = await place.git.run([command, signing.flag, ...rest], options);
  } catch (error) {
    await rollBack(place, way, incoming);
    throw error;
  }
  if (outcome.exitCode === 0) return true;
  if (way !== 'rebase' && (await isMerging(place))) return false;
  await rollBack(place, way, incoming);
  const { stderr } = outcome;
  if (OVERWRITES.test(stderr)) throw gitError('GIT_WORKTREE_DIRTY', { details: { stderr } });
  const reason = way === 'rebase' ? (reasonOf(stderr) ?? 'rebase-conflicts') : reasonOf(stderr);
  throw gitError('GIT_PULL_FAILED', { reason, details: { stderr } });
}

const OVERWRITES = /would be overwritten|untracked working tree files|[Uu]nstaged changes|uncommitted changes/;

async function rollBack(place: GitFolder, way: Way, incoming: IncomingFiles): Promise<void> {
  const options = { folder: place.repository.root, timeoutMs: WRITE_MS };
  if (way === 'rebase') await place.git.run(['rebase', '--abort'], options);
  else if (await isMerging(place)) await place.git.run(['merge', '--abort'], options);
  await restoreFiles(place, incoming);
}

async function countConflicts({ git, repository }: GitFolder): Promise<number> {
  const output = await git.text(['ls-files', '--unmerged', '-z'], { folder: repository.root });
  // Up to three stages of each file.
  return new Set(
    output
      .split('\0')
      .filter(Boolean)
      .map((row) => row.slice(row.indexOf('\t') + 1)),
  ).size;
}
