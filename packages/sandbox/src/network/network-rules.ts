import { isIP } from 'node:net';
import type { RuleVerdict } from '@fucina/shared';
import { fitsHost, type HostPattern, type NetworkTarget } from '../permission-rules/host-pattern.ts';
import type { RuleTexts } from '../permission-rules/permission-rules.ts';
import { isOfTool, parseRule } from '../permission-rules/rule.ts';

export interface NetworkVerdict {
  verdict: RuleVerdict;
  /** True if the rule names exactly this host, which also allows a private address. */
  opensPrivate: boolean;
  /** True if an allow rule names the host or its domain, and not just all hosts. */
  isNamed: boolean;
}

/** The user's `Network(…)` rules, for the commands of a session. */
export interface NetworkRules {
  /** Undefined when no rule applies. Deny takes precedence over ask, ask over allow. */
  judge(target: NetworkTarget): NetworkVerdict | undefined;
  /** Ports of this computer that a rule names individually. */
  readonly localPorts: readonly number[];
  /** Of the hosts that each kind of rule names; `*` for a rule about all of them. */
  readonly patterns: Readonly<Record<RuleVerdict, readonly HostPattern[]>>;
}

const TOOL = 'rete';

export function createNetworkRules(texts: RuleTexts): NetworkRules {
  const read = (verdict: RuleVerdict): HostPattern[] =>
    texts[verdict].flatMap((text) => {
      const { rule, problem } = parseRule(text);
      // A rule for all tools does not allow any host: hosts must be named.
      if (verdict === 'allow' ? problem || !rule.tools.includes(TOOL) : !isOfTool(rule, TOOL)) return [];
      return [rule.pattern?.kind === 'host' ? rule.pattern : { host: '*' }];
    });
  const rules = { deny: read('deny'), ask: read('ask'), allow: read('allow') };
  const isDenied = (target: NetworkTarget): boolean => rules.deny.some((pattern) => fitsHost(pattern, target));
  return {
    patterns: rules,
    judge(target) {
      const allowing = rules.allow.filter((pattern) => fitsHost(pattern, target));
      const opensPrivate = allowing.some(namesPrivate);
      const isNamed = allowing.some(({ host }) => host !== '*');
      if (isDenied(target)) return { verdict: 'deny', opensPrivate: false, isNamed };
      if (rules.ask.some((pattern) => fitsHost(pattern, target))) return { verdict: 'ask', opensPrivate, isNamed };
      return allowing.length > 0 ? { verdict: 'allow', opensPrivate, isNamed } : undefined;
    },
    localPorts: [
      ...new Set(
        rules.allow.flatMap(({ host, port }) =>
          isThisComputer(host) && typeof port === 'number' && !isDenied({ host, port }) ? [port] : [],
        ),
      ),
    ],
  };
}

/** A name may resolve to another address at any time, so it allows a private one only together with a port. */
function namesPrivate({ host, port }: HostPattern): boolean {
  if (host.startsWith('*')) return false;
  return port !== undefined || isIP(host) !== 0 || isThisComputer(host);
}

export function isThisComputer(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '::1';
}
