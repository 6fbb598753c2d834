import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, BASE, read, send } from './call.ts';

export type TerminalTab = components['schemas']['Terminal'];

const partsOf = (sessionId: string, ...more: string[]): string[] => ['sessions', sessionId, 'terminals', ...more];

export const terminalsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['terminals', sessionId],
    queryFn: async ({ signal }) => (await read<{ items: TerminalTab[] }>(address(partsOf(sessionId)), signal)).items,
  });

export const openTerminal = (sessionId: string): Promise<TerminalTab> => send(address(partsOf(sessionId)));

export const closeTerminal = (sessionId: string, id: string): Promise<unknown> =>
  send(address(partsOf(sessionId, id, 'close')));

/** The WebSocket address of a terminal. */
export function terminalSocket(id: string): WebSocket {
  const url = new URL(`${BASE}/terminal/ws`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('id', id);
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  return socket;
}
