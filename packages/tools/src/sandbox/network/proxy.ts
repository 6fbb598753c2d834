import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { Socket, Server as SocketServer } from 'node:net';
import { pipeline } from 'node:stream';
import { canonicalHost, type NetworkTarget } from '../../permission-rules/host-pattern.ts';
import { type Connected, type ConnectNeeds, connectChecked } from './connect.ts';
import { type RefusalReason, refusalSentence } from './policy.ts';
import { readSocksRequest, replySocks, SOCKS_REPLY, SOCKS_VERSION } from './socks.ts';

/** What a client of the proxy asked for, and where it came from. */
export interface ProxyRequest {
  target: NetworkTarget;
  /** The client's port inside the namespace, for finding the program. */
  clientPort: number | undefined;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
}

export type ProxyAnswer = { isAllowed: true; opensPrivate: boolean } | { isAllowed: false; reason: RefusalReason };

export interface ProxyNeeds extends ConnectNeeds {
  /** Asked for each connection. */
  decide(request: ProxyRequest): Promise<ProxyAnswer>;
  /** Told of each refusal, a host that cannot be reached apart. */
  onRefused(target: NetworkTarget, reason: RefusalReason): void;
}

const MAX_CONNECTIONS = 256;
const MAX_HEADER_BYTES = 32 * 1024;
/** For the whole of a request's head; slow clients are cut. */
const HEAD_MS = 10_000;
const IDLE_MS = 10 * 60_000;
const LINGER_MS = 5_000;
/** Sent before the answer, while the user is asked. */
const MAX_EARLY_BYTES = 64 * 1024;
/** Headers between a client and its proxy, which end here. */
const HOP_HEADERS = new Set(
  (
    'connection proxy-connection keep-alive proxy-authorization proxy-authenticate te trailer transfer-encoding ' +
    'upgrade'
  ).split(' '),
);

/**
 * Serves HTTP CONNECT, plain HTTP and SOCKS5 on a socket that listens already. One request for each connection. It adds
 * no header of its own and keeps no credentials. The answer ends every connection.
 */
export function serveProxy(listener: SocketServer, needs: ProxyNeeds): () => void {
  const open = new Set<Socket>();
  const http = createHttpSide(needs);
  // Read for each connection: a client that said all may still wait for the answer.
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

/** Calls off the limit of a head that was read. */
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
    const sentence = refusalSentence(target, connected.refusal);
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
  const connected = await reach({ target, client: socket }, needs);
  if ('refusal' in connected) {
    return refusePlain(response, statusOf(connected.refusal), refusalSentence(target, connected.refusal));
  }
  const { socket: upstream } = connected;
  upstream.setTimeout(IDLE_MS, () => upstream.destroy());
  const headers = passedHeaders(request.rawHeaders, url.host);
  const sent = sendRequest({
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers,
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
    const isDown = connected.refusal === 'unreachable' || connected.refusal === 'unresolved';
    replySocks(socket, isDown ? SOCKS_REPLY.unreachable : SOCKS_REPLY.notAllowed);
    return endClient(socket);
  }
  replySocks(socket, SOCKS_REPLY.granted);
  tunnel(socket, connected.socket, early);
}

interface Reaching {
  target: NetworkTarget;
  client: Socket;
  /** Aborts when the client says no more, which is the first sign that it left. */
  signal?: AbortSignal;
}

/** The decision and the connection; a client that left meanwhile leaves no socket behind. */
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
      ? await connectChecked(needs, target, answer.opensPrivate)
      : { refusal: answer.reason };
    if ('refusal' in connected && connected.refusal !== 'unreachable') needs.onRefused(target, connected.refusal);
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
  /** Aborts at the end of what the client sends. */
  ended: AbortSignal;
  /** What it sent; from then on it is the caller's to read. */
  release(): Buffer[];
}

/** Reads on while the decision is open, since only who reads notices that a client left. */
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

/** With its last words; a client that does not leave by itself is cut. */
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

/** As they came, in their order and case. `host` takes the place of the client's own, which must not differ from the address. */
function passedHeaders(raw: readonly string[], host?: string): string[] {
  const named = new Set(HOP_HEADERS);
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue;
    for (const name of (raw[at + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  }
  // Node frames the body anew.
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
  return reason === 'unreachable' || reason === 'unresolved' ? 502 : 403;
}

/** The sentence is the reason, a header and the body: each program prints another of them. */
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
