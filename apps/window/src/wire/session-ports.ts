import type { Schemas } from '@fucina/client';
import { api } from './client.ts';
import { isLoopbackName } from './loopback.ts';

export type SessionServer = Schemas['SessionServer'];

export const openPort = async (sessionId: string, port: number): Promise<SessionServer> =>
  (await api.post('/ext/sessions/{sessionId}/ports', { path: { sessionId }, body: { port } })).server;

/** The port of an address on this computer; undefined for any other address. */
export function loopbackPort(address: string): number | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  const isPage = protocol === 'http:' || protocol === 'https:';
  return isPage && port !== '' && isLoopbackName(hostname) ? Number(port) : undefined;
}

/**
 * A page's address as the user's browser reaches it: the port of a server in the session's sandbox is opened first. Any
 * other address stays as it is.
 */
export async function reachableAddress(sessionId: string, address: string): Promise<string> {
  const port = loopbackPort(address);
  if (port === undefined) return address;
  const { servers } = await api.get('/ext/sessions/{sessionId}/ports', { path: { sessionId } });
  if (!servers.some((one) => one.port === port)) return address;
  const { openedAt } = await openPort(sessionId, port);
  const url = new URL(address);
  // Ports are opened on this address alone.
  if (url.hostname !== 'localhost') url.hostname = '127.0.0.1';
  if (openedAt !== null) url.port = String(openedAt);
  return url.href;
}
