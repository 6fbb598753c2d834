import { BlockList, isIP, isIPv4 } from 'node:net';

/** Address blocks without public services; 168.63.129.16 is a cloud's metadata address inside a public block. */
const CLOSED_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Outside 2000::/3 only the translated addresses below are public. */
const CLOSED_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [network, prefix] of CLOSED_IPV4) closed.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of CLOSED_IPV6) closed.addSubnet(network, prefix, 'ipv6');

/**
 * Whether an address literal (as a resolver returns it, without brackets) is on the public internet. IPv4 inside IPv6
 * (mapped, compatible, NAT64, 6to4) is checked as the IPv4 address. Invalid addresses are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  const bytes = ipv6Bytes(address);
  const inner = embeddedIpv4(bytes);
  if (inner !== undefined) return !closed.check(inner, 'ipv4');
  const isGlobalUnicast = ((bytes[0] ?? 0) & 0xe0) === 0x20;
  return isGlobalUnicast && !closed.check(address, 'ipv6');
}

function embeddedIpv4(bytes: Uint8Array): string | undefined {
  const startsWith = (...prefix: number[]): boolean => prefix.every((byte, index) => bytes[index] === byte);
  const zeros = (from: number, to: number): boolean => bytes.subarray(from, to).every((byte) => byte === 0);
  if (zeros(0, 10) && ((bytes[10] === 0xff && bytes[11] === 0xff) || zeros(10, 12)))
    return bytes.subarray(12).join('.');
  if (startsWith(0x00, 0x64, 0xff, 0x9b) && zeros(4, 12)) return bytes.subarray(12).join('.');
  if (startsWith(0x20, 0x02)) return bytes.subarray(2, 6).join('.');
  return undefined;
}

/** `address` is a valid IPv6 literal. */
function ipv6Bytes(address: string): Uint8Array {
  const [head = '', tail] = address.split('::');
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const middle = Array<number>(16 - before.length - after.length).fill(0);
  return Uint8Array.from([...before, ...middle, ...after]);
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
