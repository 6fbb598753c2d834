import type { DownloadStatus, HubModel, HubRepository, ModelRecord } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { wholeNumber } from './common.ts';

const bytes = z.number().int().positive();
const file = z.object({ path: z.string(), bytes, sha256: z.string() });

export const modelParams = z.strictObject({ modelId: z.string().min(1).max(200) });
export const downloadParams = z.strictObject({ downloadId: z.string().min(1).max(200) });

export const installedModel = encoded(
  z.object({
    id: z.string(),
    name: z.string().optional(),
    repo: z.string(),
    revision: z.string(),
    files: z.array(file),
    bytes: z.number().int(),
    sha256: z.string(),
    path: z.string(),
    license: z.string(),
    state: z.enum(['incomplete', 'ready', 'failed']),
    updatedAt: z.string(),
  }),
  (model: ModelRecord) => ({ ...model, files: [...model.files] }),
).meta({ id: 'InstalledModel' });

/** As the window shows them before an import; invalid ones are LOCAL_IMPORT_INVALID. */
export const importHeaders = {
  'x-svc-model-id': z.string(),
  'x-svc-model-filename': z.string(),
  'x-svc-model-bytes': z.string(),
  'x-svc-model-name': z.string(),
};

const digitsBetween = (min: number, max: number) => wholeNumber.pipe(z.number().min(min).max(max));

/** One value, or the same parameter several times. */
const repeatable = z.codec(
  z.union([z.string().min(1).max(80), z.array(z.string().min(1).max(80)).max(20)]),
  z.array(z.string()),
  {
    decode: (given) => (typeof given === 'string' ? [given] : given),
    encode: (texts) => texts,
  },
);

const direction = z.codec(z.enum(['-1', '1']), z.literal([-1, 1]), {
  decode: (text) => (text === '1' ? (1 as const) : (-1 as const)),
  encode: (value) => (value === 1 ? '1' : '-1'),
});

export const hubSearchQuery = renamed(
  z.strictObject({
    query: z.string().max(200).optional(),
    limit: digitsBetween(1, 50).default(20),
    cursor: z.string().min(1).max(2_000).optional(),
    sort: z.enum(['downloads', 'likes', 'created', 'lastModified']).default('downloads'),
    direction: direction.default(-1),
    author: z.string().max(100).optional(),
    filter: repeatable.optional(),
  }),
  { filter: 'filters' },
);

const text = z.string().nullable();
const count = z.number().int().nullable();

export const hubFound = z.object({
  items: z.array(
    encoded(
      z.object({
        repo: z.string(),
        revision: text,
        downloads: count,
        likes: count,
        gated: z.boolean(),
        pipelineTag: text,
        license: text,
        tags: z.array(z.string()),
      }),
      ({ isGated, tags, ...model }: HubModel) => ({ ...model, gated: isGated, tags: [...tags] }),
    ).meta({ id: 'HubModel' }),
  ),
  nextCursor: text,
});

export const hubRepoQuery = z.strictObject({ repo: z.string(), revision: z.string().optional() });

export const hubRepository = encoded(
  z.object({
    repo: z.string(),
    revision: z.string(),
    gated: z.boolean(),
    license: text,
    readme: z.string(),
    images: z.array(z.object({ alt: z.string(), url: z.string() })),
    downloads: count,
    likes: count,
    pipelineTag: text,
    files: z.array(z.object({ path: z.string(), sizeBytes: z.number().int(), sha256: z.string(), security: text })),
    motoreConosce: z.boolean().nullable(),
  }),
  ({ isGated, isKnownToEngine, images, files, ...found }: HubRepository) => ({
    ...found,
    gated: isGated,
    images: [...images],
    files: [...files],
    motoreConosce: isKnownToEngine,
  }),
).meta({ id: 'HubRepository' });

export const download = z
  .object({
    id: z.string(),
    state: z.enum(['queued', 'running', 'verifying', 'ready', 'paused', 'failed', 'cancelled']),
    progress: z.number().int(),
    bytes: z.number().int(),
    totalBytes: z.number().int(),
    reason: text,
    startedAt: z.string(),
  } satisfies Record<keyof DownloadStatus, z.ZodType>)
  .meta({ id: 'Download' });

const manifestFile = z.strictObject({ path: z.string(), bytes, sha256: z.string().regex(/^[0-9a-f]{64}$/i) });

/** A manifest as returned: fields of an installed model may be sent, but are ignored. */
export const downloadManifest = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  repo: z.string(),
  revision: z.string().regex(/^[0-9a-f]{40,64}$/),
  files: z.array(manifestFile).min(1).max(200),
  bytes,
  path: z.string().max(4_096),
  license: z.string(),
  sha256: z.string().optional(),
  state: z.string().optional(),
  updatedAt: z.string().optional(),
});

/** Every field has its own error code. */
export const manifestRefusals = {
  id: 'HUB_TRANSFER_INVALID',
  name: 'HUB_TRANSFER_INVALID',
  repo: 'HUB_TRANSFER_INVALID',
  revision: 'HUB_TRANSFER_INVALID',
  files: 'HUB_TRANSFER_INVALID',
  bytes: 'HUB_TRANSFER_INVALID',
  license: 'HUB_TRANSFER_INVALID',
  path: 'HUB_PATH_REJECTED',
} as const;
