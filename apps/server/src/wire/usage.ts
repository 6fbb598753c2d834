import type { BudgetView, PricedModel, UsageRow } from '@fucina/host';
import * as z from 'zod';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { sessionId, text } from './common.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
export const usageDays = renamed(z.strictObject({ da: day.optional(), a: day.optional() }), { da: 'from', a: 'to' });

const usageRow = encoded(
  z
    .object({
      giorno: z.string(),
      cartella: z.string(),
      modello: z.string(),
      chiamate: z.number().int(),
      tokenInput: z.number().int(),
      tokenOutput: z.number().int(),
      tokenCache: z.number().int(),
      costoUsd: z.number().nullable(),
      chiamateSenzaCosto: z.number().int(),
      durataMs: z.number().int(),
    })
    .meta({ id: 'UsageRow' }),
  (row: UsageRow) => ({
    giorno: row.day,
    cartella: row.folder,
    modello: row.model,
    chiamate: row.calls,
    tokenInput: row.promptTokens,
    tokenOutput: row.completionTokens,
    tokenCache: row.cachedTokens,
    costoUsd: row.usd,
    chiamateSenzaCosto: row.callsWithoutCost,
    durataMs: row.turnMs,
  }),
);
export const usageReport = renamed(z.object({ da: z.string(), a: z.string(), righe: z.array(usageRow) }), {
  da: 'from',
  a: 'to',
  righe: 'rows',
});

const limit = z.number().positive().max(1e12).nullable();
const limitFields = { giornoUsd: limit, giornoToken: limit, sessioneUsd: limit, sessioneToken: limit };
const limitNames = {
  giornoUsd: 'dayUsd',
  giornoToken: 'dayTokens',
  sessioneUsd: 'sessionUsd',
  sessioneToken: 'sessionTokens',
} as const;
export const budgetLimits = renamed(z.strictObject(limitFields), limitNames);

export const budgetQuery = z.strictObject({ sessionId: sessionId.optional() });

const spent = renamed(z.object({ usd: z.number(), token: z.number().int(), chiamateSenzaCosto: z.number().int() }), {
  token: 'tokens',
  chiamateSenzaCosto: 'callsWithoutCost',
});
const scope = mapped({ giorno: 'day', sessione: 'session' });
const state = renamed(
  z.object({
    livello: mapped({ entro: 'within', avviso: 'warning', fermo: 'stopped', consentito: 'allowed' }),
    ambito: scope.nullable(),
    unita: mapped({ usd: 'usd', token: 'tokens' }).nullable(),
    speso: z.number(),
    limite: z.number().nullable(),
  }),
  { livello: 'level', ambito: 'scope', unita: 'unit', speso: 'spent', limite: 'limit' },
);
const view = renamed(
  z.object({
    limiti: renamed(z.object(limitFields), limitNames),
    giorno: spent,
    sessione: spent.nullable(),
    stato: state,
  }),
  { limiti: 'limits', giorno: 'day', sessione: 'session', stato: 'state' },
);
export const budgetView = view.meta({ id: 'Budget' }) as typeof view & z.ZodType<BudgetView>;

export const budgetPass = renamed(z.strictObject({ ambito: scope, sessionId: sessionId.optional() }), {
  ambito: 'scope',
});

const perMillion = z.number().min(0).max(100_000);
const priceFields = { input: perMillion, output: perMillion, cache: perMillion.nullable() };
const priceNames = { input: 'promptPerMillion', output: 'completionPerMillion', cache: 'cachedPerMillion' } as const;
export const priceChange = renamed(
  z.strictObject({ modello: text.max(400), prezzo: renamed(z.strictObject(priceFields), priceNames).nullable() }),
  { modello: 'model', prezzo: 'price' },
);

export const pricedModel = encoded(
  z
    .object({ modello: z.string(), prezzo: z.object(priceFields).nullable(), proprio: z.boolean() })
    .meta({ id: 'PricedModel' }),
  ({ model, price, isOwn }: PricedModel) => ({
    modello: model,
    prezzo: price && {
      input: price.promptPerMillion,
      output: price.completionPerMillion,
      cache: price.cachedPerMillion,
    },
    proprio: isOwn,
  }),
);
