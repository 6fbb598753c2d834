import type { ModelPrice, Providers } from '@fucina/providers';
import type { Sessions, UsageRow } from '@fucina/sessions';

export type { BudgetLimits, BudgetView, UsageRow } from '@fucina/sessions';

export interface PricedModel {
  model: string;
  /** Null: unknown. */
  price: ModelPrice | null;
  /** Entered by the user; false for one of the provider or the catalog. */
  isOwn: boolean;
}

/** Use of models, its limits, and the prices it is computed with. */
export interface UsageControl extends Pick<Sessions['usage'], 'budget' | 'setLimits' | 'allow'> {
  /** Days `YYYY-MM-DD`, both included; default: the last 30 days. QUERY_INVALID. */
  report(days: { from?: string | undefined; to?: string | undefined }): { from: string; to: string; rows: UsageRow[] };
  /** Models used in the last 90 days. */
  models(): PricedModel[];
  /** MODEL_ID_INVALID, PROVIDER_RUNTIME_INVALID, PROVIDER_STORE_UNAVAILABLE. */
  setPrice(model: string, price: Omit<ModelPrice, 'currency'> | null): PricedModel;
}

interface UsageControlNeeds {
  now(): number;
  sessions(): Pick<Sessions, 'usage'>;
  providers(): Pick<Providers, 'knowledge' | 'prices'>;
}

const DAYS = 30;

export function createUsageControl({ now, sessions, providers }: UsageControlNeeds): UsageControl {
  const priced = (model: string): PricedModel => {
    const { knowledge } = providers();
    const stated = knowledge.statedPriceOf(model);
    const price = stated ?? knowledge.priceOf(model);
    return { model, price, isOwn: stated === null && price !== null };
  };
  return {
    report({ to = dayAt(now(), 0), from = dayAt(now(), 1 - DAYS) }) {
      return { from, to, rows: sessions().usage.report(from, to) };
    },
    budget: (sessionId) => sessions().usage.budget(sessionId),
    setLimits: (limits) => sessions().usage.setLimits(limits),
    allow: (scope, sessionId) => sessions().usage.allow(scope, sessionId),
    models: () => sessions().usage.models().map(priced),
    setPrice(model, price) {
      providers().prices.set(model, price);
      return priced(model);
    },
  };
}

/** The local day, some days later. */
function dayAt(at: number, daysLater: number): string {
  const time = new Date(at);
  time.setDate(time.getDate() + daysLater);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
