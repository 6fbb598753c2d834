import type { AnswerPart, ModelMessage } from '@fucina/shared';
import {
  claude,
  createVendorServer,
  geminiChat,
  geminiRules,
  kimi,
  mistral,
  openRouter,
  reasoningField,
  responses,
  thinkTag,
  type VendorPart,
} from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, type Harness, partsOf, TOOL } from '../../test/harness.ts';

const call = (path: string): VendorPart => ({ call: { name: 'leggi', arguments: { percorso: path } } });
/** Two turns with calls: the second one repeats the first. */
const ANSWERS: VendorPart[][] = [
  [{ reasoning: 'First, ' }, { text: 'I look.' }, call('a.txt'), call('b.txt')],
  [{ reasoning: 'Then again.' }, call('c.txt')],
  [{ text: 'Done.' }],
  [{ reasoning: 'More.' }, { text: 'Looking.' }, call('d.txt')],
  [{ text: 'All done.' }],
];
const INTERLEAVED: VendorPart[][] = [
  [{ reasoning: 'One.' }, { text: 'A.' }, { reasoning: 'hidden', isRedacted: true }, { text: 'B.' }, call('a.txt')],
  ...ANSWERS,
];
const OTHERS: AnswerPart = { type: 'call', id: 'not/of this vendor', name: 'bad name!', arguments: '{}' };

const ROWS = [
  ['Claude', claude, 'zai-anthropic:claude-opus-5-5', INTERLEAVED],
  ['GPT through responses', responses, 'openai:gpt-6-sol', ANSWERS],
  ['Gemini', geminiRules, 'gemini:gemini-3-pro-preview', ANSWERS],
  ['Gemini in the OpenAI form', geminiChat, 'vertex:google/gemini-3-pro', ANSWERS],
  ['OpenRouter', openRouter, 'aggregator:anthropic/claude-opus-5.5', ANSWERS],
  ['Kimi at its own address', kimi, 'kimi:kimi-k2.5', ANSWERS],
  ['Kimi at Together', kimi, 'together:moonshotai/Kimi-K2-Thinking', ANSWERS],
  ['Kimi at Fireworks', kimi, 'fireworks:accounts/fireworks/models/kimi-k2p5', ANSWERS],
  ['Kimi at Novita', kimi, 'novita:moonshotai/kimi-k2-thinking', ANSWERS],
  ['DeepSeek V4', kimi, 'deepseek:deepseek-v4', ANSWERS],
  ['DeepSeek V4 at Nebius', kimi, 'nebius:deepseek-ai/DeepSeek-V4', ANSWERS],
  ['DeepSeek V4 at the hub', kimi, 'hub:deepseek-ai/DeepSeek-V4', ANSWERS],
  ['gpt-oss at Groq', reasoningField, 'groq:openai/gpt-oss-120b', ANSWERS],
  ['Qwen at Cerebras', reasoningField, 'cerebras:qwen-4-235b', ANSWERS],
  ['a thinking tag', thinkTag, 'ollama:qwen3', ANSWERS],
  ['Mistral', mistral, 'mistral:magistral-medium', ANSWERS],
] as const;

/** Reads each file that the model asks for until it asks no more. */
async function turn(harness: Harness, model: string, messages: ModelMessage[], text: string): Promise<void> {
  messages.push({ role: 'user', content: [{ type: 'text', text }] });
  for (;;) {
    const events = await harness.ask(model, { messages, tools: [TOOL], cacheKey: 'session' });
    expect(events.filter(({ type }) => type === 'failure')).toEqual([]);
    const parts = partsOf(events);
    messages.push({ role: 'assistant', parts });
    const calls = parts.filter((part) => part.type === 'call');
    if (calls.length === 0) return;
    for (const { id, name } of calls) {
      messages.push({ role: 'tool', toolCallId: id, toolName: name, content: 'text', isError: false });
    }
  }
}

describe.each(ROWS)('%s', (_name, vendor, model, answers) => {
  const [provider = ''] = model.split(':');

  test('gets its own answers back as it demands, in this turn and the next', async () => {
    const server = createVendorServer(vendor, answers);
    await using harness = await createHarness({ script: server.script });
    await harness.connect(provider);
    const messages: ModelMessage[] = [];
    await turn(harness, model, messages, 'Look.');
    await turn(harness, model, messages, 'Look again.');
    await turn(harness, model, messages, 'And now?');
    expect(server.refusals).toEqual([]);
    expect(harness.server.requests).toHaveLength(answers.length + 1);
  });

  test('takes what another model called, with a hostile name and id', async () => {
    const server = createVendorServer(vendor, answers);
    await using harness = await createHarness({ script: server.script });
    await harness.connect(provider);
    const vendorValue = { provider: 'other', model: 'other', data: '{"signature":"foreign"}' };
    const messages: ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: '' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.', vendor: vendorValue },
          { ...OTHERS, vendor: vendorValue },
        ],
      },
      {
        role: 'tool',
        toolCallId: OTHERS.type === 'call' ? OTHERS.id : '',
        toolName: 'bad name!',
        content: 'half \ud83d',
        isError: true,
      },
    ];
    await turn(harness, model, messages, 'Look.');
    expect(server.refusals).toEqual([]);
    expect(JSON.stringify(harness.server.requests.at(-1)?.body)).not.toContain('foreign');
  });
});

test('values of another version, damaged or of another family are left out', async () => {
  await using harness = await createHarness();
  await harness.connect('zai-anthropic');
  const values = ['no JSON', '[]', '7', '{"signature":7}', '{"other":"x"}'].map((data) => ({
    data,
    model: 'claude-opus-5-5',
  }));
  const foreign = { data: '{"signature":"signed"}', model: 'glm-5' };
  const parts = [...values, foreign].map(
    (value): AnswerPart => ({ type: 'reasoning', text: 'hm', vendor: { provider: 'zai-anthropic', ...value } }),
  );
  const user: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'go' }] };
  const messages = [
    user,
    { role: 'assistant' as const, parts: [...parts, { type: 'text' as const, text: 'So.' }] },
    user,
  ];
  await harness.ask('zai-anthropic:claude-opus-5-5', { messages });
  expect(harness.server.requests[0]?.body['messages']).toMatchObject([
    {},
    { role: 'assistant', content: [{ type: 'text', text: 'So.' }] },
    {},
  ]);
});

test('a refusal that stays without reasoning was not about it: the next request is sent as it is', async () => {
  const refused = { fault: { kind: 'status', status: 400, message: 'invalid role' } } as const;
  await using harness = await createHarness({ script: [refused, refused, { text: 'a' }] });
  await harness.connect('zai-anthropic');
  const ask = () => harness.ask('zai-anthropic:claude-opus-5-5', { reasoning: { effort: 'high' }, cacheKey: 's' });
  expect((await ask()).at(-1)?.type).toBe('failure');
  expect((await ask()).at(-1)?.type).toBe('finish');
  const hasThinking = harness.server.requests.map(({ body }) => 'thinking' in body);
  expect(hasThinking).toEqual([true, false, true]);
});

test('a refusal that names reasoning is answered once without any, and the session goes on so', async () => {
  const refused = {
    fault: { kind: 'status', status: 400, message: 'messages.1: invalid thinking block signature' },
  } as const;
  await using harness = await createHarness({ script: [refused, { text: 'a' }, { text: 'b' }, refused, refused] });
  await harness.connect('zai-anthropic');
  const vendor = { provider: 'zai-anthropic', model: 'claude-opus-5-5', data: '{"signature":"poison"}' };
  const user: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'go' }] };
  const messages: ModelMessage[] = [
    user,
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm', vendor },
        { type: 'text', text: 'So.' },
      ],
    },
    user,
  ];
  const ask = (cacheKey?: string) =>
    harness.ask('zai-anthropic:claude-opus-5-5', {
      messages,
      reasoning: { effort: 'high' },
      ...(cacheKey && { cacheKey }),
    });
  expect((await ask('s')).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  expect((await ask('s')).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  const bodies = harness.server.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies.map((body) => body.includes('poison'))).toEqual([true, false, false]);
  expect(bodies.map((body) => body.includes('"thinking"'))).toEqual([true, false, false]);
  // Another session is asked as it is, and a second refusal is the end.
  expect((await ask()).at(-1)).toMatchObject({
    type: 'failure',
    failure: { class: 'request-refused', httpStatus: 400 },
  });
  expect(harness.server.requests).toHaveLength(5);
});
