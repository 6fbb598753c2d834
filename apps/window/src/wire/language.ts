import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type LanguageServer = Schemas['LanguageServer'];
export type Formatter = Schemas['Formatter'];
export type FileProblem = Schemas['Diagnostic'];
export type MappedSymbol = Schemas['MappedSymbol'];

const KEY = ['language'];

/** A server of a project may be installed, or end, at any time. */
const POLL_MS = 10_000;
const COUNTS_MS = 5_000;

export const languageServersQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...KEY, 'servers', sessionId],
    queryFn: ({ signal }) => api.get('/ext/language-servers', { query: { sessionId }, signal }),
    refetchInterval: POLL_MS,
  });

export const formattersQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...KEY, 'formatters', sessionId],
    queryFn: async ({ signal }) => (await api.get('/ext/formatters', { query: { sessionId }, signal })).formatters,
    refetchInterval: POLL_MS,
  });

/** Throws ApiError. */
export async function turnFormatter(sessionId: string, id: string, isOn: boolean): Promise<void> {
  await api.post('/ext/formatters/{formatterId}/choices', { path: { formatterId: id }, body: { sessionId, isOn } });
}

/** By path; only files with errors or warnings. */
export const problemCountsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...KEY, 'counts', sessionId],
    queryFn: async ({ signal }) => {
      const { files } = await api.get('/ext/sessions/{sessionId}/diagnostics', { path: { sessionId }, signal });
      return new Map(files.map((one) => [one.path, one]));
    },
    refetchInterval: COUNTS_MS,
  });

/** Declarations by a part of their name. */
export const symbolsQuery = (sessionId: string, name: string) =>
  queryOptions({
    queryKey: [...KEY, 'symbols', sessionId, name],
    queryFn: ({ signal }) =>
      api.get('/ext/sessions/{sessionId}/symbols', { path: { sessionId }, query: { query: name }, signal }),
    placeholderData: (previous: { symbols: MappedSymbol[] } | undefined, query) =>
      query?.queryKey[2] === sessionId ? previous : undefined,
    staleTime: COUNTS_MS,
    retry: false,
  });

/** Null when no language server reads the file. Throws ApiError. */
export async function diagnoseText(
  sessionId: string,
  file: { path: string; text: string },
): Promise<FileProblem[] | null> {
  const body = { path: file.path, text: file.text };
  return (await api.post('/ext/sessions/{sessionId}/diagnostics/file', { path: { sessionId }, body })).problems;
}

/** Throws ApiError. */
export async function startLanguageServer(sessionId: string, id: string, how: 'trust' | 'start'): Promise<void> {
  await api.post(`/ext/language-servers/{serverId}/${how}`, { path: { serverId: id }, body: { sessionId } });
}

export const refreshLanguage = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });
