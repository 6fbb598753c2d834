import { isIP } from 'node:net';

/** The parsed pattern of `Network(…)`. */
export interface HostPattern {
  /** A host name, an address without brackets, `*.` and a domain, or `*`. Lower case. */
  host: string;
  /** Absent if the rule names no port. `any` is written `*`. */
  port?: number | 'any';
}

export interface NetworkTarget {
  /** As `canonicalHost` returns it. */
  host: string;
  port: number;
}

const NAME = /^(?:\*\.)?(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * `example.org`, `*.example.org`, `10.0.0.1`, `[::1]`, `*`, each optionally with `:port` or `:*`. Undefined for
 * anything else.
 */
export function parseHostPattern(text: string): HostPattern | undefined {
  const [, named, digits] = /^(\[[^\]]+\]|[^:\s[\]]+)(?::(\d{1,5}|\*))?$/.exec(text.toLowerCase()) ?? [];
  if (named === undefined) return undefined;
  const host = named.startsWith('*') ? named : canonicalHost(named);
  if (host === undefined || !(host === '*' || isIP(host) !== 0 || NAME.test(host))) return undefined;
  if (digits === undefined) return { host };
  const port = digits === '*' ? 'any' : Number(digits);
  return port === 'any' || (port > 0 && port < 65_536) ? { host, port } : undefined;
}

export function fitsHost(pattern: HostPattern, { host, port }: NetworkTarget): boolean {
  if (pattern.port !== undefined && pattern.port !== 'any' && pattern.port !== port) return false;
  if (pattern.host === '*') return true;
  if (!pattern.host.startsWith('*.')) return host === pattern.host;
  return host === pattern.host.slice(2) || host.endsWith(pattern.host.slice(1));
}

/**
 * The canonical form of a host: lower case, no final dot, no brackets; an address in any notation (decimal, octal, hex,
 * shortened, IPv4 inside IPv6) is normalized. Undefined for an invalid host.
 */
export function canonicalHost(text: string): string | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const address = `http://${bare.includes(':') ? `[${bare}]` : bare}`;
  if (bare === '' || /[/?#@\\\s%]/.test(bare) || !URL.canParse(address)) return undefined;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  // Resolvers take off one more: the name would reach a host whose rules it does not fit.
  if (host.endsWith('.')) return undefined;
  const inner = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!inner) return host || undefined;
  const [high, low] = [Number.parseInt(inner[1] ?? '', 16), Number.parseInt(inner[2] ?? '', 16)];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
