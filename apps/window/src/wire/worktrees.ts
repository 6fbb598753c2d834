import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type Worktree = Schemas['Worktree'];
export type WorktreeBases = Schemas['WorktreeBases'];

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
