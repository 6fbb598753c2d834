import { createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import type { HubIntercept } from '@fucina/testkit';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { testServer } from '../harness.ts';
import { type HubFixture, hubFixture, MODEL, PICTURE, REPO, REVISION } from '../hub-fixture.ts';

let fixture: HubFixture;
beforeAll(async () => {
  fixture = await hubFixture();
});
afterAll(async () => fixture[Symbol.asyncDispose]());
afterEach(() => fixture.hub.intercept(undefined));

const search = (query: Record<string, string> = {}) => fixture.server.call('GET', '/hub/search', { query });
const repo = (query: Record<string, string> = { repo: REPO, revision: REVISION }) =>
  fixture.server.call('GET', '/hub/repo', { query });
const image = (url: string) => fixture.server.call('GET', '/hub/image', { query: { url } });
const PICTURE_URL = `https://huggingface.co/${REPO}/resolve/${REVISION}/picture.png`;

covers('hub.search', 'returns models page by page', async () => {
  const first = await search({ limit: '1', sort: 'likes' });
  expect(first.data.items).toEqual([
    {
      repo: 'maker/large',
      revision: REVISION,
      downloads: 90,
      likes: 900,
      gated: true,
      pipelineTag: 'text-generation',
      license: 'mit',
      tags: ['gguf', 'license:mit', 'conversational'],
    },
  ]);
  const second = await search({ limit: '1', sort: 'likes', cursor: first.data.nextCursor });
  expect([second.data.items[0].repo, second.data.nextCursor]).toEqual([REPO, null]);
  const filtered = await fixture.server.call('GET', '/hub/search?filter=conversational&filter=license:mit&direction=1');
  expect(filtered.data.items.map((row: any) => row.repo)).toEqual(['maker/large']);
  expect((await search({ query: 'TINY', author: 'maker' })).data.items).toHaveLength(1);
});

refuses('hub.search', 'HUB_HUB_INVALID', 'for an invalid query', async () => {
  const asked: Record<string, string>[] = [
    { limit: '0' },
    { limit: '51' },
    { limit: '1e1' },
    { query: 'q'.repeat(201) },
    { sort: 'stars' },
    { direction: '0' },
    { author: 'a'.repeat(101) },
    { filter: 'f'.repeat(81) },
    { cursor: 'https://other.example/ x' },
  ];
  for (const query of asked) {
    const reply = await search(query);
    expect([query, reply.status, reply.code]).toEqual([query, 422, 'HUB_HUB_INVALID']);
  }
  expect((await search({ unknown: '1' })).code).toBe('QUERY_INVALID');
});

covers('hub.repo', 'returns the model card without images and the files of a revision', async () => {
  const plain = await repo({ repo: REPO });
  expect(plain.data).toMatchObject({
    repo: REPO,
    revision: REVISION,
    gated: false,
    license: 'apache-2.0',
    images: [{ alt: 'How it looks', url: PICTURE_URL }],
    downloads: 1_200,
    likes: 34,
    pipelineTag: 'text-generation',
    files: [],
    motoreConosce: null,
  });
  expect(plain.data.readme).toBe('# Tiny\n\nA small model.');
  const [file, ...rest] = (await repo()).data.files;
  expect(rest).toEqual([]);
  expect(file).toMatchObject({ path: 'tiny-Q4_K_M.gguf', sizeBytes: MODEL.length, security: 'safe' });
});

covers('hub.repo', 'reports whether the engine supports the architecture', async () => {
  for (const [architecture, isKnown] of [
    ['llama', true],
    ['unheard-of', false],
  ] as const) {
    fixture.hub.repositories.set('maker/kind', { architecture, files: {} });
    expect((await repo({ repo: 'maker/kind' })).data.motoreConosce).toBe(isKnown);
  }
  fixture.hub.repositories.delete('maker/kind');
});

refuses('hub.repo', 'HUB_HUB_INVALID', 'for an invalid name or revision', async () => {
  const asked: Record<string, string>[] = [{ repo: 'tiny' }, { repo: '../../etc' }, { repo: REPO, revision: 'main' }];
  for (const query of asked) expect((await repo(query)).code).toBe('HUB_HUB_INVALID');
});

refuses('hub.repo', 'HUB_RESOLVE_INVALID', 'for a file without checksum', async () => {
  fixture.hub.intercept((asked, response) => {
    if (!asked.path.includes('paths-info')) return false;
    return Boolean(response.end(JSON.stringify([{ path: 'tiny-Q4_K_M.gguf', size: 9 }])));
  });
  expect(await repo()).toMatchObject({ status: 502, code: 'HUB_RESOLVE_INVALID' });
});

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): HubIntercept =>
  (_asked, response) =>
    Boolean(response.writeHead(status, headers).end(body));

const both = async (operation: string, intercept: HubIntercept): Promise<[number, string | undefined]> => {
  fixture.hub.intercept(intercept);
  const reply = operation === 'hub.search' ? await search() : await repo();
  return [reply.status, reply.code];
};

refusesEach('HUB_HUB_UPSTREAM', ['hub.search', 'hub.repo'], async (operation) => {
  expect(await both(operation, answering(500))).toEqual([502, 'HUB_HUB_UPSTREAM']);
});
refusesEach('HUB_HUB_RESPONSE_INVALID', ['hub.search', 'hub.repo'], async (operation) => {
  expect(await both(operation, answering(200, {}, '<html>'))).toEqual([502, 'HUB_HUB_RESPONSE_INVALID']);
});
refusesEach('HUB_REPOSITORY_GATED', ['hub.search', 'hub.repo'], async (operation) => {
  expect(await both(operation, answering(403))).toEqual([403, 'HUB_REPOSITORY_GATED']);
});
refusesEach('HUB_RATE_LIMITED', ['hub.search', 'hub.repo'], async (operation) => {
  expect(await both(operation, answering(429))).toEqual([429, 'HUB_RATE_LIMITED']);
});
refusesEach('HUB_REDIRECT_INVALID', ['hub.search', 'hub.repo'], async (operation) => {
  expect(await both(operation, answering(302, { location: 'http://[' }))).toEqual([502, 'HUB_REDIRECT_INVALID']);
});
refusesEach('HUB_REDIRECT_HOST_REJECTED', ['hub.search', 'hub.repo'], async (operation) => {
  const elsewhere = answering(302, { location: 'https://other.example/' });
  expect(await both(operation, elsewhere)).toEqual([502, 'HUB_REDIRECT_HOST_REJECTED']);
});

covers('hub.image', 'returns an image of the hub', async () => {
  const reply = await image(PICTURE_URL);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(reply.headers.get('content-length')).toBe(String(PICTURE.length));
  expect(reply.headers.get('content-security-policy')).toContain('sandbox');
});

refuses('hub.image', 'HUB_IMAGE_URL_INVALID', 'for a missing address or one without https', async () => {
  for (const url of ['a.png', 'http://huggingface.co/a.png', 'file:///etc/passwd'])
    expect(await image(url)).toMatchObject({ status: 422, code: 'HUB_IMAGE_URL_INVALID' });
  expect((await fixture.server.call('GET', '/hub/image')).code).toBe('QUERY_INVALID');
});
refuses('hub.image', 'HUB_IMAGE_HOST_REJECTED', 'for a host outside the hub', async () => {
  expect(await image('https://example.org/a.png')).toMatchObject({ status: 422, code: 'HUB_IMAGE_HOST_REJECTED' });
});
refuses('hub.image', 'HUB_IMAGE_PRIVATE_ADDRESS', 'for an address of this computer', async () => {
  for (const host of ['127.0.0.1', '[::1]', '2130706433', '169.254.169.254'])
    expect(await image(`https://${host}/a.png`)).toMatchObject({ status: 422, code: 'HUB_IMAGE_PRIVATE_ADDRESS' });
});
refuses('hub.image', 'HUB_IMAGE_REDIRECT_REJECTED', 'for a redirect outside the hub', async () => {
  fixture.hub.intercept(answering(302, { location: 'https://127.0.0.1/' }));
  expect(await image(PICTURE_URL)).toMatchObject({ status: 422, code: 'HUB_IMAGE_REDIRECT_REJECTED' });
});
refuses('hub.image', 'HUB_IMAGE_UPSTREAM', 'for a missing image', async () => {
  fixture.hub.intercept(answering(404));
  expect(await image(PICTURE_URL)).toMatchObject({ status: 502, code: 'HUB_IMAGE_UPSTREAM' });
});
refuses('hub.image', 'HUB_IMAGE_MIME_REJECTED', 'for an SVG image', async () => {
  fixture.hub.intercept(answering(200, { 'content-type': 'image/png' }, '<svg/>'));
  expect(await image(PICTURE_URL)).toMatchObject({ status: 422, code: 'HUB_IMAGE_MIME_REJECTED' });
});
refuses('hub.image', 'HUB_IMAGE_TOO_LARGE', 'for an image above the size limit', async () => {
  fixture.hub.intercept(answering(200, { 'content-length': '99000000' }));
  expect(await image(PICTURE_URL)).toMatchObject({ status: 413, code: 'HUB_IMAGE_TOO_LARGE' });
});

/** A server with a resolver that the test controls. */
async function named(http: OutboundHttp): Promise<{ status: number; code: string | undefined }> {
  await using server = await testServer({ http });
  const { status, code } = await server.call('GET', '/hub/image', { query: { url: PICTURE_URL } });
  await http[Symbol.asyncDispose]();
  return { status, code };
}

refuses('hub.image', 'HUB_IMAGE_DNS_FAILED', 'for an unknown host name', async () => {
  const lookup = (_name: string, _options: object, done: (error: Error) => void): void =>
    done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
  const http = createOutboundHttp({ ambient: systemAmbient('silent'), lookup: lookup as never });
  expect(await named(http)).toEqual({ status: 502, code: 'HUB_IMAGE_DNS_FAILED' });
});

refuses('hub.image', 'HUB_IMAGE_ABORTED', 'for a host that does not answer in time', async () => {
  const ambient = systemAmbient('silent');
  // Only the clock of outbound HTTP runs ahead: every timeout expires at once.
  const hurried = { ...ambient, timer: (_ms: number, act: () => void) => ambient.timer(1, act) };
  const lookup = (_name: string, _options: object, _done: () => void): void => undefined;
  const http = createOutboundHttp({ ambient: hurried, lookup: lookup as never });
  expect(await named(http)).toEqual({ status: 504, code: 'HUB_IMAGE_ABORTED' });
});
