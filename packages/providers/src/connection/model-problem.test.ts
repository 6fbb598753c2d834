import { describe, expect, test } from '@jest/globals';
import { createHarness } from '../../test/harness.ts';

describe('what a model lacks before it can be called', () => {
  test('is the key of its provider, at its current address', async () => {
    await using harness = await createHarness();
    const { modelProblem, runtime } = harness.providers;
    expect(await modelProblem('deepseek:m')).toBe('PROVIDER_KEY_REQUIRED');
    await harness.connect('deepseek');
    expect(await modelProblem('deepseek:m')).toBeUndefined();
    expect(await modelProblem('zai:m')).toBe('PROVIDER_KEY_REQUIRED');
    runtime.change('deepseek', { endpoint: 'https://elsewhere.example/v1' });
    expect(await modelProblem('deepseek:m')).toBe('PROVIDER_KEY_REQUIRED');
    expect(harness.server.requests).toHaveLength(0);
    expect(harness.server.lists).toHaveLength(0);
  });

  test.each([
    ['azure:my-deployment', 'PROVIDER_RUNTIME_INVALID'],
    ['esterno:agente', 'PROVIDER_RUNTIME_INVALID'],
    ['nobody:m', 'MODEL_ID_INVALID'],
    ['ollama:m', undefined],
    ['local:m', undefined],
  ])('of %s is %s', async (model, problem) => {
    await using harness = await createHarness();
    expect(await harness.providers.modelProblem(model)).toBe(problem);
  });

  test('is not a key that only pauses', async () => {
    await using harness = await createHarness({ script: () => ({ fault: { kind: 'status', status: 429 } }) });
    await harness.connect('deepseek');
    await harness.ask('deepseek:m');
    expect(await harness.providers.modelProblem('deepseek:m')).toBeUndefined();
  });
});
