import type { OperationOptions, Schemas } from '@fucina/client';
import { api } from './client.ts';
import type { Worktree } from './worktrees.ts';

export type WorktreeMerge = Schemas['WorktreeMerge'];
export type WorktreeSetup = Schemas['WorktreeSetup'];
export type NewWorktree = OperationOptions<'post', '/ext/worktrees'>['body'];

/** All of these throw ApiError. */
export const createWorktree = async (request: NewWorktree): Promise<Worktree> =>
  (await api.post('/ext/worktrees', { body: request })).worktree;

export const removeWorktree = (id: string, choice: { isForced?: boolean; deletesBranch?: boolean }): Promise<unknown> =>
  api.delete('/ext/worktrees/{worktreeId}', {
    path: { worktreeId: id },
    query: {
      ...(choice.isForced && { force: 'true' }),
      ...(choice.deletesBranch && { deleteBranch: 'true' }),
    },
  });

export const mergeWorktree = (
  id: string,
  { message, isRebase }: { message: string | undefined; isRebase: boolean },
): Promise<WorktreeMerge> =>
  api.post('/ext/worktrees/{worktreeId}/merge', {
    path: { worktreeId: id },
    body: {
      ...(message !== undefined && { message }),
      ...(isRebase && { rebase: true }),
    },
  });

export const readWorktreeSetup = (id: string): Promise<WorktreeSetup> =>
  api.get('/ext/worktrees/{worktreeId}/setup', { path: { worktreeId: id } });

export const startWorktreeSetup = (id: string, fingerprint?: string): Promise<WorktreeSetup> =>
  api.post('/ext/worktrees/{worktreeId}/setup', {
    path: { worktreeId: id },
    body: fingerprint === undefined ? {} : { fingerprint },
  });

export const stopWorktreeSetup = (id: string): Promise<unknown> =>
  api.delete('/ext/worktrees/{worktreeId}/setup', { path: { worktreeId: id } });
