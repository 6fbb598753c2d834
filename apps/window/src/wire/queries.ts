import { ApiError, type OperationOptions } from '@fucina/client';
import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api } from './client.ts';
import { FreshQueryClient } from './fresh-query-client.ts';
import type { ProcessRow, SessionSettings } from './records.ts';

export function createQueryClient(): QueryClient {
  return new FreshQueryClient({
    defaultOptions: {
      // The server is on this computer: it answers without a network too.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        // A refusal would be repeated; only a lost connection is retried.
        retry: (count, error) => error instanceof ApiError && error.code === 'OFFLINE' && count < 2,
      },
    },
  });
}

const LIVE_POLL_MS = 2_500;
const IDLE_POLL_MS = 10_000;

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api.get('/sessions', { signal })).items,
  refetchInterval: ({ state }) =>
    state.data?.some((row) => !row.isConcluded && !row.isInterrupted) ? LIVE_POLL_MS : IDLE_POLL_MS,
  // The page title of a background tab shows waiting sessions.
  refetchIntervalInBackground: true,
});

export const processesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['processes', sessionId],
    queryFn: ({ signal }) => api.get('/sessions/{sessionId}/processes', { path: { sessionId }, signal }),
  });

export const isProcessLive = ({ outcome }: ProcessRow): boolean => outcome === 'running' || outcome === 'background';

export const metricsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['metrics', sessionId],
    queryFn: ({ signal }) => api.get('/sessions/{sessionId}/metrics', { path: { sessionId }, signal }),
  });

export const sessionToolsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['tools', sessionId],
    queryFn: ({ signal }) => api.get('/sessions/{sessionId}/tools', { path: { sessionId }, signal }),
    staleTime: 60_000,
  });

/** Sends a request about sessions, and refreshes their list afterwards in every case. */
export function useSessionAction<Answer, Body = void>(
  act: (body: Body) => Promise<Answer>,
): UseMutationResult<Answer, Error, Body> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Sends a message that starts the next turn, such as an /undo; without one, resumes an interrupted turn. */
export const useResume = (sessionId: string) =>
  useSessionAction((body: OperationOptions<'post', '/sessions/{sessionId}/resume'>['body'] | void) =>
    api.post('/sessions/{sessionId}/resume', { path: { sessionId }, ...(body && { body }) }),
  );

/** Stops the turn of a session. */
export const useStop = (sessionId: string) =>
  useSessionAction(() => api.post('/sessions/{sessionId}/stop', { path: { sessionId } }));

export const useRename = (sessionId: string) =>
  useSessionAction((body: { name: string }) => api.post('/sessions/{sessionId}/rename', { path: { sessionId }, body }));

/** Forks the session, and opens the copy. */
export function useFork(sessionId: string): UseMutationResult<{ sessionId: string }, Error, void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.post('/sessions/{sessionId}/fork', { path: { sessionId } }),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await navigate(`/sessions/${made.sessionId}`);
    },
  });
}

/** Changes preferences optimistically; reverts them when the server refuses. */
export function useSettings(sessionId: string): UseMutationResult<{ unmerged?: string[] }, Error, SessionSettings> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SessionSettings) => api.post('/sessions/{sessionId}/settings', { path: { sessionId }, body }),
    onMutate: async ({ model, reasoning, permissions, toolPermissions, mode }) => {
      await client.cancelQueries({ queryKey: sessionsQuery.queryKey });
      const chosen = {
        ...(model ? { model } : {}),
        ...(reasoning ? { reasoning } : {}),
        ...(permissions ? { permissions } : {}),
        ...(toolPermissions ? { toolPermissions } : {}),
        ...(mode ? { mode } : {}),
      };
      client.setQueryData(sessionsQuery.queryKey, (rows) =>
        rows?.map((row) => (row.sessionId === sessionId ? { ...row, ...chosen } : row)),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
