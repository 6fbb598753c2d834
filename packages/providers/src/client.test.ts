import { setTimeout as delay } from 'node:timers/promises';
import type { ModelMessage } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn, question, TOOL, textOf } from '../test/harness.ts';

const WIRES = [
  ['deepseek', 'deepseek:deepseek-chat', 'openai-chat'],
  ['openai', 'openai:gpt-6-sol', 'openai-responses'],
  ['zai-anthropic', 'zai-anthropic:glm-4.7', 'anthropic'],
  ['gemini', 'gemini:gemini-2.5-pro', 'gemini'],
] as const;

describe.each(WIRES)('the %s wire', (provider, model, wire) => {
  test('streams reasoning, text, partial tool calls, usage and the end', async () => {
    const reply = {
      reasoning: ['let ', 'me see'],
      text: ['Hel', 'lo'],
      toolCalls: [
        { id: 'call_a', name: 'leggi', arguments: { percorso: 'a.txt' }, pieces: 4 },
        { id: 'call_b', name: 'leggi', arguments: { percorso: 'b.txt' } },
      ],
      usage: { promptTokens: 100, completionTokens: 20, cachedTokens: 80 },
    };
    await using harness = await createHarness({ script: [reply] });
    await harness.connect(provider);
    const events = await harness.ask(model, { tools: [TOOL] });
    expect(textOf(events, 'reasoning')).toBe('let me see');
    expect(textOf(events)).toBe('Hello');
    expect(events.filter((event) => event.type === 'reasoning-end')).toHaveLength(1);
    const argumentsOf = (id: string): string =>
      events.map((event) => (event.type === 'tool-arguments' && event.id === id ? event.delta : '')).join('');
    expect(JSON.parse(argumentsOf('call_a'))).toEqual({ percorso: 'a.txt' });
    expect(JSON.parse(argumentsOf('call_b'))).toEqual({ percorso: 'b.txt' });
    const starts = events.filter((event) => event.type === 'tool-start');
    expect(starts).toEqual([
      { type: 'tool-start', id: 'call_a', name: 'leggi' },
      { type: 'tool-start', id: 'call_b', name: 'leggi' },
    ]);
    expect(events).toContainEqual({
      type: 'usage',
      usage: { promptTokens: 100, completionTokens: 20, cachedTokens: 80 },
    });
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
    expect(harness.server.requests[0]).toMatchObject({ wire, model: model.split(':')[1] });
  });

  test('sends system prompt, history, images and tools', async () => {
    await using harness = await createHarness();
    await harness.connect(provider);
    await harness.ask(model, {
      tools: [TOOL],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', mimeType: 'image/png', bytes: Uint8Array.of(1, 2, 3) },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'reading' },
            { type: 'call', id: 'c1', name: 'leggi', arguments: '{"percorso":"a.txt"}' },
            { type: 'call', id: 'c2', name: 'leggi', arguments: '{broken' },
          ],
        },
        { role: 'tool', toolCallId: 'c1', toolName: 'leggi', content: 'the content', isError: false },
        { role: 'tool', toolCallId: 'c2', toolName: 'leggi', content: 'bad arguments', isError: true },
      ],
    });
    const sent = JSON.stringify(harness.server.requests[0]?.body);
    for (const part of [
      'You are a tester.',
      'look',
      'AQID',
      'reading',
      'the content',
      'bad arguments',
      'Reads a file.',
    ]) {
      expect(sent).toContain(part);
    }
    expect(sent).not.toContain('{broken');
    expect(harness.server.requests[0]?.lastRole).toBe('tool');
  });

  test('sends images that a tool read after all results of the batch', async () => {
    await using harness = await createHarness();
    await harness.connect(provider);
    const result = (id: string, bytes?: Uint8Array): ModelMessage => ({
      role: 'tool',
      toolCallId: id,
      toolName: 'leggi',
      content: `result of ${id}`,
      isError: false,
      ...(bytes && { images: [{ type: 'image', mimeType: 'image/png', bytes }] }),
    });
    const call = (id: string) => ({ type: 'call' as const, id, name: 'leggi', arguments: '{"percorso":"a.png"}' });
    await harness.ask(model, {
      tools: [TOOL],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'look' }] },
        { role: 'assistant', parts: [call('c1'), call('c2')] },
        result('c1', Uint8Array.of(1, 2, 3)),
        result('c2'),
      ],
    });
    const sent = JSON.stringify(harness.server.requests[0]?.body);
    expect(sent).toContain('AQID');
    expect(sent).toContain('result of c2');
    if (wire !== 'openai-chat') return;
    const messages = harness.server.requests[0]?.body['messages'] as { role: string }[];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user']);
  });

  test('separates calls with the same id', async () => {
    const call = { id: 'same', name: 'leggi', arguments: { percorso: 'a' } };
    await using harness = await createHarness({ script: [{ toolCalls: [call, call, call] }] });
    await harness.connect(provider);
    const events = await harness.ask(model, { tools: [TOOL] });
    const ids = events.flatMap((event) => (event.type === 'tool-start' ? [event.id] : []));
    expect(new Set(ids).size).toBe(3);
    const given = events.flatMap((event) => (event.type === 'tool-arguments' ? [event.id] : []));
    expect(new Set(given)).toEqual(new Set(ids));
    expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(3);
  });

  test('accepts an empty answer', async () => {
    await using harness = await createHarness({ script: [{}] });
    await harness.connect(provider);
    expect((await harness.ask(model)).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test('reports an answer truncated by length', async () => {
    await using harness = await createHarness({ script: [{ text: 'abc', finish: 'length' }] });
    await harness.connect(provider);
    expect((await harness.ask(model)).at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });

  test('closes the socket when stopped and ends as cancelled', async () => {
    await using harness = await createHarness({ script: [{ text: ['a', 'b'], fault: { kind: 'hang-mid-stream' } }] });
    await harness.connect(provider);
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const batch of harness.providers.client.stream({ ...question(), model }, controller.signal)) {
      for (const event of batch) seen.push(event.type === 'failure' ? event.failure.class : event.type);
      if (seen.includes('text')) controller.abort();
    }
    expect(seen.at(-1)).toBe('cancelled');
    expect(await harness.server.requests[0]?.ended).toBe('client-left');
  });

  test('says of a program of this computer that is not running that it need not be asked again', async () => {
    await using harness = await createHarness();
    await harness.connect(provider);
    await harness.server.close();
    const failure = failureIn(await harness.ask(model));
    expect(failure).toMatchObject({ class: 'network', isOutcomeKnown: true, isLasting: true });
  });

  test.each([
    ['refuse', { kind: 'refuse' }, { class: 'network', code: 'PROVIDER_OUTCOME_UNKNOWN', isOutcomeKnown: false }],
    [
      'a cut',
      { kind: 'cut' },
      { class: 'stream-interrupted', code: 'PROVIDER_OUTCOME_UNKNOWN', isOutcomeKnown: false },
    ],
    ['an early end', { kind: 'end-early' }, { class: 'stream-interrupted', isOutcomeKnown: false }],
    ['an error inside the stream', { kind: 'error-event' }, { class: 'server', isOutcomeKnown: false }],
    ['broken JSON', { kind: 'broken-json' }, { class: 'stream-interrupted', isOutcomeKnown: false }],
    ['an empty stream', { kind: 'empty' }, { class: 'stream-interrupted', isOutcomeKnown: false }],
    ['an endless line', { kind: 'endless-line' }, { class: 'stream-interrupted', isOutcomeKnown: false }],
    [
      'a small packet that unpacks without end',
      { kind: 'gzip-bomb' },
      { class: 'stream-interrupted', isOutcomeKnown: false },
    ],
    ['a page in place of a stream', { kind: 'html' }, { class: 'request-refused', httpStatus: 200 }],
    ['a redirect', { kind: 'redirect', location: 'http://127.0.0.2:9/' }, { class: 'request-refused' }],
    ['huge headers', { kind: 'huge-headers' }, { class: 'network' }],
    ['a flood of calls', { kind: 'tool-flood', count: 1001 }, { class: 'stream-interrupted' }],
    ['a full context', { kind: 'context-too-long' }, { class: 'context-too-long', isOutcomeKnown: true }],
    ['a full context said with 429', { kind: 'context-too-long', status: 429 }, { class: 'context-too-long' }],
    ['an empty account', { kind: 'credit' }, { class: 'credit' }],
    ['401', { kind: 'status', status: 401 }, { class: 'credential', httpStatus: 401, code: 'MODEL_CALL_FAILED' }],
    ['402', { kind: 'status', status: 402 }, { class: 'credit', httpStatus: 402 }],
    ['403', { kind: 'status', status: 403 }, { class: 'credential', httpStatus: 403 }],
    ['404', { kind: 'status', status: 404 }, { class: 'request-refused', httpStatus: 404, code: 'MODEL_CALL_FAILED' }],
    ['413', { kind: 'status', status: 413 }, { class: 'context-too-long', httpStatus: 413 }],
    [
      '429',
      { kind: 'status', status: 429, retryAfter: 7 },
      { class: 'rate-limit', httpStatus: 429, retryAfterMs: 7000, isOutcomeKnown: true },
    ],
    [
      '500',
      { kind: 'status', status: 500 },
      { class: 'server', httpStatus: 500, retryAfterMs: null, isOutcomeKnown: true },
    ],
    ['503', { kind: 'status', status: 503 }, { class: 'server', httpStatus: 503 }],
    ['529', { kind: 'status', status: 529 }, { class: 'server', httpStatus: 529 }],
  ] as const)('classifies a %s failure', async (_name, fault, expected) => {
    await using harness = await createHarness({ script: [{ text: ['first ', 'second'], fault }] });
    await harness.connect(provider);
    expect(failureIn(await harness.ask(model))).toMatchObject(expected);
  });

  test('accepts a slow stream', async () => {
    await using harness = await createHarness({
      script: [{ text: 'slow', fault: { kind: 'trickle', bytesPerSecond: 5000 } }],
    });
    await harness.connect(provider);
    expect(textOf(await harness.ask(model))).toBe('slow');
  });

  test('ends a stream with events in the wrong order in a defined way', async () => {
    await using harness = await createHarness({ script: [{ text: 'x', fault: { kind: 'wrong-order' } }] });
    await harness.connect(provider);
    expect((await harness.ask(model)).at(-1)?.type).toMatch(/^(finish|failure)$/);
  });

  test('keeps the text received before the stream broke', async () => {
    await using harness = await createHarness({
      script: [{ text: ['kept ', 'lost'], fault: { kind: 'cut', after: 1 } }],
    });
    await harness.connect(provider);
    expect(textOf(await harness.ask(model))).toBe('kept ');
  });

  test('delivers a burst completely and in batches', async () => {
    await using harness = await createHarness({ script: [{ text: { count: 20_000 } }] });
    await harness.connect(provider);
    let batches = 0;
    let deltas = 0;
    for await (const batch of harness.providers.client.stream({ ...question(), model }, new AbortController().signal)) {
      batches += 1;
      deltas += batch.filter(({ type }) => type === 'text').length;
      expect(batch.length).toBeGreaterThan(0);
    }
    expect(deltas).toBe(20_000);
    expect(batches).toBeLessThan(2_000);
  });
});

test('a silent provider times out before or during the answer on every wire', async () => {
  const cases = WIRES.flatMap(([provider, model]) => [
    { provider, model, fault: { kind: 'hang' }, expected: { class: 'timeout', isOutcomeKnown: false } } as const,
    {
      provider,
      model,
      fault: { kind: 'hang-mid-stream' },
      expected: { class: 'stream-interrupted', isOutcomeKnown: false },
    } as const,
  ]);
  await Promise.all(
    cases.map(async ({ provider, model, fault, expected }) => {
      // Five seconds of this process, from the question on: on a busy machine they are late for both.
      let due: Promise<number> | undefined;
      const script = () => {
        due ??= delay(5_000).then(() => performance.now());
        return { text: ['a', 'b'], fault };
      };
      await using harness = await createHarness({ script });
      await harness.connect(provider);
      harness.providers.runtime.change(provider, { timeoutSeconds: 5 });
      expect(failureIn(await harness.ask(model))).toMatchObject({ ...expected, code: 'PROVIDER_OUTCOME_UNKNOWN' });
      const endedAt = performance.now();
      expect(Math.abs(endedAt - ((await due) ?? 0))).toBeLessThan(1000);
    }),
  );
});
