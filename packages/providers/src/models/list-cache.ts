import type { Ambient } from '@fucina/shared';
import type { ProvidersStore } from '../store.ts';
import type { ModelRow } from './model-rows.ts';

/** The last list of models of each provider, stored across restarts, so that models are visible offline. */
export interface ListCache {
  /** Undefined without a list of this address that is recent enough; default: of any age. */
  get(provider: string, endpoint: string, maxAgeMs?: number): readonly ModelRow[] | undefined;
  put(provider: string, endpoint: string, rows: readonly ModelRow[]): void;
  /** One row of the last list, whatever its age; by id. */
  row(provider: string, endpoint: string, id: string): ModelRow | undefined;
}

interface CachedList {
  endpoint: string;
  /** Wall time in ms. */
  at: number;
  rows: readonly ModelRow[];
  byId?: Map<string, ModelRow>;
}

export function createListCache({ ambient, store }: { ambient: Ambient; store: ProvidersStore }): ListCache {
  const lists = new Map<string, CachedList | null>();
  const nameOf = (provider: string): string => `models/${provider}`;
  const read = (provider: string): CachedList | undefined => {
    const known = lists.get(provider);
    if (known !== undefined) return known ?? undefined;
    const kept = store.kept(nameOf(provider));
    const list = kept ? { ...(JSON.parse(kept.body) as Pick<CachedList, 'endpoint' | 'rows'>), at: kept.at } : null;
    lists.set(provider, list);
    return list ?? undefined;
  };
  return {
    get(provider, endpoint, maxAgeMs = Number.POSITIVE_INFINITY) {
      const list = read(provider);
      if (list?.endpoint !== endpoint) return undefined;
      const ageMs = ambient.now() - list.at;
      // After a clock change backwards, every age is uncertain.
      return maxAgeMs === Number.POSITIVE_INFINITY || (ageMs >= 0 && ageMs < maxAgeMs) ? list.rows : undefined;
    },
    put(provider, endpoint, rows) {
      const at = ambient.now();
      lists.set(provider, { endpoint, at, rows });
      store.keep(nameOf(provider), { at, body: JSON.stringify({ endpoint, rows }) });
    },
    row(provider, endpoint, id) {
      const list = read(provider);
      if (list?.endpoint !== endpoint) return undefined;
      list.byId ??= new Map(list.rows.map((row) => [row.id, row]));
      return list.byId.get(id);
    },
  };
}
