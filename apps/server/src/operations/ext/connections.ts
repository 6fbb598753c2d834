import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { connectionChange, connectionRow } from '../../wire/connection.ts';
import { providerParams } from '../providers/providers.ts';

const tag = 'Extensions';
const path = '/ext/providers/{providerId}/connection';
const answer = json(z.object({ connessione: connectionRow }));

export const readConnection = operation({
  id: 'ext.connection.read',
  tag,
  summary: "A provider's address and the names of its extra headers",
  method: 'GET',
  path,
  params: providerParams,
  answer,
  errors: ['PROVIDER_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  handle: async ({ params, services }) => ({
    connessione: await services.providers.connections.get(params.providerId),
  }),
});

export const changeConnection = operation({
  id: 'ext.connection.change',
  tag,
  summary: 'Change the address of a provider, also a fixed one, and its extra headers',
  method: 'POST',
  path,
  params: providerParams,
  body: connectionChange,
  // Header values need more than the default.
  bodyLimit: 256 * 1024,
  answer,
  errors: [
    'PROVIDER_INVALID',
    'PROVIDER_STORE_UNAVAILABLE',
    'PROVIDER_RUNTIME_INVALID',
    'PROVIDER_RUNTIME_UNAVAILABLE',
  ],
  guards: ['token', 'from-window:ORIGIN_FORBIDDEN'],
  handle: async ({ params, body, services }) => ({
    connessione: await services.providers.connections.change(params.providerId, body),
  }),
});
