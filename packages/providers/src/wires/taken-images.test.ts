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
