import type { Server, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { Ambient } from '@fucina/shared';
import { endProgram, type NetworkNamespace } from './namespace.ts';

/**
 * Ports of this computer that a rule allows, on the same port of 127.0.0.1 of the namespace: most programs use no proxy
 * for local addresses, and databases use none at all.
 */
export interface LocalPorts {
  /** Resolves once all of them listen inside, or are used by a server there. */
  open(ports: readonly number[]): Promise<void>;
  /** The opened ports. */
  ports(): readonly number[];
  close(): void;
}

export interface LocalPortsNeeds {
  ambient: Ambient;
  namespace: NetworkNamespace;
  /** Decides for each connection; undefined when the port is no longer allowed, or does not respond. */
  connect(port: number): Promise<Socket | undefined>;
}

const START_MS = 5_000;

/** Listens on the given ports and passes the sockets on; ends after reporting all of them. */
const LISTENER = `
process.on('message', ({ ports }) => {
  let left = ports.length;
  const done = () => --left === 0 && process.send('done', () => process.exit());
  for (const port of ports) {
    const server = require('net').createServer();
    server.once('error', done);
    server.listen(port, '127.0.0.1', () => process.send({ port }, server, { keepOpen: false }, done));
  }
});
process.on('disconnect', () => process.exit());
process.send('ready');
`;

export function createLocalPorts({ ambient, namespace, connect }: LocalPortsNeeds): LocalPorts {
  const tried = new Set<number>();
  const listeners: Server[] = [];
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();

  const serve = (listener: Server, port: number): void => {
    if (isClosed) {
      listener.close();
      return;
    }
    listeners.push(listener);
    listener.unref();
    Object.assign(listener, { allowHalfOpen: true });
    listener.on('connection', (client: Socket) => {
      client.on('error', () => client.destroy());
      void connect(port).then((server) => {
        if (!server || client.destroyed) {
          server?.destroy();
          client.destroy();
          return;
        }
        client.once('close', () => server.destroy());
        pipeline(client, server, () => undefined);
        pipeline(server, client, () => undefined);
      });
    });
  };
  const listen = (ports: readonly number[]): Promise<void> =>
    new Promise((resolve) => {
      const child = namespace.run(LISTENER);
      const end = (): void => {
        cancel();
        endProgram(child);
        resolve();
      };
      const cancel = ambient.timer(START_MS, end);
      child.stderr?.resume();
      child.once('error', end);
      child.once('exit', end);
      child.on('message', (message, listener) => {
        if (message === 'ready') child.send({ ports });
        else if (message === 'done') end();
        else serve(listener as Server, (message as { port: number }).port);
      });
    });
  return {
    open(ports) {
      const fresh = ports.filter((port) => !tried.has(port) && port !== namespace.port);
      for (const port of fresh) tried.add(port);
      if (fresh.length > 0) last = last.then(() => (isClosed ? undefined : listen(fresh)));
      return last;
    },
    ports: () => [...tried],
    close() {
      isClosed = true;
      for (const listener of listeners.splice(0)) listener.close();
    },
  };
}
