import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const LIVE_POLL_MS = 2_500;

export const childrenQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['children', sessionId],
    queryFn: async ({ signal }) =>
      (await api.get('/sessions/{sessionId}/children', { path: { sessionId }, signal })).children,
    refetchInterval: ({ state }) =>
      state.data?.some(({ isConcluded, isInterrupted }) => !isConcluded && !isInterrupted) ? LIVE_POLL_MS : false,
  });

export const compactionPolicyQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['compaction-policy', sessionId],
    queryFn: ({ signal }) => api.get('/sessions/{sessionId}/compaction-policy', { path: { sessionId }, signal }),
  });

export const instructionsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['instructions', sessionId],
    queryFn: ({ signal }) => api.get('/ext/sessions/{sessionId}/instructions', { path: { sessionId }, signal }),
  });

export const commandSettingsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['command-settings', sessionId],
    queryFn: ({ signal }) => api.get('/sessions/{sessionId}/command-settings', { path: { sessionId }, signal }),
  });

/** The pending request of a session that is not on screen. */
export const pendingQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['pending', sessionId],
    queryFn: async ({ signal }) =>
      (await api.get('/sessions/{sessionId}/pending', { path: { sessionId }, signal })).pending,
    refetchInterval: LIVE_POLL_MS,
    staleTime: 0,
  });
