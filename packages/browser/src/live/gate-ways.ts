import type { lookup as systemLookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { ProxyTunnels } from '@fucina/shared';
import { addressRefusal, type GateRefusal, isLocalName, isThisComputer } from './gate-rules.ts';

export interface Place {
  host: string;
  port: number;
}

export class Refused extends Error {
  readonly why: GateRefusal;
  constructor(why: GateRefusal) {
    super(why);
    this.why = why;
  }
}

/** A connection to the session's own server at a port; undefined where it has none. */
export type ConnectInside = (port: number) => Promise<Socket | undefined>;

/** Where to connect, decided once: `lookup` returns only the allowed addresses; `address` is the first of them. */
export interface Way extends Place {
  isLocal: boolean;
  address: string;
  lookup: LookupFunction;
}

export async function wayTo(
  { host, port }: Place,
  { closed, lookup }: { closed: readonly number[]; lookup: typeof systemLookup },
): Promise<Way> {
  const addresses = await addressesOf(host, lookup);
  const refusals = addresses.map((address) => addressRefusal(address, port, closed));
  // A name that resolves both to our own port and to another place is an attack (DNS rebinding).
  if (refusals.includes('own-address')) throw new Refused('own-address');
  const open = addresses.filter((_, index) => refusals[index] === undefined);
  const [first] = open;
  if (first === undefined) throw new Refused('closed-address');
  const answers = open.map((address) => ({ address, family: isIP(address) }));
  return {
    host,
    port,
    isLocal: open.some(isThisComputer),
    address: first,
    lookup(_name, { all }, callback) {
      if (all) callback(null, answers);
      else callback(null, first, isIP(first));
    },
  };
}

async function addressesOf(host: string, lookup: typeof systemLookup): Promise<string[]> {
  if (isIP(host)) return [host];
  if (isLocalName(host)) return ['127.0.0.1', '::1'];
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found.map(({ address }) => address));
    });
  });
}

/** A connection to a page's server, if need be through a proxy of the environment. */
export async function connectTo(way: Way, tunnels: ProxyTunnels, inside: ConnectInside): Promise<Socket> {
  const tunnel = way.isLocal ? await inside(way.port) : await tunnelTo(way, tunnels, 'https:');
  if (tunnel) return tunnel;
  const socket = connect({ host: way.host, port: way.port, lookup: way.lookup });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Undefined when no proxy leads there. It gets the checked address: a name could lead it to another one. */
export function tunnelTo(
  { host, address, port, isLocal }: Way,
  tunnels: ProxyTunnels,
  protocol: 'http:' | 'https:',
): Promise<Socket> | undefined {
  const proxy = isLocal ? undefined : tunnels.proxyOf({ protocol, hostname: host, port: `${port}` });
  return proxy && tunnels.open(proxy, { host: address, port });
}
