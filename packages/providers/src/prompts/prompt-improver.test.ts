import { fakeAmbient } from '@fucina/shared/testing';
import type { Reply } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness } from '../../test/harness.ts';
import { createPromptImprover, type ImproveDepth } from './prompt-improver.ts';

const MODEL = 'deepseek:deepseek-chat';

async function improve(reply: Reply, depth: ImproveDepth = 'balanced') {
  await using harness = await createHarness({ script: [reply] });
  await harness.connect('deepseek');
  const improver = createPromptImprover({ ambient: fakeAmbient(), client: harness.providers.client });
  const answer = await improver.improve({ model: MODEL, prompt: 'fix the bug', depth });
  return { answer, sent: JSON.stringify(harness.server.requests[0]?.body) };
}

const said = (value: unknown): Reply => ({ text: JSON.stringify(value) });

describe('improving a prompt', () => {
  test.each(['concise', 'balanced', 'extended'] as const)('rewrites it at the depth %s', async (depth) => {
    const { answer, sent } = await improve(
      said({ prompt: ' Fix the failing test. ', summary: 'Clearer.', principles: ['goal'] }),
      depth,
    );
    expect(answer).toEqual({
      improved: 'Fix the failing test.',
      summary: 'Clearer.',
      principles: ['goal'],
      original: 'fix the bug',
      depth,
      model: 'deepseek-chat',
      provider: 'deepseek',
    });
    expect(sent).toMatch(/<text-([0-9a-f]{12})>\\nfix the bug\\n<\/text-\1>/);
  });

  test('truncates the result to its limit', async () => {
    const long = { prompt: 'p'.repeat(30_000), summary: 's'.repeat(900), principles: Array(20).fill('x'.repeat(300)) };
    const { answer } = await improve(said(long));
    expect(answer.improved).toHaveLength(24_000);
    expect(answer.summary).toHaveLength(500);
    expect(answer.principles.map((phrase) => phrase.length)).toEqual(Array(8).fill(160));
  });

  test.each([
    ['a fence', '```json\n{"prompt":"Fix it.","summary":7,"principles":"x"}\n```', 'Fix it.'],
    ['plain words', 'Fix it, please.', 'Fix it, please.'],
    ['another object', 'Use {"a":1} here.', 'Use {"a":1} here.'],
  ])('extracts it from %s', async (_name, text, improved) => {
    expect((await improve({ text })).answer).toMatchObject({ improved, summary: '', principles: [] });
  });

  test.each([
    ['an empty answer', { text: ' ' }],
    ['an empty prompt', { text: '{"prompt":""}' }],
    ['a refusal', { fault: { kind: 'status', status: 500 } }],
    ['a cut', { text: ['a', 'b'], fault: { kind: 'cut' } }],
  ] as [string, Reply][])('fails with %s', async (_name, reply) => {
    await expect(improve(reply)).rejects.toMatchObject({ code: 'PROVIDER_RUNTIME_UNAVAILABLE' });
  });

  test.each([
    [null, 'PROVIDER_RUNTIME_UNAVAILABLE'],
    ['nobody', 'PROVIDER_RUNTIME_UNAVAILABLE'],
    ['xai:grok-4', 'PROVIDER_RUNTIME_UNAVAILABLE'],
    ['local:my.gguf', 'RUNTIME_NOT_AVAILABLE'],
  ])('fails when the model %s with %s', async (model, code) => {
    await using harness = await createHarness();
    const improver = createPromptImprover({ ambient: fakeAmbient(), client: harness.providers.client });
    await expect(improver.improve({ model, prompt: 'x', depth: 'concise' })).rejects.toMatchObject({ code });
  });
});
