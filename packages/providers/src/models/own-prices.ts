import { providersError } from '../errors.ts';
import type { ProvidersStore, StoredPrice } from '../store.ts';
import { parseModelId } from './model-id.ts';
import type { ModelPrice } from './model-rows.ts';

/** Prices that the user entered, for models whose price nobody states. */
export interface OwnPrices {
  of(modelId: string): ModelPrice | null;
  /** Null removes it. MODEL_ID_INVALID; PROVIDER_RUNTIME_INVALID for a price that is negative or too high. */
  set(modelId: string, price: StoredPrice | null): void;
}

const MOST = 100_000;

export function createOwnPrices(store: ProvidersStore): OwnPrices {
  return {
    of(modelId) {
      const prices = store.prices();
      const own = Object.hasOwn(prices, modelId) ? prices[modelId] : undefined;
      return own ? { ...own, currency: 'USD' } : null;
    },
    set(modelId, price) {
      parseModelId(modelId);
      const values = Object.values(price ?? {}).filter((value) => value !== null);
      if (values.some((value) => !(value >= 0 && value <= MOST))) {
        throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'price' });
      }
      const others = Object.entries(store.prices()).filter(([id]) => id !== modelId);
      store.savePrices(Object.fromEntries([...others, ...(price ? [[modelId, price] as const] : [])]));
    },
  };
}
