import type { components, operations } from '@fucina/wire-types';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Schemas = components['schemas'];
type AnswerOf<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

export type HostStatus = Schemas['CodeHostStatus'];
export type PullRequest = Schemas['PullRequest'];
export type Checks = Schemas['Checks'];
export type Pulls = AnswerOf<'github.pulls'>;
export type PullDraft = AnswerOf<'github.pull-draft'>;

export interface NewPull {
  titolo: string;
  testo: string;
  base: string;
  bozza: boolean;
}

/** Every request contacts the code host, so recent answers are reused. */
const FRESH_MS = 30_000;
/** Polling interval while the user enters the code. */
const SIGN_IN_MS = 2_000;
const CHECKS_MS = 15_000;

const at = (sessionId: string, ...parts: string[]) => ['sessions', sessionId, 'github', ...parts];

export const isSigningIn = ({ collegamento }: HostStatus): boolean =>
  collegamento.stato === 'avvio' || collegamento.stato === 'in-attesa';

/** State of gh and of the sign-in; polled while a sign-in or an installation is in progress. */
export const hostStatusQuery = queryOptions({
  queryKey: ['github'],
  queryFn: ({ signal }) => read<HostStatus>(address(['github', 'status']), signal),
  staleTime: FRESH_MS,
  refetchInterval: ({ state: { data } }) =>
    data && (isSigningIn(data) || data.installazione.inCorso) ? SIGN_IN_MS : false,
});

const keyOf = (sessionId: string) => ['pulls', sessionId] as const;

/** The branch's pull request, and the open ones. */
export const pullsQuery = (sessionId: string, branch: string | null | undefined) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'list', branch],
    queryFn: ({ signal }) => read<Pulls>(address(at(sessionId, 'pulls')), signal),
    staleTime: FRESH_MS,
    retry: false,
  });

export const pullDraftQuery = (sessionId: string, branch: string | null | undefined, base: string | undefined) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'draft', branch, base],
    queryFn: ({ signal }) => read<PullDraft>(address(at(sessionId, 'pull-draft'), { base }), signal),
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** Polled while a check runs. */
export const checksQuery = (sessionId: string, number: string) =>
  queryOptions({
    queryKey: [...keyOf(sessionId), 'checks', number],
    queryFn: ({ signal }) => read<AnswerOf<'github.checks'>>(address(at(sessionId, 'pulls', number, 'checks')), signal),
    staleTime: FRESH_MS,
    retry: false,
    refetchInterval: ({ state }) => ((state.data?.controlli.conteggi.inCorso ?? 0) > 0 ? CHECKS_MS : false),
  });

export const refreshPulls = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: keyOf(sessionId) });

/** Throws WireError. */
export const signInToHost = (): Promise<unknown> => send(address(['github', 'login']));
/** Throws WireError. */
export const cancelHostSignIn = (): Promise<unknown> => send(address(['github', 'login-cancel']));
/** Resolves when it is installed. Throws WireError. */
export const installHostProgram = (): Promise<unknown> => send(address(['github', 'install']));
/** Throws WireError. */
export const createPull = (sessionId: string, pull: NewPull): Promise<{ numero: number }> =>
  send(address(at(sessionId, 'pulls')), pull);
