import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type McpServer = Schemas['ConfiguredMcpServer'];
export type McpDefinition = McpServer['definizione'];
export type McpState = McpServer['stato'];
export type McpCandidate = Schemas['McpCandidate'];
export type McpImportFile = Schemas['McpImportFile'];
export type McpCallAnswer = Schemas['McpCalls']['answer'];
export type McpSignIn = Schemas['McpSignIn'];

/** A project by its folder or one of its sessions; without either all projects. */
export interface McpPlace {
  cartella?: string | undefined;
  sessionId?: string | undefined;
}

export type OwnScope = 'ovunque' | 'progetto';

export interface SavedServer {
  nome: string;
  ambito: OwnScope;
  definizione: McpDefinition;
  segreti: Record<string, string>;
  calls?: McpCallAnswer;
}

/** The id of a file, or a text. */
export type ImportSource = { fonte: string } | { testo: string };

export type ChosenImport = ImportSource & {
  ambito: OwnScope;
  scelti: { nome: string; impronta: string }[];
};

const KEY = ['mcp-servers'];
const POLL_MS = 5_000;
const STARTING_POLL_MS = 1_000;
const keyOf = (place: McpPlace, name: string) => [...KEY, name, place.cartella ?? '', place.sessionId ?? ''];
const query = ({ cartella, sessionId }: McpPlace) => ({ cartella, sessionId });

export const mcpServersQuery = (place: McpPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'list'),
    queryFn: ({ signal }) => api.get('/ext/mcp', { query: query(place), signal }),
    refetchInterval: ({ state }) =>
      state.data?.server.some(({ stato }) => stato === 'in-avvio') ? STARTING_POLL_MS : POLL_MS,
  });

export const mcpImportsQuery = (place: McpPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'imports'),
    queryFn: async ({ signal }) => (await api.get('/ext/mcp/imports', { query: query(place), signal })).file,
    staleTime: 0,
  });

export const mcpLogQuery = (place: McpPlace, { nome, ambito }: McpServer) =>
  queryOptions({
    queryKey: [...keyOf(place, 'log'), ambito, nome],
    queryFn: async ({ signal }) => {
      return (
        await api.get('/ext/mcp/{serverId}/log', {
          path: { serverId: nome },
          query: { ...query(place), ambito },
          signal,
        })
      ).righe;
    },
    refetchInterval: POLL_MS,
  });

const SUGGESTED_MS = 10_000;

/** Ways to continue `@server:uri`, or the arguments after `/mcp__server__prompt`. */
export const mcpSuggestionsQuery = (sessionId: string, testo: string) =>
  queryOptions({
    queryKey: [...KEY, 'suggestions', sessionId, testo],
    queryFn: async () => {
      const body = { sessionId, testo };
      return (await api.post('/ext/mcp/suggestions', { body })).suggerimenti;
    },
    staleTime: SUGGESTED_MS,
    retry: false,
  });

export async function refreshMcp(client: QueryClient): Promise<void> {
  // Their prompts are among the commands of sessions.
  await Promise.all([KEY, ['tools']].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** The place of a server in the list of all projects is its own project. */
export function placeOf(place: McpPlace, { ambito, cartella }: Pick<McpServer, 'ambito' | 'cartella'>): McpPlace {
  return ambito === 'progetto' && cartella !== null && place.sessionId === undefined ? { cartella } : place;
}

/** All of these throw ApiError. */
export const addMcpServer = (place: McpPlace, server: SavedServer): Promise<unknown> =>
  api.post('/ext/mcp', { body: { ...place, ...server } });

export const changeMcpServer = (place: McpPlace, { nome, ...server }: SavedServer): Promise<unknown> =>
  api.patch('/ext/mcp/{serverId}', { path: { serverId: nome }, body: { ...place, ...server } });

export const removeMcpServer = (place: McpPlace, server: McpServer): Promise<unknown> =>
  api.delete('/ext/mcp/{serverId}', {
    path: { serverId: server.nome },
    query: { ...placeOf(place, server), ambito: server.ambito },
  });

type Named = Pick<McpServer, 'nome' | 'ambito' | 'cartella'>;
const targetOf = (place: McpPlace, server: Named) => ({ ...placeOf(place, server), ambito: server.ambito });

export const connectMcpServer = (place: McpPlace, server: Named): Promise<unknown> =>
  api.post('/ext/mcp/{serverId}/start', { path: { serverId: server.nome }, body: targetOf(place, server) });

export const signInAtMcpServer = (place: McpPlace, server: Named): Promise<McpSignIn> =>
  api.post('/ext/mcp/{serverId}/sign-in', { path: { serverId: server.nome }, body: targetOf(place, server) });

export const signOutOfMcpServer = (place: McpPlace, server: Named): Promise<unknown> =>
  api.delete('/ext/mcp/{serverId}/sign-in', { path: { serverId: server.nome }, query: { ...targetOf(place, server) } });

/** With an answer about its calls, if the user gave one. */
export const trustMcpServer = (place: McpPlace, server: Named, calls?: McpCallAnswer): Promise<unknown> =>
  api.post('/ext/mcp/{serverId}/trust', {
    path: { serverId: server.nome },
    body: { ...targetOf(place, server), ...(calls && { calls }) },
  });

const SCOPES = { ovunque: 'everywhere', progetto: 'project', file: 'file' } as const;

/** Whether the calls of a server ask from now on. */
export const chooseMcpCalls = (place: McpPlace, server: Named, answer: McpCallAnswer): Promise<unknown> => {
  const { cartella: folder, sessionId } = placeOf(place, server);
  return api.post('/ext/mcp/{serverId}/calls', {
    path: { serverId: server.nome },
    body: { folder, sessionId, scope: SCOPES[server.ambito], answer },
  });
};

/** An answer from a card of the session that uses the server. */
export const answerMcpCalls = (
  { sessionId }: { sessionId: string },
  { server, choice }: { server: string; choice: { allowTool: string } | { answer: McpCallAnswer } },
): Promise<unknown> =>
  api.post('/ext/mcp/{serverId}/calls', { path: { serverId: server }, body: { sessionId, ...choice } });

export const chooseMcp = (
  place: McpPlace,
  server: Named,
  choice: { attivo?: boolean; strumentiSpenti?: string[] },
): Promise<unknown> =>
  api.post('/ext/mcp/{serverId}/choices', {
    path: { serverId: server.nome },
    body: { ...targetOf(place, server), ...choice },
  });

export const readMcpText = async (testo: string): Promise<McpCandidate[]> =>
  (await api.post('/ext/mcp/imports/preview', { body: { testo } })).server;

export const importMcp = (place: McpPlace, chosen: ChosenImport): Promise<{ aggiunti: string[] }> =>
  api.post('/ext/mcp/imports', { body: { ...place, ...chosen } });
