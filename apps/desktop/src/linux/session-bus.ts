import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Environment } from '@fucina/shared';
import { type BusCall, busMessage } from './bus-message.ts';

export type BusSignal = Required<Pick<BusCall, 'path' | 'interface' | 'member' | 'body'>>;

/** A connection to the session bus that only sends signals. */
export interface SessionBus {
  send(signal: BusSignal): void;
  /** Resolves when everything was sent. */
  close(): Promise<void>;
  /** Resolves when the connection ended, or was refused. */
  readonly closed: Promise<void>;
}

const HELLO: BusCall = {
  kind: 'call',
  serial: 1,
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
  member: 'Hello',
  destination: 'org.freedesktop.DBus',
};

/** Where the session bus listens: a path, or a name that begins with a zero byte. Undefined without a bus. */
export function sessionBusPath(environment: Environment): string | undefined {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder } = environment;
  if (!address) return folder && join(folder, 'bus');
  for (const one of address.split(';')) {
    const [, kind, value] = /^unix:(?:.*,)?(path|abstract)=([^,]*)/.exec(one) ?? [];
    if (value === undefined) continue;
    const bytes = value.replaceAll(/%[0-9a-fA-F]{2}/g, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    return kind === 'abstract' ? `\0${bytes}` : bytes;
  }
  return undefined;
}

/** Connects as the own user. What is sent before the bus answers is sent after it. */
export function openSessionBus(path: string, uid: number): SessionBus {
  const socket = connect(path);
  const waiting: Buffer[] = [];
  let isReady = false;
  let serial = HELLO.serial;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.once('connect', () => socket.write(`\0AUTH EXTERNAL ${Buffer.from(`${uid}`).toString('hex')}\r\n`));
  socket.on('error', () => undefined); // `closed` reports it
  onAccepted(socket, () => {
    isReady = true;
    socket.write('BEGIN\r\n');
    for (const message of [busMessage(HELLO), ...waiting.splice(0)]) socket.write(message);
  });
  return {
    send(signal) {
      const message = busMessage({ kind: 'signal', serial: ++serial, ...signal });
      if (isReady) socket.write(message);
      else waiting.push(message);
    },
    async close() {
      if (isReady) socket.end(() => socket.destroy());
      else socket.destroy();
      await closed;
    },
    closed,
  };
}

/** Later messages of the bus are not read. */
function onAccepted(socket: Socket, act: () => void): void {
  let answer: string | undefined = '';
  socket.on('data', (bytes) => {
    if (answer === undefined) return;
    answer += bytes.toString('latin1');
    if (!answer.includes('\r\n')) return;
    const isAccepted = answer.startsWith('OK ');
    answer = undefined;
    if (isAccepted) act();
    else socket.destroy();
  });
}
