import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type GitSync = Schemas['GitSync'];

/** The key of all queries about the repository of a session. */
export const gitKey = (sessionId: string) => ['git', sessionId] as const;

interface Asked {
  path: { sessionId: string };
  signal: AbortSignal;
}

export const gitQuery = <Data>(sessionId: string, key: readonly unknown[], get: (asked: Asked) => Promise<Data>) =>
  queryOptions({
    queryKey: [...gitKey(sessionId), ...key],
    queryFn: ({ signal }) => get({ path: { sessionId }, signal }),
  });

export const gitSyncQuery = (sessionId: string) =>
  gitQuery(sessionId, ['sync'], (asked) => api.get('/sessions/{sessionId}/git/sync', asked));

export const refreshGit = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: gitKey(sessionId) });
