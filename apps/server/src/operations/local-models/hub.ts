import * as z from 'zod';
import { bytes, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { hubFound, hubRepoQuery, hubRepository, hubSearchQuery } from '../../wire/local-model.ts';

const tag = 'Local models';
const errors = [
  'RUNTIME_NOT_AVAILABLE',
  'HUB_HUB_INVALID',
  'HUB_HUB_UPSTREAM',
  'HUB_HUB_RESPONSE_INVALID',
  'HUB_REPOSITORY_GATED',
  'HUB_RATE_LIMITED',
  'HUB_REDIRECT_INVALID',
  'HUB_REDIRECT_HOST_REJECTED',
] as const;
const invalid = 'HUB_HUB_INVALID' as const;

export const searchHub = operation({
  id: 'hub.search',
  tag,
  summary: 'Search the model hub',
  method: 'GET',
  path: '/hub/search',
  query: hubSearchQuery,
  refusals: {
    query: invalid,
    limit: invalid,
    cursor: invalid,
    sort: invalid,
    direction: invalid,
    author: invalid,
    filter: invalid,
  },
  answer: json(hubFound),
  errors,
  handle: async ({ query, services, signal }) => {
    const { items, nextCursor } = await services.localModels.hub.search(query, signal);
    return { items: [...items], nextCursor };
  },
});

export const readHubRepository = operation({
  id: 'hub.repo',
  tag,
  summary: 'A repository of the hub; its files when a revision is given',
  method: 'GET',
  path: '/hub/repo',
  query: hubRepoQuery,
  answer: json(hubRepository),
  errors: [...errors, 'HUB_RESOLVE_INVALID'],
  handle: ({ query, services, signal }) => services.localModels.hub.repository(query, signal),
});

export const readHubImage = operation({
  id: 'hub.image',
  tag,
  summary: 'An image of a hub page, through this server',
  method: 'GET',
  path: '/hub/image',
  query: z.strictObject({ url: z.string().min(1).max(4_096) }),
  answer: bytes('image/*'),
  headers: { 'Cache-Control': 'private, max-age=3600' },
  errors: [
    'RUNTIME_NOT_AVAILABLE',
    'HUB_IMAGE_URL_INVALID',
    'HUB_IMAGE_HOST_REJECTED',
    'HUB_IMAGE_REDIRECT_REJECTED',
    'HUB_IMAGE_PRIVATE_ADDRESS',
    'HUB_IMAGE_DNS_FAILED',
    'HUB_IMAGE_ABORTED',
    'HUB_IMAGE_UPSTREAM',
    'HUB_IMAGE_MIME_REJECTED',
    'HUB_IMAGE_TOO_LARGE',
    'HUB_IMAGE_CONFIG_INVALID',
  ],
  handle: async ({ query, services, signal }) => {
    const { bytes: content, mediaType } = await services.localModels.hub.image(query.url, signal);
    return { content, sizeBytes: content.length, mediaType };
  },
});
