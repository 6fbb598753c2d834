import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { runtimeChange, runtimeRow } from '../../wire/provider.ts';
import { providerParams } from './providers.ts';

const tag = 'Models and providers';
const AGENT_BODY_LIMIT = 1024 * 1024;

export const readRuntime = operation({
  id: 'providers.runtime',
  tag,
  summary: "A provider's address and limits",
  method: 'GET',
  path: '/providers/{providerId}/runtime',
  params: providerParams,
  answer: json(runtimeRow),
  errors: ['PROVIDER_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  handle: ({ params, services }) => services.providers.runtime.get(params.providerId),
});

export const changeRuntime = operation({
  id: 'providers.change-runtime',
  tag,
  summary: 'Change address and limits',
  method: 'POST',
  path: '/providers/{providerId}/runtime',
  params: providerParams,
  body: runtimeChange,
  bodyLimit: AGENT_BODY_LIMIT,
  answer: json(runtimeRow),
  errors: [
    'PROVIDER_INVALID',
    'PROVIDER_STORE_UNAVAILABLE',
    'PROVIDER_RUNTIME_INVALID',
    'PROVIDER_RUNTIME_UNAVAILABLE',
  ],
  handle: ({ params, body, services }) => services.providers.runtime.change(params.providerId, body),
});

export const resetRuntime = operation({
  id: 'providers.reset-runtime',
  tag,
  summary: 'Restore the default address',
  method: 'POST',
  path: '/providers/{providerId}/runtime/reset',
  params: providerParams,
  answer: json(runtimeRow),
  errors: ['PROVIDER_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  handle: ({ params, services }) => services.providers.runtime.reset(params.providerId),
});
