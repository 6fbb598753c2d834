import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn, TOOL } from '../../test/harness.ts';

describe('Gemini', () => {
  test('gets system prompt, tools and limit in its format and the key in its header only', async () => {
    await using harness = await createHarness();
    await harness.connect('gemini', 'the-real-key');
    await harness.ask('gemini:gemini-2.5-flash', { tools: [TOOL], maxOutputTokens: 99 });
    const { path, headers, body } = harness.server.requests[0] ?? {};
    expect(path).toBe('/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
    expect(headers).toMatchObject({ 'x-goog-api-key': 'the-real-key' });
    expect(headers?.authorization).toBeUndefined();
    expect(body).toMatchObject({
      systemInstruction: { parts: [{ text: 'You are a tester.' }, { text: 'Be short.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }],
      generationConfig: { maxOutputTokens: 99, thinkingConfig: { includeThoughts: true } },
      tools: [{ functionDeclarations: [{ name: 'leggi' }] }],
    });
  });

  test.each([
    ['gemini-2.5-flash', 'none', { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { includeThoughts: true, thinkingBudget: 2_048 }],
    ['gemini-2.5-pro', 'max', { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-3-pro-preview', 'medium', { includeThoughts: true, thinkingLevel: 'low' }],
    ['gemini-3.5-flash', 'minimal', { includeThoughts: true, thinkingLevel: 'minimal' }],
    ['gemini-2.0-flash', 'high', undefined],
  ] as const)('%s uses thinking budget %s', async (model, effort, expected) => {
    await using harness = await createHarness();
    await harness.connect('gemini');
    await harness.ask(`gemini:${model}`, { reasoning: { effort } });
    const config = harness.server.requests[0]?.body['generationConfig'] as { thinkingConfig?: unknown } | undefined;
    expect(config?.thinkingConfig).toEqual(expected);
  });

  test.each([
    [
      'a limit per minute with its wait',
      429,
      '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota, please check your plan and billing details.","details":[{"retryDelay":"34.5s"}]}}',
      { class: 'rate-limit', retryAfterMs: 34_500 },
    ],
    ['a wrong key', 400, '{"error":{"message":"API key not valid."}}', { class: 'credential' }],
    [
      'a conversation too long',
      400,
      '{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}',
      { class: 'context-too-long' },
    ],
  ])('%s is classified by its message', async (_name, status, body, expected) => {
    await using harness = await createHarness({ script: [{ fault: { kind: 'status', status, body } }] });
    await harness.connect('gemini');
    expect(failureIn(await harness.ask('gemini:gemini-2.5-pro'))).toMatchObject(expected);
  });

  test('reports a call that it could not read as such, and not as a broken answer', async () => {
    await using harness = await createHarness({ script: [{ text: '', finish: 'malformed-call' }] });
    await harness.connect('gemini');
    const events = await harness.ask('gemini:gemini-2.5-pro', { tools: [TOOL] });
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'malformed-call' });
    expect(harness.server.requests).toHaveLength(1);
  });
});
