import type { OperationOptions, Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type Worktree = Schemas['Worktree'];
export type WorktreeBases = Schemas['WorktreeBases'];
export type WorktreeMerge = Schemas['WorktreeMerge'];
export type WorktreeSetup = Schemas['WorktreeSetup'];

export type PickedChanges = Schemas['PickedChanges'];

/** A changed file of a session as its diff showed it; without `pezzi` the whole file. */
export type PickedChange = OperationOptions<'post', '/ext/worktrees/picks'>['body']['choices'][number];

/** The folder that gets chosen changes: one of them. */
export interface PickTarget {
  folder?: string;
  sessionId?: string;
}

export type NewWorktree = OperationOptions<'post', '/ext/worktrees'>['body'];

const KEY = ['worktrees'];
const POLL_MS = 30_000;

/** All of them, oldest first. */
export const worktreesQuery = queryOptions({
  queryKey: [...KEY, 'all'],
  queryFn: async ({ signal }) => (await api.get('/ext/worktrees', { signal })).worktrees,
  // Each is a question to git: none is asked while there are none.
  refetchInterval: (query) => ((query.state.data?.length ?? 0) > 0 ? POLL_MS : false),
  staleTime: 5_000,
});

export const readWorktreeBases = (folder: string, signal?: AbortSignal): Promise<WorktreeBases> =>
  api.get('/ext/worktrees/bases', { query: { folder }, signal });

export const worktreeBasesQuery = (folder: string) =>
  queryOptions({
    queryKey: [...KEY, 'bases', folder],
    queryFn: ({ signal }) => readWorktreeBases(folder, signal),
    staleTime: 0,
  });

export const refreshWorktrees = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });

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

const placeOf = ({ folder, sessionId }: PickTarget): PickTarget =>
  folder === undefined ? { sessionId: sessionId ?? '' } : { folder };

export const pickChanges = (target: PickTarget, choices: PickedChange[]): Promise<PickedChanges> =>
  api.post('/ext/worktrees/picks', { body: { ...placeOf(target), choices } });

export const undoPick = (target: PickTarget, id: string): Promise<{ left: string[] }> =>
  api.post('/ext/worktrees/picks/{pickId}/undo', { path: { pickId: id }, body: placeOf(target) });
