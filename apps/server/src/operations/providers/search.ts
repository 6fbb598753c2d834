import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { searchTest, searchView } from '../../wire/search.ts';

const tag = 'Models and providers';
const source = z.string().max(64);
const KEY_BODY_LIMIT = 16 * 1024;

export const readSearchSource = operation({
  id: 'search.read',
  tag,
  summary: 'Search sources and the active one, never the keys',
  method: 'GET',
  path: '/search-source',
  answer: json(searchView),
  errors: ['SEARCH_STORE_UNAVAILABLE', 'SEARCH_SOURCE_INVALID'],
  handle: async ({ services, language }) => ({ view: await services.providers.search.view(), language }),
});

export const chooseSearchSource = operation({
  id: 'search.choose',
  tag,
  summary: 'Choose the source',
  method: 'POST',
  path: '/search-source',
  body: z.strictObject({ source, endpoint: z.string().max(4_096).optional() }),
  answer: json(searchView),
  errors: ['SEARCH_STORE_UNAVAILABLE', 'SEARCH_SOURCE_INVALID', 'SEARCH_ENDPOINT_INVALID', 'SEARCH_NOT_READY'],
  handle: async ({ body, services, language }) => ({
    view: await services.providers.search.choose(body.source, body.endpoint),
    language,
  }),
});

export const saveSearchKey = operation({
  id: 'search.save-key',
  tag,
  summary: 'Save the key of a source',
  method: 'POST',
  path: '/search-source/key',
  body: z.strictObject({ source, key: z.string() }),
  bodyLimit: KEY_BODY_LIMIT,
  answer: json(searchView),
  errors: ['SEARCH_STORE_UNAVAILABLE', 'SEARCH_SOURCE_INVALID', 'SEARCH_KEY_REQUIRED', 'SEARCH_KEY_INVALID'],
  handle: async ({ body, services, language }) => ({
    view: await services.providers.search.saveKey(body.source, body.key),
    language,
  }),
});

export const removeSearchKey = operation({
  id: 'search.remove-key',
  tag,
  summary: 'Remove the key of a source',
  method: 'POST',
  path: '/search-source/key/remove',
  body: z.strictObject({ source }),
  answer: json(searchView),
  errors: ['SEARCH_STORE_UNAVAILABLE', 'SEARCH_SOURCE_INVALID'],
  handle: async ({ body, services, language }) => ({
    view: await services.providers.search.removeKey(body.source),
    language,
  }),
});

export const testSearchSource = operation({
  id: 'search.test',
  tag,
  summary: 'Try the active source',
  method: 'POST',
  path: '/search-source/test',
  body: z.strictObject({ query: z.string().trim().min(1).max(400).optional() }),
  answer: json(searchTest),
  errors: [
    'SEARCH_STORE_UNAVAILABLE',
    'SEARCH_SOURCE_INVALID',
    'SEARCH_NOT_READY',
    'SEARCH_BLOCKED',
    'SEARCH_UNREACHABLE',
    'SEARCH_FAILED',
  ],
  handle: ({ body, services }) => services.providers.search.test(body.query),
});
