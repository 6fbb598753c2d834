import * as z from 'zod';
import { json, list } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { catalogExtras, catalogOnWire, modelRow } from '../../wire/model.ts';
import { probeResult, providerRow } from '../../wire/provider.ts';

const tag = 'Models and providers';
export const providerParams = z.strictObject({ providerId: z.string().min(1).max(64) });

export const listProviders = operation({
  id: 'providers.list',
  tag,
  summary: 'Providers and whether each is configured, never the keys',
  method: 'GET',
  path: '/providers',
  answer: json(z.object({ items: z.array(providerRow) })),
  errors: ['PROVIDER_STORE_UNAVAILABLE'],
  handle: async ({ services }) => ({ items: await services.providers.registry.list() }),
});

export const providerModels = operation({
  id: 'providers.models',
  tag,
  summary: 'Models a provider offers',
  method: 'GET',
  path: '/providers/{providerId}/models',
  params: providerParams,
  answer: json(z.object({ provider: z.string(), modelli: z.array(modelRow) })),
  errors: ['REPORT_UNAVAILABLE', 'RUNTIME_UNREACHABLE', 'CATALOG_CONFIGURATION_REQUIRED', 'CATALOG_UNREACHABLE'],
  handle: async ({ params, services }) => ({
    provider: params.providerId,
    modelli: [...(await services.providers.catalog.list(params.providerId))],
  }),
});

export const listModels = operation({
  id: 'models.list',
  tag,
  summary: 'Catalog of every configured provider and the local engine',
  method: 'GET',
  path: '/models',
  query: z.strictObject({ forza: z.literal('1').optional() }),
  answer: list('modelli', modelRow, catalogExtras),
  errors: ['REPORT_UNAVAILABLE', 'CATALOG_UNREACHABLE', 'CATALOG_UPSTREAM_ERROR'],
  handle: async ({ query, services }) =>
    catalogOnWire(await services.providers.catalog.listAll({ isForced: query.forza === '1' })),
});

export const testProvider = operation({
  id: 'providers.test',
  tag,
  summary: 'Test the connection to the provider, free of charge',
  method: 'POST',
  path: '/providers/{providerId}/test',
  params: providerParams,
  answer: json(probeResult),
  errors: ['PROVIDER_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  handle: async ({ params, services, language }) => ({
    result: await services.providers.test(params.providerId),
    language,
  }),
});
