import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Ambient } from '@fucina/shared';
import { endProgram, type NetworkNamespace } from './namespace.ts';

/** Connects this process to servers in a namespace: a program inside opens each connection and hands it over. */
export interface NamespaceConnector {
  /** To the loopback address of the namespace that answers; undefined where none does. */
  connect(port: number): Promise<Socket | undefined>;
  /** Ends the program unless a connection is being opened; the next one starts it again. */
  rest(): void;
  end(): void;
}

/** Does not read: what the server says first is for the one who gets the socket. */
const CONNECTOR = `
const net = require('net');
const open = (id, port, [host, ...others]) => {
  const socket = net.connect({ port, host, allowHalfOpen: true }).pause();
  socket.on('error', () => {
    if (socket.isUp) return;
    if (others.length > 0) open(id, port, others);
    else process.send({ id });
  });
  socket.once('connect', () => {
    socket.isUp = true;
    process.send({ id }, socket);
  });
};
process.on('message', ({ id, port }) => open(id, port, ['127.0.0.1', '::1']));
process.on('disconnect', () => process.exit());
`;

interface Running {
  program: ChildProcess;
  /** By the id of the request. */
  waiting: Map<number, (socket: Socket | undefined) => void>;
}

export function createNamespaceConnector(needs: { ambient: Ambient; namespace: NetworkNamespace }): NamespaceConnector {
  let running: Running | undefined;
  let last = 0;

  const end = (): void => {
    const ending = running;
    running = undefined;
    if (!ending) return;
    endProgram(ending.program);
    answerAll(ending);
  };
  return {
    connect(port) {
      if (!running?.program.connected) running = start(needs);
      const { program, waiting } = running;
      const id = ++last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        program.send({ id, port }, (error) => error && answer(waiting, id));
      });
    },
    rest() {
      if (running?.waiting.size === 0) end();
    },
    end,
  };
}

function start({ ambient, namespace }: { ambient: Ambient; namespace: NetworkNamespace }): Running {
  const program = namespace.run(CONNECTOR);
  const started: Running = { program, waiting: new Map() };
  program.stderr?.resume();
  program.on('error', (error) => ambient.log.warn('network.not-connected', { error }));
  program.once('exit', () => answerAll(started));
  program.on('message', (message, socket) => {
    if (socket) Object.assign(socket, { allowHalfOpen: true });
    answer(started.waiting, (message as { id: number }).id, socket as Socket | undefined);
  });
  program.unref();
  program.channel?.unref();
  return started;
}

function answer(waiting: Running['waiting'], id: number, socket?: Socket): void {
  const resolve = waiting.get(id);
  waiting.delete(id);
  if (resolve) resolve(socket);
  else socket?.destroy();
}

function answerAll({ waiting }: Running): void {
  for (const id of waiting.keys()) answer(waiting, id);
}
