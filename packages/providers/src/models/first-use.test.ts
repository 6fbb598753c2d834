import { setTimeout } from 'node:timers/promises';
import type { ModelServerOptions } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, type Harness } from '../../test/harness.ts';

async function used(options: ModelServerOptions, provider: string, model = 'scripted-1'): Promise<Harness> {
  const harness = await createHarness(options);
  await harness.connect(provider);
  await harness.providers.lookUp(`${provider}:${model}`);
  return harness;
}

describe('the first use of a model', () => {
  test('fetches the list of its provider once, in the background', async () => {
    await using harness = await used({ models: ['m'], modelFacts: { context_length: 64_000 } }, 'deepseek', 'm');
    const { knowledge, lookUp } = harness.providers;
    while (knowledge.windowOf('deepseek:m') === null) await setTimeout(5);
    expect(knowledge.windowOf('deepseek:m')).toBe(64_000);
    await lookUp('deepseek:m');
    await lookUp('deepseek:other');
    // A later answer of the same server: a second list would have come before it.
    await harness.ask('deepseek:m');
    expect(harness.server.lists).toHaveLength(1);
    expect(knowledge.windowOf('deepseek:other')).toBeNull();
  });

  test('asks for a list that failed again after ten minutes', async () => {
    const modelsReply = { fault: { kind: 'status' as const, status: 500 } };
    await using harness = await used({ modelsReply }, 'deepseek', 'm');
    const asked = async (): Promise<number> => {
      await harness.providers.lookUp('deepseek:m');
      await harness.ask('deepseek:m');
      return harness.server.lists.length;
    };
    expect(await asked()).toBe(1);
    await harness.ambient.advance(599_999);
    expect(await asked()).toBe(1);
    await harness.ambient.advance(1);
    expect(await asked()).toBe(2);
  });

  test.each([
    ['ollama', { kind: 'ollama', tokens: 8_192 }],
    ['ollama', { kind: 'ollama', tokens: 6_144, isLoaded: false }],
    ['lmstudio', { kind: 'lmstudio', tokens: 12_288 }],
    ['ollama', { kind: 'llama-server', tokens: 4_096 }],
    ['lmstudio', { kind: 'llama-server', tokens: 4_096 }],
  ] as const)('waits for the size with which %s loaded it (%j)', async (provider, engine) => {
    await using harness = await used({ engine }, provider);
    expect(harness.providers.knowledge.windowOf(`${provider}:scripted-1`)).toBe(engine.tokens);
    expect(harness.providers.knowledge.windowOf(`${provider}:neighbour`)).not.toBe(engine.tokens);
  });

  test('asks a local engine again after a minute', async () => {
    const engine = { kind: 'ollama' as const, tokens: 8_192 };
    await using harness = await used({ engine }, 'ollama');
    engine.tokens = 4_096;
    await harness.providers.lookUp('ollama:scripted-1');
    expect(harness.providers.knowledge.windowOf('ollama:scripted-1')).toBe(8_192);
    await harness.ambient.advance(60_000);
    await harness.providers.lookUp('ollama:scripted-1');
    expect(harness.providers.knowledge.windowOf('ollama:scripted-1')).toBe(4_096);
  });

  test.each(['nobody:x', 'esterno:agente', 'local:m', 'openai:gpt-5'])('asks nothing for %s', async (model) => {
    await using harness = await createHarness();
    await harness.providers.lookUp(model);
    expect(harness.server.lists).toHaveLength(0);
    expect(harness.providers.knowledge.windowOf(model)).toBeNull();
  });

  test.each(['status', 'html', 'refuse'] as const)('leaves the size unknown after "%s"', async (kind) => {
    const fault = kind === 'status' ? { kind, status: 500 } : { kind };
    await using harness = await used({ modelsReply: { fault } }, 'lmstudio');
    expect(harness.providers.knowledge.windowOf('lmstudio:scripted-1')).toBeNull();
  });
});
