import type { Fault } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createHarness, failureIn, textOf } from '../../test/harness.ts';
import { anthropicUsage, geminiUsage, responsesUsage } from './partial-usage.ts';

const USAGE = { promptTokens: 1_000, completionTokens: 50, cachedTokens: 300 };
const FAULTS: Fault[] = [{ kind: 'cut' }, { kind: 'end-early' }, { kind: 'error-event' }, { kind: 'broken-json' }];

/** The usage in the answer of a provider that breaks off after some of its deltas. */
async function usageOfBroken([provider, model]: readonly [string, string], fault: Fault, after: number) {
  await using harness = await createHarness({
    script: [{ text: ['kept ', 'lost'], usage: USAGE, fault: { ...fault, after } as Fault }],
  });
  await harness.connect(provider);
  const events = await harness.ask(model);
  expect(failureIn(events)).toBeDefined();
  expect(textOf(events)).toBe(after === 0 ? '' : 'kept ');
  return events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
}

test.each([
  ['anthropic', 'anthropic:claude-x'],
  ['gemini', 'gemini:gemini-x'],
] as const)('%s tells what an answer used before it broke off', async (...provider) => {
  for (const fault of FAULTS) {
    const [usage, ...others] = await usageOfBroken(provider, fault, 1);
    expect([fault.kind, usage]).toEqual([
      fault.kind,
      expect.objectContaining({ promptTokens: 1_000, completionTokens: 1, cachedTokens: 300 }),
    ]);
    expect(others).toEqual([]);
  }
});

test('a call without any output, or of a provider that counts at the end, has no usage', async () => {
  expect(await usageOfBroken(['anthropic', 'anthropic:claude-x'], { kind: 'cut' }, 0)).toEqual([]);
  for (const provider of [
    ['deepseek', 'deepseek:m'],
    ['openai', 'openai:gpt-5'],
  ] as const)
    expect(await usageOfBroken(provider, { kind: 'cut' }, 1)).toEqual([]);
});

test('a host that counts with each chunk tells what an answer used before it broke off', async () => {
  const chunk = {
    choices: [{ index: 0, delta: { content: 'kept ' } }],
    usage: { prompt_tokens: 9, completion_tokens: 2 },
  };
  await using harness = await createHarness({ script: [{ raw: `data: ${JSON.stringify(chunk)}\n\n` }] });
  await harness.connect('deepseek');
  const events = await harness.ask('deepseek:m');
  expect(failureIn(events)).toBeDefined();
  expect(events).toContainEqual({
    type: 'usage',
    usage: expect.objectContaining({ promptTokens: 9, completionTokens: 2 }),
  });
});

test('an answer that comes whole has its usage once', async () => {
  await using harness = await createHarness({ script: [{ text: ['a', 'b'], usage: USAGE }] });
  await harness.connect('anthropic');
  const events = await harness.ask('anthropic:claude-x');
  expect(events.filter(({ type }) => type === 'usage')).toMatchObject([
    { usage: { promptTokens: 1_000, completionTokens: 50, cachedTokens: 300 } },
  ]);
});

test('later counts of a message replace its output only, and no other chunk counts', () => {
  const start = { message: { usage: { input_tokens: 7, cache_read_input_tokens: 2, output_tokens: 1 } } };
  const begun = anthropicUsage(start, undefined);
  expect(begun).toMatchObject({ inputTokens: { total: 9, cacheRead: 2 }, outputTokens: { total: 1 } });
  expect(anthropicUsage({ usage: { output_tokens: 40 } }, begun)).toMatchObject({
    inputTokens: { total: 9, cacheRead: 2 },
    outputTokens: { total: 40 },
  });
  for (const read of [anthropicUsage, geminiUsage, responsesUsage])
    for (const chunk of [
      undefined,
      null,
      'text',
      [],
      { usage: null },
      { message: 1 },
      { usage: { output_tokens: -1 } },
    ])
      expect(read(chunk, undefined)).toBeUndefined();
  expect(
    responsesUsage({ response: { usage: { input_tokens: 4, input_tokens_details: { cached_tokens: 1 } } } }, undefined),
  ).toMatchObject({ inputTokens: { total: 4, cacheRead: 1 } });
});
