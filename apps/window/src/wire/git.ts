import type { OperationOptions, Schemas } from '@fucina/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { gitKey, gitQuery } from './git-sync.ts';

export type GitState = Schemas['GitState'];
export type GitEntry = GitState['entries'][number];
export type GitDiff = Schemas['GitDiff'];

export type GitHistory = Schemas['GitHistory'];
export type GitCommit = GitHistory['commits'][number];

export type GitBranchPoint = Schemas['GitBranchPoint'];
export type GitBranchPointDiff = Schemas['GitBranchPointDiff'];
export type GitBranch = Schemas['GitBranch'];
export type GitStash = Schemas['GitStash'];
export type GitArea = GitDiff['area'];
export type HunkAction = 'stage' | 'unstage' | 'undo';

export const gitStateQuery = (sessionId: string) =>
  gitQuery(sessionId, ['status'], (asked) => api.get('/sessions/{sessionId}/git/status', asked));
export const gitHistoryQuery = (sessionId: string) =>
  gitQuery(sessionId, ['log'], (asked) => api.get('/sessions/{sessionId}/git/log', asked));
/** The log by page, newest first. */
export const gitHistoryPagesQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: [...gitKey(sessionId), 'log', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/sessions/{sessionId}/git/log', {
        path: { sessionId },
        query: { cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });
export const gitBranchesQuery = (sessionId: string) =>
  gitQuery(sessionId, ['branches'], (asked) => api.get('/sessions/{sessionId}/git/branches', asked));
export const gitStashesQuery = (sessionId: string) =>
  gitQuery(sessionId, ['stashes'], (asked) => api.get('/sessions/{sessionId}/git/stashes', asked));

export const gitDiffQuery = (sessionId: string, path: string, area: GitArea) =>
  gitQuery(sessionId, ['diff', path, area], (asked) =>
    api.get('/sessions/{sessionId}/git/diff', { ...asked, query: { path, area } }),
  );

/** The changes of a commit compared with its parent. */
export const gitChangesQuery = (sessionId: string, commit: string) =>
  queryOptions({
    ...gitQuery(sessionId, ['changes', commit], (asked) =>
      api.get('/sessions/{sessionId}/git/changes', { ...asked, query: { to: commit } }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const gitChangeDiffQuery = (sessionId: string, query: { to: string; path: string; before?: string }) =>
  queryOptions({
    ...gitQuery(sessionId, ['changes-diff', query], (asked) =>
      api.get('/sessions/{sessionId}/git/changes-diff', { ...asked, query }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

/** What changed since the branch point; without `base`, compared with the likely base branch. */
export const branchPointQuery = (sessionId: string, base: string | undefined) =>
  queryOptions({
    queryKey: [...gitKey(sessionId), 'branch-point', { base }],
    queryFn: ({ signal }) =>
      api.get('/ext/sessions/{sessionId}/branch-point', { path: { sessionId }, query: { base }, signal }),
    placeholderData: (previous: GitBranchPoint | undefined, query) =>
      query?.queryKey[1] === sessionId ? previous : undefined,
  });

export const branchPointDiffQuery = (sessionId: string, query: { from: string; path: string; before?: string }) =>
  queryOptions({
    queryKey: [...gitKey(sessionId), 'branch-point', 'file', query],
    queryFn: ({ signal }) =>
      api.get('/ext/sessions/{sessionId}/branch-point/diff', { path: { sessionId }, query, signal }),
  });

/** Discards that can be undone, newest first. */
export const discardsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...gitKey(sessionId), 'discards'],
    queryFn: ({ signal }) => api.get('/ext/sessions/{sessionId}/discards', { path: { sessionId }, signal }),
  });

/** Throws ApiError. */
export const undoDiscard = (sessionId: string, id: string): Promise<{ left: string[] }> =>
  api.post('/ext/sessions/{sessionId}/discards/{discardId}/undo', { path: { sessionId, discardId: id } });

export type GitPrograms = Schemas['GitPrograms'];
export type GitFilter = GitPrograms['filters'][number];

/** Programs that the repository brings along. */
export const gitProgramsQuery = (sessionId: string) =>
  gitQuery(sessionId, ['programs'], (asked) => api.get('/ext/sessions/{sessionId}/git/programs', asked));

/** Throws ApiError. */
export const trustGitFilter = (sessionId: string, { name, fingerprint }: GitFilter): Promise<GitPrograms> =>
  api.post('/ext/sessions/{sessionId}/git/programs/filters', { path: { sessionId }, body: { name, fingerprint } });

export type GitHook = GitPrograms['hooks'][number];
export type GitHookRun = Schemas['GitHookRuns']['hookRuns'][number];
export type GitHookChoice = NonNullable<
  OperationOptions<'post', '/ext/sessions/{sessionId}/git/programs/hooks'>['body']
>;

/** Throws ApiError. */
export const chooseGitHook = (
  sessionId: string,
  { name, fingerprint }: GitHook,
  choice: Pick<GitHookChoice, 'runs' | 'hasTimeLimit'>,
): Promise<GitPrograms> =>
  api.post('/ext/sessions/{sessionId}/git/programs/hooks', {
    path: { sessionId },
    body: { name, fingerprint, ...choice },
  });

/** Hooks of the current or last operation that ran some. */
export const gitHookRunsQuery = (sessionId: string) =>
  gitQuery(sessionId, ['hook-runs'], (asked) => api.get('/ext/sessions/{sessionId}/git/hooks/runs', asked));

/** Throws ApiError. */
export const stopGitHook = (sessionId: string): Promise<unknown> =>
  api.post('/ext/sessions/{sessionId}/git/hooks/stop', { path: { sessionId } });

/** The session's model writes a message; aborting cancels it. Throws ApiError. */
export async function suggestMessage(
  sessionId: string,
  body: OperationOptions<'post', '/sessions/{sessionId}/git/commit-message'>['body'],
  signal: AbortSignal,
): Promise<string> {
  return (await api.post('/sessions/{sessionId}/git/commit-message', { path: { sessionId }, body, signal })).message;
}
