import type { PermissionLevel, RuleVerdict, Tool, ToolAction } from '@fucina/shared';
import { type Grant, isGranted, NETWORK_TOOL } from '../state/grants.ts';

/** A call that asks something outside this computer, for the network policy. */
export interface ReachRequest {
  sessionId: string;
  folder: string;
  tool: string;
  /** The address that the model chose; absent for a service that the user configured. */
  url?: string;
  /** The user wrote the address, a tool found it, a rule allows it, or the level asks nothing. */
  isFree: boolean;
}

/** What the network policy says about a call. `host` is what an answer applies to; it may begin with `*.`. */
export type Reach =
  | { verdict: 'allow' }
  | { verdict: 'deny'; because: 'network-off' | 'rule' | 'tool' }
  | { verdict: 'ask'; host: string; port: number };

export interface ReachNeeds {
  place: { sessionId: string; folder: string };
  reach?(request: ReachRequest): Promise<Reach>;
  /** Whether the user wrote the address, or a tool of the session found it. */
  knowsAddress?(address: string): boolean;
}

interface ReachFacts {
  level: PermissionLevel;
  rule: RuleVerdict | undefined;
  grants: readonly Grant[];
}

/** Undefined for a tool that asks nothing outside. */
export async function reachOf(
  { tool, action }: { tool: Pick<Tool, 'name' | 'reaches'>; action: ToolAction },
  { place: { sessionId, folder }, reach, knowsAddress }: ReachNeeds,
  { level, rule, grants }: ReachFacts,
): Promise<Reach | undefined> {
  if (tool.reaches === undefined || reach === undefined) return undefined;
  const { url } = action;
  const request = { sessionId, folder, tool: tool.name };
  if (tool.reaches === 'service' || typeof url !== 'string') return reach({ ...request, isFree: true });
  const isFree = level === 'Full access' || rule === 'allow' || (knowsAddress?.(url) ?? false);
  const found = await reach({ ...request, url, isFree });
  const isAllowed = found.verdict === 'ask' && isGranted(NETWORK_TOOL, networkAction(action, found), grants);
  return isAllowed ? { verdict: 'allow' } : found;
}

/** The action of the card: the host, as for a command, and the whole address with the part that carries data. */
export function networkAction(action: ToolAction, { host, port }: Extract<Reach, { verdict: 'ask' }>): ToolAction {
  const url = String(action.url);
  const data = URL.canParse(url) ? decoded(new URL(url).search) : '';
  return {
    tipo: NETWORK_TOOL,
    host,
    porta: port,
    strumento: action.tipo,
    indirizzo: url,
    ...(data && { dati: data }),
  };
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query.slice(1));
  } catch {
    return query.slice(1); // a literal percent sign
  }
}

/** For the model: which host stayed closed, where nobody can answer. */
export const unansweredReach = ({ host }: Extract<Reach, { verdict: 'ask' }>): string =>
  `Fucina blocks ${host}: the user did not write this address, no search or page returned it, and nobody can answer here. The user can allow it with the rule Network(${host}). Name the blocked host in your answer.`;
