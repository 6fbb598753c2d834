import { createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { Ambient } from '@fucina/shared';
import type { NetworkNamespace } from './namespace.ts';
import { createNamespaceConnector } from './namespace-connector.ts';
import { processesIn, socketsSeenBy } from './namespace-processes.ts';

/** A server of the session's commands. */
export interface SessionServer {
  /** Its port in the session's network. */
  port: number;
  /** The port of 127.0.0.1 that leads to it; null while the user has not opened it. */
  openedAt: number | null;
  /** Why it is opened at another port than its own. */
  because: 'in-use' | 'reserved' | null;
}

/**
 * Servers of a session's commands. Nothing on this computer reaches one until the user opens it: then the same port of
 * 127.0.0.1 leads to it while it listens, or another port if that one is in use, or reserved for others.
 */
export interface SessionServers {
  /** A command was started: looks for servers until no process is left. */
  wake(): void;
  /** By port. */
  list(): Promise<readonly SessionServer[]>;
  /** Opens it, or returns it as it is open. Undefined where nothing listens, or too many are open. */
  open(port: number): Promise<SessionServer | undefined>;
  /** Ends its connections too. */
  close(port: number): void;
  /** A connection for this process alone, which opens no port; undefined where nothing listens. */
  connect(port: number): Promise<Socket | undefined>;
  /** Looks again if `takeFound` would return a server. */
  settle(): Promise<void>;
  /** Ports of servers that were found since the last call and listened at the last look. */
  takeFound(): readonly number[];
  end(): void;
}

export interface SessionServersNeeds {
  ambient: Ambient;
  namespace: NetworkNamespace;
  /** Ports that are no servers of the session, and are never opened. */
  ownPorts(): readonly number[];
  /** Whether other programs of this computer expect a server of their own there, as a model: never taken here. */
  isReserved?(port: number): Promise<boolean>;
}

const LOOK_MS = 1_000;
const MAX_OPENED = 16;
/** Commands cannot open lower ones. */
const FIRST_PORT = 1024;
/** The system chooses a free one. */
const ANY_PORT = 0;

export function createSessionServers(needs: SessionServersNeeds): SessionServers {
  const connector = createNamespaceConnector(needs);
  const ports = createOpenedPorts(needs, connector.connect);
  const { look, ...watch } = createWatch(needs, async (listening) => {
    await ports.follow(listening);
    // The connector is itself a process of the namespace.
    if (ports.count() === 0) connector.rest();
  });
  const serverOf = async (port: number): Promise<SessionServer> => {
    const one = await ports.at(port);
    return { port, openedAt: one?.openedAt ?? null, because: one?.because ?? null };
  };
  return {
    wake: watch.wake,
    takeFound: watch.takeFound,
    settle: async () => void (watch.hasFound() && (await look())),
    list: async () => Promise.all([...(await look())].sort((one, other) => one - other).map(serverOf)),
    async open(port) {
      const isThere = (await look()).includes(port) && (await ports.open(port));
      return isThere ? serverOf(port) : undefined;
    },
    close: ports.close,
    async connect(port) {
      const isThere = watch.listening().includes(port) || (await look()).includes(port);
      return isThere ? connector.connect(port) : undefined;
    },
    end() {
      watch.end();
      ports.end();
      connector.end();
    },
  };
}

interface Watch {
  wake(): void;
  /** Ports that listen now. */
  look(): Promise<readonly number[]>;
  /** At the last look. */
  listening(): readonly number[];
  hasFound(): boolean;
  takeFound(): readonly number[];
  end(): void;
}

/** Looks for servers every second while the namespace has processes. `seen` is awaited after each look. */
function createWatch(needs: SessionServersNeeds, seen: (listening: readonly number[]) => Promise<void>): Watch {
  const { ambient, namespace } = needs;
  const found = new Set<number>();
  let listening: readonly number[] = [];
  let current: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let isEnded = false;

  const read = async (): Promise<void> => {
    const [first] = await processesIn(namespace.identity);
    const now = first === undefined ? [] : await serverPorts(first, needs);
    if (isEnded) return;
    for (const port of now) if (!listening.includes(port)) found.add(port);
    for (const port of found) if (!now.includes(port)) found.delete(port);
    listening = now;
    await seen(now);
    cancel?.();
    cancel = first === undefined || isEnded ? undefined : ambient.timer(LOOK_MS, () => void once());
  };
  const once = (): Promise<void> => {
    current ??= read().finally(() => (current = undefined));
    return current;
  };
  return {
    wake() {
      if (!isEnded) cancel ??= ambient.timer(LOOK_MS, () => void once());
    },
    async look() {
      // A look that began before this call may have missed it.
      await current;
      if (!isEnded) await once();
      return listening;
    },
    listening: () => listening,
    hasFound: () => found.size > 0,
    takeFound() {
      const ports = [...found];
      found.clear();
      return ports;
    },
    end() {
      isEnded = true;
      listening = [];
      cancel?.();
    },
  };
}

interface OpenedPorts {
  /** Undefined while it is not open. */
  at(port: number): Promise<OpenedPort | undefined>;
  /** False where it cannot be opened. */
  open(port: number): Promise<boolean>;
  close(port: number): void;
  count(): number;
  /** Closes those whose server has ended, and moves those that others have come to expect. */
  follow(listening: readonly number[]): Promise<void>;
  end(): void;
}

function createOpenedPorts(needs: SessionServersNeeds, connect: PortToOpen['connect']): OpenedPorts {
  const opened = new Map<number, Promise<OpenedPort | undefined>>();
  let isEnded = false;

  const start = async (port: number): Promise<OpenedPort | undefined> => {
    const isReserved = await isReservedPort(port, needs);
    return isEnded ? undefined : openPort({ port, isReserved, connect });
  };
  const open = (port: number): Promise<OpenedPort | undefined> => {
    const opening = start(port);
    opened.set(port, opening);
    return opening;
  };
  const close = (port: number): void => {
    const closing = opened.get(port);
    opened.delete(port);
    void closing?.then((one) => one?.close());
  };
  return {
    at: async (port) => opened.get(port),
    async open(port) {
      if (!opened.has(port) && opened.size >= MAX_OPENED) return false;
      if (await (opened.get(port) ?? open(port))) return true;
      opened.delete(port);
      return false;
    },
    close,
    count: () => opened.size,
    async follow(listening) {
      for (const port of opened.keys()) if (!listening.includes(port)) close(port);
      for (const [port, opening] of opened) {
        const isTaken = (await opening)?.openedAt === port && (await isReservedPort(port, needs));
        if (!isTaken || opened.get(port) !== opening || isEnded) continue;
        close(port);
        await open(port);
      }
    },
    end() {
      isEnded = true;
      for (const port of opened.keys()) close(port);
    },
  };
}

interface OpenedPort {
  openedAt: number;
  because: SessionServer['because'];
  close(): void;
}

interface PortToOpen {
  port: number;
  isReserved: boolean;
  connect(port: number): Promise<Socket | undefined>;
}

/** Undefined if this computer has no free port. */
async function openPort({ port, isReserved, connect }: PortToOpen): Promise<OpenedPort | undefined> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    sockets.add(client);
    client.once('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    void connect(port).then((inside) => join(client, inside));
  });
  server.unref();
  const isOwn = !isReserved && (await listensAt(server, port));
  if (!isOwn && !(await listensAt(server, ANY_PORT))) return undefined;
  const address = server.address();
  const openedAt = typeof address === 'object' && address ? address.port : port;
  return {
    openedAt,
    because: isOwn ? null : isReserved ? 'reserved' : 'in-use',
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function listensAt(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const fail = (): void => {
      server.off('listening', succeed);
      resolve(false);
    };
    const succeed = (): void => {
      server.off('error', fail);
      resolve(true);
    };
    server.once('error', fail).once('listening', succeed).listen(port, '127.0.0.1');
  });
}

function join(client: Socket, inside: Socket | undefined): void {
  if (!inside || client.destroyed) {
    inside?.destroy();
    client.destroy();
    return;
  }
  inside.on('error', () => inside.destroy());
  client.once('close', () => inside.destroy());
  inside.once('close', () => client.destroy());
  pipeline(client, inside, () => undefined);
  pipeline(inside, client, () => undefined);
}

/** True as well where it cannot be told. */
async function isReservedPort(
  port: number,
  { ambient, isReserved = async () => false }: SessionServersNeeds,
): Promise<boolean> {
  try {
    return await isReserved(port);
  } catch (error) {
    ambient.log.warn('network.reserved-ports-unknown', { error });
    return true;
  }
}

async function serverPorts(pid: string, { namespace, ownPorts }: SessionServersNeeds): Promise<number[]> {
  const excluded = new Set([namespace.port, ...ownPorts()]);
  const found = (await socketsSeenBy(pid)).filter(({ isListening }) => isListening).map(({ port }) => port);
  return [...new Set(found)].filter((port) => port >= FIRST_PORT && !excluded.has(port));
}
