import type { AnswerPart, ModelMessage } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn, type Harness, TOOL } from '../../test/harness.ts';

type Json = Record<string, unknown>;

const bodyOf = (harness: Harness): Json => harness.server.requests.at(-1)?.body as Json;
const user: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const called: AnswerPart = { type: 'call', id: 'c1', name: 'leggi', arguments: '{"percorso":"a"}' };
const thought = (text: string): ModelMessage[] => [
  user,
  { role: 'assistant', parts: [{ type: 'reasoning', text }, called] },
  { role: 'tool', toolCallId: 'c1', toolName: 'leggi', content: 'text', isError: false },
];

describe('chat completions', () => {
  test('has one system message, usage on request and the caller’s limit', async () => {
    await using harness = await createHarness();
    await harness.connect('deepseek');
    await harness.ask('deepseek:m', { maxOutputTokens: 9, tools: [TOOL] });
    expect(bodyOf(harness)).toMatchObject({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
      messages: [
        { role: 'system', content: 'You are a tester.\n\nBe short.' },
        { role: 'user', content: 'Hello?' },
      ],
      tools: [{ type: 'function', function: { name: 'leggi', parameters: TOOL.inputSchema } }],
    });
  });

  test('follows vendor differences', async () => {
    await using harness = await createHarness();
    for (const provider of ['mistral', 'groq']) await harness.connect(provider);
    await harness.ask('mistral:m', { maxOutputTokens: 9 });
    expect(bodyOf(harness)['stream_options']).toBeUndefined();
    await harness.ask('groq:a/b', { maxOutputTokens: 9 });
    expect(bodyOf(harness)).toMatchObject({ max_completion_tokens: 9 });
    expect(bodyOf(harness)['max_tokens']).toBeUndefined();
  });

  test('repeats earlier messages, and has what was added to an answer since', async () => {
    await using harness = await createHarness();
    await harness.connect('mistral');
    const half = { type: 'text' as const, text: 'half' };
    const answer = { role: 'assistant' as const, parts: [half] as AnswerPart[] };
    const messages = [user, answer, user];
    const sent = async (): Promise<unknown> => {
      await harness.ask('mistral:m', { messages });
      return (bodyOf(harness)['messages'] as Json[]).slice(1, 3);
    };
    const own = { role: 'user', content: 'go' };
    const halves = [own, { role: 'assistant', content: 'half' }];
    expect([await sent(), await sent()]).toEqual([halves, halves]);
    half.text += ' and half';
    expect(await sent()).toEqual([own, { role: 'assistant', content: 'half and half' }]);
    answer.parts.push({ type: 'call', id: 'Abc123xyz', name: 'leggi', arguments: '{}' });
    const calls = [{ id: 'Abc123xyz', type: 'function', function: { name: 'leggi', arguments: '{}' } }];
    expect(await sent()).toEqual([own, { role: 'assistant', content: 'half and half', tool_calls: calls }]);
  });

  test('through OpenRouter marks Claude’s cache and excludes providers', async () => {
    await using harness = await createHarness();
    await harness.connect('aggregator');
    harness.providers.exclusions.change({ excluded: ['Slow-Host', 'slow-host', 'other/fp8'] });
    await harness.ask('anthropic/claude-opus-5.5', { reasoning: { effort: 'max' } });
    expect(bodyOf(harness)).toMatchObject({
      model: 'anthropic/claude-opus-5.5',
      provider: { ignore: ['slow-host', 'other/fp8'] },
      reasoning: { effort: 'xhigh' },
      messages: [
        {
          role: 'system',
          content: [{ text: 'You are a tester.' }, { text: 'Be short.', cache_control: { type: 'ephemeral' } }],
        },
        {},
      ],
    });
  });

  test('separates calls with the same id', async () => {
    const call = { id: 'same', name: 'leggi', arguments: { percorso: 'a' } };
    await using harness = await createHarness({ script: [{ toolCalls: [call, call] }] });
    await harness.connect('deepseek');
    const events = await harness.ask('deepseek:m', { tools: [TOOL] });
    const ids = events.flatMap((event) => (event.type === 'tool-start' ? [event.id] : []));
    expect(new Set(ids).size).toBe(2);
    expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(2);
  });
});

describe('Anthropic messages', () => {
  test('has a token limit, cache markers and grouped results', async () => {
    await using harness = await createHarness();
    await harness.connect('minimax-anthropic', 'the-real-key');
    await harness.ask('minimax-anthropic:m', { messages: thought('unsigned'), tools: [TOOL] });
    const body = bodyOf(harness);
    expect(body).toMatchObject({
      max_tokens: 32_000,
      system: [{ text: 'You are a tester.' }, { text: 'Be short.', cache_control: { type: 'ephemeral' } }],
    });
    expect(JSON.stringify(body['messages']).match(/cache_control/g)).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain('unsigned');
    const { headers } = harness.server.requests[0] ?? {};
    expect(headers).toMatchObject({ 'x-api-key': 'the-real-key', 'anthropic-version': '2023-06-01' });
    expect(headers?.authorization).toBeUndefined();
  });

  test('has adaptive thinking by default where there are tools, from Claude 4.6 on', async () => {
    await using harness = await createHarness();
    await harness.connect('anthropic');
    const thinking = async (model: string, tools = [TOOL]) => {
      await harness.ask(`anthropic:${model}`, { tools });
      return bodyOf(harness)['thinking'];
    };
    expect(await thinking('claude-opus-4-6')).toEqual({ type: 'adaptive', display: 'summarized' });
    expect(await thinking('claude-opus-4-5')).toBeUndefined();
    expect(await thinking('claude-opus-4-6', [])).toBeUndefined();
  });

  test('has cache marks for an hour where the session pauses, at Anthropic only', async () => {
    const usage = { promptTokens: 900, completionTokens: 1, cachedTokens: 200, cacheWriteTokens: 500 };
    await using harness = await createHarness({ script: () => ({ text: 'ok', usage }) });
    for (const provider of ['anthropic', 'minimax-anthropic']) await harness.connect(provider);
    const ask = async (model: string, isPausing: boolean) => {
      const events = await harness.ask(model, { isPausing });
      const ttls = JSON.stringify(harness.server.requests.at(-1)?.body).match(/"ttl":"1h"/g)?.length ?? 0;
      return [ttls, events.find((event) => event.type === 'usage')?.usage.isHourCache ?? false];
    };
    expect(await ask('anthropic:claude-opus-5', false)).toEqual([0, false]);
    expect(await ask('anthropic:claude-opus-5', true)).toEqual([3, true]);
    expect(await ask('minimax-anthropic:m', true)).toEqual([0, false]);
    const counted = (await harness.ask('anthropic:claude-opus-5')).find((event) => event.type === 'usage')?.usage;
    expect(counted).toEqual({ promptTokens: 900, completionTokens: 1, cachedTokens: 200, cacheWriteTokens: 500 });
  });

  test.each([
    ['claude-3-5-sonnet-20241022', 8_192],
    ['claude-3-opus-20240229', 4_096],
    ['claude-3-7-sonnet-20250219', 32_000],
  ])('allows %s an answer of %d tokens', async (model, limit) => {
    await using harness = await createHarness();
    await harness.connect('zai-anthropic');
    await harness.ask(`zai-anthropic:${model}`);
    expect(bodyOf(harness)).toMatchObject({ max_tokens: limit });
  });

  test('sends a bearer token where needed', async () => {
    await using harness = await createHarness();
    await harness.connect('zai-anthropic', 'the-real-key');
    await harness.ask('zai-anthropic:m');
    expect(harness.server.requests[0]?.headers.authorization).toBe('Bearer the-real-key');
    expect(harness.server.requests[0]?.headers['x-api-key']).toBeUndefined();
  });

  test.each([
    [
      'claude-opus-5-5',
      'high',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    ],
    ['claude-opus-4-5', 'medium', { thinking: { type: 'enabled', budget_tokens: 12_288 }, max_tokens: 44_288 }],
    ['claude-haiku-4-5-20251001', 'low', { thinking: { type: 'enabled', budget_tokens: 4_096 } }],
    ['claude-haiku-4-5', 'none', { thinking: { type: 'disabled' } }],
    ['glm-4.7', 'max', { thinking: { type: 'enabled', budget_tokens: 48_000 } }],
  ] as const)('of %s uses thinking %s', async (model, effort, expected) => {
    await using harness = await createHarness();
    await harness.connect('zai-anthropic');
    await harness.ask(`zai-anthropic:${model}`, { reasoning: { effort } });
    expect(bodyOf(harness)).toMatchObject(expected);
  });
});

describe('OpenAI responses', () => {
  test('asks for medium effort where there are tools and none was chosen', async () => {
    await using harness = await createHarness();
    await harness.connect('openai');
    const effort = async (request: Parameters<Harness['ask']>[1]) => {
      await harness.ask('openai:gpt-6-sol', request);
      return (bodyOf(harness)['reasoning'] as Json | undefined)?.['effort'];
    };
    expect(await effort({ tools: [TOOL] })).toBe('medium');
    expect(await effort({ tools: [TOOL], reasoning: { effort: 'low' } })).toBe('low');
    expect(await effort({ tools: [] })).toBeUndefined();
  });

  test('stores nothing, sets a cache key and names effort and summary', async () => {
    await using harness = await createHarness();
    await harness.connect('openai');
    await harness.ask('openai:gpt-6-sol', {
      cacheKey: 'session-1',
      reasoning: { effort: 'max', summary: 'auto' },
      maxOutputTokens: 50,
      tools: [TOOL],
    });
    expect(bodyOf(harness)).toMatchObject({
      model: 'gpt-6-sol',
      store: false,
      prompt_cache_key: 'session-1',
      reasoning: { effort: 'max', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 50,
      tools: [{ type: 'function', name: 'leggi' }],
    });
  });
});

describe('a request that cannot be sent', () => {
  test.each([
    ['gemini:gemini-2.5-pro', 'PROVIDER_KEY_REQUIRED'],
    ['esterno:agent', 'PROVIDER_RUNTIME_INVALID'],
    ['local:model', 'RUNTIME_NOT_AVAILABLE'],
    ['openai:gpt-6-sol', 'PROVIDER_KEY_REQUIRED'],
    ['azure:gpt-5', 'PROVIDER_RUNTIME_INVALID'],
    ['nobody', 'MODEL_ID_INVALID'],
  ])('%s ends with %s', async (model, code) => {
    await using harness = await createHarness();
    const failure = failureIn(await harness.ask(model));
    expect(failure).toMatchObject({ class: 'not-configured', code, isOutcomeKnown: true, httpStatus: null });
    expect(harness.server.requests).toHaveLength(0);
  });

  test('reaches the local engine while it runs', async () => {
    await using server = await createHarness();
    const localEngine = async () => ({ endpoint: `${server.server.url}/v1`, key: 'ephemeral-key' });
    await using harness = await createHarness({ needs: { localEngine } });
    expect((await harness.ask('local:my.gguf')).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(server.server.requests[0]).toMatchObject({
      model: 'my.gguf',
      headers: { authorization: 'Bearer ephemeral-key' },
    });
  });

  test('stopped before its start sends nothing', async () => {
    await using harness = await createHarness();
    await harness.connect('deepseek');
    const failure = failureIn(await harness.ask('deepseek:m', {}, AbortSignal.abort()));
    expect(failure).toMatchObject({ class: 'cancelled', code: 'CANCELLED_BY_OWNER' });
    expect(harness.server.requests).toHaveLength(0);
  });
});
