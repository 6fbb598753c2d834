import { fitsHost, type HostPattern } from '../permission-rules/host-pattern.ts';
import type { NetworkMode } from '../rules/rule-store.ts';
import { BUILT_IN_HOSTS } from './built-in-hosts.ts';
import type { NetworkRules } from './network-rules.ts';

/** Hosts that are reached without a question: all of them, or those that the user named and those of the built-in list. */
export type OpenHosts = 'any' | { named: readonly HostPattern[]; builtIn: readonly HostPattern[] };

export interface OpenHostsInput {
  mode: NetworkMode;
  rules: Pick<NetworkRules, 'patterns'>;
  /** Allowed for the session. */
  granted: readonly HostPattern[];
  /** Full access. */
  asksNothing: boolean;
}

/**
 * The network policy as a list, for a browser that enforces it by itself. A list has no exceptions: an entry of which the
 * user denied a part, or wants to be asked about it, is left out as a whole.
 */
export function openHosts({ mode, rules: { patterns }, granted, asksNothing }: OpenHostsInput): OpenHosts {
  if (mode === 'off') return { named: [], builtIn: [] };
  const closed = asksNothing ? patterns.deny : [...patterns.deny, ...patterns.ask];
  const isOpen = (one: HostPattern): boolean => !closed.some((other) => overlaps(one, other));
  const named = [...patterns.allow, ...granted].filter(isOpen);
  const isAll = asksNothing || mode === 'open' || named.some(isEvery);
  if (isAll && closed.length === 0) return 'any';
  return {
    named: named.filter((one) => !isEvery(one)),
    builtIn: BUILT_IN_HOSTS.map((host) => ({ host })).filter(isOpen),
  };
}

const isEvery = ({ host, port = 'any' }: HostPattern): boolean => host === '*' && port === 'any';

function overlaps(one: HostPattern, other: HostPattern): boolean {
  const [first, second] = [one.port ?? 'any', other.port ?? 'any'];
  if (first !== 'any' && second !== 'any' && first !== second) return false;
  return covers(one, other) || covers(other, one);
}

/** Names alone. */
function covers({ host }: HostPattern, other: HostPattern): boolean {
  return fitsHost({ host }, { host: other.host.replace(/^\*\./, ''), port: 0 });
}
