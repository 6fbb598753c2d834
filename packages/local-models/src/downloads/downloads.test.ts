import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { createHubServer, type HubIntercept, type HubServer, redirectOrigins, tempDir } from '@fucina/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createLocalModels, type LocalModels, type LocalModelsNeeds } from '../local-models.ts';
import { TRANSFER_TRANSITIONS } from './download-state.ts';
import type { DownloadStatus } from './downloads.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const REPO = 'maker/tiny';
const ONE = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(3_000_000, 1)]);
const TWO = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(1_000_000, 2)]);

interface Fixture {
  dir: string;
  hub: HubServer;
  models: LocalModels;
  /** The same folder after a restart. */
  again(more?: Partial<LocalModelsNeeds>): Promise<LocalModels>;
  /** Resolves with the row once it is `state`. */
  reached(id: string, state: string, models?: LocalModels): Promise<DownloadStatus>;
}

async function fixture(more: Partial<LocalModelsNeeds> = {}): Promise<Fixture> {
  const dir = await tempDir();
  const hub = await createHubServer({ [REPO]: { files: { 'one.gguf': ONE, 'part/two.gguf': TWO } } });
  const http = createOutboundHttp({ ambient: systemAmbient('silent') });
  cleanups.push(
    () => dir[Symbol.asyncDispose](),
    () => http[Symbol.asyncDispose](),
    () => hub[Symbol.asyncDispose](),
  );
  const open = (own: Partial<LocalModelsNeeds>): LocalModels => {
    const made = createLocalModels({
      ambient: systemAmbient('silent'),
      dataDir: dir.path,
      isBackground: true,
      isLoaded: () => false,
      http: redirectOrigins(http, hub.origins),
      ...own,
    });
    cleanups.push(() => made[Symbol.asyncDispose]());
    return made;
  };
  const models = open(more);
  return {
    dir: dir.path,
    hub,
    models,
    async again(own = more) {
      await models[Symbol.asyncDispose]();
      return open(own);
    },
    async reached(id, state, of = models) {
      for (;;) {
        const row = (await of.downloads.list()).find((one) => one.id === id);
        if (row?.state === state) return row;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'it worked',
    (error: { code?: string }) => error.code ?? 'an error without a code',
  );
}

/** The file host sends `bytes` of a file once, then the connection is cut. */
function cutting(bytes: number, content: Buffer): HubIntercept {
  let isCut = false;
  return (asked, response) => {
    if (asked.to !== 'files' || isCut) return false;
    isCut = true;
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, bytes), () => response.destroy());
    return true;
  };
}

/** Blocks the file host until `go`. */
function holding(): { intercept: HubIntercept; go(): void; asked(): number } {
  let go = (): void => undefined;
  let count = 0;
  const held = new Promise<void>((resolve) => (go = resolve));
  const intercept: HubIntercept = async (asked) => {
    if (asked.to === 'files') {
      count += 1;
      await held;
    }
    return false;
  };
  return { intercept, go: () => go(), asked: () => count };
}

describe('a download', () => {
  test('fetches every file and makes the model ready', async () => {
    const { dir, hub, models, reached } = await fixture();
    const manifest = { ...hub.manifest(REPO, ['one.gguf', 'part/two.gguf']), name: ' Tiny ' };
    expect(await models.downloads.start(manifest)).toMatchObject({
      id: 'tiny',
      state: 'queued',
      progress: 0,
      totalBytes: manifest.bytes,
      reason: null,
    });
    expect(await reached('tiny', 'ready')).toMatchObject({ progress: 100, bytes: manifest.bytes, reason: null });
    expect(await models.installed.find('tiny')).toMatchObject({
      name: 'Tiny',
      repo: REPO,
      revision: manifest.revision,
      files: manifest.files,
      bytes: manifest.bytes,
      license: 'mit',
      state: 'ready',
      path: join(dir, 'models/tiny/one.gguf'),
    });
    expect((await readFile(join(dir, 'models/tiny/part/two.gguf'))).equals(TWO)).toBe(true);
    expect(await readdir(join(dir, 'models/tiny'))).toEqual(['one.gguf', 'part']);
    for (const { headers } of hub.requests) expect(headers).not.toHaveProperty('authorization');
    expect(await models.downloads.start(manifest)).toMatchObject({ state: 'ready' });
    expect(await models.downloads.cancel('tiny')).toMatchObject({ state: 'ready' });
  });

  test('retries by itself from the received bytes when many arrived', async () => {
    const { hub, models, reached } = await fixture();
    hub.intercept(cutting(2_000_000, ONE));
    await models.downloads.start(hub.manifest(REPO, ['one.gguf']));
    await reached('tiny', 'ready');
    const ranges = hub.requests.filter(({ to }) => to === 'files').map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  });

  test('interrupted early fails, and can be resumed from the received bytes', async () => {
    const { hub, models, reached } = await fixture();
    hub.intercept(cutting(500_000, ONE));
    await models.downloads.start(hub.manifest(REPO, ['one.gguf']));
    const failed = await reached('tiny', 'failed');
    expect(failed.reason).toBe('HUB_DOWNLOAD_FAILED');
    expect(await models.installed.find('tiny')).toMatchObject({ state: 'failed' });
    expect((await models.downloads.resume('tiny')).reason).toBeNull();
    await reached('tiny', 'ready');
    const [, second] = hub.requests.filter(({ to }) => to === 'files');
    expect(Number(/\d+/.exec(second?.headers.range ?? '')?.[0])).toBe(failed.bytes);
  });

  test.each([
    ['gives all of it', 200, {}],
    ['gives another part', 206, { 'content-range': `bytes 7-${ONE.length - 1}/${ONE.length}` }],
    ['knows no such part', 416, {}],
  ])('restarts when the server %s', async (_title, status, headers) => {
    const { dir, hub, models, reached } = await fixture();
    hub.intercept(cutting(500_000, ONE));
    await models.downloads.start(hub.manifest(REPO, ['one.gguf']));
    await reached('tiny', 'failed');
    hub.intercept((asked, response) => {
      if (asked.to !== 'files' || asked.headers.range === undefined) return false;
      return Boolean(response.writeHead(status, headers).end(status === 200 ? ONE : 'x'));
    });
    await models.downloads.resume('tiny');
    await reached('tiny', 'ready');
    expect((await readFile(join(dir, 'models/tiny/one.gguf'))).equals(ONE)).toBe(true);
  });

  const files =
    (act: (...given: Parameters<HubIntercept>) => void): HubIntercept =>
    (asked, response) => {
      if (asked.to !== 'files') return false;
      act(asked, response);
      return true;
    };
  const hubAnswers =
    (status: number, headers: Record<string, string | number> = {}): HubIntercept =>
    (_asked, response) =>
      Boolean(response.writeHead(status, headers).end());
  const wrong = Buffer.from(ONE).fill(9, 100, 200);

  test.each([
    ['HUB_DOWNLOAD_FAILED', 'cut at once', files((_asked, response) => void response.destroy())],
    ['HUB_DOWNLOAD_FAILED', 'too short', files((_asked, response) => void response.end(ONE.subarray(0, 10)))],
    ['HUB_DOWNLOAD_FAILED', 'a failing host', files((_asked, response) => void response.writeHead(503).end())],
    ['HUB_DOWNLOAD_FAILED', 'no such file', hubAnswers(404)],
    ['CHECKSUM_MISMATCH', 'too long', files((_asked, response) => void response.end(Buffer.concat([ONE, ONE])))],
    ['CHECKSUM_MISMATCH', 'other bytes', files((_asked, response) => void response.end(wrong))],
    ['HUB_REPOSITORY_GATED', '401', hubAnswers(401)],
    ['HUB_REPOSITORY_GATED', '403', hubAnswers(403)],
    ['HUB_RATE_LIMITED', '429', hubAnswers(429)],
    ['HUB_REDIRECT_INVALID', 'nowhere', hubAnswers(302)],
    ['HUB_REDIRECT_HOST_REJECTED', 'elsewhere', hubAnswers(302, { location: 'https://files.example/' })],
    ['HUB_RESOLVE_INVALID', 'another size', hubAnswers(302, { location: '/x', 'x-linked-size': 7 })],
    ['HUB_RESOLVE_INVALID', 'another sum', hubAnswers(302, { location: '/x', 'x-linked-etag': '"abc"' })],
  ] as const)('fails with %s: %s', async (reason, _title, intercept) => {
    const { dir, hub, models, reached } = await fixture();
    hub.intercept(intercept);
    await models.downloads.start(hub.manifest(REPO, ['one.gguf']));
    expect(await reached('tiny', 'failed')).toMatchObject({ reason });
    expect(await readdir(join(dir, 'models/tiny'))).not.toContain('one.gguf');
    expect(await models.installed.find('tiny')).toMatchObject({ state: 'failed' });
    hub.intercept(undefined);
    await models.downloads.resume('tiny');
    await reached('tiny', 'ready');
    expect((await readFile(join(dir, 'models/tiny/one.gguf'))).equals(ONE)).toBe(true);
  });

  test('stops before it uses the disk reserve', async () => {
    const { hub, models } = await fixture({ freeBytes: async () => 2 ** 30 + ONE.length });
    hub.intercept(holding().intercept);
    expect(await codeOf(models.downloads.start(hub.manifest(REPO, ['one.gguf', 'part/two.gguf'])))).toBe(
      'HUB_DOWNLOAD_FAILED',
    );
    expect(await models.downloads.list()).toEqual([]);
    expect((await models.downloads.start(hub.manifest(REPO, ['one.gguf']))).state).toBe('queued');
    // Space reserved for the first is not available to the second.
    expect(await codeOf(models.downloads.start(hub.manifest(REPO, ['part/two.gguf'], 'two')))).toBe(
      'HUB_DOWNLOAD_FAILED',
    );
  });
});

test('pauses on a full disk and can be resumed when space is free', async () => {
  let free = 2 ** 33;
  const { dir, hub, models, reached } = await fixture({ freeBytes: async () => free });
  const large = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(80_000_000, 6)]);
  hub.repositories.set('maker/large', { files: { 'large.gguf': large } });
  hub.intercept((asked) => {
    if (asked.to === 'files') free = 2 ** 30;
    return false;
  });
  await models.downloads.start(hub.manifest('maker/large', ['large.gguf']));
  const failed = await reached('tiny', 'failed');
  expect(failed.reason).toBe('HUB_DOWNLOAD_FAILED');
  expect(failed.bytes).toBeLessThan(large.length);
  hub.intercept(undefined);
  free = 2 ** 33;
  await models.downloads.resume('tiny');
  await reached('tiny', 'ready');
  expect((await readFile(join(dir, 'models/tiny/large.gguf'))).equals(large)).toBe(true);
});

describe('concurrent downloads', () => {
  test('run two at a time and in order', async () => {
    const { hub, models, reached } = await fixture();
    const gate = holding();
    hub.intercept(gate.intercept);
    for (const id of ['a', 'b', 'c', 'd']) await models.downloads.start(hub.manifest(REPO, ['one.gguf'], id));
    await reached('b', 'running');
    const states = async (): Promise<string[]> => (await models.downloads.list()).map(({ state }) => state);
    expect(await states()).toEqual(['running', 'running', 'queued', 'queued']);
    await models.downloads.pause('a');
    await reached('c', 'running');
    expect(await states()).toEqual(['paused', 'running', 'running', 'queued']);
    await models.downloads.pause('d');
    await models.downloads.resume('d');
    gate.go();
    for (const id of ['b', 'c', 'd']) await reached(id, 'ready');
    expect((await models.downloads.list())[0]).toMatchObject({ state: 'paused', reason: 'PAUSED_BY_OWNER' });
  });
});

describe('the user', () => {
  test('pauses and resumes a download', async () => {
    const { hub, models, reached } = await fixture();
    const gate = holding();
    hub.intercept(gate.intercept);
    const manifest = hub.manifest(REPO, ['one.gguf']);
    await models.downloads.start(manifest);
    await reached('tiny', 'running');
    expect(await models.downloads.pause('tiny')).toMatchObject({ state: 'paused', reason: 'PAUSED_BY_OWNER' });
    expect(await models.downloads.pause('tiny')).toMatchObject({ state: 'paused', reason: 'PAUSED_BY_OWNER' });
    expect(await models.installed.find('tiny')).toMatchObject({ state: 'incomplete' });
    gate.go();
    expect(await models.downloads.start(manifest)).toMatchObject({ state: 'queued', reason: null });
    await reached('tiny', 'ready');
    expect(await models.downloads.pause('tiny')).toMatchObject({ state: 'ready', progress: 100 });
    expect(await models.downloads.resume('tiny')).toMatchObject({ state: 'ready' });
  });

  test('cancels a download and can start it again', async () => {
    const { dir, hub, models, reached } = await fixture();
    hub.intercept(holding().intercept);
    const manifest = hub.manifest(REPO, ['part/two.gguf', 'one.gguf']);
    await models.downloads.start(manifest);
    await reached('tiny', 'running');
    const over = { state: 'cancelled', reason: 'CANCELLED_BY_OWNER', bytes: 0, progress: 0 };
    expect(await models.downloads.cancel('tiny')).toMatchObject(over);
    expect(await models.downloads.cancel('tiny')).toMatchObject(over);
    expect(await readdir(join(dir, 'models'))).toEqual([]);
    expect(await models.installed.list()).toEqual([]);
    expect(await codeOf(models.downloads.pause('tiny'))).toBe('CANCELLED_BY_OWNER');
    expect(await codeOf(models.downloads.resume('tiny'))).toBe('CANCELLED_BY_OWNER');
    hub.intercept(undefined);
    expect(await models.downloads.start(manifest)).toMatchObject({ state: 'queued' });
    await reached('tiny', 'ready');
    expect(await models.downloads.list()).toHaveLength(1);
  });

  test('deletes a model during its download with all its files', async () => {
    const { dir, hub, models, reached } = await fixture();
    hub.intercept(holding().intercept);
    await models.downloads.start(hub.manifest(REPO, ['one.gguf']));
    await reached('tiny', 'running');
    await models.installed.remove('tiny');
    expect(await models.downloads.list()).toEqual([]);
    expect(await readdir(join(dir, 'models'))).toEqual([]);
  });

  test('gets an error for an unknown download', async () => {
    const { models } = await fixture();
    for (const act of ['pause', 'resume', 'cancel'] as const)
      expect(await codeOf(models.downloads[act]('none'))).toBe('NOT_FOUND');
  });
});

test('gets HUB_TRANSFER_COLLISION for an id in use', async () => {
  const { hub, models, reached } = await fixture();
  const manifest = hub.manifest(REPO, ['one.gguf']);
  await models.downloads.start(manifest);
  await reached('tiny', 'ready');
  for (const other of [
    { ...manifest, repo: 'maker/other' },
    { ...manifest, revision: 'b'.repeat(40) },
    hub.manifest(REPO, ['part/two.gguf']),
  ])
    expect(await codeOf(models.downloads.start(other))).toBe('HUB_TRANSFER_COLLISION');
});

describe('after a restart', () => {
  test('pauses interrupted downloads with their bytes and resumes on request', async () => {
    const { hub, models, again, reached } = await fixture();
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    hub.intercept(async (asked, response) => {
      if (asked.to !== 'files' || asked.headers.range) return false;
      response.writeHead(200, { 'content-length': ONE.length });
      response.write(ONE.subarray(0, 1_500_000));
      await held;
      return true;
    });
    for (const id of ['a', 'b', 'c']) await models.downloads.start(hub.manifest(REPO, ['one.gguf'], id));
    const hasCome = async (): Promise<boolean> =>
      (await models.downloads.list()).filter(({ bytes }) => bytes === 1_500_000).length === 2;
    while (!(await hasCome())) await new Promise((resolve) => setImmediate(resolve));
    const next = await again();
    const rest = { state: 'paused', reason: 'RECOVERED_AFTER_RESTART' };
    expect(await next.downloads.list()).toEqual([
      expect.objectContaining({ ...rest, id: 'a', bytes: 1_500_000, progress: 49 }),
      expect.objectContaining({ ...rest, id: 'b', bytes: 1_500_000 }),
      expect.objectContaining({ ...rest, id: 'c', bytes: 0 }),
    ]);
    expect(await next.installed.find('a')).toMatchObject({ state: 'incomplete' });
    hub.requests.length = 0;
    await next.downloads.resume('a');
    await reached('a', 'ready', next);
    expect(hub.requests.at(-1)?.headers.range).toBe('bytes=1500000-');
    go();
  });

  test('reports a file that changed on disk and downloads it again on request', async () => {
    const { dir, hub, models, again, reached } = await fixture();
    hub.intercept((asked, response) => {
      if (asked.to !== 'files' || !asked.path.includes('two')) return false;
      return Boolean(response.destroy());
    });
    await models.downloads.start(hub.manifest(REPO, ['one.gguf', 'part/two.gguf']));
    await reached('tiny', 'failed');
    await writeFile(join(dir, 'models/tiny/one.gguf'), Buffer.from(ONE).fill(8, 7, 9));
    const next = await again();
    hub.intercept(undefined);
    await next.downloads.resume('tiny');
    expect(await reached('tiny', 'failed', next)).toMatchObject({ reason: 'CHECKSUM_MISMATCH' });
    await next.downloads.resume('tiny');
    await reached('tiny', 'ready', next);
    expect((await readFile(join(dir, 'models/tiny/one.gguf'))).equals(ONE)).toBe(true);
  });
});

test('lists all states and transitions', () => {
  expect(TRANSFER_TRANSITIONS).toEqual({
    queued: { begin: 'running', pause: 'paused', recover: 'paused', cancel: 'cancelled' },
    running: { check: 'verifying', fail: 'failed', pause: 'paused', recover: 'paused', cancel: 'cancelled' },
    verifying: { finish: 'ready', fail: 'failed', recover: 'paused', cancel: 'cancelled' },
    ready: {},
    paused: { resume: 'queued', cancel: 'cancelled' },
    failed: { resume: 'queued', cancel: 'cancelled' },
    cancelled: {},
  });
});
