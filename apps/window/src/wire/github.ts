import type { Answer, OperationOptions, Schemas } from '@fucina/client';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type HostStatus = Schemas['CodeHostStatus'];
export type PullRequest = Schemas['PullRequest'];
export type Checks = Schemas['Checks'];
export type Pulls = Answer<'get', '/sessions/{sessionId}/github/pulls'>;
export type PullDraft = Answer<'get', '/sessions/{sessionId}/github/pull-draft'>;

export type NewPull = OperationOptions<'post', '/sessions/{sessionId}/github/pulls'>['body'];

/** Every request contacts the code host, so recent answers are reused. */
const FRESH_MS = 30_000;
/** Polling interval while the user enters the code. */
const SIGN_IN_MS = 2_000;
const CHECKS_MS = 15_000;

export const isSigningIn = ({ link }: HostStatus): boolean => link.state === 'starting' || link.state === 'waiting';

/** State of gh and of the sign-in; polled while a sign-in or an installation is in progress. */
export const hostStatusQuery = queryOptions({
  queryKey: ['github'],
  queryFn: ({ signal }) => api.get('/github/status', { signal }),
  staleTime: FRESH_MS,
  refetchInterval: ({ state: { data } }) =>
    data && (isSigningIn(data) || data.installation.isRunning) ? SIGN_IN_MS : false,
});

const keyOf = (sessionId: string) => ['pulls', sessionId] as const;

/** The branch's pull request, and the open ones. */
export const pullsQuery = (sessionId: string, branch: string | null | undefined) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'list', branch],
    queryFn: ({ signal }) => api.get('/sessions/{sessionId}/github/pulls', { path: { sessionId }, signal }),
    staleTime: FRESH_MS,
    retry: false,
  });

export const pullDraftQuery = (sessionId: string, branch: string | null | undefined, base: string | undefined) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'draft', branch, base],
    queryFn: ({ signal }) =>
      api.get('/sessions/{sessionId}/github/pull-draft', { path: { sessionId }, query: { base }, signal }),
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** Polled while a check runs. */
export const checksQuery = (sessionId: string, number: string) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'checks', number],
    queryFn: ({ signal }) =>
      api.get('/sessions/{sessionId}/github/pulls/{number}/checks', { path: { sessionId, number }, signal }),
    staleTime: FRESH_MS,
    retry: false,
    refetchInterval: ({ state }) => ((state.data?.checks.counts.isRunning ?? 0) > 0 ? CHECKS_MS : false),
  });

export const refreshPulls = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(sessionId) });

/** Throws ApiError. */
export const signInToHost = (): Promise<unknown> => api.post('/github/login');
/** Throws ApiError. */
export const cancelHostSignIn = (): Promise<unknown> => api.post('/github/login-cancel');
/** Resolves when it is installed. Throws ApiError. */
export const installHostProgram = (): Promise<unknown> => api.post('/github/install');
/** Throws ApiError. */
export const createPull = (sessionId: string, pull: NewPull): Promise<{ number: number }> =>
  api.post('/sessions/{sessionId}/github/pulls', { path: { sessionId }, body: pull });
