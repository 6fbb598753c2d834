import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type HubFixture, hubFixture, MODEL, REPO } from '../hub-fixture.ts';

let fixture: HubFixture;
beforeAll(async () => {
  fixture = await hubFixture();
});
afterAll(async () => fixture[Symbol.asyncDispose]());
afterEach(() => fixture.hub.intercept(undefined));

const call = (method: string, path: string, body?: unknown) =>
  fixture.server.call(method, path, body === undefined ? {} : { body });
const manifest = (id = 'tiny') => fixture.hub.manifest(REPO, ['tiny-Q4_K_M.gguf'], id);
const start = (id = 'tiny', more: object = {}) => call('POST', '/hub/download', { ...manifest(id), ...more });

/** The file host does not respond until released. */
function hold(): { go(): void } {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  fixture.hub.intercept(async (asked) => {
    if (asked.to === 'files') await held;
    return false;
  });
  return { go: () => go() };
}

covers('hub.download', 'downloads and installs a model', async () => {
  expect((await start()).data).toMatchObject({ id: 'tiny', state: 'queued', progress: 0, totalBytes: MODEL.length });
  expect(await fixture.reached('tiny', 'ready')).toMatchObject({ progress: 100, bytes: MODEL.length, reason: null });
  const { items } = (await call('GET', '/local-models')).data;
  expect(items).toEqual([expect.objectContaining({ id: 'tiny', repo: REPO, license: 'apache-2.0', state: 'ready' })]);
  expect((await readFile(items[0].path)).equals(MODEL)).toBe(true);
  expect((await start()).data.state).toBe('ready');
});

covers('hub.downloads', 'lists running and finished downloads', async () => {
  const { data } = await call('GET', '/hub/downloads');
  expect(data.items).toEqual([
    {
      id: 'tiny',
      state: 'ready',
      progress: 100,
      bytes: MODEL.length,
      totalBytes: MODEL.length,
      reason: null,
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  ]);
});

covers('hub.pause', 'pauses the download', async () => {
  hold();
  await start('paused');
  await fixture.reached('paused', 'running');
  const { data } = await call('POST', '/hub/downloads/paused/pause');
  expect(data).toMatchObject({ id: 'paused', state: 'paused', reason: 'PAUSED_BY_OWNER' });
});

covers('hub.resume', 'resumes the download', async () => {
  expect((await call('POST', '/hub/downloads/paused/resume')).data).toMatchObject({ state: 'queued', reason: null });
  await fixture.reached('paused', 'ready');
});

covers('hub.cancel', 'cancels the download and deletes its files', async () => {
  hold();
  await start('over');
  await fixture.reached('over', 'running');
  const { data } = await call('POST', '/hub/downloads/over/cancel');
  expect(data).toMatchObject({ id: 'over', state: 'cancelled', reason: 'CANCELLED_BY_OWNER', bytes: 0 });
  const { items } = (await call('GET', '/local-models')).data;
  expect(items.map((row: any) => row.id)).not.toContain('over');
});

refusesEach('CANCELLED_BY_OWNER', ['hub.pause', 'hub.resume'], async (operation) => {
  const reply = await call('POST', `/hub/downloads/over/${operation.slice('hub.'.length)}`);
  expect([reply.status, reply.code]).toEqual([409, 'CANCELLED_BY_OWNER']);
});

refusesEach('NOT_FOUND', ['hub.pause', 'hub.resume', 'hub.cancel'], async (operation) => {
  const reply = await call('POST', `/hub/downloads/none/${operation.slice('hub.'.length)}`);
  expect([reply.status, reply.code]).toEqual([404, 'NOT_FOUND']);
});

refuses('hub.download', 'HUB_TRANSFER_INVALID', 'for an inconsistent manifest', async () => {
  const [file] = manifest().files;
  for (const more of [
    { bytes: 7 },
    { bytes: 0 },
    { id: '../x' },
    { repo: 'https://other.example' },
    { revision: 'main' },
    { files: [] },
    { files: [{ ...file, sha256: 'x' }] },
    { license: 7 },
  ]) {
    const reply = await start('wrong', more);
    expect([more, reply.status, reply.code]).toEqual([more, 422, 'HUB_TRANSFER_INVALID']);
  }
  expect((await start('wrong', { unknown: 1 })).code).toBe('QUERY_INVALID');
});

refuses('hub.download', 'HUB_PATH_REJECTED', 'for a file outside its folder', async () => {
  const [file] = manifest().files;
  for (const path of ['../x.gguf', '/etc/x.gguf', 'C:\\x.gguf', 'a/../../x.gguf'])
    expect(await start('wrong', { files: [{ ...file, path }] })).toMatchObject({
      status: 422,
      code: 'HUB_PATH_REJECTED',
    });
  expect((await start('wrong', { path: '../x' })).code).toBe('HUB_PATH_REJECTED');
});

refuses('hub.download', 'HUB_TRANSFER_COLLISION', 'for an id used by another model', async () => {
  const reply = await start('tiny', { revision: 'b'.repeat(40) });
  expect([reply.status, reply.code]).toEqual([409, 'HUB_TRANSFER_COLLISION']);
});

refuses('hub.download', 'HUB_DOWNLOAD_FAILED', 'for more bytes than the disk has', async () => {
  const bytes = 2 ** 52;
  const reply = await start('vast', { bytes, files: [{ ...manifest().files[0], bytes }] });
  expect([reply.status, reply.code, reply.reason]).toEqual([502, 'HUB_DOWNLOAD_FAILED', 'disk-full']);
});

covers('hub.downloads', 'returns the reason of a failed download', async () => {
  fixture.hub.intercept((_asked, response) => Boolean(response.writeHead(403).end()));
  await start('gated');
  expect(await fixture.reached('gated', 'failed')).toMatchObject({ reason: 'HUB_REPOSITORY_GATED' });
});
