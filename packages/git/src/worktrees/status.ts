import { isAppError } from '@fucina/shared';
import { headOf, readEntries } from '../reading/status.ts';
import { currentBranch } from '../reading/upstream.ts';
import { type GitFolder, openGitFolder } from '../repository/git-folder.ts';
import { commonDirOf, findRepository } from '../repository/repository.ts';
import type { GitLauncher } from '../run/launcher.ts';
import type { WorktreeRecord } from './record.ts';

export interface WorktreeState {
  /** null when detached. */
  branch: string | null;
  commit: string | null;
  /** Changed and new files; a new folder counts once. */
  changedCount: number;
  /** Commits of its own since the base, and commits of the base that it does not have; null without a known base. */
  ahead: number | null;
  behind: number | null;
  /** Commits that no other branch, remote branch or tag has. */
  unmergedCount: number;
}

export interface Worktree extends WorktreeRecord {
  /** null when the folder, or the repository that it belongs to, is gone. */
  state: WorktreeState | null;
}

/** The worktree as a folder of git; undefined when it is gone, or no worktree of its repository any more. */
export async function openWorktree(launcher: GitLauncher, record: WorktreeRecord): Promise<GitFolder | undefined> {
  try {
    const place = await openGitFolder(launcher, record.path);
    const isSame = place.prefix === '' && (await commonDirOf(place.repository)) === record.commonDir;
    return isSame ? place : undefined;
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND') || isAppError(error, 'GIT_NOT_A_REPOSITORY')) return undefined;
    throw error;
  }
}

export async function readWorktree(launcher: GitLauncher, record: WorktreeRecord): Promise<Worktree> {
  try {
    const place = await openWorktree(launcher, record);
    return { ...record, state: place ? await readWorktreeState(place, record) : null };
  } catch (error) {
    const there = await findRepository(record.path).catch(() => undefined); // not even the folder
    // Removed while it was read.
    if (there?.root !== record.path) return { ...record, state: null };
    throw error;
  }
}

export async function readWorktreeState(place: GitFolder, { base }: WorktreeRecord): Promise<WorktreeState> {
  const [branch, commit, entries] = await Promise.all([currentBranch(place), headOf(place.git), readEntries(place)]);
  const counts = commit === undefined ? undefined : await countsSince(place, base);
  return {
    branch: branch ?? null,
    commit: commit ?? null,
    changedCount: entries.length,
    ahead: counts?.ahead ?? null,
    behind: counts?.behind ?? null,
    unmergedCount: commit === undefined ? 0 : await countUnmerged(place, branch),
  };
}

async function countsSince(
  { git }: GitFolder,
  { reference, commit }: WorktreeRecord['base'],
): Promise<{ ahead: number; behind: number } | undefined> {
  for (const from of reference === null ? [commit] : [reference, commit]) {
    const outcome = await git.run(['rev-list', '--left-right', '--count', `${from}...HEAD`, '--']);
    const [behind, ahead] = outcome.stdout.toString('utf8').trim().split('\t').map(Number);
    if (outcome.exitCode === 0 && ahead !== undefined && behind !== undefined) return { ahead, behind };
  }
  return undefined; // the base was deleted, and its commits with it
}

export async function countUnmerged({ git }: GitFolder, branch: string | undefined): Promise<number> {
  const own = branch === undefined ? [] : [`--exclude=${branch}`];
  const args = ['rev-list', '--count', 'HEAD', '--not', ...own, '--branches', '--remotes', '--tags', '--'];
  return Number((await git.text(args)).trim());
}
