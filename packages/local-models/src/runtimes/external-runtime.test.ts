import { type ProgramFault as Fault, type ModelProgram, modelProgram } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type RuntimesFixture, runtimesFixture } from '../../test/runtimes-fixture.ts';

describe.each(['ollama', 'lmstudio'] as const)('%s', (runtimeId) => {
  async function withProgram(act: (program: ModelProgram, fixture: RuntimesFixture) => Promise<void>): Promise<void> {
    await using program = await modelProgram(runtimeId);
    await using fixture = await runtimesFixture({
      address: async (asked) => ({
        endpoint: asked === runtimeId ? program.url : null,
        headers: { authorization: 'Bearer a-key' },
      }),
    });
    await act(program, fixture);
  }
  const row = async ({ runtimes }: RuntimesFixture) =>
    (await runtimes.list()).find((one) => one.runtimeId === runtimeId);

  test('is detected with its models, and unloads one or all', async () => {
    await withProgram(async (program, fixture) => {
      const { runtimes } = fixture;
      expect(await row(fixture)).toMatchObject({ state: 'observed', runtimeState: 'unavailable', modelsError: null });
      const loaded = await runtimes.load({ runtimeId, modelId: 'small', contextTokens: 2_048 });
      expect(loaded).toMatchObject({ runtimeId, modelId: 'small', state: 'loaded', contextTokens: expect.any(Number) });
      expect(program.asked.some((line) => line.startsWith('POST') && line.includes('2048'))).toBe(true);
      expect(await row(fixture)).toMatchObject({
        runtimeState: 'ready',
        models: [
          { modelId: 'small', isLoaded: true, sizeBytes: 1_000 },
          { modelId: 'large', isLoaded: false },
        ],
      });
      expect(await runtimes.unload({ runtimeId, modelId: 'small' })).toMatchObject({
        modelId: 'small',
        state: 'unloaded',
      });
      await runtimes.load({ runtimeId, modelId: 'small' });
      await runtimes.load({ runtimeId, modelId: 'large' });
      expect(await runtimes.unload({ runtimeId })).toMatchObject({ modelId: null });
      expect(program.held.size).toBe(0);
    });
  });

  test.each<[Fault, string, string]>([
    ['status', 'LOCAL_RUNTIME_FAILED', 'LOCAL_RUNTIME_FAILED'],
    ['json', 'MODEL_LOAD_UNCONFIRMED', 'LOCAL_RUNTIME_FAILED'],
    ['cut', 'RUNTIME_UNREACHABLE', 'RUNTIME_UNREACHABLE'],
    ['missing', 'RUNTIME_OPERATION_UNSUPPORTED', 'RUNTIME_OPERATION_UNSUPPORTED'],
    ['deaf-to-loading', 'MODEL_LOAD_UNCONFIRMED', 'MODEL_UNLOAD_UNCONFIRMED'],
  ])('with the fault “%s” answers %s to loading and %s to unloading', async (fault, onLoad, onUnload) => {
    await withProgram(async (program, { runtimes }) => {
      program.fault = fault;
      await expect(runtimes.load({ runtimeId, modelId: 'small' })).rejects.toMatchObject({ code: onLoad });
      program.fault = 'none';
      await runtimes.load({ runtimeId, modelId: 'large' });
      program.fault = fault;
      await expect(runtimes.unload({ runtimeId })).rejects.toMatchObject({ code: onUnload });
    });
  });

  test.each<[Fault, string, string | null]>([
    ['status', 'observed', 'LOCAL_RUNTIME_FAILED'],
    ['json', 'observed', 'LOCAL_RUNTIME_FAILED'],
    ['shape', 'observed', 'LOCAL_RUNTIME_FAILED'],
    ['cut', 'unavailable', null],
  ])('with the fault “%s” is %s without models', async (fault, state, modelsError) => {
    await withProgram(async (program, fixture) => {
      program.fault = fault;
      expect(await row(fixture)).toMatchObject({ state, modelsError, models: [] });
    });
  });

  test('rejects an unknown model, and is unreachable when it is not running', async () => {
    await withProgram(async (_program, { runtimes }) => {
      await expect(runtimes.load({ runtimeId, modelId: 'none' })).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
      const other = runtimeId === 'ollama' ? 'lmstudio' : 'ollama';
      await expect(runtimes.load({ runtimeId: other, modelId: 'small' })).rejects.toMatchObject({
        code: 'RUNTIME_UNREACHABLE',
        reason: 'no-address',
      });
      await expect(runtimes.unload({ runtimeId: other })).rejects.toMatchObject({ code: 'RUNTIME_UNREACHABLE' });
    });
  });
});

test('an unknown engine is not available', async () => {
  await using fixture = await runtimesFixture();
  await expect(fixture.runtimes.load({ runtimeId: 'vllm', modelId: 'x' })).rejects.toMatchObject({
    code: 'RUNTIME_NOT_AVAILABLE',
  });
  await expect(fixture.runtimes.unload({ runtimeId: 'vllm' })).rejects.toMatchObject({ code: 'RUNTIME_NOT_AVAILABLE' });
});
