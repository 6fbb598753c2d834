import { lookup as systemLookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Ambient, isPublicAddress } from '@fucina/shared';
import type { NetworkTarget } from '../permission-rules/host-pattern.ts';
import type { RefusalReason } from './policy.ts';

export interface ConnectNeeds {
  ambient: Ambient;
  /** Our own ports on 127.0.0.1 that no rule allows. */
  ownPorts(): readonly number[];
  /** Default: the system's resolver. */
  lookup?: typeof systemLookup;
}

export type Connected = { socket: Socket } | { refusal: RefusalReason };

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
 * refused as a whole.
 */
export async function connectChecked(
  needs: ConnectNeeds,
  target: NetworkTarget,
  opensPrivate: boolean,
): Promise<Connected> {
  const addresses = await addressesOf(needs, target.host);
  if (addresses.length === 0) return { refusal: 'unresolved' };
  const isLocal = addresses.some(({ address }) => !isRemoteAddress(address));
  if (isLocal && needs.ownPorts().includes(target.port)) return { refusal: 'own-port' };
  if (isLocal && !opensPrivate) return { refusal: 'private' };
  return open(needs, target, addresses);
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
