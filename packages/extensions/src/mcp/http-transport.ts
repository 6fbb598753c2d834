import { ReadableStream } from 'node:stream/web';
import type { OutboundHttp, OutboundRequest } from '@fucina/shared';
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import { errorInstead, holdMessage, MAX_MESSAGE, TOO_LONG } from './long-message.ts';
import type { ServerAccess } from './sign-in/server-access.ts';

/** No timeout here: a call may take long, and an event stream may be silent for long. Calls have their own limit. */
const LONG_MS = 60 * 60_000;

export interface HttpServer {
  http: OutboundHttp;
  url: string;
  /** Sent with every request of this server, and with no others. */
  headers?: Readonly<Record<string, string>> | undefined;
  access?: ServerAccess | undefined;
  /** Told what was skipped. */
  note(text: string): void;
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
    fetch: serverFetch(server, { close: () => undefined, endsWithStream: false }),
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

function serverFetch({ http, headers: own, access, note }: HttpServer, { close, endsWithStream }: Ending): FetchLike {
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
    const isStream = headers['content-type']?.startsWith('text/event-stream');
    const bounded = isStream ? boundedEvents(answer.body, note) : boundedAnswer(answer.body);
    const body = bodyOf(isStream && endsWithStream ? closingAtEnd(bounded, close) : bounded);
    const response = new Response(isEmpty ? null : body, { status, headers });
    if (status === 403) await access?.noteForbidden(response);
    return response;
  };
  return access ? access.prove(send) : send;
}

async function* boundedAnswer(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Fails the request, and nothing else.
    if (bytes > MAX_MESSAGE) throw new Error(TOO_LONG);
    yield chunk;
  }
}

/** Passes on whole events, which end with an empty line; an error takes the place of an answer that is too long. */
async function* boundedEvents(
  body: AsyncIterable<Uint8Array>,
  note: (text: string) => void,
): AsyncGenerator<Uint8Array> {
  const held = holdMessage();
  let lineLength = 0;
  const take = (): Uint8Array => {
    const event = held.take();
    if ('whole' in event) return event.whole;
    note(TOO_LONG);
    const error = errorInstead({
      ...event.skipped,
      first: event.skipped.first.replace(/^(?!data:).*\n|^data: ?/gm, ''),
    });
    return Buffer.from(error ? `data: ${JSON.stringify(error)}\n\n` : ': skipped\n\n');
  };
  for await (const chunk of body) {
    for (let rest = Buffer.from(chunk); rest.length > 0; ) {
      const end = rest.indexOf(10);
      const part = end < 0 ? rest : rest.subarray(0, end + 1);
      rest = rest.subarray(part.length);
      held.push(part);
      lineLength += part.length;
      if (end < 0) continue;
      const isEmpty = lineLength === 1 || (lineLength === 2 && (part.length === 1 || part[0] === 13));
      lineLength = 0;
      if (isEmpty) yield take();
    }
  }
  yield take();
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
