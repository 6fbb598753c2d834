import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { machineWith, runtimesFixture } from '../../test/runtimes-fixture.ts';

const program = join(import.meta.dirname, '../../test/fixtures/llama-server.mjs');
const request = { consent: true, profile: 'chat', contextTokens: 1_024 };

describe('qualifying a model', () => {
  test('generates one answer and restores the memory state', async () => {
    await using fixture = await runtimesFixture();
    fixture.add('one', { says: 'A forge is where iron is made soft and shaped.' });
    const answer = await fixture.runtimes.qualify('one', request);
    expect(answer).toMatchObject({
      modelId: 'one',
      state: 'qualified',
      backend: { state: 'observed', value: 'cpu' },
      build: { state: 'observed', value: expect.stringContaining('llama.cpp') },
      contextTokens: 1_024,
      performance: {
        ttftMs: { state: 'observed', value: expect.any(Number) },
        tokensPerSecond: { state: 'observed', value: expect.any(Number) },
      },
    });
    expect(answer.performance.tokensPerSecond.value).toBeGreaterThan(0);
    expect(fixture.runtimes.isLoaded('one')).toBe(false);
  });

  test('keeps a model loaded that was loaded before', async () => {
    await using fixture = await runtimesFixture({ program });
    fixture.add('one');
    fixture.add('two');
    await fixture.runtimes.load({ runtimeId: 'llama.cpp', modelId: 'one', contextTokens: 2_048 });
    expect(await fixture.runtimes.qualify('one', request)).toMatchObject({ state: 'qualified', contextTokens: 2_048 });
    expect(fixture.runtimes.isLoaded('one')).toBe(true);
    await expect(fixture.runtimes.qualify('two', request)).rejects.toMatchObject({
      code: 'RUNTIME_NOT_AVAILABLE',
      reason: 'another-model',
    });
  });

  test.each([
    ['refuses', 'PROBE_GENERATION_FAILED'],
    ['wordless', 'PROBE_GENERATION_INCOMPLETE'],
    ['cut', 'PROBE_GENERATION_INCOMPLETE'],
    ['endless', 'PROBE_GENERATION_INCOMPLETE'],
    ['dies', 'RUNTIME_PROBE_FAILED'],
    ['open', 'RUNTIME_PROBE_FAILED'],
  ])('with an engine that %s answers %s', async (modelId, code) => {
    await using fixture = await runtimesFixture({ program });
    fixture.add(modelId);
    await expect(fixture.runtimes.qualify(modelId, request)).rejects.toMatchObject({ code });
    expect(fixture.runtimes.isLoaded(modelId)).toBe(false);
  });

  test.each([
    [{ ...request, consent: 'yes' }, 'PROBE_CONSENT_REQUIRED'],
    [{ ...request, profile: 'poet' }, 'FIT_INVALID'],
    [{ ...request, contextTokens: 0 }, 'FIT_INVALID'],
    [{ ...request, contextTokens: 8_193 }, 'MODEL_NOT_COMPATIBLE'],
    [{ consent: true }, 'MODEL_NOT_COMPATIBLE'],
  ])('of %o is %s', async (asked, code) => {
    await using fixture = await runtimesFixture({ program, machine: machineWith() });
    fixture.add('one');
    await expect(fixture.runtimes.qualify('one', asked)).rejects.toMatchObject({ code });
  });
});
