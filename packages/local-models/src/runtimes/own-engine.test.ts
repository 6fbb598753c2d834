import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { processesBelow, processesWith } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chat, machineWith, type RuntimesFixture, runtimesFixture } from '../../test/runtimes-fixture.ts';

const llama = { runtimeId: 'llama.cpp' } as const;
/** Engines of other suites run at the same time. */
const remaining = (pids: readonly number[]) => processesWith('engine-main').filter((pid) => pids.includes(pid));

describe('the bundled engine', () => {
  let fixture: RuntimesFixture;
  beforeAll(async () => {
    fixture = await runtimesFixture({ machine: machineWith({ cards: ['a card'] }) });
    fixture.add('one', { says: 'One.' });
    fixture.add('two', { says: 'Two.' });
    fixture.add('half', { state: 'incomplete' });
    fixture.add('broken', { bytes: Buffer.from('GGUF and then nothing that is one') });
    rmSync(fixture.add('gone').path);
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());
  const own = async () => (await fixture.runtimes.list()).find(({ runtimeId }) => runtimeId === 'llama.cpp');
  const load = (modelId: string, contextTokens?: number) =>
    fixture.runtimes.load({ ...llama, modelId, ...(contextTokens && { contextTokens }) });

  test('is available without a loaded model and lists ready models', async () => {
    expect(await own()).toMatchObject({ state: 'observed', runtimeState: 'unavailable', reason: null });
    expect((await own())?.models.map(({ modelId, isLoaded }) => [modelId, isLoaded])).toEqual([
      ['one', false],
      ['two', false],
      ['broken', false],
      ['gone', false],
    ]);
    expect(await fixture.runtimes.unload(llama)).toMatchObject({ modelId: null, state: 'unloaded' });
  });

  test.each([
    ['nobody', undefined, 'MODEL_NOT_FOUND'],
    ['half', undefined, 'MODEL_NOT_READY'],
    ['broken', undefined, 'MODEL_FILE_UNREADABLE'],
    ['gone', undefined, 'MODEL_FILE_UNREADABLE'],
    ['one', 8_193, 'QUERY_INVALID'],
  ])('refuses to load %s with %s: %s', async (modelId, contextTokens, code) => {
    await expect(load(modelId, contextTokens)).rejects.toMatchObject({ code });
    expect((await own())?.runtimeState).toBe('unavailable');
  });

  test('loads one model at a time, reports ignored options, and unloads it', async () => {
    const loading = load('one', 2_048);
    await expect(loading).resolves.toMatchObject({ modelId: 'one', contextTokens: 2_048, note: 'gpu-not-used' });
    expect(fixture.runtimes.isLoaded('one')).toBe(true);
    expect(await own()).toMatchObject({ runtimeState: 'ready' });
    await expect(load('two')).rejects.toMatchObject({ code: 'RUNTIME_ALREADY_RUNNING', reason: 'ready' });
    await expect(load('one')).rejects.toMatchObject({ code: 'RUNTIME_ALREADY_RUNNING' });
    await expect(fixture.runtimes.unload({ ...llama, modelId: 'two' })).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
    });
    expect(fixture.runtimes.engine('two')).toBeUndefined();
    expect(await fixture.runtimes.unload({ ...llama, modelId: 'one' })).toMatchObject({
      modelId: 'one',
      state: 'unloaded',
    });
    expect(fixture.runtimes.isLoaded('one')).toBe(false);
    expect(fixture.runtimes.engine('one')).toBeUndefined();
    expect(await own()).toMatchObject({ runtimeState: 'unavailable' });
  });

  test('reports a crash without affecting the server, and restarts', async () => {
    await load('two', 2_048);
    const pids = processesBelow('engine-main');
    expect(pids.length).toBeGreaterThan(0);
    const engine = fixture.runtimes.engine('two');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    for (;;) {
      if ((await own())?.runtimeState === 'failed') break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(fixture.runtimes.engine('two')).toBeUndefined();
    expect(fixture.runtimes.isLoaded('two')).toBe(false);
    await load('two', 1_024);
    const next = fixture.runtimes.engine('two');
    expect(next?.key).not.toBe(engine?.key);
    expect((await chat(fixture.runtimes, 'two', { messages: [{ role: 'user', content: 'x' }] })).content).toBe('Two.');
    const again = processesBelow('engine-main');
    expect(again.length).toBeGreaterThan(0);
    await fixture.runtimes.unload(llama);
    expect(remaining(again)).toEqual([]);
  });

  test('stopped while loading cancels the load', async () => {
    const loading = load('one', 2_048);
    const refused = expect(loading).rejects.toMatchObject({ code: 'LOCAL_RUNTIME_FAILED', reason: 'stopped' });
    for (;;) {
      if ((await own())?.runtimeState === 'loading') break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const started = processesBelow('engine-main');
    await fixture.runtimes.unload(llama);
    await refused;
    expect(await own()).toMatchObject({ runtimeState: 'unavailable' });
    expect([remaining(started), processesBelow('engine-main')]).toEqual([[], []]);
  });
});

const program = join(import.meta.dirname, '../../test/fixtures/llama-server.mjs');

describe('a user’s llama-server', () => {
  test('gets its own key outside the command line', async () => {
    await using fixture = await runtimesFixture({ program });
    fixture.add('one');
    expect(await fixture.runtimes.load({ ...llama, modelId: 'one', contextTokens: 512 })).toMatchObject({
      contextTokens: 512,
      note: null,
    });
    const { endpoint, key } = fixture.runtimes.engine('one') ?? { endpoint: '', key: '' };
    const argv = await (
      await fetch(new URL('/argv', endpoint), { headers: { authorization: `Bearer ${key}` } })
    ).text();
    expect(argv).not.toContain(key);
    expect(JSON.parse(argv)).toEqual(expect.arrayContaining(['--host', '127.0.0.1', '-c', '512']));
    expect((await fetch(new URL('/props', endpoint))).status).toBe(401);
    expect(await fixture.runtimes.fit('one', { profile: 'chat' })).toMatchObject({
      inspection: {
        build: { state: 'observed', value: 'b9999-fixture' },
        context: { effectiveTokens: { value: 512 } },
      },
    });
  });

  test.each([
    ['dies', { code: 'LOCAL_RUNTIME_FAILED', reason: 'ended' }],
    ['open', { code: 'LOCAL_RUNTIME_FAILED', reason: 'key-not-asked' }],
  ])('that is named “%s” is rejected', async (modelId, error) => {
    await using fixture = await runtimesFixture({ program });
    fixture.add(modelId);
    await expect(fixture.runtimes.load({ ...llama, modelId })).rejects.toMatchObject(error);
    expect((await fixture.runtimes.list())[0]).toMatchObject({ runtimeState: 'failed', reason: error.reason });
    expect(processesWith(`--alias ${modelId}`)).toEqual([]);
  });

  test('times out after a minute', async () => {
    let now = 0;
    await using fixture = await runtimesFixture({ program, monotonic: () => (now += 10_000) });
    fixture.add('deaf');
    await expect(fixture.runtimes.load({ ...llama, modelId: 'deaf' })).rejects.toMatchObject({
      code: 'MODEL_LOAD_UNCONFIRMED',
    });
  });

  test('that is missing or not executable is not replaced by the bundled engine', async () => {
    for (const [path, absence, fit] of [
      ['/nowhere/llama-server', 'program-missing', 'RUNTIME_NOT_AVAILABLE'],
      ['llama-server', 'program-unusable', 'LOCAL_RUNTIME_PROBE_MISCONFIGURED'],
      [import.meta.dirname, 'program-unusable', 'LOCAL_RUNTIME_PROBE_MISCONFIGURED'],
    ] as const) {
      await using fixture = await runtimesFixture({ program: path });
      fixture.add('one');
      const { runtimes } = fixture;
      expect((await runtimes.list())[0]).toMatchObject({ state: 'unavailable', reason: absence, models: [] });
      for (const act of [
        runtimes.load({ ...llama, modelId: 'one' }),
        runtimes.unload(llama),
        runtimes.estimate({ bytes: 1 }),
      ])
        await expect(act).rejects.toMatchObject({ code: 'RUNTIME_NOT_AVAILABLE', reason: absence });
      await expect(runtimes.fit('one', {})).rejects.toMatchObject({ code: fit });
      expect((await runtimes.capacity()).runtime).toEqual({ status: 'unconfigured', reason: absence });
      expect(await runtimes.check()).toMatchObject({ absence });
    }
  });
});
