import type { ModelFailure, ModelUsage, SessionEvent } from '@fucina/shared';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import { costOf } from '../usage/cost.ts';
import type { Turn } from './turn-context.ts';

interface ModelCall {
  model: string;
  usage: ModelUsage | null;
  failure?: ModelFailure | null | undefined;
}

/** What a call of a model used: the sum of the turn, and the receipt of the call. */
export function callUsage(turn: Turn, { model, usage, failure }: ModelCall): SessionEvent[] {
  const cost = costOf(usage, turn.needs.priceOf(model));
  const receipt = customEvent(CUSTOM_EVENTS.receipt, {
    modello: model,
    usage: usage && {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      cached_tokens: usage.cachedTokens,
      ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
    },
    costoDichiarato: cost?.usd ?? null,
    fonteCosto: cost && (cost.source === 'provider' ? 'fornitore' : 'catalogo'),
    esito: failure ? (failure.class === 'cancelled' ? 'fermato' : 'interrotto') : 'completato',
  });
  return usage ? [sumEvent(turn, usage), receipt] : [receipt];
}

function sumEvent(turn: Turn, call: ModelUsage): SessionEvent {
  const { usage } = turn;
  turn.usage = {
    prompt_tokens: usage.prompt_tokens + call.promptTokens,
    completion_tokens: usage.completion_tokens + call.completionTokens,
    cached_tokens: call.cachedTokens === null ? usage.cached_tokens : (usage.cached_tokens ?? 0) + call.cachedTokens,
    giri: usage.giri + 1,
  };
  return { type: 'StateDelta', delta: [{ op: 'replace', path: '/usage', value: turn.usage }] };
}
