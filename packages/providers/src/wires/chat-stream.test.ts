import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn, partsOf, TOOL, textOf } from '../../test/harness.ts';

type Json = Record<string, unknown>;

/** A streamed answer with these deltas, as a host of open models sends it. */
const answer = (deltas: readonly Json[], finish = 'stop') => ({
  raw: `${[...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason: finish }]
    .map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    .join('')}data: [DONE]\n\n`,
});
const calling = (index: number | undefined, id: string | undefined, name: string | undefined, text: string): Json => ({
  tool_calls: [
    { ...(index !== undefined && { index }), ...(id !== undefined && { id }), function: { name, arguments: text } },
  ],
});

async function asked(deltas: readonly Json[], finish?: string) {
  await using harness = await createHarness({ script: [answer(deltas, finish)] });
  await harness.connect('deepseek');
  return await harness.ask('deepseek:m', { tools: [TOOL] });
}

describe('calls of one answer', () => {
  const callsIn = async (deltas: readonly Json[]) =>
    partsOf(await asked(deltas, 'tool_calls')).flatMap((part) =>
      part.type === 'call' ? [[part.id, part.name, part.arguments]] : [],
    );

  test('that are whole and all at one index are separate (Ollama)', async () => {
    expect(
      await callsIn([
        calling(0, 'a', 'leggi', '{"percorso":"a"}'),
        calling(0, 'b', 'leggi', '{"percorso":"b"}'),
        calling(0, 'c', 'scrivi', '{}'),
      ]),
    ).toEqual([
      ['a', 'leggi', '{"percorso":"a"}'],
      ['b', 'leggi', '{"percorso":"b"}'],
      ['c', 'scrivi', '{}'],
    ]);
  });

  test('in fragments that are mixed, with the id in each, or in the first only, belong to their index', async () => {
    const expected = [
      ['a', 'leggi', '{"percorso":"a"}'],
      ['b', 'leggi', '{"percorso":"b"}'],
    ];
    for (const isRepeated of [true, false]) {
      const later = (id: string): string | undefined => (isRepeated ? id : undefined);
      expect(
        await callsIn([
          calling(0, 'a', 'leggi', '{"perc'),
          calling(1, 'b', 'leggi', '{"perc'),
          calling(0, later('a'), isRepeated ? 'leggi' : undefined, 'orso":"a"}'),
          calling(1, later('b'), isRepeated ? 'leggi' : undefined, 'orso":"b"}'),
        ]),
      ).toEqual(expected);
    }
  });
});

describe('reasoning', () => {
  const read = async (deltas: readonly Json[]): Promise<[string, string]> => {
    const events = await asked(deltas);
    return [textOf(events, 'reasoning'), textOf(events)];
  };
  const pieces = (text: string, size: number): Json[] =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, at) => ({
      content: text.slice(at * size, (at + 1) * size),
    }));

  test.each([
    ['in a tag at the beginning', '<think>Let me see.</think>\n\nIt is 7.', ['Let me see.', 'It is 7.']],
    ['in a tag after blank lines', '\n <think>Hm.</think>7', ['Hm.', '7']],
    ['in a tag that is never closed', '<think>Let me see', ['Let me see', '']],
    ['with what looks like the end of the tag', '<think>a </thin b</think>c', ['a </thin b', 'c']],
    ['not in a tag further on', 'The tag <think> opens.', ['', 'The tag <think> opens.']],
    ['not in what only begins like the tag', '<thin air', ['', '<thin air']],
    ['not in a text that ends like the tag begins', '<th', ['', '<th']],
  ])('%s, in pieces of any size', async (_name, text, expected) => {
    for (const size of [1, 3, 7, 100]) expect(await read(pieces(text, size))).toEqual(expected);
  });

  test('in the chunks of Mistral and the fields of others', async () => {
    const chunk = {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
        { type: 'text', text: '7' },
      ],
    };
    expect(await read([chunk])).toEqual(['Hm.', '7']);
    expect(await read([{ reasoning: 'a' }, { reasoning_content: 'b' }, { content: 'c' }])).toEqual(['ab', 'c']);
  });

  test('in details is joined by block, and its signature kept', async () => {
    const detail = (fields: Json): Json => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...fields }] });
    const events = await asked([
      { reasoning: 'Let ', ...detail({ text: 'Let ' }) },
      { reasoning: 'me.', ...detail({ text: 'me.' }) },
      detail({ signature: 'signed' }),
      { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'cipher' }] },
      { content: '7' },
    ]);
    const end = events.find(({ type }) => type === 'reasoning-end');
    expect(end?.type === 'reasoning-end' && JSON.parse(end.vendor?.data ?? '')).toEqual({
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'Let me.', signature: 'signed' },
        { type: 'reasoning.encrypted', index: 1, data: 'cipher' },
      ],
    });
  });
});

describe.each([
  ['deepseek', 'deepseek:m'],
  ['openai', 'openai:gpt-6-sol'],
  ['zai-anthropic', 'zai-anthropic:m'],
])('an error in the stream of %s', (provider, model) => {
  test.each([
    ['Your input exceeds the maximum context length of this model.', 'context-too-long'],
    ['Overloaded', 'server'],
    ['Something else happened.', 'stream-interrupted'],
  ])('%j is %s', async (message, expected) => {
    await using harness = await createHarness({
      script: [{ text: ['a', 'b'], fault: { kind: 'error-event', message } }],
    });
    await harness.connect(provider);
    const failure = failureIn(await harness.ask(model));
    expect([failure?.class, failure?.providerMessage]).toEqual([
      // The vendor's own type of the scripted event says that it is the server's.
      expected === 'stream-interrupted' ? expect.stringMatching(/^(stream-interrupted|server)$/) : expected,
      expect.stringContaining(message),
    ]);
  });
});
