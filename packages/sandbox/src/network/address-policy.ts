import { registrableDomain } from '@fucina/shared';
import { canonicalHost, type NetworkTarget } from '../permission-rules/host-pattern.ts';
import type { NetworkMode } from '../rules/rule-store.ts';
import { isThisComputer, type NetworkVerdict } from './network-rules.ts';
import { decideNetwork } from './policy.ts';

/** Whether a tool may ask an address, or the network at all. */
export type AddressDecision =
  | { verdict: 'allow' }
  | { verdict: 'deny'; reason: 'off' | 'rule' }
  /** `host` is `*.` and the registrable domain, or the host where it has none: what the answer applies to. */
  | { verdict: 'ask'; host: string; port: number };

export interface AddressInput {
  /** Absolute, http or https. */
  url: string;
  mode: NetworkMode;
  /** The effect of the user's `Network(…)` rules on a host. */
  rule(target: NetworkTarget): Promise<NetworkVerdict | undefined>;
  /** The user wrote the address, a search or a page returned it, or the level asks nothing. */
  isFree: boolean;
}

/**
 * The network policy of commands, for a tool that reads an address. This computer is left to the tool unless a rule denies
 * it: what is asked there leaves nothing.
 */
export async function decideAddress({ url, mode, rule, isFree }: AddressInput): Promise<AddressDecision> {
  const target = targetOf(url);
  if (target === undefined) return { verdict: 'deny', reason: 'rule' };
  const ruling = await rule(target);
  if (isThisComputer(target.host) && ruling?.verdict !== 'deny') return { verdict: 'allow' };
  const decision = decideNetwork({ target, mode, rule: ruling, isGranted: isFree, isPublic: () => true });
  if (decision.verdict === 'allow') return { verdict: 'allow' };
  if (decision.verdict === 'deny') return { verdict: 'deny', reason: decision.reason === 'off' ? 'off' : 'rule' };
  const domain = await registrableDomain(target.host);
  return { verdict: 'ask', host: domain === undefined ? target.host : `*.${domain}`, port: target.port };
}

function targetOf(address: string): NetworkTarget | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  const host = canonicalHost(hostname);
  return host === undefined ? undefined : { host, port: port ? Number(port) : protocol === 'https:' ? 443 : 80 };
}
