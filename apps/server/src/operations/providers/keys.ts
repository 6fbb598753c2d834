import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { providerRow } from '../../wire/provider.ts';
import { providerParams } from './providers.ts';

const tag = 'Models and providers';
const key = z.string();
const KEY_BODY_LIMIT = 16 * 1024;

export const setKey = operation({
  id: 'providers.set-key',
  tag,
  summary: 'Save the single key',
  method: 'POST',
  path: '/providers/{providerId}/key',
  params: providerParams,
  body: z.strictObject({ key }),
  bodyLimit: KEY_BODY_LIMIT,
  answer: json(providerRow),
  errors: ['PROVIDER_INVALID', 'PROVIDER_STORE_UNAVAILABLE', 'PROVIDER_KEY_REQUIRED', 'PROVIDER_KEY_INVALID'],
  handle: ({ params, body, services }) => services.providerKeys.set(params.providerId, body.key),
});

export const removeKey = operation({
  id: 'providers.remove-key',
  tag,
  summary: 'Remove the single key',
  method: 'POST',
  path: '/providers/{providerId}/key/remove',
  params: providerParams,
  answer: json(providerRow),
  errors: ['PROVIDER_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  handle: ({ params, services }) => services.providerKeys.removeAll(params.providerId),
});

export const addPoolKey = operation({
  id: 'providers.add-pool-key',
  tag,
  summary: 'Add a key to the pool',
  method: 'POST',
  path: '/providers/{providerId}/keys',
  params: providerParams,
  body: renamed(z.strictObject({ key, priorita: z.number().int().min(-1_000).max(1_000).optional() }), {
    priorita: 'priority',
  }),
  bodyLimit: KEY_BODY_LIMIT,
  answer: json(providerRow),
  errors: [
    'PROVIDER_INVALID',
    'PROVIDER_STORE_UNAVAILABLE',
    'PROVIDER_KEY_REQUIRED',
    'PROVIDER_KEY_INVALID',
    'PROVIDER_POOL_FULL',
  ],
  handle: ({ params, body, services }) => services.providerKeys.add(params.providerId, body),
});

export const removePoolKey = operation({
  id: 'providers.remove-pool-key',
  tag,
  summary: 'Remove a pool key by its fingerprint',
  method: 'POST',
  path: '/providers/{providerId}/keys/remove',
  params: providerParams,
  body: renamed(z.strictObject({ impronta: z.string().regex(/^[0-9a-f]{64}$/) }), { impronta: 'fingerprint' }),
  answer: json(providerRow),
  errors: ['PROVIDER_INVALID', 'PROVIDER_STORE_UNAVAILABLE', 'PROVIDER_KEY_NOT_FOUND'],
  handle: ({ params, body, services }) => services.providerKeys.remove(params.providerId, body.fingerprint),
});
