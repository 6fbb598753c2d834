import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { type ModelProgram, modelProgram } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import type { TestServer } from '../harness.ts';
import { importModel, makeIncomplete, serverWithProgram } from '../local-fixture.ts';

const OWN = { runtimeId: 'llama.cpp' };
const CHAT = { profile: 'chat', contextTokens: 1_024 };

let server: TestServer;
let ollama: ModelProgram;
beforeAll(async () => {
  [server, ollama] = await Promise.all([serverWithProgram(), modelProgram('ollama')]);
  const body = { endpoint: ollama.url, timeoutSeconds: 30 };
  await server.call('POST', '/providers/ollama/runtime', { body });
  for (const id of ['one', 'two', 'gone', 'half', 'dies', 'mute', 'refuses', 'cut'])
    await importModel(server, id, { contextLength: 131_072 });
  await importModel(server, 'zeros', Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(4_000)]));
  rmSync((await server.call('POST', '/local-models/gone/copy-path')).data.path);
  makeIncomplete(server, 'half');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await ollama[Symbol.asyncDispose]();
});

const load = (body: object) => server.call('POST', '/runtime/load', { body });
const unload = (body: object = OWN) => server.call('POST', '/runtime/unload', { body });
const fit = (id: string, query: Record<string, string> = {}) =>
  server.call('GET', `/local-models/${id}/fit`, { query });
const qualify = (id: string, body: object = { consent: true, ...CHAT }) =>
  server.call('POST', `/local-models/${id}/qualify`, { body });
const own = async () => (await server.call('GET', '/runtime')).data.items[0];

covers('runtime.list', 'lists the bundled engine and installed third-party engines', async () => {
  const { data } = await server.call('GET', '/runtime');
  expect(data.items.map(({ runtimeId, state, reason }: any) => [runtimeId, state, reason])).toEqual([
    ['llama.cpp', 'observed', undefined],
    ['ollama', 'observed', undefined],
    ['lmstudio', 'unavailable', 'unreachable'],
  ]);
  expect(data.items[0].models[0]).toEqual({
    modelId: 'one',
    name: null,
    loaded: false,
    contextLength: null,
    sizeBytes: expect.any(Number),
  });
  expect(data.items[0].models.map(({ modelId }: any) => modelId)).not.toContain('half');
});

covers('runtime.bootstrap', 'returns the same list in its own envelope', async () => {
  const { data } = await server.call('GET', '/runtime/bootstrap');
  expect(data).toMatchObject({
    schema: 'svc.runtime.bootstrap/1',
    authoritative: 'backend',
    runtime: { status: 'available', consulted: true, reason: null },
    observedAt: expect.stringMatching(/Z$/),
  });
  expect(data.runtime.items).toHaveLength(3);
});

covers('runtime.load', 'loads a model, which then cannot be deleted', async () => {
  const reply = await load({ ...OWN, modelId: 'one', contextLength: 2_048 });
  expect(reply.data).toEqual({
    ...OWN,
    modelId: 'one',
    state: 'loaded',
    contextLength: 2_048,
    observedAt: expect.stringMatching(/Z$/),
  });
  expect(await own()).toMatchObject({ runtimeState: 'ready' });
  expect((await own()).models[0]).toMatchObject({ loaded: true, contextLength: 2_048 });
  expect((await server.call('POST', '/local-models/one/delete')).code).toBe('RUNTIME_ALREADY_RUNNING');
});

refuses('runtime.load', 'RUNTIME_ALREADY_RUNNING', 'while a model is loaded', async () => {
  expect(await load({ ...OWN, modelId: 'two' })).toMatchObject({ status: 409, code: 'RUNTIME_ALREADY_RUNNING' });
});

covers('local-models.qualify', 'runs and measures one real generation', async () => {
  const { data } = await qualify('one');
  expect(data).toEqual({
    modelId: 'one',
    state: 'qualified',
    backend: { state: 'observed', value: 'program' },
    build: { state: 'observed', value: 'b9999-fixture' },
    contextTokens: 2_048,
    performance: {
      ttftMs: { state: 'observed', value: expect.any(Number) },
      tokensPerSecond: { state: 'observed', value: expect.any(Number) },
    },
    durationMs: expect.any(Number),
    measuredAt: expect.stringMatching(/Z$/),
  });
});

refuses('local-models.qualify', 'RUNTIME_NOT_AVAILABLE', 'while another model is loaded', async () => {
  expect(await qualify('two')).toMatchObject({ status: 503, code: 'RUNTIME_NOT_AVAILABLE', reason: 'another-model' });
});

covers('runtime.unload', 'unloads the model and accepts that none is loaded', async () => {
  expect((await unload({ ...OWN, modelId: 'one' })).data).toMatchObject({ ...OWN, modelId: 'one', state: 'unloaded' });
  expect((await unload()).data).toMatchObject({ modelId: null });
  expect(await own()).toMatchObject({ runtimeState: 'unavailable' });
});

test('loads and unloads models of third-party engines', async () => {
  expect((await load({ runtimeId: 'ollama', modelId: 'small' })).data).toMatchObject({
    state: 'loaded',
    contextLength: 4_096,
  });
  expect((await unload({ runtimeId: 'ollama' })).data).toMatchObject({ runtimeId: 'ollama', modelId: null });
});

refuses('runtime.load', 'MODEL_NOT_FOUND', 'for an unknown model', async () => {
  expect((await load({ ...OWN, modelId: 'none' })).code).toBe('MODEL_NOT_FOUND');
  expect((await load({ runtimeId: 'ollama', modelId: 'none' })).code).toBe('MODEL_NOT_FOUND');
});

refuses('runtime.load', 'MODEL_NOT_READY', 'for an incomplete model', async () => {
  expect((await load({ ...OWN, modelId: 'half' })).code).toBe('MODEL_NOT_READY');
});

refuses('runtime.load', 'MODEL_FILE_UNREADABLE', 'when its file is missing or changed', async () => {
  expect((await load({ ...OWN, modelId: 'gone' })).code).toBe('MODEL_FILE_UNREADABLE');
  expect((await load({ ...OWN, modelId: 'zeros' })).code).toBe('MODEL_FILE_UNREADABLE');
});

refuses('runtime.load', 'LOCAL_RUNTIME_FAILED', 'when the engine exits at once', async () => {
  expect(await load({ ...OWN, modelId: 'dies' })).toMatchObject({ status: 502, code: 'LOCAL_RUNTIME_FAILED' });
  expect(await own()).toMatchObject({ runtimeState: 'failed', reason: 'ended' });
});

refuses('runtime.load', 'RUNTIME_NOT_AVAILABLE', 'for an unknown engine', async () => {
  expect((await load({ runtimeId: 'vllm', modelId: 'one' })).code).toBe('RUNTIME_NOT_AVAILABLE');
});

refuses('runtime.load', 'RUNTIME_UNREACHABLE', 'when the engine does not answer', async () => {
  expect((await load({ runtimeId: 'lmstudio', modelId: 'x' })).code).toBe('RUNTIME_UNREACHABLE');
});

refuses('runtime.load', 'RUNTIME_OPERATION_UNSUPPORTED', 'for an engine version without this operation', async () => {
  ollama.fault = 'missing';
  expect((await load({ runtimeId: 'ollama', modelId: 'small' })).code).toBe('RUNTIME_OPERATION_UNSUPPORTED');
});

refuses('runtime.load', 'MODEL_LOAD_UNCONFIRMED', 'when the engine confirms but does not load it', async () => {
  ollama.fault = 'deaf-to-loading';
  expect((await load({ runtimeId: 'ollama', modelId: 'small' })).code).toBe('MODEL_LOAD_UNCONFIRMED');
});

test('rejects incomplete fields and a context above the limit', async () => {
  for (const body of [
    {},
    { ...OWN },
    { ...OWN, modelId: '' },
    { ...OWN, modelId: 'one', contextLength: 0 },
    { ...OWN, modelId: 'one', contextLength: 1.5 },
    { ...OWN, modelId: 'one', contextLength: 131_073 },
    { ...OWN, modelId: 'one', threads: 4 },
  ])
    expect([body, (await load(body)).code]).toEqual([body, 'QUERY_INVALID']);
  expect((await unload({})).code).toBe('QUERY_INVALID');
});

refuses('runtime.unload', 'RUNTIME_NOT_AVAILABLE', 'for an unknown engine', async () => {
  expect((await unload({ runtimeId: 'vllm' })).code).toBe('RUNTIME_NOT_AVAILABLE');
});

refuses('runtime.unload', 'MODEL_NOT_FOUND', 'for a model that is not loaded', async () => {
  expect((await unload({ ...OWN, modelId: 'two' })).code).toBe('MODEL_NOT_FOUND');
});

refuses('runtime.unload', 'RUNTIME_UNREACHABLE', 'when the engine does not answer', async () => {
  expect((await unload({ runtimeId: 'lmstudio' })).code).toBe('RUNTIME_UNREACHABLE');
});

refuses('runtime.unload', 'MODEL_UNLOAD_UNCONFIRMED', 'when the engine confirms but does not unload it', async () => {
  ollama.fault = 'deaf-to-loading';
  ollama.held.add('small');
  expect((await unload({ runtimeId: 'ollama' })).code).toBe('MODEL_UNLOAD_UNCONFIRMED');
});

refuses('runtime.unload', 'RUNTIME_OPERATION_UNSUPPORTED', 'for an engine version without this operation', async () => {
  ollama.fault = 'missing';
  expect((await unload({ runtimeId: 'ollama' })).code).toBe('RUNTIME_OPERATION_UNSUPPORTED');
});

refuses('runtime.unload', 'LOCAL_RUNTIME_FAILED', 'when the engine fails or answers invalid data', async () => {
  for (const fault of ['status', 'json'] as const) {
    ollama.fault = fault;
    expect((await unload({ runtimeId: 'ollama' })).code).toBe('LOCAL_RUNTIME_FAILED');
  }
  ollama.fault = 'none';
});

covers('local-models.fit', 'estimates from the model’s header', async () => {
  const { data } = await fit('two');
  expect(data).toMatchObject({
    modelId: 'two',
    profile: 'agent',
    state: 'compatible',
    reason: 'fits',
    context: { requestedTokens: 65_536, availableTokens: 131_072 },
    inspection: {
      format: { state: 'observed', magic: 'GGUF', version: 3 },
      context: { runtimeTokens: { state: 'unknown', value: null } },
      template: { state: 'observed', value: true },
      backend: { state: 'unknown', value: null },
      observedAt: expect.stringMatching(/Z$/),
    },
  });
  expect(data.storage.availableBytes).toBeGreaterThan(data.storage.requiredBytes);
  expect((await fit('two', CHAT as never)).data).toMatchObject({ profile: 'chat', state: 'compatible' });
});

refuses('local-models.fit', 'FIT_INVALID', 'for an invalid profile or context', async () => {
  for (const query of [{ profile: 'poet' }, { contextTokens: '0' }, { contextTokens: '999999999' }] as Record<
    string,
    string
  >[])
    expect((await fit('two', query)).code).toBe('FIT_INVALID');
  expect((await fit('two', { contextTokens: '1e3' })).code).toBe('QUERY_INVALID');
});

refuses('local-models.fit', 'MODEL_NOT_FOUND', 'for an unknown model', async () => {
  expect((await fit('none')).code).toBe('MODEL_NOT_FOUND');
});

refuses('local-models.fit', 'MODEL_NOT_READY', 'for an incomplete model', async () => {
  expect((await fit('half')).code).toBe('MODEL_NOT_READY');
});

refuses('local-models.fit', 'MODEL_HEADER_INVALID', 'for a file with only a magic number', async () => {
  expect(await fit('zeros')).toMatchObject({ status: 422, code: 'MODEL_HEADER_INVALID' });
});

refuses('local-models.fit', 'MODEL_HEADER_UNREADABLE', 'when the file is missing', async () => {
  expect((await fit('gone')).code).toBe('MODEL_HEADER_UNREADABLE');
});

refuses('local-models.fit', 'RUNTIME_PROBE_FAILED', 'when the loaded model’s engine reports no memory', async () => {
  await load({ ...OWN, modelId: 'mute', contextLength: 1_024 });
  expect((await fit('mute')).code).toBe('RUNTIME_PROBE_FAILED');
  await unload();
});

covers('local-models.fit-estimate', 'estimates from the file size', async () => {
  const { data } = await server.call('GET', '/local-models/fit-estimate', {
    query: { bytes: '1000000', contextTokens: '4096' },
  });
  expect(data).toMatchObject({
    profile: 'chat',
    state: 'compatible',
    reason: 'fits',
    context: { requestedTokens: 4_096, availableTokens: null },
  });
  const huge = await server.call('GET', '/local-models/fit-estimate', { query: { bytes: '900000000000000' } });
  expect(huge.data).toMatchObject({ profile: 'agent', state: 'blocked', reason: 'storage' });
});

refuses('local-models.fit-estimate', 'FIT_INVALID', 'for no size or no context', async () => {
  for (const query of [{ bytes: '0' }, { bytes: '1', contextTokens: '0' }] as Record<string, string>[])
    expect((await server.call('GET', '/local-models/fit-estimate', { query })).code).toBe('FIT_INVALID');
  expect((await server.call('GET', '/local-models/fit-estimate')).code).toBe('QUERY_INVALID');
});

refuses('local-models.qualify', 'PROBE_CONSENT_REQUIRED', 'for consent other than true', async () => {
  for (const consent of [undefined, false, 'true', 1])
    expect((await qualify('one', { ...CHAT, consent })).code).toBe('PROBE_CONSENT_REQUIRED');
});

refuses('local-models.qualify', 'FIT_INVALID', 'for an invalid profile', async () => {
  expect((await qualify('one', { consent: true, profile: 'poet' })).code).toBe('FIT_INVALID');
});

refuses('local-models.qualify', 'MODEL_NOT_FOUND', 'for an unknown model', async () => {
  expect((await qualify('none')).code).toBe('MODEL_NOT_FOUND');
});

refuses('local-models.qualify', 'MODEL_NOT_READY', 'for an incomplete model', async () => {
  expect((await qualify('half')).code).toBe('MODEL_NOT_READY');
});

refuses('local-models.qualify', 'MODEL_FILE_UNREADABLE', 'when its file is missing or changed', async () => {
  for (const id of ['gone', 'zeros']) expect((await qualify(id)).code).toBe('MODEL_FILE_UNREADABLE');
});

refuses('local-models.qualify', 'MODEL_NOT_COMPATIBLE', 'for more context than the model supports', async () => {
  const body = { consent: true, profile: 'chat', contextTokens: 200_000 };
  expect(await qualify('one', body)).toMatchObject({ status: 409, code: 'MODEL_NOT_COMPATIBLE', reason: 'context' });
});

refuses('local-models.qualify', 'PROBE_GENERATION_FAILED', 'when the engine refuses the request', async () => {
  expect((await qualify('refuses')).code).toBe('PROBE_GENERATION_FAILED');
});

refuses('local-models.qualify', 'PROBE_GENERATION_INCOMPLETE', 'when the engine stops during the answer', async () => {
  expect((await qualify('cut')).code).toBe('PROBE_GENERATION_INCOMPLETE');
});

refuses('local-models.qualify', 'RUNTIME_PROBE_FAILED', 'when the engine does not start', async () => {
  expect((await qualify('dies')).code).toBe('RUNTIME_PROBE_FAILED');
});

covers('model-lab.capacity', 'returns the memory and disk of this computer', async () => {
  const { data } = await server.call('GET', '/model-lab/capacity');
  expect(data).toMatchObject({
    schema: 'svc.model-lab.capacity/1',
    platform: process.platform,
    arch: process.arch,
    cpu: { physicalCores: expect.any(Number) },
    storage: { reserveBytes: 1_073_741_824 },
    runtime: { status: expect.any(String) },
  });
  expect(data).toHaveProperty('gpu');
});

refuses('model-lab.capacity', 'REPORT_UNAVAILABLE', 'when the disk space cannot be measured', async () => {
  await rename(server.dataDir, `${server.dataDir}-away`);
  const reply = await server.call('GET', '/model-lab/capacity');
  await rename(`${server.dataDir}-away`, server.dataDir);
  expect(reply).toMatchObject({ status: 404, code: 'REPORT_UNAVAILABLE' });
});
