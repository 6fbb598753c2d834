import type { OutboundHttp } from '@fucina/shared';
import * as z from 'zod';
import { localModelsError } from '../errors.ts';
import { askHub, HUB, textOf } from './hub-http.ts';

export interface HubSearch {
  /** At most 200 characters. */
  query?: string | undefined;
  /** 1 to 50. */
  limit: number;
  cursor?: string | undefined;
  sort: 'downloads' | 'likes' | 'created' | 'lastModified';
  direction: -1 | 1;
  author?: string | undefined;
  /** In addition to `gguf`, which always applies. */
  filters?: readonly string[] | undefined;
}

export interface HubModel {
  /** `owner/name` */
  repo: string;
  revision: string | null;
  downloads: number | null;
  likes: number | null;
  isGated: boolean;
  pipelineTag: string | null;
  license: string | null;
  tags: readonly string[];
}

export interface HubFound {
  items: readonly HubModel[];
  /** Opaque cursor of the next page. */
  nextCursor: string | null;
}

const MAX_TAGS = 40;
const SORTS = { downloads: 'downloads', likes: 'likes', created: 'createdAt', lastModified: 'lastModified' } as const;
const FIELDS = ['sha', 'downloads', 'likes', 'gated', 'pipeline_tag', 'tags'] as const;
const CURSOR = /^[\w\-+/=.~%]{1,2000}$/;
const REPO = /^[\w][\w.-]{0,95}\/[\w][\w.-]{0,95}$/;

const count = z.number().int().nonnegative().nullish();
const row = z.object({
  id: z.string().max(256),
  sha: z.string().nullish(),
  downloads: count,
  likes: count,
  gated: z.union([z.boolean(), z.string()]).nullish(),
  pipeline_tag: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});

/** `owner/name`, as the hub writes it. */
export function isRepo(text: string): boolean {
  return REPO.test(text) && !text.includes('..');
}

export async function searchHub(http: OutboundHttp, asked: HubSearch, signal?: AbortSignal): Promise<HubFound> {
  if (asked.cursor !== undefined && !CURSOR.test(asked.cursor)) {
    throw localModelsError('HUB_HUB_INVALID', { params: { field: 'cursor' } });
  }
  const answer = await askHub(http, { url: urlOf(asked), failure: 'HUB_HUB_UPSTREAM', signal });
  const rows = parsed(z.array(row), await textOf(answer));
  // Some old repositories have no owner: the interface cannot represent them.
  const items = rows.filter(({ id }) => isRepo(id)).map(modelOf);
  return { items: items.slice(0, asked.limit), nextCursor: cursorIn(answer.headers['link']) };
}

function urlOf(asked: HubSearch): string {
  const url = new URL('/api/models', HUB);
  const put = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') url.searchParams.append(name, value);
  };
  put('search', asked.query?.trim());
  put('author', asked.author?.trim());
  for (const filter of new Set(['gguf', ...(asked.filters ?? [])])) put('filter', filter);
  put('sort', SORTS[asked.sort]);
  put('direction', String(asked.direction));
  put('limit', String(asked.limit));
  put('cursor', asked.cursor);
  for (const field of FIELDS) put('expand', field);
  return url.href;
}

function modelOf({
  id,
  sha,
  downloads,
  likes,
  gated,
  pipeline_tag: pipelineTag,
  tags,
}: z.output<typeof row>): HubModel {
  return {
    repo: id,
    revision: sha && isRevision(sha) ? sha : null,
    downloads: downloads ?? null,
    likes: likes ?? null,
    isGated: isGated(gated),
    pipelineTag: pipelineTag ?? null,
    license: licenseIn(tags ?? []),
    tags: (tags ?? []).slice(0, MAX_TAGS),
  };
}

export function isRevision(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}

/** The hub returns `false`, or how access is granted. */
export function isGated(gated: boolean | string | null | undefined): boolean {
  return gated !== undefined && gated !== null && gated !== false;
}

export function licenseIn(tags: readonly string[]): string | null {
  const tag = tags.find((one) => one.startsWith('license:'));
  return tag ? tag.slice('license:'.length) : null;
}

/** HUB_HUB_RESPONSE_INVALID for invalid JSON, or another shape. */
export function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw localModelsError('HUB_HUB_RESPONSE_INVALID', { cause });
  }
}

/** Only the cursor of the hub's next-page address is returned. */
function cursorIn(link: string | undefined): string | null {
  const next = /<([^<>]{1,4000})>\s*;\s*rel="next"/.exec(link ?? '')?.[1];
  if (next === undefined || !URL.canParse(next, HUB)) return null;
  const cursor = new URL(next, HUB).searchParams.get('cursor');
  return cursor && CURSOR.test(cursor) ? cursor : null;
}
