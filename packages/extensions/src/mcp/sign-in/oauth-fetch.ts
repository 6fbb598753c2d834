import { lookup } from 'node:dns/promises';
import { isPublicAddress, type OutboundHttp, type OutboundRequest } from '@fucina/shared';
import type { FetchLike } from '@modelcontextprotocol/client';

const LIMITS = { connectMs: 10_000, firstResponseMs: 20_000, totalMs: 30_000, bodyBytes: 256 * 1024 };

/**
 * Requests of a sign-in. Their addresses come from the server: one on the internet cannot make us call the local
 * network, one of the local network can name a sign-in there.
 */
export function oauthFetch(http: OutboundHttp, serverUrl: string): FetchLike {
  const server = new URL(serverUrl);
  let policy: Promise<OutboundRequest['policy']> | undefined;
  return async (address, init = {}) => {
    policy ??= policyFor(server.hostname);
    const { body } = init;
    const text = body instanceof URLSearchParams || typeof body === 'string' ? String(body) : undefined;
    const headers = new Headers(init.headers);
    if (body instanceof URLSearchParams) headers.set('content-type', 'application/x-www-form-urlencoded');
    const url = new URL(String(address));
    const answer = await http.send({
      url: url.href,
      method: (init.method ?? 'GET') as NonNullable<OutboundRequest['method']>,
      headers: Object.fromEntries(headers),
      ...(text !== undefined && { body: text }),
      ...(init.signal && { signal: init.signal }),
      policy: url.origin === server.origin ? 'configured' : await policy,
      limits: LIMITS,
    });
    const { status } = answer;
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : await answer.text(), { status, headers: answer.headers });
  };
}

async function policyFor(host: string): Promise<OutboundRequest['policy']> {
  try {
    const found = await lookup(host.replaceAll(/[[\]]/g, ''), { all: true });
    return found.every(({ address }) => isPublicAddress(address)) ? 'public' : 'configured';
  } catch {
    // An unknown name gets the stricter policy; the request itself says that it cannot be reached.
    return 'public';
  }
}
