import { ReadableStream } from 'node:stream/web';
import type { OutboundHttp, OutboundRequest } from '@fucina/shared';
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
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
export async function httpTransport(server: HttpServer): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { access } = server;
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    ...(access && { authProvider: access }),
    // Only the user can grant more: the call fails and says so.
    onInsufficientScope: 'throw',
    fetch: serverFetch(server, { close: () => void transport.close(), endsWithStream: false }),
  });
  return transport;
}

/**
 * The transport before streamable HTTP (HTTP+SSE, revision 2024-11-05): one event stream for all answers, and an address
 * of the same origin for the messages. The end of the stream is the end of the connection.
 */
export async function sseTransport(server: HttpServer): Promise<Transport> {
  const { SSEClientTransport } = await import('@modelcontextprotocol/client');
  const { access } = server;
  let isClosed = false;
  const close = (): void => {
    if (!isClosed) void transport.close();
    isClosed = true;
  };
  const transport = new SSEClientTransport(new URL(server.url), {
    ...(access && { authProvider: access }),
    fetch: serverFetch(server, { close, endsWithStream: true }),
  });
  return transport;
}

/**
 * Whether the first message was refused as a server of the older transport does. Not the answers that ask for a sign-in
 * or for patience.
 */
export async function isOlderServer(error: unknown): Promise<boolean> {
  const { SdkHttpError } = await import('@modelcontextprotocol/client');
  const { status } = error instanceof SdkHttpError ? error : { status: undefined };
  return status !== undefined && status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status);
}

interface Ending {
  close(): void;
  /** Whether the end of an event stream closes the connection. */
  endsWithStream: boolean;
}

function serverFetch({ http, headers: own, access }: HttpServer, { close, endsWithStream }: Ending): FetchLike {
  const send: FetchLike = async (address, init = {}) => {
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
    const bounded = boundedMessages(answer.body, close);
    const isStream = endsWithStream && headers['content-type']?.startsWith('text/event-stream');
    const body = bodyOf(isStream ? closingAtEnd(bounded, close) : bounded);
    const response = new Response(isEmpty ? null : body, { status, headers });
    if (status === 403) await access?.noteForbidden(response);
    return response;
  };
  return access ? access.prove(send) : send;
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

async function* closingAtEnd(body: AsyncIterable<Uint8Array>, close: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    close();
  }
}

/** The same value under the two type names. */
function bodyOf(parts: AsyncIterable<Uint8Array>): ConstructorParameters<typeof Response>[0] {
  return ReadableStream.from(parts) as ConstructorParameters<typeof Response>[0];
}
