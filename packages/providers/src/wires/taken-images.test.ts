import type { ModelMessage } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { createHarness } from '../../test/harness.ts';

const LIST = JSON.stringify({
  data: [{ id: 'blind', supports_image_in: false }, { id: 'seeing', supports_image_in: true }, { id: 'unknown' }],
});
const image = { type: 'image' as const, mimeType: 'image/png', bytes: Uint8Array.of(1, 2, 3) };
const MESSAGES: ModelMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
  { role: 'assistant', parts: [{ type: 'call', id: 'c1', name: 'leggi', arguments: '{}' }] },
  { role: 'tool', toolCallId: 'c1', toolName: 'leggi', content: 'a.png', isError: false, images: [image] },
];

test('a model that refuses images gets the same request without, and so does its session from then on', async () => {
  const refused = { fault: { kind: 'status', status: 400, message: 'image input is not supported' } } as const;
  await using harness = await createHarness({ script: [refused, { text: 'a' }, { text: 'b' }, refused] });
  await harness.connect('deepseek');
  const ask = (messages: ModelMessage[], cacheKey = 's') => harness.ask('deepseek:m', { messages, cacheKey });
  expect((await ask(MESSAGES)).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  expect((await ask(MESSAGES)).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  const pictures = harness.server.requests.map(({ body }) => JSON.stringify(body).split('AQID').length - 1);
  expect(pictures).toEqual([2, 0, 0]);
  // Without a picture there is nothing to leave out.
  expect((await ask([{ role: 'user', content: [{ type: 'text', text: 'go' }] }], 't')).at(-1)?.type).toBe('failure');
  expect(harness.server.requests).toHaveLength(4);
});

test.each([
  ['seeing', 2, 0],
  ['unknown', 2, 0],
  ['blind', 0, 2],
])('a model that is %s gets %i pictures and %i sentences', async (model, pictures, sentences) => {
  await using harness = await createHarness({ modelsReply: { fault: { kind: 'status', status: 200, body: LIST } } });
  await harness.connect('deepseek');
  await harness.providers.catalog.list('deepseek');
  await harness.ask(`deepseek:${model}`, { messages: MESSAGES });
  const sent = JSON.stringify(harness.server.requests.at(-1)?.body);
  expect(sent.match(/data:image\/png;base64,AQID/g) ?? []).toHaveLength(pictures);
  expect(sent.match(/\(picture: not shown, this model takes none\)/g) ?? []).toHaveLength(sentences);
  expect(sent).toContain('a.png');
});
