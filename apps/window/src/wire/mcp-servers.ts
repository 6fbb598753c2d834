import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { MCP_KEY } from './mcp-suggestions.ts';

export type McpServer = Schemas['ConfiguredMcpServer'];
export type McpDefinition = McpServer['definition'];
export type McpState = McpServer['state'];
export type McpCandidate = Schemas['McpCandidate'];
export type McpImportFile = Schemas['McpImportFile'];
export type McpCallAnswer = Schemas['McpCalls']['answer'];
export type McpSignIn = Schemas['McpSignIn'];

/** A project by its folder or one of its sessions; without either all projects. */
export interface McpPlace {
  folder?: string | undefined;
  sessionId?: string | undefined;
}

export type OwnScope = 'everywhere' | 'project';

export interface SavedServer {
  name: string;
  scope: OwnScope;
  definition: McpDefinition;
  secrets: Record<string, string>;
  calls?: McpCallAnswer;
}

/** The id of a file, or a text. */
export type ImportSource = { source: string } | { text: string };

export type ChosenImport = ImportSource & {
  scope: OwnScope;
  chosen: { name: string; fingerprint: string }[];
};

const POLL_MS = 5_000;
const STARTING_POLL_MS = 1_000;
const keyOf = (place: McpPlace, name: string) => [...MCP_KEY, name, place.folder ?? '', place.sessionId ?? ''];
const query = ({ folder, sessionId }: McpPlace) => ({ folder, sessionId });

export const mcpServersQuery = (place: McpPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'list'),
    queryFn: ({ signal }) => api.get('/ext/mcp', { query: query(place), signal }),
    refetchInterval: ({ state }) =>
      state.data?.servers.some(({ state }) => state === 'starting') ? STARTING_POLL_MS : POLL_MS,
  });

export const mcpImportsQuery = (place: McpPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'imports'),
    queryFn: async ({ signal }) => (await api.get('/ext/mcp/imports', { query: query(place), signal })).files,
    staleTime: 0,
  });

export const mcpLogQuery = (place: McpPlace, { name, scope }: McpServer) =>
  queryOptions({
    queryKey: [...keyOf(place, 'log'), scope, name],
    queryFn: async ({ signal }) => {
      return (
        await api.get('/ext/mcp/{serverId}/log', {
          path: { serverId: name },
          query: { ...query(place), scope },
          signal,
        })
      ).lines;
    },
    refetchInterval: POLL_MS,
  });

export async function refreshMcp(client: QueryClient): Promise<void> {
  // Their prompts are among the commands of sessions.
  await Promise.all([MCP_KEY, ['tools']].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** The place of a server in the list of all projects is its own project. */
export function placeOf(place: McpPlace, { scope, folder }: Pick<McpServer, 'scope' | 'folder'>): McpPlace {
  return scope === 'project' && folder !== null && place.sessionId === undefined ? { folder } : place;
}

/** All of these throw ApiError. */
export const addMcpServer = (place: McpPlace, server: SavedServer): Promise<unknown> =>
  api.post('/ext/mcp', { body: { ...place, ...server } });

export const changeMcpServer = (place: McpPlace, { name, ...server }: SavedServer): Promise<unknown> =>
  api.patch('/ext/mcp/{serverId}', { path: { serverId: name }, body: { ...place, ...server } });

export const removeMcpServer = (place: McpPlace, server: McpServer): Promise<unknown> =>
  api.delete('/ext/mcp/{serverId}', {
    path: { serverId: server.name },
    query: { ...placeOf(place, server), scope: server.scope },
  });

type Named = Pick<McpServer, 'name' | 'scope' | 'folder'>;
const targetOf = (place: McpPlace, server: Named) => ({ ...placeOf(place, server), scope: server.scope });

export const connectMcpServer = (place: McpPlace, server: Named): Promise<unknown> =>
  api.post('/ext/mcp/{serverId}/start', { path: { serverId: server.name }, body: targetOf(place, server) });

export const signInAtMcpServer = (place: McpPlace, server: Named): Promise<McpSignIn> =>
  api.post('/ext/mcp/{serverId}/sign-in', { path: { serverId: server.name }, body: targetOf(place, server) });

export const signOutOfMcpServer = (place: McpPlace, server: Named): Promise<unknown> =>
  api.delete('/ext/mcp/{serverId}/sign-in', { path: { serverId: server.name }, query: { ...targetOf(place, server) } });

/** With an answer about its calls, if the user gave one. */
export const trustMcpServer = (place: McpPlace, server: Named, calls?: McpCallAnswer): Promise<unknown> =>
  api.post('/ext/mcp/{serverId}/trust', {
    path: { serverId: server.name },
    body: { ...targetOf(place, server), ...(calls && { calls }) },
  });

/** Whether the calls of a server ask from now on. */
export const chooseMcpCalls = (place: McpPlace, server: Named, answer: McpCallAnswer): Promise<unknown> => {
  const { folder, sessionId } = placeOf(place, server);
  return api.post('/ext/mcp/{serverId}/calls', {
    path: { serverId: server.name },
    body: { folder, sessionId, scope: server.scope, answer },
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
  choice: { isOn?: boolean; offTools?: string[] },
): Promise<unknown> =>
  api.post('/ext/mcp/{serverId}/choices', {
    path: { serverId: server.name },
    body: { ...targetOf(place, server), ...choice },
  });

export const readMcpText = async (text: string): Promise<McpCandidate[]> =>
  (await api.post('/ext/mcp/imports/preview', { body: { text } })).servers;

export const importMcp = (place: McpPlace, chosen: ChosenImport): Promise<{ added: string[] }> =>
  api.post('/ext/mcp/imports', { body: { ...place, ...chosen } });
