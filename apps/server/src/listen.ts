import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';
import { instanceHost } from '@fucina/host';
import { AppError, systemCode } from '@fucina/shared';
import type { Settings } from './settings.ts';

const PORTS_TRIED = 50;
export const MAX_CONNECTIONS = 4_096;

export interface Listening {
  port: number;
  /** The port of the other loopback address. */
  other: OtherLoopback;
  /** The host name of this instance, if no other program can get what is sent to it. */
  instance: string | undefined;
}

export async function listen(server: Server, settings: Settings): Promise<Listening> {
  const name = await instanceHost(settings.dataDir);
  const port = await listenOnPort(server, settings);
  const other = await listenOnOther(server, settings, port);
  return { port, other, instance: other.isOurs ? name : undefined };
}

/** On the port of the settings or, unless it must be exact, on the next free one; returns the port. */
async function listenOnPort(server: Server, { host, port, isPortExact }: Settings): Promise<number> {
  const last = isPortExact || port === 0 ? port : Math.min(port + PORTS_TRIED, 65_535);
  for (let candidate = port; ; candidate += 1) {
    try {
      await listenOn(server, host, candidate);
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (systemCode(error) !== 'EADDRINUSE' || candidate >= last) {
        throw new AppError('CONFIG_INVALID', { params: { setting: `port ${candidate}` }, cause: error });
      }
    }
  }
}

export interface OtherLoopback {
  /** No other program can listen there while this server runs. */
  isOurs: boolean;
  close(): void;
}

/**
 * Listens on the same port of the other loopback address too. Browsers try 127.0.0.1 and ::1 for a name that ends in
 * `.localhost`: another program there would get what belongs to this server.
 */
async function listenOnOther(server: Server, { host }: Settings, port: number): Promise<OtherLoopback> {
  if (host === 'localhost') return { isOurs: false, close: () => undefined };
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  other.maxConnections = MAX_CONNECTIONS;
  try {
    await listenOn(other, host === '::1' ? '127.0.0.1' : '::1', port);
    return { isOurs: true, close: () => void other.close() };
  } catch (error) {
    // A computer without this address: nobody can listen there.
    return { isOurs: ABSENT.has(systemCode(error) ?? ''), close: () => undefined };
  }
}

const ABSENT: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

function listenOn(server: NetServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
