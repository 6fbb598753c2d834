import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqliteDriver } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

const CATALOG = join(import.meta.dirname, '../../templates');
const ID = 'carrello-sconti';
let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const start = (fields: object = {}, headers: Record<string, string> = {}) =>
  server.call('POST', '/sessions', { body: { taskId: ID, modello: 'ollama:tiny', ...fields }, headers });
const copies = (): Promise<string[]> => readdir(join(server.dataDir, 'tasks')).catch(() => []);

covers('templates.list', 'lists bundled templates, easiest first, in the requested language', async () => {
  const { status, data } = await server.call('GET', '/tasks');
  expect([status, data.items.map(({ id }: any) => id)]).toEqual([200, [ID, 'csv-virgolette', 'turni-notturni']]);
  expect(data.items[0]).toEqual({
    id: ID,
    progetto: 'cart',
    difficolta: 'facile',
    consegnaCorta: expect.stringContaining('carrello'),
  });
  const english = await server.call('GET', '/tasks', { headers: { 'accept-language': 'en' } });
  expect(english.data.items[0]).toMatchObject({ difficolta: 'easy', consegnaCorta: expect.stringContaining('cart') });
});

refuses('templates.list', 'TASK_CATALOG_UNAVAILABLE', 'without a catalog', async () => {
  await using without = await testServer({ templatesDir: '/nowhere/at/all' });
  expect(await without.call('GET', '/tasks')).toMatchObject({ status: 503, code: 'TASK_CATALOG_UNAVAILABLE' });
});

covers('sessions.create-from-task', 'creates each session in its own copy with the template’s prompt', async () => {
  const [first, second] = [await start(), await start({ linguaInterfaccia: 'en', permessi: 'Read only' })];
  const row = await server.settled(first.data.sessionId);
  expect(row).toMatchObject({ taskId: ID, progetto: 'cart', permessi: 'Workspace write', provider: 'cloud' });
  await server.settled(second.data.sessionId);
  const [started] = (await server.events(second.data.sessionId)) as any[];
  const words = JSON.parse(await readFile(join(CATALOG, ID, 'template.json'), 'utf8'));
  expect(started.input.consegna).toBe(words.en.assignment);
  expect(started.contesto).toMatchObject({ progetto: 'cart' });
  const { data } = await server.call('GET', `/sessions/${first.data.sessionId}/tree`);
  expect(data.voci.map(({ nome }: any) => nome)).toEqual(['src', 'test', 'package.json', 'README.md']);
  expect(await copies()).toHaveLength(2);
});

covers('sessions.create-from-task', 'runs the test command of the template', async () => {
  server.model.script(({ lastRole }) =>
    lastRole === 'tool' ? { text: 'Seen.' } : { toolCalls: [{ name: 'prova', arguments: {} }] },
  );
  const { data } = await start();
  await server.settled(data.sessionId);
  server.model.script(() => ({ text: 'Hello.' }));
  const result = (await server.events(data.sessionId)).find(({ type }) => type === 'ToolCallResult');
  expect(result).toMatchObject({ comando: 'node --test', exitCode: 1 });
});

refuses(
  'sessions.create-from-task',
  'QUERY_INVALID',
  'for a missing task, unknown fields, or an incomplete local model',
  async () => {
    const before = await copies();
    const bad = [
      { taskId: '' },
      { taskId: 7 },
      { altro: 1 },
      { cartellaLibera: '/tmp' },
      { consegna: 'x' },
      { provider: 'elsewhere' },
      { provider: 'local' },
      { provider: 'local', runtimeId: 'r' },
      { provider: 'local', modelId: 'm' },
      { fallbackConsent: true },
      { permessiPerAttrezzo: {} },
      { modalitaOperativa: 'other' },
    ];
    for (const fields of bad) {
      const { status, code } = await start(fields);
      expect([fields, status, code]).toEqual([fields, 400, 'QUERY_INVALID']);
    }
    expect((await server.call('POST', '/sessions', { body: {} })).code).toBe('QUERY_INVALID');
    expect(await copies()).toEqual(before);
  },
);

refuses(
  'sessions.create-from-task',
  'TASK_NOT_ALLOWED',
  'for an id that is not exactly one of the catalog',
  async () => {
    for (const taskId of ['nope', `${ID} `, ID.toUpperCase(), `../templates/${ID}`, '.']) {
      expect([taskId, (await start({ taskId })).code]).toEqual([taskId, 'TASK_NOT_ALLOWED']);
    }
  },
);

refuses('sessions.create-from-task', 'TASK_CATALOG_UNAVAILABLE', 'when the catalog cannot be read', async () => {
  await using dir = await tempDir();
  await dir.write({ 'broken/template.json': '{' });
  await using without = await testServer({ templatesDir: dir.path });
  const body = { taskId: ID, modello: 'ollama:tiny' };
  expect((await without.call('POST', '/sessions', { body })).code).toBe('TASK_CATALOG_UNAVAILABLE');
});

refuses(
  'sessions.create-from-task',
  'MODEL_ID_INVALID',
  'for an invalid model, and for no model without a default',
  async () => {
    for (const modello of ['', 'x', 'nobody:x']) expect((await start({ modello })).code).toBe('MODEL_ID_INVALID');
    await using fresh = await testServer();
    await fresh.call('POST', '/providers/ollama/runtime/reset', { body: {} });
    expect((await fresh.call('POST', '/sessions', { body: { taskId: ID } })).code).toBe('MODEL_ID_INVALID');
  },
);

refuses('sessions.create-from-task', 'PERMISSIONS_INVALID', 'for an unknown level', async () => {
  expect((await start({ permessi: 'Research' })).code).toBe('PERMISSIONS_INVALID');
});

refuses('sessions.create-from-task', 'REASONING_INVALID', 'for an unknown effort', async () => {
  expect((await start({ reasoning: { effort: 'huge' } })).code).toBe('REASONING_INVALID');
});

refuses('sessions.create-from-task', 'MODE_WORKFLOW_RETIRED', 'for the retired mode', async () => {
  expect((await start({ modalitaOperativa: 'workflow' })).code).toBe('MODE_WORKFLOW_RETIRED');
});

refuses(
  'sessions.create-from-task',
  'PROVIDER_FALLBACK_INVALID',
  'for a fallback provider that has no key',
  async () => {
    const fallbackProviders = [{ provider: 'local', model: 'x' }];
    expect((await start({ fallbackProviders })).code).toBe('PROVIDER_FALLBACK_INVALID');
  },
);

refuses(
  'sessions.create-from-task',
  'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED',
  'for a fallback model without tool support',
  async () => {
    const fallbackProviders = [{ provider: 'openai', model: 'no-such-model' }];
    expect((await start({ fallbackProviders })).code).toBe('PROVIDER_FALLBACK_TOOLS_UNSUPPORTED');
  },
);

refuses('sessions.create-from-task', 'RUNTIME_NOT_AVAILABLE', 'for a local model without an engine', async () => {
  const local = { provider: 'local', runtimeId: 'llama', modelId: 'tiny' };
  const before = await copies();
  for (const fields of [local, { ...local, fallbackConsent: false }]) {
    expect(await start({ ...fields, modello: undefined })).toMatchObject({
      status: 503,
      code: 'RUNTIME_NOT_AVAILABLE',
    });
  }
  expect(await copies()).toEqual(before);
});

refuses(
  'sessions.create-from-task',
  'SESSION_STORE_HEADER_FAILED',
  'when the store cannot be written, and deletes the copy',
  async () => {
    await using broken = await testServer();
    await broken.settled(await broken.startSession());
    const db = new (sqliteDriver())(`${broken.dataDir}/sessions.db`);
    db.exec("CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END");
    db.close();
    const reply = await broken.call('POST', '/sessions', { body: { taskId: ID, modello: 'ollama:tiny' } });
    expect(reply.code).toBe('SESSION_STORE_HEADER_FAILED');
    expect(await readdir(join(broken.dataDir, 'tasks'))).toEqual([]);
  },
);

refuses('sessions.create-from-task', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
  await using closing = await testServer();
  await closing.host.quiesce();
  const reply = await closing.call('POST', '/sessions', { body: { taskId: ID, modello: 'ollama:tiny' } });
  expect(reply).toMatchObject({ status: 503, code: 'SERVER_SHUTTING_DOWN' });
});

test('listing templates leaves every other store usable after a restart', async () => {
  await using data = await tempDir();
  {
    await using first = await testServer({ dataDir: data.path });
    expect((await first.call('GET', '/tasks')).status).toBe(200);
  }
  await using second = await testServer({ dataDir: data.path });
  expect((await second.call('GET', '/projects')).status).toBe(200);
});

test('the test command of every template runs and fails before the fix', async () => {
  await using dir = await tempDir();
  for (const id of await readdir(CATALOG)) {
    await cp(join(CATALOG, id, 'project'), join(dir.path, id), { recursive: true });
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { status, stdout } = spawnSync('node', ['--test'], { cwd: join(dir.path, id), env, encoding: 'utf8' });
    const counts = Object.fromEntries(
      [...stdout.matchAll(/^[#ℹ] (pass|fail) (\d+)$/gm)].map(([, name, n]) => [name, Number(n)]),
    );
    expect([id, status, counts.pass > 0, counts.fail > 0]).toEqual([id, 1, true, true]);
  }
});
