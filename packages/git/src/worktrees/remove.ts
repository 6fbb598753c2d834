import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, removeTree } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { readEntries } from '../reading/status.ts';
import { currentBranch } from '../reading/upstream.ts';
import { type GitFolder, openGitFolder } from '../repository/git-folder.ts';
import { findRepository } from '../repository/repository.ts';
import { type GitLauncher, succeeded, WRITE_MS } from '../run/launcher.ts';
import type { WorktreeRecord, WorktreeRecords } from './record.ts';
import { countUnmerged, openWorktree } from './status.ts';

export interface WorktreeRemoval {
  /** Also when uncommitted changes or commits would be lost. */
  isForced?: boolean;
  /** Deletes the branch too; without it, the branch stays. */
  deletesBranch?: boolean;
}

/**
 * Removes the worktree and what git stores about it. Throws GIT_WORKTREE_DIRTY (uncommitted changes), and
 * GIT_BRANCH_NOT_MERGED when commits would be lost, because they are on no branch that stays; then nothing has changed.
 */
export async function removeWorktree(
  { launcher, records }: { launcher: GitLauncher; records: WorktreeRecords },
  record: WorktreeRecord,
  { isForced = false, deletesBranch = false }: WorktreeRemoval = {},
): Promise<void> {
  const place = await openWorktree(launcher, record);
  if (place === undefined) return removeRemains({ launcher, records }, record, isForced);
  const branch = await currentBranch(place);
  if (!isForced) await refuseLoss(place, branch, deletesBranch);
  const main = await sourceOf(launcher, record);
  // Not by git, which deletes by path: a command that still runs in the worktree could lead it elsewhere.
  await removeFolder(record.path);
  const args = ['worktree', 'remove', '--force', '--force', record.path];
  succeeded(await main.git.run(args, { timeoutMs: WRITE_MS }), args);
  await records.remove(record);
  if (deletesBranch && branch !== undefined)
    await main.git.run(['branch', '--delete', '--force', '--quiet', branch], { timeoutMs: WRITE_MS });
}

async function refuseLoss(place: GitFolder, branch: string | undefined, deletesBranch: boolean): Promise<void> {
  const changed = (await readEntries(place)).length;
  if (changed > 0) throw gitError('GIT_WORKTREE_DIRTY', { reason: 'worktree-changes', params: { count: changed } });
  if (await isHeld(place)) throw gitError('GIT_WORKTREE_DIRTY', { reason: 'worktree-changes' });
  if (branch !== undefined && !deletesBranch) return;
  const count = await countUnmerged(place, branch);
  if (count > 0) throw gitError('GIT_BRANCH_NOT_MERGED', { reason: 'worktree-commits', params: { count } });
}

async function removeFolder(path: string): Promise<void> {
  await removeTree(path).catch((cause: unknown) => {
    throw gitError('GIT_COMMAND_FAILED', { cause });
  });
}

/** Locked by the user, or with submodules, whose repositories would be lost: git removes neither without force. */
async function isHeld({ git, repository }: GitFolder): Promise<boolean> {
  if (['locked', 'modules'].some((name) => !isMissing(join(repository.gitDir, name)))) return true;
  const args = ['ls-files', '--stage', '-z', '--full-name'];
  const staged = succeeded(await git.run(args, { folder: repository.root }), args);
  return /(?:^|\0)160000 /.test(staged.toString('latin1'));
}

/** Any work tree of the repository: the one it was made from, or the main one. */
async function sourceOf(launcher: GitLauncher, { source, commonDir }: WorktreeRecord): Promise<GitFolder> {
  for (const folder of [source, commonDir.replace(/[/\\]\.git$/, '')]) {
    const repository = await findRepository(folder).catch(() => undefined); // moved or deleted: the next one
    if (repository?.root === folder) return openGitFolder(launcher, folder);
  }
  throw gitError('GIT_NOT_A_REPOSITORY');
}

/** The folder was deleted, or the repository: files that are left are lost only when the caller accepts that. */
async function removeRemains(
  { launcher, records }: { launcher: GitLauncher; records: WorktreeRecords },
  record: WorktreeRecord,
  isForced: boolean,
): Promise<void> {
  const isThere = await lstat(record.path).then(
    () => true,
    () => false,
  );
  if (isThere && !isForced) throw gitError('GIT_WORKTREE_DIRTY', { reason: 'worktree-broken' });
  const main = await sourceOf(launcher, record).catch(() => undefined); // gone as well
  await removeFolder(record.path);
  await main?.git.run(['worktree', 'remove', '--force', '--force', record.path], { timeoutMs: WRITE_MS });
  await records.remove(record);
}
