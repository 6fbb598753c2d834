import type { ModelUsage } from '@fucina/shared';

/** US dollars per million tokens, from the catalog. */
export interface TokenPrice {
  promptPerMillion: number;
  completionPerMillion: number;
  /** null: cached tokens cost the same as others. */
  cachedPerMillion: number | null;
  /** Tokens written to the provider's cache; absent: they cost the same as others. */
  cacheWritePerMillion?: number;
}

export interface CallCost {
  usd: number;
  /** The cost reported by the provider, or computed from the catalog's price. */
  source: 'provider' | 'catalog';
}

/** Of Anthropic, the one vendor with this choice: twice the price of other tokens. */
const HOUR_CACHE_FACTOR = 2;

function writePrice({ promptPerMillion, cacheWritePerMillion }: TokenPrice, { isHourCache }: ModelUsage): number {
  return isHourCache ? promptPerMillion * HOUR_CACHE_FACTOR : (cacheWritePerMillion ?? promptPerMillion);
}

/** The cost of one call; null when unknown, never zero. */
export function costOf(usage: ModelUsage | null, price: TokenPrice | null): CallCost | null {
  if (usage?.declaredCostUsd !== undefined) return { usd: usage.declaredCostUsd, source: 'provider' };
  if (!usage || !price) return null;
  const { promptTokens } = usage;
  const cached = Math.min(usage.cachedTokens ?? 0, promptTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, promptTokens - cached);
  const usd =
    ((promptTokens - cached - written) * price.promptPerMillion +
      cached * (price.cachedPerMillion ?? price.promptPerMillion) +
      written * writePrice(price, usage) +
      usage.completionTokens * price.completionPerMillion) /
    1_000_000;
  return { usd, source: 'catalog' };
}
