import { lookup as systemLookup } from 'node:dns';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createProxyTunnels, type Environment, type ProxyTunnels } from '@fucina/shared';
import { type GateRefusal, pageRefusal } from './gate-rules.ts';
import { type ConnectInside, connectTo, type Place, Refused, tunnelTo, type Way, wayTo } from './gate-ways.ts';
import { handshakeOf } from './handshake.ts';

/**
 * The only way out of a tab of the driven browser: a proxy on this computer that decides about every connection, whatever caused it
 * (address, link, redirect, frame, script, socket, worker), and connects to exactly the address it checked.
 */
export interface Gate extends AsyncDisposable {
  /** For the browser's proxy setting. */
  url: string;
  /** Why the last connection there was refused; undefined when unknown. */
  whyNot(url: URL): GateRefusal | 'unreachable' | undefined;
  /** Ends the open tunnels to the places for which this is false. */
  cut(stays: (place: Place) => Promise<boolean>): Promise<void>;
}

export interface GateNeeds {
  /** Ports of this computer that no page may access: our own. */
  ownPorts(): readonly number[];
  /** Names the proxies of this computer's own network. */
  environment: Environment;
  /** Whether the page may connect there; asked before a name is resolved. Default: it may. */
  mayConnect?(place: Place): Promise<boolean>;
  /** A name leads to this computer. */
  leadsHere?(host: string): void;
  /** Servers in the network of the tab's session, which come before those of this computer. Default: none. */
  inside?: ConnectInside;
  /** Default: the system's resolver. */
  lookup?: typeof systemLookup;
}

/** Hop-by-hop headers, which are not forwarded. */
const HOP_BY_HOP = new Set(
  'connection proxy-connection proxy-authorization keep-alive te trailer transfer-encoding upgrade'.split(' '),
);
const REMEMBERED = 100;
/** There Chromium describes the forms of pages to its maker; none of its settings for a headless browser turns that off. */
const OF_THE_BROWSER = new Set(['content-autofill.googleapis.com']);

export async function openGate(needs: GateNeeds): Promise<Gate> {
  const { ownPorts, environment, inside = async () => undefined, lookup = systemLookup } = needs;
  const reasons = new Map<string, GateRefusal | 'unreachable'>();
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 1_000, timeout: 0 });
  const sockets = new Set<Socket>();
  const tunnels = createProxyTunnels(environment);
  let own = 0;
  const closed = (): readonly number[] => [own, ...ownPorts()];

  const note = ({ host, port }: Place, error: unknown): void => {
    const key = `${host}:${port}`;
    reasons.delete(key);
    reasons.set(key, error instanceof Refused ? error.why : 'unreachable');
    const [oldest] = reasons.keys();
    if (reasons.size > REMEMBERED && oldest !== undefined) reasons.delete(oldest);
  };
  const allowed = async (place: Place): Promise<Way> => {
    if (OF_THE_BROWSER.has(place.host)) throw new Refused('closed-address');
    if ((await needs.mayConnect?.(place)) === false) throw new Refused('not-allowed');
    const way = await wayTo(place, { closed: closed(), lookup });
    if (way.isLocal) needs.leadsHere?.(place.host);
    return way;
  };
  const open = new Map<Socket, Place>();
  const opened = (place: Place, socket: Socket): void => {
    open.set(socket, place);
    socket.once('close', () => open.delete(socket));
  };

  const server = createServer({ headersTimeout: 30_000, requestTimeout: 0 }, (request, response) => {
    void answer(request, response, { allowed, note, tunnels, inside, opened, agent });
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void tunnel({ target: request.url ?? '', socket, head }, { allowed, note, tunnels, inside, opened });
  });
  server.on('upgrade', (_request, socket: Socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  own = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${own}`,
    whyNot: (url) => reasons.get(`${bare(url.hostname)}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`),
    async cut(stays) {
      for (const [socket, place] of open) if (!(await stays(place))) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await tunnels[Symbol.asyncDispose]();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Deciding {
  allowed(place: Place): Promise<Way>;
  note(place: Place, error: unknown): void;
  tunnels: ProxyTunnels;
  inside: ConnectInside;
  /** A tunnel is open: its other end. */
  opened(place: Place, socket: Socket): void;
}

/** A page without encryption. A forbidden request ends the connection, as if the server did not exist. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { allowed, note, tunnels, inside, agent }: Deciding & { agent: Agent },
): Promise<void> {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
  if (url?.protocol !== 'http:') return void response.writeHead(400).end();
  const place = { host: bare(url.hostname), port: Number(url.port || 80) };
  const end = (error: unknown): void => {
    note(place, error);
    response.destroy();
  };
  try {
    const way = await allowed(place);
    const why = way.isLocal ? pageRefusal(request.method ?? '', request.headers) : undefined;
    if (why) throw new Refused(why);
    const tunnelled = way.isLocal ? await inside(way.port) : await tunnelTo(way, tunnels, 'http:');
    const { host, port, lookup } = way;
    const sent = httpRequest({
      ...(tunnelled ? { createConnection: () => tunnelled } : { host, port, lookup, agent }),
      method: request.method,
      path: url.pathname + url.search,
      headers: { ...handedOn(request.headers), host: request.headers.host ?? url.host },
    });
    sent.once('error', end);
    sent.once('response', (found) => {
      response.writeHead(found.statusCode ?? 502, found.statusMessage, handedOnRaw(found));
      found.pipe(response);
      found.once('error', () => response.destroy());
    });
    response.once('close', () => sent.destroy());
    request.pipe(sent);
  } catch (error) {
    end(error);
  }
}

/** Encrypted pages, and sockets of every kind. */
async function tunnel(
  { target, socket, head }: { target: string; socket: Socket; head: Buffer },
  { allowed, note, tunnels, inside, opened }: Deciding,
): Promise<void> {
  const place = placeOf(target);
  if (!place) return void socket.destroy();
  const end = (error: unknown): void => {
    note(place, error);
    if (socket.writable) socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  };
  try {
    const way = await allowed(place);
    const there = await connectTo(way, tunnels, inside);
    there.on('error', () => socket.destroy());
    if (!way.isLocal) opened(place, there);
    if (socket.destroyed) return void there.destroy();
    socket.once('close', () => there.destroy());
    there.once('close', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (way.isLocal) return void letIn({ socket, there, head, refuse: () => note(place, new Refused('foreign-page')) });
    if (head.length) there.write(head);
    socket.pipe(there).pipe(socket);
  } catch (error) {
    end(error);
  }
}

/** A WebSocket handshake to this computer names the page that opens it. */
async function letIn(parts: { socket: Socket; there: Socket; head: Buffer; refuse(): void }): Promise<void> {
  const { socket, there, head, refuse } = parts;
  const begun = await handshakeOf(socket, head);
  if (!begun) return void socket.destroy();
  if (begun.request && pageRefusal(begun.request.method, begun.request.headers)) {
    refuse();
    return void socket.destroy();
  }
  there.write(begun.bytes);
  socket.pipe(there).pipe(socket);
}

function placeOf(target: string): Place | undefined {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(target);
  const host = parts?.[1] ?? parts?.[2];
  return host === undefined ? undefined : { host: host.toLowerCase(), port: Number(parts?.[3]) };
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function handedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

/** Repeated headers stay repeated. */
function handedOnRaw({ rawHeaders }: IncomingMessage): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!HOP_BY_HOP.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] as string);
  }
  return kept;
}
