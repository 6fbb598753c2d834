import { lookup as systemLookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  type Ambient,
  authorityOf,
  isPublicAddress,
  OutboundError,
  type Proxy,
  type ProxyTunnels,
  proxySentence,
} from '@fucina/shared';
import type { NetworkTarget } from '../permission-rules/host-pattern.ts';
import type { Permission, RefusalReason } from './policy.ts';

export interface ConnectNeeds {
  ambient: Ambient;
  /** Our own ports on 127.0.0.1 that no rule allows. */
  ownPorts(): readonly number[];
  /** Default: the system's resolver. */
  lookup?: typeof systemLookup;
  /** The proxies of this computer's own network; default: none. */
  tunnels?: ProxyTunnels;
}

export interface Wanted extends NetworkTarget {
  /** A request without encryption, which a proxy gets with its whole address. */
  isPlain?: boolean | undefined;
}

/** With `plain`, the socket leads to the proxy, which takes requests to this origin. */
export type Connected =
  | { socket: Socket; plain?: { proxy: Proxy; origin: string } }
  /** `detail` is one more sentence, in ASCII. */
  | { refusal: RefusalReason; detail?: string };

const CONNECT_MS = 20_000;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Whether an address is on the public internet and does not belong to this computer. */
export function isRemoteAddress(address: string): boolean {
  if (!isPublicAddress(address)) return false;
  return !Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address));
}

/**
 * Connects to one of the checked addresses, without a second lookup. A name with at least one forbidden address is
 * refused as a whole. Only public addresses are reached through a proxy, which gets the name only if the host was named:
 * it could resolve it to another address.
 */
export async function connectChecked(
  needs: ConnectNeeds,
  target: Wanted,
  { opensPrivate, isNamed }: Permission,
): Promise<Connected> {
  const { tunnels } = needs;
  const protocol = target.isPlain ? 'http:' : 'https:';
  const proxy = tunnels?.proxyOf({ protocol, hostname: target.host, port: `${target.port}` });
  const addresses = await addressesOf(needs, target.host);
  // In some networks only the proxy resolves public names.
  const proxyHost = isNamed ? target.host : addresses[0]?.address;
  if (addresses.length === 0 && !(proxy && isNamed)) return { refusal: 'unresolved' };
  const isLocal = addresses.some(({ address }) => !isRemoteAddress(address));
  const mayBeLocal = isLocal || addresses.length === 0;
  if (mayBeLocal && needs.ownPorts().includes(target.port)) return { refusal: 'own-port' };
  if (isLocal && !opensPrivate) return { refusal: 'private' };
  if (tunnels && proxy && proxyHost && !isLocal) {
    // A proxy replaces the name in a plain request by what it is asked for: an address needs a tunnel.
    return openThrough(tunnels, proxy, { host: proxyHost, port: target.port, isPlain: isNamed && target.isPlain });
  }
  return open(needs, target, addresses);
}

async function openThrough(tunnels: ProxyTunnels, proxy: Proxy, target: Wanted): Promise<Connected> {
  const isPlain = target.isPlain ?? false;
  try {
    const socket = await (isPlain ? tunnels.reach(proxy, target) : tunnels.open(proxy, target));
    socket.setNoDelay(true);
    return isPlain ? { socket, plain: { proxy, origin: new URL(`http://${authorityOf(target)}`).origin } } : { socket };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { refusal: 'proxy', detail: proxySentence(error) };
  }
}

type Address = { address: string; family: number };

async function addressesOf({ lookup = systemLookup }: ConnectNeeds, host: string): Promise<Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  if (host === 'localhost' || host.endsWith('.localhost')) return LOOPBACK;
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => resolve(error ? [] : found));
  });
}

function open({ ambient }: ConnectNeeds, { port }: NetworkTarget, addresses: readonly Address[]): Promise<Connected> {
  const checked: LookupFunction = (_host, _options, callback) => callback(null, [...addresses]);
  return new Promise((resolve) => {
    const [only] = addresses;
    const where =
      addresses.length === 1 && only
        ? { host: only.address, port }
        : { host: 'checked', port, lookup: checked, autoSelectFamily: true };
    const socket = connect({ ...where, allowHalfOpen: true });
    const fail = (): void => {
      cancel();
      socket.destroy();
      resolve({ refusal: 'unreachable' });
    };
    const cancel = ambient.timer(CONNECT_MS, fail);
    socket.once('error', fail);
    socket.once('connect', () => {
      cancel();
      socket.off('error', fail);
      socket.setNoDelay(true);
      resolve({ socket });
    });
  });
}
