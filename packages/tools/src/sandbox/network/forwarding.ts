import type { ChildProcess } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import type { Ambient } from '@fucina/shared';
import type { NetworkNamespace } from './namespace.ts';
import { processesIn, socketsSeenBy } from './namespace-processes.ts';

/**
 * Makes servers of a session's commands reachable from this computer: a port that listens in the namespace is forwarded
 * from the same port of 127.0.0.1, while it listens and if the port is free.
 */
export interface Forwarding {
  /** A command was started: checks for servers until there are none. */
  wake(): void;
  ports(): readonly number[];
  close(): void;
}

export interface ForwardingNeeds {
  ambient: Ambient;
  namespace: NetworkNamespace;
  /** Never forwarded. */
  ownPorts(): readonly number[];
}

const LOOK_MS = 1_000;
const MAX_PORTS = 16;
/** Lower ports are reserved for the system. */
const FIRST_PORT = 1024;

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
  const open = (port: number): void => {
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => hand(socket, port));
    servers.set(port, server);
    // The port is in use by another program.
    server.on('error', () => servers.delete(port));
    server.listen(port, '127.0.0.1');
    server.unref();
  };
  const close = (port: number): void => {
    servers.get(port)?.close();
    servers.delete(port);
  };
  const look = async (): Promise<void> => {
    const [first] = await processesIn(namespace.identity);
    const listening = first === undefined ? [] : await serverPorts(first, needs);
    if (isClosed) return;
    for (const port of servers.keys()) if (!listening.includes(port)) close(port);
    for (const port of listening) if (!servers.has(port) && servers.size < MAX_PORTS) open(port);
    // It is itself a process of the namespace.
    if (servers.size === 0) endForwarder();
    cancel = first === undefined ? undefined : ambient.timer(LOOK_MS, () => void look());
  };
  const endForwarder = (): void => {
    forwarder?.kill('SIGKILL');
    forwarder = undefined;
  };
  return {
    wake() {
      if (!isClosed) cancel ??= ambient.timer(LOOK_MS, () => void look());
    },
    ports: () => [...servers.keys()],
    close() {
      isClosed = true;
      cancel?.();
      for (const port of servers.keys()) close(port);
      endForwarder();
    },
  };
}

async function serverPorts(pid: string, { namespace, ownPorts }: ForwardingNeeds): Promise<number[]> {
  const excluded = new Set([namespace.port, ...ownPorts()]);
  const found = (await socketsSeenBy(pid)).filter(({ isListening }) => isListening).map(({ port }) => port);
  return [...new Set(found)].filter((port) => port >= FIRST_PORT && !excluded.has(port));
}
