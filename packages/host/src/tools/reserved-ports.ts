import type { Environment } from '@fucina/shared';

const LOCAL = /(?:^|[^\w.-])(?:127(?:\.\d{1,3}){3}|localhost|0\.0\.0\.0|\[::1?\]):(\d{1,5})(?!\d)/gi;

/**
 * Ports of this computer where its programs expect a certain server: the models of providers, and what variables of the
 * environment name (proxies, collectors of traces, databases). A server of a sandboxed command must not answer there.
 */
export function reservedPorts(addresses: readonly string[], environment: Environment): ReadonlySet<number> {
  const texts = [...addresses, ...Object.values(environment)].filter((text) => text !== undefined);
  return new Set(texts.flatMap((text) => [...text.matchAll(LOCAL)].map(([, port]) => Number(port))));
}
