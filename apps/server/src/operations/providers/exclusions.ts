import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { builtInExclusions, excludedFromAnswer, exclusionChange, exclusionRows } from '../../wire/exclusion.ts';

const tag = 'Models and providers';
const guards: readonly Guard[] = ['token', 'from-window:PROVIDER_SETTINGS_ORIGIN_FORBIDDEN'];
const BODY_LIMIT = 16 * 1024;
const name = z.string().trim().min(1).max(240);

export const changeExclusions = operation({
  id: 'aggregator.change-exclusions',
  tag,
  summary: 'Replace the list of downstream providers to exclude, and the built-in exclusions',
  method: 'POST',
  path: '/providers/aggregator/esclusi',
  body: exclusionChange,
  bodyLimit: BODY_LIMIT,
  answer: json(exclusionRows),
  errors: ['PROVIDER_SETTINGS_ORIGIN_FORBIDDEN', 'PROVIDER_RUNTIME_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  guards,
  handle: ({ body, services }) => services.providers.exclusions.change(body),
});

export const excludeFromAnswer = operation({
  id: 'aggregator.exclude-from-answer',
  tag,
  summary: 'Exclude the downstream provider named by an answer',
  method: 'POST',
  path: '/providers/aggregator/esclusi/dalla-risposta',
  body: renamed(z.strictObject({ fornitore: name, modello: name }), { fornitore: 'providerName', modello: 'model' }),
  bodyLimit: BODY_LIMIT,
  answer: json(excludedFromAnswer),
  errors: [
    'PROVIDER_SETTINGS_ORIGIN_FORBIDDEN',
    'AGGREGATOR_PROVIDER_NOT_FOUND',
    'AGGREGATOR_ENDPOINTS_UNAVAILABLE',
    'PROVIDER_STORE_UNAVAILABLE',
  ],
  guards,
  handle: ({ body, services }) => services.providers.exclusions.fromAnswer(body),
});

export const switchBuiltIn = operation({
  id: 'aggregator.switch-built-in-exclusion',
  tag,
  summary: 'Switch one built-in exclusion off or on',
  method: 'POST',
  path: '/providers/aggregator/esclusi/di-serie',
  body: renamed(z.strictObject({ modello: name, slug: name, attivo: z.boolean() }), {
    modello: 'model',
    attivo: 'isActive',
  }),
  bodyLimit: BODY_LIMIT,
  answer: json(builtInExclusions),
  errors: ['PROVIDER_SETTINGS_ORIGIN_FORBIDDEN', 'PROVIDER_RUNTIME_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  guards,
  handle: ({ body, services }) => services.providers.exclusions.change({ builtIn: [body] }),
});
