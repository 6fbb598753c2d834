import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MARKER, processesBelow, processesWith } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';
import { importModel, serverWithProgram } from '../local-fixture.ts';

const SAID = 'The note was read by a model of this computer.';
const READ = { tool: 'read', arguments: { path: 'note.md', offset: null, limit: null, page: null } };

describe('the bundled engine', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
    writeFileSync(join(server.project.path, 'note.md'), `Worth reading ${MARKER}\n`);
    await importModel(server, 'reader', { says: READ, saysThen: SAID, contextLength: 131_072 });
    await importModel(server, 'absent', { contextLength: 131_072 });
    const body = { runtimeId: 'llama.cpp', modelId: 'reader', contextLength: 65_536 };
    const reply = await server.call('POST', '/runtime/load', { body });
    if (!reply.ok) throw new Error(reply.text);
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  test('runs a session that calls a tool, reads its result and answers', async () => {
    const id = await server.startSession({ modello: 'local:reader', consegna: 'Read the note.' });
    expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro', modello: 'local:reader' });
    const events = (await server.events(id)) as any[];
    const call = events.find(({ type }) => type === 'ToolCallStart');
    expect(call).toMatchObject({ toolCallName: 'leggi' });
    const given = events.filter(({ type }) => type === 'ToolCallArgs').map(({ delta }) => delta);
    expect(JSON.parse(given.join(''))).toEqual({ percorso: 'note.md' });
    const words = events.filter(({ type }) => type === 'TextMessageContent').map(({ delta }) => delta);
    expect(words.join('')).toBe(SAID);
    expect(server.model.requests).toHaveLength(0);
  });

  test('runs a template and names the engine that answers', async () => {
    const { data: templates } = await server.call('GET', '/tasks');
    const taskId = templates.items[0].id;
    const local = { taskId, provider: 'local', runtimeId: 'llama.cpp', modelId: 'reader' };
    const reply = await server.call('POST', '/sessions', { body: local });
    expect(reply.status).toBe(200);
    await server.call('POST', `/sessions/${reply.data.sessionId}/stop`);
    await server.settled(reply.data.sessionId);
    const notLoaded = await server.call('POST', '/sessions', { body: { ...local, modelId: 'absent' } });
    expect(notLoaded).toMatchObject({ status: 503, code: 'RUNTIME_NOT_AVAILABLE', reason: 'not-loaded' });
  });

  refuses('sessions.create-from-task', 'MODEL_NOT_FOUND', 'for a local model that is not installed', async () => {
    const { data: templates } = await server.call('GET', '/tasks');
    const taskId = templates.items[0].id;
    const body = { taskId, provider: 'local', runtimeId: 'llama.cpp', modelId: 'nobody' };
    expect((await server.call('POST', '/sessions', { body })).code).toBe('MODEL_NOT_FOUND');
  });

  test('appears in the model list and in the doctor report', async () => {
    const { data } = await server.call('GET', '/doctor');
    expect(data.voci.find(({ id }: any) => id === 'local-engine')).toMatchObject({ stato: 'ok' });
    expect((await server.call('GET', '/models')).text).toContain('reader');
  });

  test('stops with the server', async () => {
    const engines = processesBelow('engine-main');
    expect(engines.length).toBeGreaterThan(0);
    await server.stop();
    expect(processesWith('engine-main').filter((pid) => engines.includes(pid))).toEqual([]);
  });
});

describe('an engine that fails during a turn', () => {
  const reserve = [{ provider: 'deepseek', model: 'deepseek-chat' }];

  async function answered(fallbackConsent: boolean): Promise<{ row: any; events: any[] }> {
    await using server = await serverWithProgram();
    await server.call('POST', '/providers/deepseek/runtime', { body: { endpoint: `${server.model.url}/v1` } });
    await server.call('POST', '/providers/deepseek/key', { body: { key: 'key-of-deepseek-0' } });
    await importModel(server, 'refuses', { contextLength: 131_072 });
    await server.call('POST', '/runtime/load', { body: { runtimeId: 'llama.cpp', modelId: 'refuses' } });
    server.model.script(() => ({ text: 'Deepseek here.' }));
    const { data } = await server.call('GET', '/tasks');
    const body = {
      taskId: data.items[0].id,
      provider: 'local',
      runtimeId: 'llama.cpp',
      modelId: 'refuses',
      fallbackConsent,
      fallbackProviders: reserve,
    };
    const started = await server.call('POST', '/sessions', { body });
    if (!started.ok) throw new Error(started.text);
    await server.call('POST', '/runtime/unload', { body: { runtimeId: 'llama.cpp' } });
    const row = await server.settled(started.data.sessionId);
    return { row, events: (await server.events(started.data.sessionId)) as any[] };
  }
  const notices = (events: any[]): any[] => events.filter(({ name }) => name === 'svc.provider-fallback');

  test('is replaced by the fallback when the user allowed it', async () => {
    const { row, events } = await answered(true);
    expect(row).toMatchObject({ motivoChiusura: 'fine-lavoro' });
    expect(notices(events)).toMatchObject([{ value: { da: { provider: 'local', modello: 'refuses' } } }]);
  });

  test('ends the turn with an error and sends nothing out without consent', async () => {
    const { row, events } = await answered(false);
    expect(row.motivoChiusura).not.toBe('fine-lavoro');
    expect(notices(events)).toEqual([]);
  });
});

describe('a configured engine program that is missing', () => {
  let server: TestServer;
  let misnamed: TestServer;
  beforeAll(async () => {
    [server, misnamed] = await Promise.all([
      serverWithProgram('/nowhere/llama-server'),
      serverWithProgram('llama-server'),
    ]);
    for (const one of [server, misnamed]) await importModel(one, 'one');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await misnamed[Symbol.asyncDispose]();
  });

  refuses('local-models.fit', 'RUNTIME_NOT_AVAILABLE', 'when the program is missing', async () => {
    expect((await server.call('GET', '/local-models/one/fit')).code).toBe('RUNTIME_NOT_AVAILABLE');
  });

  refuses('local-models.fit', 'LOCAL_RUNTIME_PROBE_MISCONFIGURED', 'when the program cannot be executed', async () => {
    expect((await misnamed.call('GET', '/local-models/one/fit')).code).toBe('LOCAL_RUNTIME_PROBE_MISCONFIGURED');
  });

  refuses('local-models.fit-estimate', 'RUNTIME_NOT_AVAILABLE', 'when the program is missing', async () => {
    const reply = await server.call('GET', '/local-models/fit-estimate', { query: { bytes: '1000' } });
    expect(reply).toMatchObject({ status: 503, code: 'RUNTIME_NOT_AVAILABLE' });
  });

  test('is reported by the doctor and by the capacity report', async () => {
    const { data } = await server.call('GET', '/doctor');
    expect(data.voci.find(({ id }: any) => id === 'local-engine')).toMatchObject({ stato: 'attenzione' });
    const { data: capacity } = await server.call('GET', '/model-lab/capacity');
    expect(capacity.runtime).toEqual({ status: 'unconfigured', reason: 'program-missing' });
    const { data: bootstrap } = await server.call('GET', '/runtime/bootstrap');
    expect(bootstrap.runtime.items?.[0]).toMatchObject({ runtimeId: 'llama.cpp', state: 'unavailable' });
  });
});
