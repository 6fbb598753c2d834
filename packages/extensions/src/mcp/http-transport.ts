import { ReadableStream } from 'node:stream/web';
import type { OutboundHttp, OutboundRequest } from '@fucina/shared';
import type { Transport } from '@modelcontextprotocol/client';
import type { ServerAccess } from './sign-in/server-access.ts';

/** A longer message ends the connection, so that a server cannot fill the memory. */
const MAX_MESSAGE = 1024 * 1024;
/** No timeout here: a call may take long, and an event stream may be silent for long. Calls have their own limit. */
const LONG_MS = 60 * 60_000;

export interface HttpServer {
  http: OutboundHttp;
  url: string;
  /** Sent with every request of this server, and with no others. */
  headers?: Readonly<Record<string, string>> | undefined;
  access?: ServerAccess | undefined;
}

/**
 * A server at an address (streamable HTTP), reached through the checked outbound client; redirects are not followed.
 */
export async function httpTransport({ http, url, headers: own, access }: HttpServer): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    ...(access && { authProvider: access }),
    // Only the user can grant more: the call fails and says so.
    onInsufficientScope: 'throw',
    fetch: async (address, init = {}) => {
      const answer = await http.send({
        url: String(address),
        method: (init.method ?? 'GET') as NonNullable<OutboundRequest['method']>,
        headers: { ...own, ...Object.fromEntries(new Headers(init.headers)) },
        ...(typeof init.body === 'string' && { body: init.body }),
        ...(init.signal && { signal: init.signal }),
        policy: 'configured',
        limits: { firstResponseMs: LONG_MS, idleMs: LONG_MS, bodyBytes: 0 },
      });
      const { status, headers } = answer;
      if (status >= 300 && status < 400) {
        answer.discard();
        throw new Error('the server answers with a redirect, which is not followed');
      }
      const isEmpty = status === 204 || status === 205;
      const body = boundedMessages(answer.body, () => void transport.close());
      const response = new Response(isEmpty ? null : bodyOf(body), { status, headers });
      if (status === 403) await access?.noteForbidden(response);
      return response;
    },
  });
  return transport;
}

/** An event stream separates messages by an empty line; any other response is one message. */
async function* boundedMessages(body: AsyncIterable<Uint8Array>, onTooLong: () => void): AsyncGenerator<Uint8Array> {
  let held = 0;
  let before = '';
  for await (const chunk of body) {
    const text = before + Buffer.from(chunk).toString('latin1');
    const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'));
    held = end < 0 ? held + chunk.length : text.length - end;
    if (held > MAX_MESSAGE) {
      onTooLong();
      throw new Error('a message longer than 1 MiB');
    }
    before = text.slice(-2);
    yield chunk;
  }
}

/** The same value under the two type names. */
function bodyOf(parts: AsyncIterable<Uint8Array>): ConstructorParameters<typeof Response>[0] {
  return ReadableStream.from(parts) as ConstructorParameters<typeof Response>[0];
}
