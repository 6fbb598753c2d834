import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Schemas = components['schemas'];
export type LanguageServer = Schemas['LanguageServer'];
export type Formatter = Schemas['Formatter'];
export type FileProblem = Schemas['Diagnostic'];
export type MappedSymbol = Schemas['MappedSymbol'];
export type ProblemCount = Schemas['ProblemCount'];

const KEY = ['language'];
const SERVERS = ['ext', 'linguaggi'];
/** A server of a project may be installed, or end, at any time. */
const POLL_MS = 10_000;
const COUNTS_MS = 5_000;

export const languageServersQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...KEY, 'servers', sessionId],
    queryFn: ({ signal }) =>
      read<{ server: LanguageServer[]; errore: string | null }>(address(SERVERS, { sessionId }), signal),
    refetchInterval: POLL_MS,
  });

const FORMATTERS = ['ext', 'formattatori'];

export const formattersQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...KEY, 'formatters', sessionId],
    queryFn: async ({ signal }) =>
      (await read<{ formattatori: Formatter[] }>(address(FORMATTERS, { sessionId }), signal)).formattatori,
    refetchInterval: POLL_MS,
  });

/** Throws WireError. */
export async function turnFormatter(sessionId: string, id: string, attivo: boolean): Promise<void> {
  await send(address([...FORMATTERS, id, 'scelte']), { sessionId, attivo });
}

/** By path; only files with errors or warnings. */
export const problemCountsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...KEY, 'counts', sessionId],
    queryFn: async ({ signal }) => {
      const url = address(['ext', 'sessions', sessionId, 'diagnostica']);
      const { file } = await read<{ file: ProblemCount[] }>(url, signal);
      return new Map(file.map((one) => [one.percorso, one]));
    },
    refetchInterval: COUNTS_MS,
  });

/** Declarations by a part of their name. */
export const symbolsQuery = (sessionId: string, name: string) =>
  queryOptions({
    queryKey: [...KEY, 'symbols', sessionId, name],
    queryFn: ({ signal }) =>
      read<{ simboli: MappedSymbol[] }>(address(['ext', 'sessions', sessionId, 'simboli'], { cerca: name }), signal),
    placeholderData: (previous: { simboli: MappedSymbol[] } | undefined, query) =>
      query?.queryKey[2] === sessionId ? previous : undefined,
    staleTime: COUNTS_MS,
    retry: false,
  });

/** Null when no language server reads the file. Throws WireError. */
export async function diagnoseText(
  sessionId: string,
  file: { path: string; text: string },
): Promise<FileProblem[] | null> {
  const body = { percorso: file.path, testo: file.text };
  const url = address(['ext', 'sessions', sessionId, 'diagnostica', 'file']);
  return (await send<{ problemi: FileProblem[] | null }>(url, body)).problemi;
}

/** Throws WireError. */
export async function startLanguageServer(sessionId: string, id: string, how: 'fiducia' | 'avvio'): Promise<void> {
  await send(address([...SERVERS, id, how]), { sessionId });
}

export const refreshLanguage = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });
