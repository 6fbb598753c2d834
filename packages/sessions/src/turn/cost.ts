import type { ModelUsage } from '@fucina/shared';

/** US dollars per million tokens, as a catalog states them. */
export interface TokenPrice {
  promptPerMillion: number;
  completionPerMillion: number;
  /** null: tokens from the cache cost as the others. */
  cachedPerMillion: number | null;
}

export interface CallCost {
  usd: number;
  /** The provider's own word, or its price in the catalog times what was used. */
  source: 'provider' | 'catalog';
}

/** What one call cost; null where nobody states it: never zero for want of knowledge. */
export function costOf(usage: ModelUsage | null, price: TokenPrice | null): CallCost | null {
  if (usage?.declaredCostUsd !== undefined) return { usd: usage.declaredCostUsd, source: 'provider' };
  if (!usage || !price) return null;
  const cached = price.cachedPerMillion === null ? 0 : Math.min(usage.cachedTokens ?? 0, usage.promptTokens);
  const usd =
    ((usage.promptTokens - cached) * price.promptPerMillion +
      cached * (price.cachedPerMillion ?? 0) +
      usage.completionTokens * price.completionPerMillion) /
    1_000_000;
  return { usd, source: 'catalog' };
}
