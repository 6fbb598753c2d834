import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let cartella: string;
let elsewhere: TempDir;
let percorso: string;
beforeAll(async () => {
  server = await testServer();
  cartella = await realpath(server.project.path);
  elsewhere = await tempDir();
  percorso = join(await realpath(elsewhere.path), 'helper');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

const MANIFEST = JSON.stringify({ name: 'Helper', tools: [{ name: 'greet', command: 'node greet.cjs' }] });
const here = { ambito: 'progetto' };

async function put(folder: string, manifest = MANIFEST): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'plugin.json'), manifest);
  await writeFile(join(folder, 'greet.cjs'), 'console.log("hello")');
}
const preview = (path = percorso) => server.call('POST', '/ext/plugins/preview', { body: { percorso: path } });
async function add(more: object = {}) {
  const { impronta } = (await preview()).data.plugin;
  return server.call('POST', '/ext/plugins', { body: { ...here, cartella, percorso, impronta, ...more } });
}
const act = (what: string, body: object = {}) =>
  server.call('POST', `/ext/plugins/helper/${what}`, { body: { ...here, cartella, ...body } });
const remove = (query: Record<string, string> = {}) =>
  server.call('DELETE', '/ext/plugins/helper', { query: { ...here, cartella, ...query } });
const list = async () => (await server.call('GET', '/ext/plugins', { query: { cartella } })).data;

beforeEach(async () => {
  await put(percorso);
  await rm(join(cartella, '.svc'), { recursive: true, force: true });
  for (const { ambito } of (await list()).plugin) await remove({ ambito });
});

covers('ext.plugins.preview', 'shows what the plugin of a folder would run', async () => {
  const { data } = await preview();
  expect(data.plugin).toMatchObject({
    id: 'helper',
    nome: 'Helper',
    tools: ['greet'],
    comandi: [{ origine: 'tool:greet', comando: 'node greet.cjs' }],
    impronta: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

refuses('ext.plugins.preview', 'PLUGIN_INVALID', 'for a folder that is missing or no plugin', async () => {
  for (const [path, reason] of [
    [join(percorso, 'absent'), 'folder'],
    [cartella, 'manifest'],
  ] as const) {
    const reply = await preview(path);
    expect([reply.status, reply.code, reply.reason]).toEqual([422, 'PLUGIN_INVALID', reason]);
  }
});

covers('ext.plugins.add', 'adds a plugin whose tools agents can use', async () => {
  const reply = await add();
  expect([reply.status, reply.data.plugin]).toMatchObject([
    201,
    { id: 'helper', ambito: 'progetto', fidato: true, attivo: true, sostituito: false },
  ]);
  let tools = '';
  server.model.script(({ body }) => {
    tools = JSON.stringify(body.tools);
    return { text: 'Done.' };
  });
  await server.settled(await server.startSession());
  expect(tools).toContain('plugin_helper_greet');
});

refuses('ext.plugins.add', 'PLUGIN_INVALID', 'when it changed after it was shown, or is there', async () => {
  const { impronta } = (await preview()).data.plugin;
  await writeFile(join(percorso, 'greet.cjs'), 'console.log("other")');
  const changed = await add({ impronta });
  expect([changed.status, changed.code, changed.reason]).toEqual([422, 'PLUGIN_INVALID', 'changed']);
  expect((await list()).plugin).toEqual([]);
  await add();
  expect([(await add()).reason, (await list()).plugin.length]).toEqual(['exists', 1]);
  expect((await add({ cartella: undefined })).reason).toBe('extension-place');
});

covers('ext.plugins.list', 'lists the plugins of the user and the untrusted ones of the project', async () => {
  await add({ ambito: 'ovunque' });
  await put(join(cartella, '.svc/plugins/helper'));
  await put(join(cartella, '.svc/plugins/broken'), '{');
  expect(await list()).toMatchObject({
    plugin: [
      { id: 'helper', ambito: 'ovunque', fidato: true, sostituito: false },
      { id: 'helper', ambito: 'file', fidato: false, motivo: 'mai-approvato', sostituito: true },
    ],
    falliti: [{ id: 'broken' }],
    errore: null,
  });
});

covers('ext.plugins.turn', 'turns a plugin off and on', async () => {
  await add();
  expect((await act('choices', { attivo: false })).data.plugin.attivo).toBe(false);
  expect((await act('choices', { attivo: true })).data.plugin.attivo).toBe(true);
  expect((await act('choices', { attivo: true, ambito: 'ovunque' })).code).toBe('NOT_FOUND');
});

covers('ext.plugins.trust', 'trusts a plugin of the project as it is now', async () => {
  await put(join(cartella, '.svc/plugins/helper'));
  expect((await act('trust', { ambito: 'file' })).data.plugin.fidato).toBe(true);
  await writeFile(join(cartella, '.svc/plugins/helper/greet.cjs'), '');
  expect((await list()).plugin).toMatchObject([{ fidato: false, motivo: 'contenuto-cambiato' }]);
});

refusesEach('PLUGIN_INVALID', ['ext.plugins.turn', 'ext.plugins.trust'], async (operation) => {
  await put(join(cartella, '.svc/plugins/helper'), '{');
  const [what, more] = operation === 'ext.plugins.turn' ? ['choices', { attivo: true }] : ['trust', {}];
  const reply = await act(what as string, { ambito: 'file', ...(more as object) });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'PLUGIN_INVALID', 'manifest']);
});

covers('ext.plugins.remove', 'removes a plugin once', async () => {
  await add();
  expect((await remove()).data).toEqual({ ok: true });
  expect((await remove()).code).toBe('NOT_FOUND');
});

refuses('ext.plugins.remove', 'PLUGIN_INVALID', 'for a plugin of the project', async () => {
  await put(join(cartella, '.svc/plugins/helper'));
  const reply = await remove({ ambito: 'file' });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'PLUGIN_INVALID', 'declared-by-project']);
});

refusesEach(
  'WORKSPACE_NOT_AVAILABLE',
  ['ext.plugins.list', 'ext.plugins.add', 'ext.plugins.remove', 'ext.plugins.turn', 'ext.plugins.trust'],
  async (operation) => {
    const place = { cartella: join(cartella, 'absent') };
    const calls: Record<string, () => ReturnType<typeof act>> = {
      'ext.plugins.list': () => server.call('GET', '/ext/plugins', { query: place }),
      'ext.plugins.add': () => add(place),
      'ext.plugins.remove': () => remove(place),
      'ext.plugins.turn': () => act('choices', { attivo: true, ...place }),
      'ext.plugins.trust': () => act('trust', place),
    };
    expect((await calls[operation]?.())?.code).toBe('WORKSPACE_NOT_AVAILABLE');
  },
);

test('a page of another origin changes no plugin', async () => {
  const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  for (const [method, path] of [
    ['POST', '/preview'],
    ['POST', ''],
    ['DELETE', '/a'],
    ['POST', '/a/choices'],
    ['POST', '/a/trust'],
  ] as const) {
    const reply = await server.call(method, `/ext/plugins${path}`, {
      headers,
      ...(method !== 'DELETE' && { body: {} }),
    });
    expect([path, reply.status, reply.code]).toEqual([path, 403, 'ORIGIN_FORBIDDEN']);
  }
});
