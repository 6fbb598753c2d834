import { BlockList, isIP } from 'node:net';
import type { Environment } from './child-environment.ts';
import { Secret } from './secret.ts';

/** The origin that a connection leads to: `port` is empty for the default port of `protocol`. */
export interface ProxyTarget {
  protocol: string;
  hostname: string;
  port: string;
}

/** A proxy of the environment. Its credentials are in `authorization` only. */
export interface Proxy {
  /** The name of the variable that names the proxy. */
  variable: string;
  /** Scheme, host and port; undefined when the variable does not contain an http or https address. */
  origin: string | undefined;
  /** Value of the Proxy-Authorization header. */
  authorization: Secret | undefined;
}

export interface Proxies {
  /** The proxy for a connection; undefined: connect directly, as always on this computer. */
  proxyOf(target: ProxyTarget): Proxy | undefined;
  /** The proxies in use, without duplicates: of https, then of http. */
  all: readonly Proxy[];
}

/**
 * The proxies that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY name, as curl reads them: lower case first, the
 * variable of the scheme before ALL_PROXY.
 */
export function readProxies(environment: Environment): Proxies {
  const https = namedProxy(environment, 'HTTPS_PROXY');
  const http = namedProxy(environment, 'HTTP_PROXY');
  const isExempt = exemptions(valueOf(environment, 'NO_PROXY')?.value ?? '');
  const found = [https, http].filter((proxy) => proxy !== undefined);
  return {
    proxyOf(target) {
      const proxy = target.protocol === 'https:' ? https : http;
      return proxy && !isThisComputer(target.hostname) && !isExempt(target) ? proxy : undefined;
    },
    all: found.filter((proxy, index) => found.findIndex(({ origin }) => origin === proxy.origin) === index),
  };
}

/** The port, also when the address does not name it. */
export function portOf({ protocol, port }: Pick<ProxyTarget, 'protocol' | 'port'>): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/** `host:port`, as requests name it. */
export function authorityOf({ host, port }: { host: string; port: number | string }): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function valueOf(environment: Environment, name: string): { variable: string; value: string } | undefined {
  for (const variable of [name.toLowerCase(), name]) {
    const value = environment[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}

function namedProxy(environment: Environment, name: string): Proxy | undefined {
  const found = valueOf(environment, name) ?? valueOf(environment, 'ALL_PROXY');
  if (!found) return undefined;
  const { variable, value } = found;
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const login = url && /^https?:$/.test(url.protocol) ? loginOf(url) : undefined;
  if (!url || login === undefined) return { variable, origin: undefined, authorization: undefined };
  return { variable, origin: url.origin, authorization: login === ':' ? undefined : basic(login) };
}

/** Undefined for a name or a password that cannot be decoded. */
function loginOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    // An invalid escape: the variable is reported as unusable.
    return undefined;
  }
}

function basic(login: string): Secret {
  return new Secret(`Basic ${Buffer.from(login).toString('base64')}`);
}

const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addAddress('0.0.0.0', 'ipv4');
ownAddresses.addAddress('::1', 'ipv6');
ownAddresses.addAddress('::', 'ipv6');

function isThisComputer(hostname: string): boolean {
  const host = plainHost(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || isListed(ownAddresses, host);
}

function isListed(list: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Without the brackets of IPv6 and the trailing dot of a full name. */
function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** An entry exempts a host, its subdomains, an address or a block of addresses; with a port, only that port. */
function exemptions(text: string): (target: ProxyTarget) => boolean {
  const rules = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(exemption);
  return (target) => rules.some((matches) => matches(plainHost(target.hostname), portOf(target)));
}

function exemption(entry: string): (host: string, port: string) => boolean {
  if (entry === '*') return () => true;
  const block = /^\[?([^\]/]+)\]?\/(\d{1,3})$/.exec(entry);
  if (block) return inBlock(block[1] ?? '', Number(block[2]));
  const [, name = entry, only] = /^([^:]*|\[.*\]):(\d+)$/.exec(entry) ?? [];
  const wanted = plainHost(name.replace(/^\*?\./, ''));
  return (host, port) =>
    (only === undefined || only === port) && (host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)));
}

function inBlock(network: string, prefix: number): (host: string) => boolean {
  const family = isIP(network);
  if (family === 0 || prefix > (family === 6 ? 128 : 32)) return () => false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family === 6 ? 'ipv6' : 'ipv4');
  return (host) => isListed(list, host);
}
