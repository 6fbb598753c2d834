import type { components } from '@fucina/wire-types';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Schemas = components['schemas'];
export type GitState = Schemas['GitState'];
export type GitEntry = GitState['voci'][number];
export type GitDiff = Schemas['GitDiff'];
export type GitRangeDiff = Schemas['GitRangeDiff'];
export type GitHistory = Schemas['GitHistory'];
export type GitCommit = GitHistory['commit'][number];
export type GitChanges = Schemas['GitChanges'];
export type GitBranchPoint = Schemas['GitBranchPoint'];
export type GitBranchPointDiff = Schemas['GitBranchPointDiff'];
export type GitBranch = Schemas['GitBranch'];
export type GitStash = Schemas['GitStash'];
export type GitSync = Schemas['GitSync'];
/** `preparato`: staged; `lavoro`: unstaged. */
export type GitArea = GitDiff['area'];
export type HunkAction = 'prepara' | 'togli' | 'annulla';

type Query = Record<string, string | undefined>;

const keyOf = (sessionId: string) => ['git', sessionId] as const;
const at = (sessionId: string, what: string, query: Query = {}) => address(['sessions', sessionId, 'git', what], query);

function gitQuery<Data>(sessionId: string, what: string, query: Query = {}) {
  return queryOptions({
    queryKey: [...keyOf(sessionId), what, query],
    queryFn: ({ signal }) => read<Data>(at(sessionId, what, query), signal),
  });
}

export const gitStateQuery = (sessionId: string) => gitQuery<GitState>(sessionId, 'status');
export const gitSyncQuery = (sessionId: string) => gitQuery<GitSync>(sessionId, 'sync');
export const gitHistoryQuery = (sessionId: string) => gitQuery<GitHistory>(sessionId, 'log');
/** The log by page, newest first. */
export const gitHistoryPagesQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(sessionId), 'log', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      read<GitHistory>(at(sessionId, 'log', pageParam === undefined ? {} : { cursore: pageParam }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursore }) => cursore,
  });
export const gitBranchesQuery = (sessionId: string) => gitQuery<{ rami: GitBranch[] }>(sessionId, 'branches');
export const gitStashesQuery = (sessionId: string) => gitQuery<{ accantonati: GitStash[] }>(sessionId, 'stashes');

export const gitDiffQuery = (sessionId: string, percorso: string, area: GitArea) =>
  gitQuery<GitDiff>(sessionId, 'diff', { percorso, area });

/** The changes of a commit compared with its parent. */
export const gitChangesQuery = (sessionId: string, commit: string) =>
  queryOptions({ ...gitQuery<GitChanges>(sessionId, 'changes', { a: commit }), staleTime: Number.POSITIVE_INFINITY });

export const gitChangeDiffQuery = (sessionId: string, query: { a: string; percorso: string; prima?: string }) =>
  queryOptions({
    ...gitQuery<GitRangeDiff>(sessionId, 'changes-diff', query),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

const comparisonAt = (sessionId: string, more: readonly string[], query: Query) =>
  address(['ext', 'sessions', sessionId, 'confronto', ...more], query);

/** What changed since the branch point; without `base`, compared with the likely base branch. */
export const branchPointQuery = (sessionId: string, base: string | undefined) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'branch-point', { base }],
    queryFn: ({ signal }) => read<GitBranchPoint>(comparisonAt(sessionId, [], { base }), signal),
    placeholderData: (previous: GitBranchPoint | undefined, query) =>
      query?.queryKey[1] === sessionId ? previous : undefined,
  });

export const branchPointDiffQuery = (sessionId: string, query: { da: string; percorso: string; prima?: string }) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'branch-point', 'file', query],
    queryFn: ({ signal }) => read<GitBranchPointDiff>(comparisonAt(sessionId, ['file'], query), signal),
  });

/** Discards that can be undone, newest first. */
export const discardsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'discards'],
    queryFn: ({ signal }) =>
      read<{ scarti: { id: string; alle: string; percorsi: string[] }[] }>(
        address(['ext', 'sessions', sessionId, 'scarti']),
        signal,
      ),
  });

/** Throws WireError. */
export const undoDiscard = (sessionId: string, id: string): Promise<{ lasciati: string[] }> =>
  send(address(['ext', 'sessions', sessionId, 'scarti', id, 'annullamento']));

export const refreshGit = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(sessionId) });

/** Posts to an operation of the session's repository. Throws WireError. */
export const gitAction = <Answer = unknown>(sessionId: string, act: string, body?: object): Promise<Answer> =>
  send<Answer>(at(sessionId, act), body);

/** The session's model writes a message; aborting cancels it. Throws WireError. */
export const suggestMessage = async (sessionId: string, body: object, signal: AbortSignal): Promise<string> =>
  (await send<{ messaggio: string }>(at(sessionId, 'commit-message'), body, signal)).messaggio;
