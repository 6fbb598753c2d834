import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, amend, erase, read, send } from './call.ts';

type Schemas = components['schemas'];
export type McpServer = Schemas['ConfiguredMcpServer'];
export type McpDefinition = McpServer['definizione'];
export type McpState = McpServer['stato'];
export type McpCandidate = Schemas['McpCandidate'];
export type McpImportFile = Schemas['McpImportFile'];
export type McpSignIn = Schemas['McpSignIn'];
export type McpLogLine = Schemas['McpLogLine'];
export type McpSuggestion = Schemas['McpSuggestion'];

/** A project by its folder or one of its sessions; without either all projects. */
export interface McpPlace {
  cartella?: string | undefined;
  sessionId?: string | undefined;
}

export interface McpServerList {
  server: readonly McpServer[];
  errore: string | null;
}

export type OwnScope = 'ovunque' | 'progetto';

export interface SavedServer {
  nome: string;
  ambito: OwnScope;
  definizione: McpDefinition;
  segreti: Record<string, string>;
}

export interface ChosenImport {
  ambito: OwnScope;
  scelti: readonly { nome: string; impronta: string }[];
  /** The id of a file, or a text. */
  fonte?: string;
  testo?: string;
}

const BASE = ['ext', 'mcp'];
const KEY = ['mcp-servers'];
const POLL_MS = 5_000;
const STARTING_POLL_MS = 1_000;
const keyOf = (place: McpPlace, name: string) => [...KEY, name, place.cartella ?? '', place.sessionId ?? ''];
const query = ({ cartella, sessionId }: McpPlace) => ({ cartella, sessionId });

export const mcpServersQuery = (place: McpPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'list'),
    queryFn: ({ signal }) => read<McpServerList>(address(BASE, query(place)), signal),
    refetchInterval: ({ state }) =>
      state.data?.server.some(({ stato }) => stato === 'in-avvio') ? STARTING_POLL_MS : POLL_MS,
  });

export const mcpImportsQuery = (place: McpPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'imports'),
    queryFn: async ({ signal }) =>
      (await read<{ file: McpImportFile[] }>(address([...BASE, 'importazioni'], query(place)), signal)).file,
    staleTime: 0,
  });

export const mcpLogQuery = (place: McpPlace, { nome, ambito }: McpServer) =>
  queryOptions({
    queryKey: [...keyOf(place, 'log'), ambito, nome],
    queryFn: async ({ signal }) => {
      const url = address([...BASE, nome, 'registro'], { ...query(place), ambito });
      return (await read<{ righe: McpLogLine[] }>(url, signal)).righe;
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
      return (await send<{ suggerimenti: McpSuggestion[] }>(address([...BASE, 'suggerimenti']), body)).suggerimenti;
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

/** All of these throw WireError. */
export const addMcpServer = (place: McpPlace, server: SavedServer): Promise<unknown> =>
  send(address(BASE), { ...place, ...server });

export const changeMcpServer = (place: McpPlace, { nome, ...server }: SavedServer): Promise<unknown> =>
  amend(address([...BASE, nome]), { ...place, ...server });

export const removeMcpServer = (place: McpPlace, server: McpServer): Promise<unknown> =>
  erase(address([...BASE, server.nome], { ...placeOf(place, server), ambito: server.ambito }));

type Named = Pick<McpServer, 'nome' | 'ambito' | 'cartella'>;
const actionOf = ({ nome }: Named, what: string): string => address([...BASE, nome, what]);
const targetOf = (place: McpPlace, server: Named) => ({ ...placeOf(place, server), ambito: server.ambito });

export const connectMcpServer = (place: McpPlace, server: Named): Promise<unknown> =>
  send(actionOf(server, 'avvio'), targetOf(place, server));

export const signInAtMcpServer = (place: McpPlace, server: Named): Promise<McpSignIn> =>
  send(actionOf(server, 'accesso'), targetOf(place, server));

export const signOutOfMcpServer = (place: McpPlace, server: Named): Promise<unknown> =>
  erase(address([...BASE, server.nome, 'accesso'], { ...targetOf(place, server) }));

export const trustMcpServer = (place: McpPlace, server: Named): Promise<unknown> =>
  send(actionOf(server, 'fiducia'), targetOf(place, server));

export const chooseMcp = (
  place: McpPlace,
  server: Named,
  choice: { attivo?: boolean; strumentiSpenti?: string[] },
): Promise<unknown> => send(actionOf(server, 'scelte'), { ...targetOf(place, server), ...choice });

export const readMcpText = async (testo: string): Promise<McpCandidate[]> =>
  (await send<{ server: McpCandidate[] }>(address([...BASE, 'lettura']), { testo })).server;

export const importMcp = (place: McpPlace, chosen: ChosenImport): Promise<{ aggiunti: string[] }> =>
  send(address([...BASE, 'importazioni']), { ...place, ...chosen });
