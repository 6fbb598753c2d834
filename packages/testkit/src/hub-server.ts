import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A repository described by a test; missing fields have defaults. */
export interface HubRepositoryGiven {
  /** 40 hexadecimal digits. */
  sha?: string;
  downloads?: number;
  likes?: number;
  gated?: false | 'auto' | 'manual';
  pipelineTag?: string;
  license?: string;
  tags?: string[];
  architecture?: string;
  /** ISO 8601. */
  changedAt?: string;
  readme?: string;
  /** By path; the content of each file. */
  files?: Record<string, Buffer>;
}

export interface HubServerRequest {
  /** `files`: where large files are, on another host. */
  to: 'hub' | 'files';
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingMessage['headers'];
}

/** Responds itself, or returns false to use the default. */
export type HubIntercept = (asked: HubServerRequest, response: ServerResponse) => boolean | Promise<boolean>;

/** The model hub's interface over loopback, as far as Fucina uses it; `origins` is for `redirectOrigins`. */
export interface HubServer extends AsyncDisposable {
  origins: Readonly<Record<string, string>>;
  requests: HubServerRequest[];
  repositories: Map<string, HubRepositoryGiven>;
  /** The file manifest of a repository for `POST /hub/download`. */
  manifest(repo: string, paths: readonly string[], id?: string): HubManifest;
  intercept(act: HubIntercept | undefined): void;
}

export interface HubManifest {
  id: string;
  repo: string;
  revision: string;
  files: { path: string; bytes: number; sha256: string }[];
  bytes: number;
  path: string;
  license: string;
}

const HUB = 'https://huggingface.co';
const FILES = 'https://cas-bridge.xethub.hf.co';
const SHA = 'a'.repeat(40);

export async function createHubServer(given: Record<string, HubRepositoryGiven> = {}): Promise<HubServer> {
  const repositories = new Map(Object.entries(given));
  const requests: HubServerRequest[] = [];
  let intercept: HubIntercept | undefined;
  const serve =
    (to: 'hub' | 'files', answer: (url: URL, call: Call) => void) =>
    async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const asked = { to, method: request.method ?? '', path: request.url ?? '/', headers: request.headers };
      requests.push(asked);
      const body = await bodyOf(request);
      if (await intercept?.(asked, response)) return;
      answer(new URL(asked.path, HUB), { request, response, body, repositories });
    };
  const servers = [createServer(serve('hub', answerHub)), createServer(serve('files', answerFile))];
  const [hub, files] = await Promise.all(servers.map(listen));

  return {
    origins: { [HUB]: hub ?? '', [FILES]: files ?? '' },
    requests,
    repositories,
    manifest: (repo, paths, id = 'tiny') => manifestOf(repositories, { repo, paths, id }),
    intercept(act) {
      intercept = act;
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
  repositories: Map<string, HubRepositoryGiven>;
}

function manifestOf(
  repositories: Map<string, HubRepositoryGiven>,
  { repo, paths, id }: { repo: string; paths: readonly string[]; id: string },
): HubManifest {
  const { sha = SHA, license = 'mit', files = {} } = repositories.get(repo) ?? {};
  const rows = paths.map((path) => {
    const content = files[path] ?? Buffer.alloc(0);
    return { path, bytes: content.length, sha256: sumOf(content) };
  });
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return { id, repo, revision: sha, files: rows, bytes, path: paths[0] ?? '', license };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text;
}

function answerHub(url: URL, call: Call): void {
  if (url.pathname === '/api/models') return search(url, call);
  const [, kind, repo = '', act, revision, path = ''] =
    /^\/(api\/models\/|)([^/]+\/[^/]+)\/(revision|paths-info|resolve)\/([^/]+)\/?(.*)$/.exec(url.pathname) ?? [];
  const found = call.repositories.get(repo);
  const isKnown = found && (revision === 'HEAD' || revision === (found.sha ?? SHA));
  if (!isKnown) return sendJson(call, { error: 'Repository not found' }, 404);
  if (act === 'revision') return sendJson(call, row(repo, found));
  if (act === 'paths-info') return pathsInfo(found, call);
  if (kind === '' && act === 'resolve') return resolve({ repo, path: decodeURIComponent(path), found }, call);
  sendJson(call, { error: 'Not found' }, 404);
}

function search(url: URL, call: Call): void {
  const asked = url.searchParams;
  const words = (asked.get('search') ?? '').toLowerCase();
  const wanted = asked.getAll('filter');
  const rows = [...call.repositories]
    .map(([repo, found]) => row(repo, found))
    .filter(({ id }) => id.toLowerCase().includes(words) && id.startsWith(asked.get('author') ?? ''))
    .filter(({ tags }) => wanted.every((filter) => tags.includes(filter)));
  const by = (asked.get('sort') ?? 'downloads') as 'downloads';
  const sign = asked.get('direction') === '1' ? 1 : -1;
  rows.sort((a, b) => (a[by] < b[by] ? -sign : a[by] > b[by] ? sign : 0));
  const from = Number(asked.get('cursor') ?? 0);
  const limit = Number(asked.get('limit') ?? 1_000);
  const next = new URL(url);
  next.searchParams.set('cursor', String(from + limit));
  if (from + limit < rows.length) call.response.setHeader('link', `<${next.href}>; rel="next"`);
  sendJson(call, rows.slice(from, from + limit));
}

function row(repo: string, found: HubRepositoryGiven) {
  const {
    license = 'mit',
    sha = SHA,
    downloads = 0,
    likes = 0,
    gated = false,
    changedAt = '2026-01-01T00:00:00Z',
  } = found;
  return {
    _id: `id-${repo}`,
    id: repo,
    sha,
    downloads,
    likes,
    gated,
    private: false,
    pipeline_tag: found.pipelineTag ?? 'text-generation',
    tags: ['gguf', `license:${license}`, ...(found.tags ?? [])],
    cardData: { license },
    createdAt: changedAt,
    lastModified: changedAt,
    siblings: ['README.md', ...Object.keys(found.files ?? {})].map((rfilename) => ({ rfilename })),
    ...(found.architecture !== undefined && { gguf: { architecture: found.architecture } }),
  };
}

function pathsInfo({ files = {} }: HubRepositoryGiven, call: Call): void {
  const { paths } = JSON.parse(call.body) as { paths: string[] };
  const known = paths.filter((path) => path in files);
  sendJson(
    call,
    known.map((path) => {
      const content = files[path] ?? Buffer.alloc(0);
      return {
        type: 'file',
        path,
        oid: 'b'.repeat(40),
        size: content.length,
        lfs: { oid: sumOf(content), size: content.length, pointerSize: 135 },
        securityFileStatus: { status: 'safe' },
      };
    }),
  );
}

function resolve(asked: { repo: string; path: string; found: HubRepositoryGiven }, call: Call): void {
  const { repo, path, found } = asked;
  const content = found.files?.[path];
  if (path === 'README.md' && found.readme !== undefined) return void call.response.end(found.readme);
  if (!content) return sendJson(call, { error: 'Entry not found' }, 404);
  const location = `${FILES}/${repo}/${path.split('/').map(encodeURIComponent).join('/')}?signature=x`;
  call.response
    .writeHead(302, { location, 'x-linked-size': content.length, 'x-linked-etag': `"${sumOf(content)}"` })
    .end();
}

function answerFile(url: URL, call: Call): void {
  const [, repo = '', path = ''] = /^\/([^/]+\/[^/]+)\/(.+)$/.exec(decodeURIComponent(url.pathname)) ?? [];
  const content = call.repositories.get(repo)?.files?.[path];
  if (!content) return void call.response.writeHead(404).end();
  const start = Number(/^bytes=(\d+)-$/.exec(call.request.headers.range ?? '')?.[1] ?? 0);
  const rest = content.subarray(start);
  const range = { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` };
  call.response.writeHead(start > 0 ? 206 : 200, { 'content-length': rest.length, ...(start > 0 && range) }).end(rest);
}

const sums = new WeakMap<Buffer, string>();

function sumOf(content: Buffer): string {
  const known = sums.get(content) ?? createHash('sha256').update(content).digest('hex');
  sums.set(content, known);
  return known;
}

function sendJson({ response }: Call, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
