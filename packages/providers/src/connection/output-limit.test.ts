import { describe, expect, test } from '@jest/globals';
import { createHarness, type Harness } from '../../test/harness.ts';

/** A provider whose list states these limits of its model. */
async function limited(limits: { context_length?: number; max_output_tokens?: number }): Promise<Harness> {
  const harness = await createHarness({ modelFacts: limits, models: ['m'] });
  await harness.connect('deepseek');
  await harness.providers.catalog.list('deepseek');
  return harness;
}

const sentLimit = ({ server }: Harness): unknown => server.requests.at(-1)?.body['max_tokens'];

describe('the output limit of a request', () => {
  test.each([
    ['the model’s own', { max_output_tokens: 64_000 }, {}, 64_000],
    ['what the caller asks', { max_output_tokens: 64_000 }, { maxOutputTokens: 500 }, 500],
    ['the model’s own where the caller asks for more', { max_output_tokens: 4_096 }, { maxOutputTokens: 9_000 }, 4_096],
    ['none where it is unknown', {}, {}, undefined],
    [
      'what is left of the window',
      { context_length: 40_000, max_output_tokens: 40_000 },
      {},
      expect.closeTo(39_900, -3),
    ],
    ['none where little is left', { context_length: 4_000, max_output_tokens: 4_000 }, {}, undefined],
  ])('is %s', async (_what, limits, asked, expected) => {
    await using harness = await limited(limits);
    await harness.ask('deepseek:m', asked);
    expect(sentLimit(harness)).toEqual(expected);
  });

  test('is not sent to a local engine', async () => {
    await using harness = await createHarness({ models: ['m'], modelFacts: { max_output_tokens: 64_000 } });
    await harness.connect('lmstudio');
    await harness.ask('lmstudio:m');
    expect(sentLimit(harness)).toBeUndefined();
  });

  test.each([
    'max_tokens must be at most 8192',
    'This model’s maximum context length is 8192 tokens; you requested 9000 (1000 in the messages, 8000 in the completion).',
  ])('is left out after a refusal that names it (%s)', async (message) => {
    await using harness = await limited({ max_output_tokens: 64_000 });
    harness.server.script(({ body }) =>
      'max_tokens' in body ? { fault: { kind: 'status', status: 400, message } } : { text: 'fine' },
    );
    expect((await harness.ask('deepseek:m', { cacheKey: 's' })).at(-1)).toMatchObject({
      type: 'finish',
      reason: 'stop',
    });
    const before = harness.server.requests.length;
    await harness.ask('deepseek:m', { cacheKey: 's' });
    expect(harness.server.requests).toHaveLength(before + 1);
  });
});
