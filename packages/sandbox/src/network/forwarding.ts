import type { ChildProcess } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import type { Ambient } from '@fucina/shared';
import { endProgram, type NetworkNamespace } from './namespace.ts';
import { processesIn, socketsSeenBy } from './namespace-processes.ts';

/** A server of the session's commands and the port of 127.0.0.1 that leads to it. */
export interface ForwardedPort {
  inside: number;
  outside: number;
  /** Why it is another one. */
  because?: 'in-use' | 'reserved';
}

/**
 * Makes servers of a session's commands reachable from this computer: a port that listens in the namespace is forwarded
 * from the same port of 127.0.0.1 while it listens, or from another one if that port is in use, or reserved for others.
 */
export interface Forwarding {
  /** A command was started: checks for servers until there are none. */
  wake(): void;
  ports(): readonly ForwardedPort[];
  /** Servers reached by another port than their own, each returned once. */
  takeMoved(): readonly ForwardedPort[];
  close(): void;
}

export interface ForwardingNeeds {
  ambient: Ambient;
  namespace: NetworkNamespace;
  /** Never forwarded. */
  ownPorts(): readonly number[];
  /** Whether other programs of this computer expect a server of their own there, as a model: never taken here. */
  isReserved?(port: number): Promise<boolean>;
}

const LOOK_MS = 1_000;
const MAX_PORTS = 16;
/** Commands cannot open lower ones. */
const FIRST_PORT = 1024;
/** The system chooses a free one. */
const ANY_PORT = 0;

/** Connects each received socket to a port of the namespace, on the loopback address that responds. */
const FORWARDER = `
const net = require('net');
const open = (socket, port, hosts) => {
  const inside = net.connect({ port, host: hosts[0], allowHalfOpen: true });
  inside.once('error', () => (hosts.length > 1 && !inside.isUp ? open(socket, port, hosts.slice(1)) : socket.destroy()));
  inside.once('connect', () => {
    inside.isUp = true;
    socket.pipe(inside);
    inside.pipe(socket);
    socket.once('close', () => inside.destroy());
    inside.once('close', () => socket.destroy());
  });
};
process.on('message', ({ port }, socket) => {
  if (!socket) return;
  socket.on('error', () => socket.destroy());
  open(socket, port, ['127.0.0.1', '::1']);
});
process.on('disconnect', () => process.exit());
`;

export function createForwarding(needs: ForwardingNeeds): Forwarding {
  const { ambient, namespace } = needs;
  const servers = new Map<number, Server>();
  const moved: ForwardedPort[] = [];
  let forwarder: ChildProcess | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  const hand = (socket: Socket, port: number): void => {
    if (!forwarder?.connected) {
      forwarder = namespace.run(FORWARDER);
      forwarder.stderr?.resume();
      forwarder.on('error', (error) => ambient.log.warn('network.not-forwarded', { error }));
    }
    forwarder.send({ port }, socket, {}, (error) => error && socket.destroy());
    forwarder.unref();
    forwarder.channel?.unref();
  };
  const open = (port: number, isReserved: boolean): void => {
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => hand(socket, port));
    servers.set(port, server);
    const listen = (outside: number): void => void server.listen(outside, '127.0.0.1');
    let because: NonNullable<ForwardedPort['because']> = isReserved ? 'reserved' : 'in-use';
    server.once('error', () => {
      because = 'in-use';
      server.once('error', () => servers.delete(port));
      listen(ANY_PORT);
    });
    server.once('listening', () => {
      const outside = outsideOf(server);
      if (outside !== undefined && outside !== port) moved.push({ inside: port, outside, because });
    });
    listen(isReserved ? ANY_PORT : port);
    server.unref();
  };
  const close = (port: number): void => {
    servers.get(port)?.close();
    servers.delete(port);
  };
  const look = async (): Promise<void> => {
    const [first] = await processesIn(namespace.identity);
    const listening = first === undefined ? [] : await serverPorts(first, needs);
    const reserved = await reservedOf(listening, needs);
    if (isClosed) return;
    for (const [port, server] of servers) {
      // Also one that became reserved since.
      const isTaken = reserved.has(port) && outsideOf(server) === port;
      if (!listening.includes(port) || isTaken) close(port);
    }
    for (const port of listening) {
      if (!servers.has(port) && servers.size < MAX_PORTS) open(port, reserved.has(port));
    }
    // It is itself a process of the namespace.
    if (servers.size === 0) endForwarder();
    cancel = first === undefined ? undefined : ambient.timer(LOOK_MS, () => void look());
  };
  const endForwarder = (): void => {
    if (forwarder) endProgram(forwarder);
    forwarder = undefined;
  };
  return {
    wake() {
      if (!isClosed) cancel ??= ambient.timer(LOOK_MS, () => void look());
    },
    ports: () =>
      [...servers].flatMap(([inside, server]) => {
        const outside = outsideOf(server);
        return outside === undefined ? [] : [{ inside, outside }];
      }),
    takeMoved: () => moved.splice(0).filter(({ inside }) => servers.has(inside)),
    close() {
      isClosed = true;
      cancel?.();
      for (const port of servers.keys()) close(port);
      endForwarder();
    },
  };
}

function outsideOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

/** Those that are reserved, and those of which that cannot be told. */
async function reservedOf(
  ports: readonly number[],
  { ambient, isReserved = async () => false }: ForwardingNeeds,
): Promise<ReadonlySet<number>> {
  const answers = ports.map(async (port) => {
    try {
      return (await isReserved(port)) ? [port] : [];
    } catch (error) {
      ambient.log.warn('network.reserved-ports-unknown', { error });
      return [port];
    }
  });
  return new Set((await Promise.all(answers)).flat());
}

async function serverPorts(pid: string, { namespace, ownPorts }: ForwardingNeeds): Promise<number[]> {
  const excluded = new Set([namespace.port, ...ownPorts()]);
  const found = (await socketsSeenBy(pid)).filter(({ isListening }) => isListening).map(({ port }) => port);
  return [...new Set(found)].filter((port) => port >= FIRST_PORT && !excluded.has(port));
}
