import type { SessionEvent } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../state/custom-events.ts';
import { eventsOf } from '../store/events.ts';
import type { Journal } from '../store/journal.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';

/** Usage and cost of a conversation, without its sub-agents. */
export interface SessionCost {
  promptTokens: number;
  completionTokens: number;
  /** null when no provider reported it. */
  cachedTokens: number | null;
  modelCalls: number;
  /** US dollars of the calls with a known price; null when there are none. */
  usd: number | null;
  callsWithoutPrice: number;
}

export function sessionCost(
  record: SessionRecord,
  { journal, store }: { journal: Journal; store: SessionStore },
): SessionCost {
  journal.flush(record.key);
  let usd: number | null = null;
  let callsWithoutPrice = 0;
  for (const { json } of eventsOf(store, record)) {
    // Most events are text deltas: only receipts need parsing.
    if (!json.includes(CUSTOM_EVENTS.receipt)) continue;
    const event = JSON.parse(json) as SessionEvent;
    if (event.type !== 'CUSTOM' || event.name !== CUSTOM_EVENTS.receipt) continue;
    const { costoDichiarato } = event.value as { costoDichiarato: number | null };
    if (costoDichiarato === null) callsWithoutPrice += 1;
    else usd = (usd ?? 0) + costoDichiarato;
  }
  const { total } = record.fold;
  return {
    promptTokens: total?.promptTokens ?? 0,
    completionTokens: total?.completionTokens ?? 0,
    cachedTokens: total?.cachedTokens ?? null,
    modelCalls: total?.steps ?? 0,
    usd,
    callsWithoutPrice,
  };
}
