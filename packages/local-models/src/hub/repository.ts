import { accepted, isAppError, type OutboundHttp, parseRelativePath, textStart } from '@fucina/shared';
import * as z from 'zod';
import { localModelsError } from '../errors.ts';
import { asHubError, askHub, HUB, textOf } from './hub-http.ts';
import { type ReadmeImage, splitReadme } from './readme.ts';
import { isGated, isRepo, isRevision, licenseIn } from './search.ts';

export interface HubFile {
  path: string;
  sizeBytes: number;
  sha256: string;
  /** Result of the hub's security scan, in its own words. */
  security: string | null;
}

export interface HubRepository {
  repo: string;
  revision: string;
  isGated: boolean;
  license: string | null;
  /** Markdown without images. */
  readme: string;
  images: readonly ReadmeImage[];
  downloads: number | null;
  likes: number | null;
  pipelineTag: string | null;
  /** The `*.gguf` files; empty unless a revision was requested. */
  files: readonly HubFile[];
  /** Whether the engine supports this architecture; null: unknown. */
  isKnownToEngine: boolean | null;
}

export interface RepositoryNeeds {
  http: OutboundHttp;
  /** Whether the engine supports an architecture, by its name in the file; default: unknown. */
  knowsArchitecture?(name: string): Promise<boolean | null>;
}

const README_BYTES = 262_144;
const MAX_PATHS = 200;
/** Maximum files listed per repository. */
const MAX_FILES = 1_000;

const count = z.number().int().nonnegative().nullish();
const info = z.object({
  name: z.string(),
  sha: z.string(),
  gated: z.union([z.boolean(), z.string()]).nullish(),
  downloads: count,
  likes: count,
  task: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  cardData: z.object({ license: z.unknown() }).nullish().catch(null),
  filePaths: z.array(z.string()),
  gguf: z.object({ architecture: z.string() }).nullish().catch(null),
});
const facts = z.array(
  z.object({
    path: z.string(),
    size: z.number().optional(),
    lfs: z.object({ oid: z.string(), size: z.number() }).nullish(),
    securityFileStatus: z
      .object({ status: z.string().max(80) })
      .nullish()
      .catch(null),
  }),
);

/** One repository of the hub; its files only for a given revision. */
export async function describeRepository(
  needs: RepositoryNeeds,
  asked: { repo: string; revision?: string | undefined },
  signal?: AbortSignal,
): Promise<HubRepository> {
  if (!isRepo(asked.repo)) throw localModelsError('HUB_HUB_INVALID', { params: { field: 'repo' } });
  if (asked.revision !== undefined && !isRevision(asked.revision)) {
    throw localModelsError('HUB_HUB_INVALID', { params: { field: 'revision' } });
  }
  const hub = await client(needs.http, signal);
  const found = checked(info, await hub.info(asked));
  const { sha: revision, cardData, tags, gguf } = found;
  const isAsked = asked.revision === undefined || asked.revision === revision;
  if (!isRevision(revision) || !isAsked) throw localModelsError('HUB_HUB_RESPONSE_INVALID', { reason: 'revision' });
  const names = found.filePaths.filter(isGguf).slice(0, MAX_FILES);
  return {
    repo: asked.repo,
    revision,
    isGated: isGated(found.gated),
    license: typeof cardData?.license === 'string' ? cardData.license : licenseIn(tags ?? []),
    ...(await readmeOf(needs.http, { repo: asked.repo, revision }, signal)),
    downloads: found.downloads ?? null,
    likes: found.likes ?? null,
    pipelineTag: found.task ?? null,
    files: asked.revision === undefined ? [] : await hub.files({ repo: asked.repo, revision, names }),
    isKnownToEngine: gguf ? ((await needs.knowsArchitecture?.(gguf.architecture)) ?? null) : null,
  };
}

interface HubClient {
  info(asked: { repo: string; revision?: string | undefined }): Promise<unknown>;
  files(asked: { repo: string; revision: string; names: readonly string[] }): Promise<HubFile[]>;
}

/** The hub's own library makes the requests, through our HTTP client with its rules and limits. */
async function client(http: OutboundHttp, signal: AbortSignal | undefined): Promise<HubClient> {
  const { modelInfo, pathsInfo } = await import('@huggingface/hub');
  const base = { hubUrl: HUB, fetch: fetchBy(http, signal) };
  return {
    info: ({ repo, revision }) =>
      guarded(() =>
        // The hub returns `gguf`, which the library's types lack.
        modelInfo({
          ...base,
          name: repo,
          revision,
          additionalFields: ['sha', 'cardData', 'tags', 'filePaths', 'gguf' as 'tags'],
        }),
      ),
    async files({ repo, revision, names }) {
      const found: HubFile[] = [];
      for (let from = 0; from < names.length; from += MAX_PATHS) {
        const paths = names.slice(from, from + MAX_PATHS);
        const rows = checked(facts, await guarded(() => pathsInfo({ ...base, repo, revision, paths, expand: true })));
        found.push(...rows.filter(({ path }) => paths.includes(path)).map(fileOf));
      }
      return found;
    },
  };
}

function fetchBy(http: OutboundHttp, signal: AbortSignal | undefined): typeof fetch {
  return async (input, init) => {
    const answer = await askHub(http, {
      url: input instanceof Request ? input.url : String(input),
      method: init?.method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' && { body: init.body }),
      failure: 'HUB_HUB_UPSTREAM',
      signal,
    });
    const { link } = answer.headers;
    return new Response(await textOf(answer), { status: 200, headers: { ...(link !== undefined && { link }) } });
  };
}

/** An answer that the library cannot parse is an invalid response. */
async function guarded<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw localModelsError('HUB_HUB_RESPONSE_INVALID', { cause });
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw localModelsError('HUB_HUB_RESPONSE_INVALID', { cause: result.error });
}

/** A file that could not be verified after the download is not offered. */
function fileOf({ path, lfs, securityFileStatus }: z.output<typeof facts>[number]): HubFile {
  const isWhole = lfs && Number.isSafeInteger(lfs.size) && lfs.size > 0 && /^[0-9a-f]{64}$/.test(lfs.oid);
  if (!isWhole) throw localModelsError('HUB_RESOLVE_INVALID', { params: { file: textStart(path, 200) } });
  return { path, sizeBytes: lfs.size, sha256: lfs.oid, security: securityFileStatus?.status ?? null };
}

function isGguf(path: string): boolean {
  return /\.gguf$/i.test(path) && accepted(parseRelativePath, path) === path;
}

/** A model may lack a card, or restrict access to it. */
async function readmeOf(
  http: OutboundHttp,
  { repo, revision }: { repo: string; revision: string },
  signal: AbortSignal | undefined,
): Promise<Pick<HubRepository, 'readme' | 'images'>> {
  const base = `${HUB}/${repo}/resolve/${revision}/`;
  try {
    const answer = await askHub(http, { url: `${base}README.md`, failure: 'HUB_HUB_UPSTREAM', signal });
    return splitReadme(await firstText(answer.body), base);
  } catch (error) {
    const isNone = isAppError(error, 'HUB_REPOSITORY_GATED') || (isAppError(error) && error.reason === 'not-found');
    if (!isNone) throw error;
    return { readme: '', images: [] };
  }
}

async function firstText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= README_BYTES) break;
    }
  } catch (error) {
    throw asHubError(error, 'HUB_HUB_UPSTREAM');
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, README_BYTES));
}
