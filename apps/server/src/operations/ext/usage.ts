import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import {
  budgetLimits,
  budgetPass,
  budgetQuery,
  budgetView,
  priceChange,
  pricedModel,
  usageDays,
  usageReport,
} from '../../wire/usage.ts';

const tag = 'Extensions';
/** A limit holds for programs too: only the window, or a program with the token, may change one. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const oneBudget = json(z.object({ budget: budgetView }));

export const readUsage = operation({
  id: 'ext.usage.report',
  tag,
  summary: 'Tokens, cost and time by day, project and model',
  method: 'GET',
  path: '/ext/usage',
  query: usageDays,
  answer: json(usageReport),
  handle: ({ query, services }) => services.usage.report(query),
});

export const readBudget = operation({
  id: 'ext.usage.budget',
  tag,
  summary: 'The limits of use, and what is used today and by one session',
  method: 'GET',
  path: '/ext/usage/budget',
  query: budgetQuery,
  answer: oneBudget,
  handle: ({ query, services }) => ({ budget: services.usage.budget(query.sessionId) }),
});

export const setBudget = operation({
  id: 'ext.usage.set-budget',
  tag,
  summary: 'Set the limits of use; beyond them no turn starts',
  method: 'POST',
  path: '/ext/usage/budget',
  body: budgetLimits,
  answer: oneBudget,
  guards,
  handle({ body, services }) {
    services.usage.setLimits(body);
    return { budget: services.usage.budget() };
  },
});

export const passBudget = operation({
  id: 'ext.usage.pass-budget',
  tag,
  summary: 'Let turns start beyond the limit: today, or in one session',
  method: 'POST',
  path: '/ext/usage/budget/continue',
  body: budgetPass,
  answer: oneBudget,
  guards,
  handle({ body, services }) {
    services.usage.allow(body.scope, body.sessionId);
    return { budget: services.usage.budget(body.sessionId) };
  },
});

export const listPrices = operation({
  id: 'ext.usage.prices',
  tag,
  summary: 'Models used in the last 90 days with their prices',
  method: 'GET',
  path: '/ext/usage/prices',
  answer: json(z.object({ modelli: z.array(pricedModel) })),
  handle: ({ services }) => ({ modelli: services.usage.models() }),
});

export const setPrice = operation({
  id: 'ext.usage.set-price',
  tag,
  summary: 'Enter the price of a model, used where no other is known; null removes it',
  method: 'POST',
  path: '/ext/usage/prices',
  body: priceChange,
  answer: json(z.object({ modello: pricedModel })),
  errors: ['MODEL_ID_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  guards,
  handle: ({ body, services }) => ({ modello: services.usage.setPrice(body.model, body.price) }),
});
