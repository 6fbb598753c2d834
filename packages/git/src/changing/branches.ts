import { gitError } from '../errors.ts';
import { HOOKS } from '../hooks/hook-files.ts';
import type { HookedFolder } from '../hooks/hooks.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import { headOf, type RepositoryState, readState } from '../reading/status.ts';
import { type Branch, currentBranch, readBranches } from '../reading/upstream.ts';
import { incomingFiles } from '../remotes/pull-files.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';

const MAX_NAME = 250;

export interface SwitchedBranch {
  branch: string;
  /** Hooks that exist and were not run; null when there is none. */
  hooksNotRun: string[] | null;
  /** Hooks that ran afterwards and failed; null when there is none. */
  hooksFailed: string[] | null;
  state: RepositoryState;
}

/** Throws GIT_BRANCH_INVALID, GIT_BRANCH_NOT_FOUND, GIT_SWITCH_BLOCKED. */
export async function switchBranch(place: HookedFolder, name: string): Promise<SwitchedBranch> {
  await checkName(place, name);
  if (!(await branchExists(place, name))) throw gitError('GIT_BRANCH_NOT_FOUND');
  await refuseFilteredMove(place, `refs/heads/${name}`);
  const before = await headOf(place.git);
  const args = ['switch', '--quiet', '--no-guess', '--no-recurse-submodules', name];
  const outcome = await place.git.run(args, { timeoutMs: WRITE_MS, isFilterChecked: true });
  if (outcome.exitCode !== 0 && BLOCKED.test(outcome.stderr))
    throw gitError('GIT_SWITCH_BLOCKED', { details: { stderr: outcome.stderr } });
  succeeded(outcome, args);
  return switched(place, name, before);
}

async function switched(place: HookedFolder, branch: string, before: string | undefined): Promise<SwitchedBranch> {
  const hooks = await place.hooks.begin(place, HOOKS.switch);
  if (hooks.hasAny('post-checkout')) {
    const after = await headOf(place.git);
    const none = '0'.repeat((after ?? before)?.length ?? 40);
    // The last one says that it was a branch, not files.
    await hooks.runAfter('post-checkout', { args: [before ?? none, after ?? none, '1'] });
  }
  const { leftOut: hooksNotRun } = hooks;
  return { branch, hooksNotRun, hooksFailed: hooks.failedAfter(), state: await readState(place) };
}

/** Refuses a move from HEAD to a commit that writes files which an untrusted filter converts. */
async function refuseFilteredMove(place: GitFolder, to: string): Promise<void> {
  const { git } = place;
  const from = git.filters.length === 0 ? undefined : await headOf(git);
  if (from === undefined) return;
  const { added, changed } = await incomingFiles(place, from, to);
  await refuseFiltered(place, [...added, ...changed], to);
}

const BLOCKED =
  /would be overwritten|resolve your current index|cannot switch branch while|needs merge|already (checked out|used by)/;

/** Throws GIT_BRANCH_INVALID, GIT_BRANCH_EXISTS. */
export async function createBranch(place: HookedFolder, name: string): Promise<SwitchedBranch> {
  await checkName(place, name);
  if (await branchExists(place, name)) throw gitError('GIT_BRANCH_EXISTS');
  const before = await headOf(place.git);
  const args = ['switch', '--quiet', '--no-track', '--create', name];
  const outcome = await place.git.run(args, { timeoutMs: WRITE_MS, isFilterChecked: true });
  refuseClash(outcome.exitCode, outcome.stderr);
  succeeded(outcome, args);
  return switched(place, name, before);
}

/** Throws GIT_BRANCH_INVALID, GIT_BRANCH_NOT_FOUND, GIT_BRANCH_EXISTS. */
export async function renameBranch(place: GitFolder, from: string, to: string): Promise<Branch[]> {
  await checkName(place, from);
  await checkName(place, to);
  const isUnborn = !(await branchExists(place, from)) && (await currentBranch(place)) === from;
  if (!isUnborn && !(await branchExists(place, from))) throw gitError('GIT_BRANCH_NOT_FOUND');
  if (from !== to && (await branchExists(place, to))) throw gitError('GIT_BRANCH_EXISTS');
  const args = ['branch', '--move', from, to];
  const outcome = await place.git.run(args, { timeoutMs: WRITE_MS });
  refuseClash(outcome.exitCode, outcome.stderr);
  succeeded(outcome, args);
  return readBranches(place);
}

/** Throws GIT_BRANCH_INVALID, GIT_BRANCH_NOT_FOUND, GIT_BRANCH_CURRENT, GIT_BRANCH_NOT_MERGED (never when forced). */
export async function deleteBranch(place: GitFolder, name: string, isForced: boolean): Promise<Branch[]> {
  await checkName(place, name);
  if (!(await branchExists(place, name))) throw gitError('GIT_BRANCH_NOT_FOUND');
  if ((await currentBranch(place)) === name) throw gitError('GIT_BRANCH_CURRENT');
  const args = ['branch', '--delete', '--quiet', ...(isForced ? ['--force'] : []), name];
  const outcome = await place.git.run(args, { timeoutMs: WRITE_MS });
  if (outcome.exitCode !== 0) {
    if (/not fully merged/.test(outcome.stderr)) throw gitError('GIT_BRANCH_NOT_MERGED');
    if (/checked out at|used by worktree/.test(outcome.stderr)) throw gitError('GIT_BRANCH_CURRENT');
  }
  succeeded(outcome, args);
  return readBranches(place);
}

export async function checkName({ git }: Pick<GitFolder, 'git'>, name: string): Promise<void> {
  // `--branch` also accepts `@{-1}` and the like; only an identical result is a plain name.
  const isSafe = name !== '' && name.length <= MAX_NAME && !/^-|@\{|[\0\n]/.test(name) && name !== 'HEAD';
  if (!isSafe) throw gitError('GIT_BRANCH_INVALID');
  const { exitCode } = await git.run(['check-ref-format', `refs/heads/${name}`]);
  if (exitCode === 1) throw gitError('GIT_BRANCH_INVALID');
  if (exitCode !== 0) throw gitError('GIT_COMMAND_FAILED', { details: { command: 'check-ref-format', exitCode } });
}

/** `a` and `a/b` cannot both be branches. */
function refuseClash(exitCode: number, stderr: string): void {
  if (exitCode !== 0 && /cannot (create|lock ref)|already exists|exists; cannot/.test(stderr))
    throw gitError('GIT_BRANCH_EXISTS', { reason: 'name-clash', details: { stderr } });
}

export async function branchExists({ git }: GitFolder, name: string): Promise<boolean> {
  const args = ['show-ref', '--verify', '--quiet', `refs/heads/${name}`];
  const outcome = await git.run(args);
  if (outcome.exitCode === 1) return false;
  succeeded(outcome, args);
  return true;
}
