import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type TestServer, TOKEN, testServer, until } from '../harness.ts';

const MODEL = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(500_000, 3)]);
const SUM = createHash('sha256').update(MODEL).digest('hex');

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const headersOf = (id: string, more: Record<string, string> = {}): Record<string, string> => ({
  cookie: `svc_token=${TOKEN}`,
  'content-type': 'application/octet-stream',
  'x-svc-model-id': id,
  'x-svc-model-filename': 'tiny.gguf',
  'x-svc-model-bytes': String(MODEL.length),
  ...more,
});

async function send(id: string, more: Record<string, string> = {}, body: Uint8Array<ArrayBuffer> = MODEL) {
  const headers = headersOf(id, more);
  const response = await fetch(`${server.url}api/v1/local-models/import`, { method: 'POST', headers, body });
  const { data, error } = (await response.json()) as any;
  return { status: response.status, data, code: error?.code, reason: error?.reason };
}

covers('local-models.import', 'stores the file unchanged with its checksum', async () => {
  const reply = await send('tiny', {
    'x-svc-model-filename': encodeURIComponent('però.gguf'),
    'x-svc-model-name': encodeURIComponent('Il mio modello'),
  });
  expect(reply).toMatchObject({
    status: 200,
    data: {
      id: 'tiny',
      name: 'Il mio modello',
      repo: 'local-upload',
      revision: SUM,
      files: [{ path: 'però.gguf', bytes: MODEL.length, sha256: SUM }],
      bytes: MODEL.length,
      sha256: SUM,
      license: 'unknown',
      state: 'ready',
    },
  });
  expect(existsSync(reply.data.path)).toBe(true);
});

covers('local-models.list', 'lists installed models', async () => {
  const { data } = await server.call('GET', '/local-models');
  expect(data.items).toEqual([expect.objectContaining({ id: 'tiny', state: 'ready', bytes: MODEL.length })]);
});

covers('local-models.rename', 'changes and stores the name', async () => {
  const reply = await server.call('POST', '/local-models/tiny/rename', { body: { name: 'Other' } });
  expect(reply.data).toMatchObject({ id: 'tiny', name: 'Other' });
  for (const name of ['', ' ', 'n'.repeat(161), 7]) {
    const wrong = await server.call('POST', '/local-models/tiny/rename', { body: { name } });
    expect([wrong.status, wrong.code]).toEqual([400, 'QUERY_INVALID']);
  }
});

covers('local-models.copy-path', 'returns the file path', async () => {
  const { data } = await server.call('POST', '/local-models/tiny/copy-path');
  expect(data).toEqual({ id: 'tiny', path: join(server.dataDir, 'models/tiny/però.gguf') });
});

for (const [act, body] of [['rename', { name: 'x' }], ['copy-path'], ['delete']] as const) {
  refuses(`local-models.${act}`, 'NOT_FOUND', 'for an unknown model', async () => {
    for (const id of ['none', '..%2F..%2Fetc', '%2e%2e']) {
      const reply = await server.call('POST', `/local-models/${id}/${act}`, body && { body });
      expect([reply.status, reply.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
}

refuses('local-models.import', 'HUB_TRANSFER_COLLISION', 'for an id already in use', async () => {
  expect(await send('tiny')).toMatchObject({ status: 409, code: 'HUB_TRANSFER_COLLISION' });
});

refuses('local-models.import', 'LOCAL_IMPORT_INVALID', 'for missing or invalid headers', async () => {
  const wrong: Record<string, string>[] = [
    { 'x-svc-model-id': '../x' },
    { 'x-svc-model-id': 'Upper' },
    { 'x-svc-model-filename': 'a%2Fb.gguf' },
    { 'x-svc-model-filename': 'a.bin' },
    { 'x-svc-model-bytes': 'many' },
    { 'x-svc-model-name': '%20' },
  ];
  for (const more of wrong)
    expect(await send('wrong', more)).toMatchObject({ status: 422, code: 'LOCAL_IMPORT_INVALID' });
  expect(await send('wrong', { 'content-type': 'text/plain' })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
});

refuses(
  'local-models.import',
  'LOCAL_IMPORT_TOO_LARGE',
  'for more than 64 GiB or more than the free disk space',
  async () => {
    const reply = await send('large', { 'x-svc-model-bytes': String(64 * 2 ** 30 + 1) });
    expect(reply).toMatchObject({ status: 413, code: 'LOCAL_IMPORT_TOO_LARGE' });
  },
);

refuses('local-models.import', 'LOCAL_IMPORT_SIZE_MISMATCH', 'for more or fewer bytes than declared', async () => {
  for (const bytes of [MODEL.length - 1, MODEL.length + 1]) {
    const reply = await send('size', { 'x-svc-model-bytes': String(bytes) });
    expect(reply).toMatchObject({ status: 422, code: 'LOCAL_IMPORT_SIZE_MISMATCH' });
  }
});

refuses('local-models.import', 'LOCAL_IMPORT_EMPTY', 'for an empty file', async () => {
  const reply = await send('empty', { 'x-svc-model-bytes': '0' }, new Uint8Array());
  expect(reply).toMatchObject({ status: 422, code: 'LOCAL_IMPORT_EMPTY' });
});

refuses('local-models.import', 'LOCAL_IMPORT_NOT_GGUF', 'for another format, and deletes the file', async () => {
  const reply = await send('other', { 'x-svc-model-bytes': '9' }, Buffer.from('not a gguf').subarray(0, 9));
  expect(reply).toMatchObject({ status: 422, code: 'LOCAL_IMPORT_NOT_GGUF' });
  expect(await readdir(join(server.dataDir, 'models'))).toEqual(['tiny']);
});

covers('local-models.import', 'an upload that the client aborts leaves no file', async () => {
  const request = httpRequest(`${server.url}api/v1/local-models/import`, {
    method: 'POST',
    headers: { ...headersOf('gone'), 'content-length': MODEL.length },
  });
  request.on('error', () => undefined);
  request.write(MODEL.subarray(0, 200_000));
  const folder = join(server.dataDir, 'models/gone');
  await until(async () => existsSync(folder) || undefined);
  request.destroy();
  await until(async () => !existsSync(folder) || undefined);
  expect((await send('gone')).status).toBe(200);
  await server.call('POST', '/local-models/gone/delete');
});

covers('local-models.delete', 'deletes the model and its files', async () => {
  const { data } = await server.call('POST', '/local-models/tiny/delete');
  expect(data).toEqual({ id: 'tiny', deleted: true });
  expect(await readdir(join(server.dataDir, 'models'))).toEqual([]);
  expect((await server.call('GET', '/local-models')).data.items).toEqual([]);
});

const CALLS: Record<string, [method: string, path: string, options?: object]> = {
  'local-models.list': ['GET', '/local-models'],
  'local-models.rename': ['POST', '/local-models/tiny/rename', { body: { name: 'x' } }],
  'local-models.copy-path': ['POST', '/local-models/tiny/copy-path'],
  'local-models.delete': ['POST', '/local-models/tiny/delete'],
  'local-models.import': [
    'POST',
    '/local-models/import',
    { headers: { 'content-type': 'application/octet-stream', ...headersOf('tiny') }, body: 'GGUF' },
  ],
  'hub.search': ['GET', '/hub/search'],
  'hub.repo': ['GET', '/hub/repo', { query: { repo: 'maker/tiny' } }],
  'hub.image': ['GET', '/hub/image', { query: { url: 'https://huggingface.co/a.png' } }],
  'hub.downloads': ['GET', '/hub/downloads'],
  'hub.download': [
    'POST',
    '/hub/download',
    {
      body: {
        id: 'tiny',
        repo: 'maker/tiny',
        revision: 'a'.repeat(40),
        files: [{ path: 'a.gguf', bytes: 5, sha256: 'b'.repeat(64) }],
        bytes: 5,
        path: 'a.gguf',
        license: 'mit',
      },
    },
  ],
  'hub.pause': ['POST', '/hub/downloads/tiny/pause'],
  'hub.resume': ['POST', '/hub/downloads/tiny/resume'],
  'hub.cancel': ['POST', '/hub/downloads/tiny/cancel'],
};

refusesEach(
  'RUNTIME_NOT_AVAILABLE',
  [
    'local-models.list',
    'local-models.rename',
    'local-models.copy-path',
    'local-models.delete',
    'local-models.import',
    'hub.search',
    'hub.repo',
    'hub.image',
    'hub.downloads',
    'hub.download',
    'hub.pause',
    'hub.resume',
    'hub.cancel',
  ],
  async (operation) => {
    await using dir = await tempDir();
    await dir.write({ 'local-models.db': 'not a database, and long enough to be read as one. '.repeat(100) });
    await using broken = await testServer({ dataDir: dir.path });
    const [method, path, options] = CALLS[operation] as (typeof CALLS)[string];
    const reply = await broken.call(method, path, options);
    expect([reply.status, reply.code]).toEqual([503, 'RUNTIME_NOT_AVAILABLE']);
  },
);
