import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from '@tanstack/react-query';

/**
 * Where something changed while a query was read for the first time, reads it once more afterwards: the running request
 * may have been answered before the change, and the library neither cancels nor repeats it.
 */
export class FreshQueryClient extends QueryClient {
  /** Queries that will be read again. */
  readonly #waiting = new Set<Query>();

  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const running = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
    const kept = running.filter((query) => !this.#waiting.has(query) && !isRestarted(query));
    const marked = super.invalidateQueries(filters, options);
    await Promise.all([marked, ...kept.map((query) => this.#again(query, options))]);
  }

  async #again(query: Query, options: InvalidateOptions | undefined): Promise<void> {
    this.#waiting.add(query);
    // Whatever its end was: the next reading shows it.
    await query.promise?.catch(() => undefined);
    this.#waiting.delete(query);
    await super.invalidateQueries({ predicate: (one) => one === query }, options);
  }
}

/** Whether an invalidation cancels its request and starts a new one. */
function isRestarted(query: Query): boolean {
  return query.state.data !== undefined && query.isActive();
}
