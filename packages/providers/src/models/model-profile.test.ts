import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createHarness } from '../../test/harness.ts';

const UNKNOWN = { tokens: null, from: null };

describe('the profile of a model', () => {
  test('names the provider as the source of what its list states', async () => {
    const modelFacts = { context_length: 64_000, max_output_tokens: 8_000 };
    await using harness = await createHarness({ models: ['m'], modelFacts });
    await harness.connect('deepseek');
    const profile = () => harness.providers.profile('deepseek:m');
    while ((await profile()).window.tokens === null) await setTimeout(5);
    expect(await profile()).toEqual({
      model: 'deepseek:m',
      window: { tokens: 64_000, from: 'provider' },
      outputLimit: { tokens: 8_000, from: 'provider' },
      dialect: { name: 'default', from: 'family' },
      effort: expect.anything(),
    });
    expect(await harness.providers.profile('deepseek:neighbour')).toMatchObject({
      window: UNKNOWN,
      outputLimit: UNKNOWN,
    });
  });

  test('puts the settings of the user before the engine, and the engine before all others', async () => {
    const engine = { kind: 'ollama' as const, tokens: 8_192 };
    const chosen = { models: { 'ollama:set': { contextWindow: 4_096, maxOutputTokens: 1_024 } } };
    await using harness = await createHarness({ engine, needs: { chosen } });
    await harness.connect('ollama');
    const facts = async (model: string) => {
      const { window, outputLimit } = await harness.providers.profile(`ollama:${model}`);
      return [window, outputLimit];
    };
    expect(await facts('scripted-1')).toEqual([{ tokens: 8_192, from: 'engine' }, UNKNOWN]);
    expect(await facts('set')).toEqual([
      { tokens: 4_096, from: 'settings' },
      { tokens: 1_024, from: 'settings' },
    ]);
  });

  test('asks the local engine for the size that it loaded', async () => {
    const localWindow = (model: string) => (model === 'tiny' ? 2_048 : undefined);
    await using harness = await createHarness({ needs: { localWindow } });
    expect((await harness.providers.profile('local:tiny')).window).toEqual({ tokens: 2_048, from: 'engine' });
    expect((await harness.providers.profile('local:other')).window).toEqual(UNKNOWN);
    expect(harness.providers.knowledge.windowOf('local:tiny')).toBe(2_048);
  });

  test.each([
    ['openai:gpt-5.1', 'medium'],
    ['anthropic:claude-opus-4-6', 'adaptive'],
    ['anthropic:claude-sonnet-4-5', null],
    ['bedrock:anthropic.claude-opus-4-6', 'adaptive'],
    ['gemini:gemini-3-pro', null],
    ['deepseek:deepseek-chat', null],
  ] as const)('says what a request of an agent to %s states of effort: %s', async (model, effort) => {
    await using harness = await createHarness();
    expect((await harness.providers.profile(model)).effort.default).toBe(effort);
  });

  test('says in which words a model knows the tools, and who chose them', async () => {
    const dialects = { models: new Map([['openai:gpt-5.1', 'claude' as const]]) };
    await using harness = await createHarness({ needs: { dialects } });
    const of = async (model: string) => (await harness.providers.profile(model)).dialect;
    expect(await of('openai:gpt-5.1')).toEqual({ name: 'claude', from: 'settings' });
    expect(await of('openai:gpt-5')).toEqual({ name: 'gpt', from: 'family' });
  });

  test('refuses what is no id of a model', async () => {
    await using harness = await createHarness();
    await expect(harness.providers.profile('no model')).rejects.toMatchObject({ code: 'MODEL_ID_INVALID' });
  });
});
