import type { RuleVerdict, Tool, ToolAction } from '@fucina/shared';
import { isGranted, NETWORK_TOOL } from '../state/grants.ts';
import type { Reach, Turn } from '../turn/turn-context.ts';

/** Undefined for a tool that asks nothing outside. */
export async function reachOf(
  { tool, action }: { tool: Pick<Tool, 'name' | 'reaches'>; action: ToolAction },
  turn: Turn,
  rule: RuleVerdict | undefined,
): Promise<Reach | undefined> {
  const { needs, record } = turn;
  if (tool.reaches === undefined || needs.reach === undefined) return undefined;
  const { sessionId, folder } = record.header;
  const { url } = action;
  const request = { sessionId, folder, tool: tool.name };
  if (tool.reaches === 'service' || typeof url !== 'string') return needs.reach({ ...request, isFree: true });
  const isFree = record.settings.permissions === 'Full access' || rule === 'allow' || knowsAddress(turn, url);
  const found = await needs.reach({ ...request, url, isFree });
  const isAllowed =
    found.verdict === 'ask' && isGranted(NETWORK_TOOL, networkAction(action, found), record.fold.grants);
  return isAllowed ? { verdict: 'allow' } : found;
}

/** Whether the user wrote the address, or a tool of the session found it. */
function knowsAddress({ conversation: { addresses }, record, needs }: Turn, address: string): boolean {
  if (addresses.isFound(address) || needs.readsAnyAddress(record)) return true;
  return record.header.parentId === null ? addresses.isWritten(address) : needs.ancestorKnows(record, address);
}

/**
 * The action of the card: the host, as for a command, and the whole address with the part that carries data, which is its
 * query unless the action has `dati`.
 */
export function networkAction(action: ToolAction, { host, port }: Extract<Reach, { verdict: 'ask' }>): ToolAction {
  const url = String(action.url);
  const data = typeof action.dati === 'string' ? action.dati : URL.canParse(url) ? decoded(new URL(url).search) : '';
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
