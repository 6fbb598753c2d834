import type { ModelUsage } from '@fucina/shared';

/** US dollars per million tokens, from the catalog. */
export interface TokenPrice {
  promptPerMillion: number;
  completionPerMillion: number;
  /** null: cached tokens cost the same as others. */
  cachedPerMillion: number | null;
}

export interface CallCost {
  usd: number;
  /** The cost reported by the provider, or computed from the catalog's price. */
  source: 'provider' | 'catalog';
}

/** The cost of one call; null when unknown, never zero. */
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
