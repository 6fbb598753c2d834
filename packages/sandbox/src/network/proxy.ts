import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { Socket, Server as SocketServer } from 'node:net';
import { pipeline } from 'node:stream';
import { proxyAuthorization } from '@fucina/shared';
import { canonicalHost, type NetworkTarget } from '../permission-rules/host-pattern.ts';
import { type Connected, type ConnectNeeds, connectChecked, type Wanted } from './connect.ts';
import { type Permission, type RefusalReason, refusalSentence } from './policy.ts';
import { readSocksRequest, replySocks, SOCKS_REPLY, SOCKS_VERSION } from './socks.ts';

/** A client's request to the proxy, and its origin. */
export interface ProxyRequest {
  target: NetworkTarget;
  /** The client's port inside the namespace, to find the program. */
  clientPort: number | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export type ProxyAnswer = ({ isAllowed: true } & Permission) | { isAllowed: false; reason: RefusalReason };

export interface ProxyNeeds extends ConnectNeeds {
  /** Called for each connection. */
  decide(request: ProxyRequest): Promise<ProxyAnswer>;
  /** Called for each refusal, but not for an unreachable host. */
  onRefused(target: NetworkTarget, reason: RefusalReason, detail?: string): void;
}

const MAX_CONNECTIONS = 256;
const MAX_HEADER_BYTES = 32 * 1024;
/** Time limit for a request's head; slow clients are disconnected. */
const HEAD_MS = 10_000;
const IDLE_MS = 10 * 60_000;
const LINGER_MS = 5_000;
/** Sent before the answer, while the user is asked. */
const MAX_EARLY_BYTES = 64 * 1024;
/** Hop-by-hop headers, which are not forwarded. */
const HOP_HEADERS = new Set(
  (
    'connection proxy-connection keep-alive proxy-authorization proxy-authenticate te trailer transfer-encoding ' +
    'upgrade'
  ).split(' '),
);

/**
 * Serves HTTP CONNECT, plain HTTP and SOCKS5 on a listening socket. One request per connection. Adds no headers and
 * stores no credentials. The returned function closes all connections.
 */
export function serveProxy(listener: SocketServer, needs: ProxyNeeds): () => void {
  const open = new Set<Socket>();
  const http = createHttpSide(needs);
  // Half-open: a client that has sent everything may still wait for the answer.
  Object.assign(listener, { allowHalfOpen: true });
  listener.on('connection', (socket: Socket) => {
    if (open.size >= MAX_CONNECTIONS) return socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    const cancel = needs.ambient.timer(HEAD_MS, () => socket.destroy());
    heads.set(socket, cancel);
    socket.once('close', cancel);
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      if (first[0] === SOCKS_VERSION) void serveSocks(socket, needs);
      else {
        http.emit('connection', socket);
        socket.resume();
      }
    });
  });
  listener.on('error', (error) => needs.ambient.log.warn('network.proxy-failed', { error }));
  return () => {
    listener.close();
    for (const socket of open) socket.destroy();
  };
}

/** Cancels the time limit of the head. */
const heads = new WeakMap<Socket, () => void>();

function createHttpSide(needs: ProxyNeeds): Server {
  const http = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 1 });
  http.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void serveConnect(request, { socket, head }, needs);
  });
  http.on('request', (request, response) => void servePlain(request, response, needs));
  http.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  return http;
}

async function serveConnect(
  request: IncomingMessage,
  { socket, head }: { socket: Socket; head: Buffer },
  needs: ProxyNeeds,
): Promise<void> {
  heads.get(socket)?.();
  const target = readAuthority(request.url ?? '');
  if (!target) return endClient(socket, refusalText(400, refusalSentence({ host: '', port: 0 }, 'malformed')));
  const early = holdEarly(socket, head);
  const connected = await reach({ target, client: socket, signal: early.ended }, needs);
  if ('refusal' in connected) {
    const sentence = refusalSentence(target, connected.refusal, connected.detail);
    return endClient(socket, refusalText(statusOf(connected.refusal), sentence));
  }
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  tunnel(socket, connected.socket, early);
}

async function servePlain(request: IncomingMessage, response: ServerResponse, needs: ProxyNeeds): Promise<void> {
  const { socket } = request;
  heads.get(socket)?.();
  response.sendDate = false;
  const url = readAbsolute(request.url ?? '');
  const target = url && readAuthority(`${url.hostname}:${url.port || 80}`);
  if (!url || !target) return refusePlain(response, 400, refusalSentence({ host: '', port: 0 }, 'malformed'));
  const connected = await reach({ target: { ...target, isPlain: true }, client: socket }, needs);
  if ('refusal' in connected) {
    const { refusal, detail } = connected;
    return refusePlain(response, statusOf(refusal), refusalSentence(target, refusal, detail));
  }
  const { socket: upstream, plain } = connected;
  upstream.setTimeout(IDLE_MS, () => upstream.destroy());
  const headers = passedHeaders(request.rawHeaders, url.host);
  const path = `${url.pathname}${url.search}`;
  const sent = sendRequest({
    method: request.method,
    path: plain ? `${plain.origin}${path}` : path,
    headers: plain ? [...headers, ...Object.entries(proxyAuthorization(plain.proxy)).flat()] : headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    createConnection: () => upstream,
  });
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedHeaders(answer.rawHeaders));
    pipeline(answer, response, () => upstream.destroy());
  });
  sent.on('error', () => {
    if (response.headersSent) response.destroy();
    else refusePlain(response, 502, refusalSentence(target, 'unreachable'));
    upstream.destroy();
  });
  response.once('close', () => upstream.destroy());
  pipeline(request, sent, () => undefined);
}

async function serveSocks(socket: Socket, needs: ProxyNeeds): Promise<void> {
  const target = await readSocksRequest(socket);
  heads.get(socket)?.();
  if (!target) return endClient(socket);
  const early = holdEarly(socket);
  const connected = await reach({ target, client: socket, signal: early.ended }, needs);
  if ('refusal' in connected) {
    replySocks(socket, isDown(connected.refusal) ? SOCKS_REPLY.unreachable : SOCKS_REPLY.notAllowed);
    return endClient(socket);
  }
  replySocks(socket, SOCKS_REPLY.granted);
  tunnel(socket, connected.socket, early);
}

interface Reaching {
  target: Wanted;
  client: Socket;
  /** Aborts when the client stops sending, the first sign that it disconnected. */
  signal?: AbortSignal;
}

/** The decision and the connection; if the client disconnects in the meantime, the socket is closed. */
async function reach({ target, client, signal }: Reaching, needs: ProxyNeeds): Promise<Connected> {
  const gone = new AbortController();
  const onClose = (): void => gone.abort();
  client.once('close', onClose);
  try {
    const answer = await needs.decide({
      target,
      clientPort: client.remotePort,
      signal: signal ? AbortSignal.any([gone.signal, signal]) : gone.signal,
    });
    const connected: Connected = answer.isAllowed
      ? await connectChecked(needs, target, answer)
      : { refusal: answer.reason };
    if ('refusal' in connected && connected.refusal !== 'unreachable')
      needs.onRefused(target, connected.refusal, connected.detail);
    if ('socket' in connected && client.destroyed) connected.socket.destroy();
    return connected;
  } catch (error) {
    needs.ambient.log.error('network.not-decided', { error });
    return { refusal: 'not-allowed' };
  } finally {
    client.off('close', onClose);
  }
}

interface Early {
  /** Aborts at the end of the client's data. */
  ended: AbortSignal;
  /** The data received so far; from then on the caller reads. */
  release(): Buffer[];
}

/** Keeps reading during the decision, because a disconnect is only noticed while reading. */
function holdEarly(socket: Socket, head: Buffer = Buffer.alloc(0)): Early {
  const kept = head.length > 0 ? [head] : [];
  let bytes = head.length;
  const ended = new AbortController();
  const onData = (chunk: Buffer): void => {
    kept.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_EARLY_BYTES) socket.pause();
  };
  const onEnd = (): void => ended.abort();
  socket.on('data', onData);
  socket.once('end', onEnd);
  socket.resume();
  return {
    ended: ended.signal,
    release() {
      socket.pause();
      socket.off('data', onData);
      socket.off('end', onEnd);
      return kept;
    },
  };
}

function tunnel(client: Socket, upstream: Socket, early: Early): void {
  upstream.setTimeout(IDLE_MS, () => upstream.destroy());
  const end = (error?: NodeJS.ErrnoException | null): void => {
    if (!error) return;
    client.destroy();
    upstream.destroy();
  };
  for (const chunk of early.release()) upstream.write(chunk);
  if (early.ended.aborted) upstream.end();
  else pipeline(client, upstream, end);
  pipeline(upstream, client, end);
}

/** Sends the last bytes; a client that does not disconnect is cut off. */
function endClient(socket: Socket, text?: string): void {
  socket.setTimeout(LINGER_MS);
  socket.resume();
  if (text === undefined) socket.end();
  else socket.end(text);
}

/** `host:port`. */
function readAuthority(text: string): NetworkTarget | undefined {
  const [, name = '', digits] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : undefined;
}

function readAbsolute(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' ? url : undefined;
}

/** In their original order and case. `host` replaces the client's own, which must match the address. */
function passedHeaders(raw: readonly string[], host?: string): string[] {
  const named = new Set(HOP_HEADERS);
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue;
    for (const name of (raw[at + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  }
  // Node frames the body again.
  if (raw.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'transfer-encoding'))
    named.delete('transfer-encoding');
  const kept: string[] = host === undefined ? [] : ['Host', host];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (named.has(name.toLowerCase()) || (host !== undefined && name.toLowerCase() === 'host')) continue;
    kept.push(name, raw[at + 1] ?? '');
  }
  return [...kept, 'Connection', 'close'];
}

function statusOf(reason: RefusalReason): number {
  return isDown(reason) ? 502 : 403;
}

const isDown = (reason: RefusalReason): boolean => ['unreachable', 'unresolved', 'proxy'].includes(reason);

/** The sentence is the reason phrase, a header and the body, because programs print different ones of them. */
function refusalText(status: number, sentence: string): string {
  const body = `${sentence}\n`;
  return [
    `HTTP/1.1 ${status} ${sentence}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Fucina-Refusal: ${sentence}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function refusePlain(response: ServerResponse, status: number, sentence: string): void {
  if (response.destroyed) return;
  response.writeHead(status, sentence, {
    'content-type': 'text/plain; charset=utf-8',
    'x-fucina-refusal': sentence,
    connection: 'close',
  });
  response.end(`${sentence}\n`);
}
