import { request } from 'node:http';
import { MARKER } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chat, type RuntimesFixture, runtimesFixture } from '../../test/runtimes-fixture.ts';

const SAID = 'The local engine answers with these very words.';
const tools = [
  {
    type: 'function',
    function: {
      name: 'leggi',
      description: 'Reads a file.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' }, limit: { type: 'integer' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
  },
];
const asked = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Read the note.' },
];

describe('the engine process', () => {
  let fixture: RuntimesFixture;
  beforeAll(async () => {
    fixture = await runtimesFixture();
    const call = { tool: 'leggi', arguments: { path: 'note.txt', limit: null } };
    fixture.add('caller', { says: call, saysThen: SAID, contextLength: 4_096 });
    await fixture.runtimes.load({ runtimeId: 'llama.cpp', modelId: 'caller', contextTokens: 2_048 });
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const raw = (path: string, headers: Record<string, string>): Promise<number> => {
    const { endpoint } = fixture.runtimes.engine('caller') ?? { endpoint: '' };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, endpoint), { headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.once('error', reject).end();
    });
  };

  test('calls a tool with valid arguments, without optional ones, and reads the result', async () => {
    const first = await chat(fixture.runtimes, 'caller', { messages: asked, tools });
    expect(first.finish).toBe('tool_calls');
    expect(first.calls).toMatchObject([{ index: 0, function: { name: 'leggi', arguments: '{"path":"note.txt"}' } }]);
    const [call] = first.calls;
    const messages = [
      ...asked,
      { role: 'assistant', content: null, tool_calls: [{ ...call, index: undefined }] },
      { role: 'tool', tool_call_id: call?.id, content: `It says ${MARKER}` },
    ];
    const second = await chat(fixture.runtimes, 'caller', { messages, tools });
    expect(second).toMatchObject({ content: SAID, calls: [], finish: 'stop' });
    // The common prefix of both conversations was evaluated only once.
    expect(second.usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(first.usage.prompt_tokens - 8);
  });

  test('returns a whole answer without streaming and respects the token limit', async () => {
    const { text, finish } = await chat(fixture.runtimes, 'caller', {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: `Say it ${MARKER}` },
            { type: 'image_url', image_url: {} },
          ],
        },
      ],
      more: { stream: false },
    });
    expect(finish).toBeUndefined();
    const answer = JSON.parse(text);
    expect(answer.choices).toMatchObject([{ message: { role: 'assistant', content: SAID }, finish_reason: 'stop' }]);
    const short = await chat(fixture.runtimes, 'caller', {
      messages: [{ role: 'user', content: `Say it ${MARKER}` }],
      more: { max_tokens: 3 },
    });
    expect(short.finish).toBe('length');
    expect(short.usage.completion_tokens).toBe(3);
    expect(SAID.startsWith(short.content)).toBe(true);
  });

  test('rejects a conversation longer than its context instead of truncating it', async () => {
    const long = await chat(fixture.runtimes, 'caller', { messages: [{ role: 'user', content: 'ab '.repeat(3_000) }] });
    expect(long.status).toBe(400);
    expect(JSON.parse(long.text)).toMatchObject({ error: { code: 'context_length_exceeded' } });
  });

  test('requires the key and its own Host from every client', async () => {
    const { key = '' } = fixture.runtimes.engine('caller') ?? {};
    const host = new URL(fixture.runtimes.engine('caller')?.endpoint ?? '').host;
    const authorization = `Bearer ${key}`;
    expect(await raw('/health', { authorization })).toBe(200);
    expect(await raw('/v1/models', { authorization })).toBe(200);
    expect(await raw('/health', {})).toBe(401);
    expect(await raw('/v1/models', { authorization: `Bearer ${key.slice(1)}x` })).toBe(401);
    expect(await raw('/health', { authorization, host: 'evil.example' })).toBe(403);
    expect(await raw('/health', { authorization, host: `localhost:${host.split(':')[1]}` })).toBe(403);
    expect(await raw('/v1/embeddings', { authorization })).toBe(404);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await fixture.runtimes.list())).not.toContain(key);
    expect(fixture.logged()).not.toContain(key);
  });

  test.each([
    ['no JSON', '{'],
    ['no messages', '{"model":"caller"}'],
    ['a role nobody has', '{"model":"caller","messages":[{"role":"king","content":"x"}]}'],
    [
      'a choice it cannot make',
      '{"model":"caller","messages":[{"role":"user","content":"x"}],"tool_choice":"required"}',
    ],
  ])('rejects %s', async (_name, body) => {
    const { endpoint, key } = fixture.runtimes.engine('caller') ?? { endpoint: '', key: '' };
    const response = await fetch(`${endpoint}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } });
  });

  test('rejects a request for another model', async () => {
    const { endpoint, key } = fixture.runtimes.engine('caller') ?? { endpoint: '', key: '' };
    const response = await fetch(`${endpoint}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: '{"model":"other","messages":[{"role":"user","content":"x"}]}',
    });
    expect(response.status).toBe(404);
  });
});

describe('a long answer', () => {
  test('stops when its client disconnects and does not block the next one', async () => {
    await using fixture = await runtimesFixture();
    fixture.add('random', { contextLength: 8_192 });
    await fixture.runtimes.load({ runtimeId: 'llama.cpp', modelId: 'random', contextTokens: 8_192 });
    const { endpoint, key } = fixture.runtimes.engine('random') ?? { endpoint: '', key: '' };
    const leave = new AbortController();
    const response = await fetch(`${endpoint}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: '{"model":"random","stream":true,"temperature":1,"messages":[{"role":"user","content":"Talk."}]}',
      signal: leave.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    leave.abort();
    const next = await chat(fixture.runtimes, 'random', {
      messages: [{ role: 'user', content: 'Next.' }],
      more: { max_tokens: 4 },
    });
    expect(next.status).toBe(200);
    expect(next.usage.completion_tokens).toBeLessThanOrEqual(4);
  });
});
