import type { Answer, Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type UsageRow = Schemas['UsageRow'];
export type Budget = Schemas['Budget'];
export type BudgetLimits = Budget['limits'];
export type PricedModel = Schemas['PricedModel'];
export type Price = NonNullable<PricedModel['price']>;

export type UsageReport = Answer<'get', '/ext/usage'>;

const KEY = ['usage'];
const POLL_MS = 15_000;

export const usageQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...KEY, 'report', from, to],
    queryFn: ({ signal }) => api.get('/ext/usage', { query: { from, to }, signal }),
    refetchInterval: POLL_MS,
  });

export const budgetQuery = (sessionId?: string) =>
  queryOptions({
    queryKey: [...KEY, 'budget', sessionId ?? ''],
    queryFn: async ({ signal }) => (await api.get('/ext/usage/budget', { query: { sessionId }, signal })).budget,
    refetchInterval: POLL_MS,
  });

export const pricesQuery = queryOptions({
  queryKey: [...KEY, 'prices'],
  queryFn: async ({ signal }) => (await api.get('/ext/usage/prices', { signal })).models,
});

export const refreshUsage = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });

/** All of these throw ApiError. */
export const setBudget = (limits: BudgetLimits): Promise<unknown> => api.post('/ext/usage/budget', { body: limits });

export const passBudget = (scope: 'day' | 'session', sessionId?: string): Promise<unknown> =>
  api.post('/ext/usage/budget/continue', { body: { scope, ...(sessionId !== undefined && { sessionId }) } });

export const setPrice = (model: string, price: Price | null): Promise<unknown> =>
  api.post('/ext/usage/prices', { body: { model, price } });
