import { createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import {
  createHubServer,
  type HubIntercept,
  type HubRepositoryGiven,
  type HubServer,
  redirectOrigins,
} from '@fucina/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createHub, type Hub } from './hub.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const SHA = 'a'.repeat(40);
const README = `---
license: apache-2.0
---
# Tiny

![A picture](./pictures/a.png "of it") and <IMG width=3 alt='B' src="https://huggingface.co/b.png">

[![badge](https://img.shields.io/x.svg)](https://example.org) after

![by name][c]

[c]: https://huggingface.co/c.png
`;
const TINY: HubRepositoryGiven = {
  downloads: 12,
  likes: 3,
  license: 'apache-2.0',
  architecture: 'llama',
  readme: README,
  files: {
    'tiny.Q4_K_M.gguf': Buffer.from('GGUF tiny'),
    'more/other.gguf': Buffer.from('GGUF other'),
    notes: Buffer.from('x'),
  },
};

async function fixture(
  repositories: Record<string, HubRepositoryGiven> = { 'maker/tiny': TINY },
  more: Partial<Parameters<typeof createHub>[0]> = {},
): Promise<{ hub: Hub; server: HubServer }> {
  const server = await createHubServer(repositories);
  const http = createOutboundHttp({ ambient: systemAmbient('silent') });
  cleanups.push(
    () => http[Symbol.asyncDispose](),
    () => server[Symbol.asyncDispose](),
  );
  return { server, hub: createHub({ http: redirectOrigins(http, server.origins), ...more }) };
}

const ASKED = { limit: 20, sort: 'downloads', direction: -1 } as const;

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'it worked',
    (error: { code?: string }) => error.code ?? 'an error without a code',
  );
}

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): HubIntercept =>
  (_asked, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

describe('a hub search', () => {
  test('sends the filters, requires GGUF and carries no credentials', async () => {
    process.env['HF_TOKEN'] = 'hf_secret';
    cleanups.push(() => delete process.env['HF_TOKEN']);
    const { hub, server } = await fixture();
    const found = await hub.search({
      ...ASKED,
      query: ' tin ',
      author: 'maker',
      filters: ['text-generation'],
      sort: 'created',
    });
    expect(found).toEqual({ items: [], nextCursor: null });
    const asked = new URL(server.requests[0]?.path ?? '', 'https://hub');
    expect(asked.pathname).toBe('/api/models');
    expect(asked.searchParams.get('search')).toBe('tin');
    expect(asked.searchParams.get('author')).toBe('maker');
    expect(asked.searchParams.getAll('filter')).toEqual(['gguf', 'text-generation']);
    expect([asked.searchParams.get('sort'), asked.searchParams.get('direction')]).toEqual(['createdAt', '-1']);
    expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/authorization|cookie|hf_secret/);
  });

  test('returns models page by page', async () => {
    const many = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`maker/m${at}`, { downloads: at }]));
    const { hub } = await fixture({
      ...many,
      'maker/tiny': { ...TINY, gated: 'auto', tags: Array<string>(60).fill('t') },
    });
    const first = await hub.search({ ...ASKED, limit: 4 });
    expect(first.items.map(({ repo }) => repo)).toEqual(['maker/tiny', 'maker/m4', 'maker/m3', 'maker/m2']);
    expect(first.items[0]).toMatchObject({
      repo: 'maker/tiny',
      revision: SHA,
      downloads: 12,
      likes: 3,
      isGated: true,
      pipelineTag: 'text-generation',
      license: 'apache-2.0',
    });
    expect(first.items[0]?.tags).toHaveLength(40);
    expect(first.nextCursor).not.toMatch(/http|\//);
    const second = await hub.search({ ...ASKED, limit: 4, cursor: first.nextCursor ?? '' });
    expect(second.items.map(({ repo }) => repo)).toEqual(['maker/m1', 'maker/m0']);
    expect(second.nextCursor).toBeNull();
    expect(await codeOf(hub.search({ ...ASKED, cursor: 'https://other.example/?cursor=x y' }))).toBe('HUB_HUB_INVALID');
  });

  test('follows redirects between hosts of the hub', async () => {
    const { hub, server } = await fixture();
    server.intercept((asked, response) => {
      if (asked.path.includes('moved')) return false;
      return Boolean(response.writeHead(307, { location: '/api/models?filter=gguf&moved=1' }).end());
    });
    expect((await hub.search(ASKED)).items.map(({ repo }) => repo)).toEqual(['maker/tiny']);
  });

  test.each([
    ['HUB_REPOSITORY_GATED', answering(401)],
    ['HUB_REPOSITORY_GATED', answering(403)],
    ['HUB_RATE_LIMITED', answering(429)],
    ['HUB_HUB_UPSTREAM', answering(500)],
    ['HUB_HUB_UPSTREAM', answering(404)],
    ['HUB_HUB_RESPONSE_INVALID', answering(200, {}, '<html>')],
    ['HUB_HUB_RESPONSE_INVALID', answering(200, {}, '{"error":1}')],
    ['HUB_HUB_RESPONSE_INVALID', answering(200, {}, '[{"id":7}]')],
    ['HUB_HUB_RESPONSE_INVALID', answering(200, {}, `["${'x'.repeat(5_000_000)}"]`)],
    ['HUB_HUB_UPSTREAM', (_asked, response) => Boolean(response.destroy())],
    [
      'HUB_HUB_UPSTREAM',
      (_asked, response) => Boolean(response.writeHead(200, { 'content-length': 99 }).write('[') && response.destroy()),
    ],
    ['HUB_REDIRECT_INVALID', answering(302)],
    ['HUB_REDIRECT_INVALID', answering(302, { location: 'http://[' })],
    ['HUB_REDIRECT_INVALID', answering(302, { location: '/api/models' })],
    ['HUB_REDIRECT_HOST_REJECTED', answering(302, { location: 'https://example.org/' })],
    ['HUB_REDIRECT_HOST_REJECTED', answering(302, { location: 'https://huggingface.co.example.org/' })],
    ['HUB_REDIRECT_HOST_REJECTED', answering(302, { location: 'https://hf.co:444/' })],
    ['HUB_REDIRECT_HOST_REJECTED', answering(302, { location: 'https://u:p@huggingface.co/' })],
    ['HUB_REDIRECT_HOST_REJECTED', answering(302, { location: 'http://huggingface.co/' })],
  ] as const satisfies readonly (readonly [string, HubIntercept])[])('fails with %s', async (code, intercept) => {
    const { hub, server } = await fixture();
    server.intercept(intercept);
    expect(await codeOf(hub.search(ASKED))).toBe(code);
  });
});

describe('a hub repository', () => {
  test('is described without its images, which are fetched separately', async () => {
    const { hub } = await fixture();
    const found = await hub.repository({ repo: 'maker/tiny' });
    expect(found).toMatchObject({
      repo: 'maker/tiny',
      revision: SHA,
      isGated: false,
      license: 'apache-2.0',
      downloads: 12,
      likes: 3,
      pipelineTag: 'text-generation',
      files: [],
      isKnownToEngine: null,
    });
    expect(found.readme).toMatch(/^# Tiny/);
    expect(found.readme).not.toMatch(/!\[|<img|license:|badge/i);
    expect(found.readme).toContain('after');
    expect(found.images).toEqual([
      { alt: 'B', url: 'https://huggingface.co/b.png' },
      { alt: 'A picture', url: `https://huggingface.co/maker/tiny/resolve/${SHA}/pictures/a.png` },
      { alt: 'badge', url: 'https://img.shields.io/x.svg' },
      { alt: 'by name', url: 'https://huggingface.co/c.png' },
    ]);
  });

  test('lists the files of a revision with size and checksum and whether the engine supports it', async () => {
    const { hub } = await fixture(undefined, { knowsArchitecture: async (name) => name === 'llama' });
    const found = await hub.repository({ repo: 'maker/tiny', revision: SHA });
    expect(found.isKnownToEngine).toBe(true);
    expect(found.files).toEqual([
      expect.objectContaining({ path: 'tiny.Q4_K_M.gguf', sizeBytes: 9, security: 'safe' }),
      expect.objectContaining({ path: 'more/other.gguf', sizeBytes: 10 }),
    ]);
    expect(found.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('without a model card is valid', async () => {
    const { hub } = await fixture({ 'maker/bare': { files: {} } });
    expect(await hub.repository({ repo: 'maker/bare', revision: SHA })).toMatchObject({
      readme: '',
      images: [],
      files: [],
    });
  });

  test.each(['', 'tiny', '../tiny', 'a/b/c', 'maker/..', 'maker/tiny?x', 'maker/ti ny'])(
    '%j is not a repository name',
    async (repo) => {
      const { hub, server } = await fixture();
      expect(await codeOf(hub.repository({ repo }))).toBe('HUB_HUB_INVALID');
      expect(server.requests).toEqual([]);
    },
  );

  test('rejects a file without checksum', async () => {
    const { hub, server } = await fixture();
    server.intercept((asked, response) => {
      if (!asked.path.includes('paths-info')) return false;
      response.end(JSON.stringify([{ path: 'tiny.Q4_K_M.gguf', size: 9 }]));
      return true;
    });
    expect(await codeOf(hub.repository({ repo: 'maker/tiny', revision: SHA }))).toBe('HUB_RESOLVE_INVALID');
  });

  test.each(['null', '[]', '{"id":"maker/tiny","sha":"short","siblings":[]}', '{"id":'])(
    '%j is an invalid hub response',
    async (body) => {
      const { hub, server } = await fixture();
      server.intercept(answering(200, {}, body));
      expect(await codeOf(hub.repository({ repo: 'maker/tiny' }))).toBe('HUB_HUB_RESPONSE_INVALID');
    },
  );

  test('passes the hub’s error for a missing repository', async () => {
    const { hub } = await fixture();
    expect(await codeOf(hub.repository({ repo: 'maker/none' }))).toBe('HUB_HUB_UPSTREAM');
  });
});

describe('a hub image', () => {
  const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20)]);
  const URL_OF_IT = 'https://huggingface.co/maker/tiny/a.png';
  const sending =
    (body: Buffer, headers = {}): HubIntercept =>
    (_asked, response) => {
      response.writeHead(200, headers).end(body);
      return true;
    };

  test('has the type of its first bytes', async () => {
    const { hub, server } = await fixture();
    server.intercept(sending(PNG, { 'content-type': 'text/html' }));
    expect(await hub.image(URL_OF_IT)).toEqual({ bytes: PNG, mediaType: 'image/png' });
  });

  test.each([
    ['HUB_IMAGE_URL_INVALID', 'a.png'],
    ['HUB_IMAGE_URL_INVALID', 'http://huggingface.co/a.png'],
    ['HUB_IMAGE_URL_INVALID', 'https://u:p@huggingface.co/a.png'],
    ['HUB_IMAGE_URL_INVALID', 'https://huggingface.co:8443/a.png'],
    ['HUB_IMAGE_URL_INVALID', 'data:image/png;base64,x'],
    ['HUB_IMAGE_HOST_REJECTED', 'https://example.org/a.png'],
    ['HUB_IMAGE_HOST_REJECTED', 'https://1.1.1.1/a.png'],
    ['HUB_IMAGE_PRIVATE_ADDRESS', 'https://127.0.0.1/a.png'],
    ['HUB_IMAGE_PRIVATE_ADDRESS', 'https://[::1]/a.png'],
    ['HUB_IMAGE_PRIVATE_ADDRESS', 'https://2130706433/a.png'],
  ])('gives %s for %s', async (code, url) => {
    const { hub, server } = await fixture();
    expect(await codeOf(hub.image(url))).toBe(code);
    expect(server.requests).toEqual([]);
  });

  test.each([
    ['HUB_IMAGE_UPSTREAM', answering(404)],
    ['HUB_IMAGE_UPSTREAM', (_asked, response) => Boolean(response.destroy())],
    [
      'HUB_IMAGE_MIME_REJECTED',
      sending(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { 'content-type': 'image/png' }),
    ],
    ['HUB_IMAGE_TOO_LARGE', sending(Buffer.concat([PNG, Buffer.alloc(9_000_000)]))],
    ['HUB_IMAGE_REDIRECT_REJECTED', answering(302, { location: 'https://127.0.0.1/a.png' })],
    ['HUB_IMAGE_REDIRECT_REJECTED', answering(302, { location: 'https://example.org/a.png' })],
    ['HUB_IMAGE_REDIRECT_REJECTED', answering(302)],
    ['HUB_IMAGE_REDIRECT_REJECTED', answering(302, { location: URL_OF_IT })],
  ] as const satisfies readonly (readonly [string, HubIntercept])[])('gives %s', async (code, intercept) => {
    const { hub, server } = await fixture();
    server.intercept(intercept);
    expect(await codeOf(hub.image(URL_OF_IT))).toBe(code);
  });

  test('rejects names that resolve to this computer, to nothing or too slowly', async () => {
    const leading = (address: string | undefined): OutboundHttp => {
      const http = createOutboundHttp({
        ambient: systemAmbient('silent'),
        lookup: ((_name: string, _options: object, callback: (error: Error | null, all: object[]) => void) =>
          address
            ? callback(null, [{ address, family: 4 }])
            : callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), [])) as never,
      });
      cleanups.push(() => http[Symbol.asyncDispose]());
      return http;
    };
    expect(await codeOf(createHub({ http: leading('10.0.0.1') }).image(URL_OF_IT))).toBe('HUB_IMAGE_PRIVATE_ADDRESS');
    expect(await codeOf(createHub({ http: leading(undefined) }).image(URL_OF_IT))).toBe('HUB_IMAGE_DNS_FAILED');
    const { hub } = await fixture({}, { imageHosts: ['https://huggingface.co'] });
    expect(await codeOf(hub.image(URL_OF_IT))).toBe('HUB_IMAGE_CONFIG_INVALID');
    const { hub: left } = await fixture();
    expect(await codeOf(left.image(URL_OF_IT, AbortSignal.abort()))).toBe('HUB_IMAGE_ABORTED');
  });
});
