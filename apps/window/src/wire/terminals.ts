import { PREFIX, type Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type TerminalTab = Schemas['Terminal'];

export const terminalsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['terminals', sessionId],
    queryFn: async ({ signal }) =>
      (await api.get('/sessions/{sessionId}/terminals', { path: { sessionId }, signal })).items,
  });

export const openTerminal = (sessionId: string): Promise<TerminalTab> =>
  api.post('/sessions/{sessionId}/terminals', { path: { sessionId } });

export const closeTerminal = (sessionId: string, id: string): Promise<unknown> =>
  api.post('/sessions/{sessionId}/terminals/{terminalId}/close', { path: { sessionId, terminalId: id } });

/** The WebSocket address of a terminal. */
export function terminalSocket(id: string): WebSocket {
  const url = new URL(`${PREFIX}/terminal/ws`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('id', id);
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  return socket;
}
