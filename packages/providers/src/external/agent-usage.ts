import type { SessionNotification } from '@agentclientprotocol/sdk';
import type { PromptResponse, Usage } from '@agentclientprotocol/sdk/unstable';
import type { ModelUsage } from '@fucina/shared';

/** What an agent reports of its tokens and cost, as the usage of one turn. */
export interface UsageMeter {
  see(update: SessionNotification['update']): void;
  /** Undefined when the agent reports no tokens: the field is not stable yet. Its cost is the growth since the last turn. */
  ofTurn(response: PromptResponse): ModelUsage | undefined;
}

/** One for the whole conversation: the protocol's costs are sums since its start. */
export function createUsageMeter(): UsageMeter {
  let cost: number | undefined;
  let counted = 0;
  return {
    see(update) {
      if (update.sessionUpdate === 'usage_update' && update.cost?.currency === 'USD') cost = update.cost.amount;
    },
    ofTurn({ usage }) {
      const grown = cost === undefined ? undefined : cost - counted;
      counted = cost ?? counted;
      if (!usage) return undefined;
      const tokens = tokensOf(usage);
      return grown === undefined || grown < 0 ? tokens : { ...tokens, declaredCostUsd: grown };
    },
  };
}

/** Some agents count cached tokens among the input, most beside it: the total tells which. */
function tokensOf({ totalTokens, inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens }: Usage): ModelUsage {
  const cached = (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0);
  const isApart = totalTokens >= inputTokens + outputTokens + cached;
  return {
    promptTokens: inputTokens + (isApart ? cached : 0),
    completionTokens: outputTokens,
    cachedTokens: cachedReadTokens ?? null,
  };
}
