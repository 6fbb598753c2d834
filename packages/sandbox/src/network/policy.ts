import { isIP } from 'node:net';
import type { RuleVerdict } from '@fucina/shared';
import type { NetworkTarget } from '../permission-rules/host-pattern.ts';
import type { NetworkMode } from '../rules/rule-store.ts';
import { isBuiltInHost } from './built-in-hosts.ts';
import { isThisComputer, type NetworkVerdict } from './network-rules.ts';

/** Why a command cannot reach a host. */
export type RefusalReason =
  | 'off'
  | 'rule'
  | 'not-allowed'
  | 'private'
  | 'own-port'
  | 'unresolved'
  | 'malformed'
  | 'unreachable'
  | 'proxy';

/** How far a command may go to a target. */
export interface Permission {
  opensPrivate: boolean;
  /** The user, a rule or the built-in list names the host: a proxy may get its name. */
  isNamed: boolean;
}

export type NetworkDecision =
  | ({ verdict: Extract<RuleVerdict, 'allow'> } & Permission)
  | { verdict: Extract<RuleVerdict, 'ask'>; opensPrivate: boolean }
  | { verdict: Extract<RuleVerdict, 'deny'>; reason: RefusalReason };

export interface PolicyInput {
  target: NetworkTarget;
  /** The effect of the user's rules. */
  rule: NetworkVerdict | undefined;
  /** Default: `listed`. */
  mode?: NetworkMode | undefined;
  /** The user allowed this host, for the session or once. */
  isGranted: boolean;
  isPublic(address: string): boolean;
}

/**
 * Decides whether a command may reach a host; pure. The resolved address is checked separately, when connecting: a
 * forbidden name is never resolved.
 */
export function decideNetwork({ target, rule, mode = 'listed', isGranted, isPublic }: PolicyInput): NetworkDecision {
  if (mode === 'off') return { verdict: 'deny', reason: 'off' };
  if (rule?.verdict === 'deny') return { verdict: 'deny', reason: 'rule' };
  const opensPrivate = rule?.opensPrivate ?? false;
  const isPrivate = isThisComputer(target.host) || (isIP(target.host) !== 0 && !isPublic(target.host));
  if (isPrivate && !opensPrivate) return { verdict: 'deny', reason: 'private' };
  if (isGranted) return { verdict: 'allow', opensPrivate, isNamed: true };
  const isNamed = isBuiltInHost(target) || (rule?.isNamed ?? false);
  if (rule?.verdict === 'allow') return { verdict: 'allow', opensPrivate, isNamed };
  if (rule?.verdict !== 'ask' && (mode === 'open' || isBuiltInHost(target)))
    return { verdict: 'allow', opensPrivate, isNamed };
  return { verdict: 'ask', opensPrivate };
}

/**
 * One plain sentence for the command, or two with the detail, in ASCII because they are also the reason phrase of a
 * status line.
 */
export function refusalSentence({ host, port }: NetworkTarget, reason: RefusalReason, detail = ''): string {
  const literal = isIP(host) === 6 ? `[${host}]` : host;
  switch (reason) {
    case 'off':
      return `Fucina blocks ${literal}: the network of commands is off for this session or project.`;
    case 'rule':
      return `Fucina blocks ${literal}: a permission rule of the user denies it.`;
    case 'not-allowed':
      return `Fucina blocks ${literal} for this session. Allow it with the rule Network(${literal}).`;
    case 'private':
      return `Fucina blocks ${literal}:${port}: it is a private or local address. Allow it with the rule Network(${literal}:${port}).`;
    case 'own-port':
      return `Fucina blocks ${literal}:${port}: it is Fucina's own port.`;
    case 'unresolved':
      return `${literal} was not found.`;
    case 'malformed':
      return 'Fucina cannot read the address of this request.';
    case 'unreachable':
      return `${literal}:${port} cannot be reached.`;
    case 'proxy':
      return `${literal}:${port} cannot be reached through the proxy. ${detail}`.trimEnd();
  }
}
