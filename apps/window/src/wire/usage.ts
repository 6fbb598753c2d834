import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Schemas = components['schemas'];
export type UsageRow = Schemas['UsageRow'];
export type Budget = Schemas['Budget'];
export type BudgetLimits = Budget['limiti'];
export type PricedModel = Schemas['PricedModel'];
export type Price = NonNullable<PricedModel['prezzo']>;

export interface UsageReport {
  da: string;
  a: string;
  righe: readonly UsageRow[];
}

const BASE = ['ext', 'consumo'];
const KEY = ['usage'];
const POLL_MS = 15_000;

export const usageQuery = (da: string, a: string) =>
  queryOptions({
    queryKey: [...KEY, 'report', da, a],
    queryFn: ({ signal }) => read<UsageReport>(address(BASE, { da, a }), signal),
    refetchInterval: POLL_MS,
  });

export const budgetQuery = (sessionId?: string) =>
  queryOptions({
    queryKey: [...KEY, 'budget', sessionId ?? ''],
    queryFn: async ({ signal }) =>
      (await read<{ budget: Budget }>(address([...BASE, 'budget'], { sessionId }), signal)).budget,
    refetchInterval: POLL_MS,
  });

export const pricesQuery = queryOptions({
  queryKey: [...KEY, 'prices'],
  queryFn: async ({ signal }) => (await read<{ modelli: PricedModel[] }>(address([...BASE, 'prezzi']), signal)).modelli,
});

export const refreshUsage = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });

/** All of these throw WireError. */
export const setBudget = (limits: BudgetLimits): Promise<unknown> => send(address([...BASE, 'budget']), limits);

export const passBudget = (ambito: 'giorno' | 'sessione', sessionId?: string): Promise<unknown> =>
  send(address([...BASE, 'budget', 'prosegui']), { ambito, ...(sessionId !== undefined && { sessionId }) });

export const setPrice = (modello: string, prezzo: Price | null): Promise<unknown> =>
  send(address([...BASE, 'prezzi']), { modello, prezzo });
