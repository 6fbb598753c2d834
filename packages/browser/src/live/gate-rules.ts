import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '@fucina/shared';

export type GateRefusal = 'own-address' | 'closed-address' | 'foreign-page' | 'not-allowed';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('0.0.0.0', 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addAddress('::', 'ipv6');

/** Whether an address literal points to this computer, in any spelling. */
export function isThisComputer(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')) return true;
  const plain = address.replace(/^::ffff:/i, '');
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === plain));
}

/** Names that browsers themselves resolve to this computer. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Undefined when a page may be fetched from there: the public internet, and this computer except our own ports. */
export function addressRefusal(address: string, port: number, ownPorts: readonly number[]): GateRefusal | undefined {
  if (isThisComputer(address)) return ownPorts.includes(port) ? 'own-address' : undefined;
  return isPublicAddress(address) ? undefined : 'closed-address';
}

/**
 * What a page from elsewhere may request from a server of this computer: navigation only. Browsers ask the user for
 * permission; there is no user to ask here. Undefined when it is allowed.
 */
export function pageRefusal(method: string, headers: IncomingHttpHeaders): GateRefusal | undefined {
  const isLookedAt = headers['sec-fetch-dest'] === 'document' && (method === 'GET' || method === 'HEAD');
  if (isLookedAt) return undefined;
  const asking = headers.origin ?? headers.referer;
  if (asking !== undefined) return isLocalPage(asking) ? undefined : 'foreign-page';
  return headers['sec-fetch-site'] === 'cross-site' ? 'foreign-page' : undefined;
}

function isLocalPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  return isLocalName(host) || isThisComputer(host);
}
