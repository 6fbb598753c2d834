import type { Conversation } from '../context/conversation.ts';
import { networkAction } from '../permission/network-reach.ts';
import type { Registry } from '../registry.ts';
import { isGranted, NETWORK_TOOL } from '../state/grants.ts';
import type { SessionRecord } from '../store/store.ts';
import type { TurnNeeds } from '../turn/turn-context.ts';
import { askNetwork, type NetworkCardNeeds } from './network-card.ts';

/** What a page of the driven browser sends while the agent uses it. */
export interface PageRequest {
  /** Absolute; of a connection of which no more is known, its host and port. */
  url: string;
  /** What the request carries beyond its address. */
  data?: string | undefined;
  /** Nothing of the session can be in it: only the user's rules and a network that is off refuse it. */
  isFree: boolean;
  /** The user may be asked. */
  asks: boolean;
  /** `data` is typed into a page of this address: a site of which the user wrote an address may have it. */
  isTyped?: boolean;
}

export type PageVerdict = 'allow' | 'deny';

export interface PageRequestNeeds extends NetworkCardNeeds {
  registry: Pick<Registry, 'get' | 'live' | 'memoryOf' | 'rootOf' | 'ancestorKnows'>;
  readsAnyAddress(record: SessionRecord): boolean;
  reach?: TurnNeeds['reach'];
}

/** The tool that users deny to close the driven browser. */
const TOOL = 'browser_open';

/** Pages that the user opens are not judged here. */
export async function judgePageRequest(
  needs: PageRequestNeeds,
  { sessionId, ...request }: PageRequest & { sessionId: string },
  signal: AbortSignal,
): Promise<PageVerdict> {
  if (!needs.reach) return 'allow';
  const { url, data, asks } = request;
  const record = needs.registry.get(sessionId);
  const isFree = await isFreeRequest(request, { needs, record });
  const found = await needs.reach({ sessionId, folder: record.header.folder, tool: TOOL, url, isFree });
  if (found.verdict !== 'ask') return found.verdict;
  const action = networkAction({ tipo: 'browser_act', url, ...(data && { dati: data }) }, found);
  if (isGranted(NETWORK_TOOL, action, record.fold.grants)) return 'allow';
  if (!asks) return 'deny';
  return (await askNetwork(needs, { sessionId, action }, signal)) === 'deny' ? 'deny' : 'allow';
}

async function isFreeRequest(
  { url, data, isFree, isTyped }: PageRequest,
  { needs, record }: { needs: PageRequestNeeds; record: SessionRecord },
): Promise<boolean> {
  const { registry, readsAnyAddress } = needs;
  if (isFree || record.settings.permissions === 'Full access' || readsAnyAddress(record)) return true;
  if (isTyped) return addressesOf(registry.rootOf(record), registry).isSiteWritten(url);
  if (data) return false;
  const own = addressesOf(record, registry);
  if (own.isFound(url)) return true;
  return record.header.parentId === null ? own.isWritten(url) : registry.ancestorKnows(record, url);
}

function addressesOf(record: SessionRecord, registry: PageRequestNeeds['registry']): Conversation['addresses'] {
  return (registry.live.get(record.header.sessionId) ?? registry.memoryOf(record).conversation).addresses;
}
