import type { AnswerPart, ModelMessage } from '@fucina/shared';
import { claude, createVendorServer, geminiRules, kimi, mistral, responses } from '@fucina/testkit';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { createHarness, TOOL } from './harness.ts';

const VENDORS = [
  ['zai-anthropic:claude-opus-5-5', claude],
  ['kimi:kimi-k2.5', kimi],
  ['gemini:gemini-3-pro-preview', geminiRules],
  ['openai:gpt-6-sol', responses],
  ['mistral:magistral-medium', mistral],
] as const;

/** Empty, blank, half a character, control characters, a name or id that no vendor takes. */
const hostile = fc.constantFrom(
  '',
  ' \n',
  '\ud83d',
  '\udc00 tail',
  '\u0000',
  'a b/c',
  'ü',
  'x'.repeat(200),
  '[]',
  '<think>',
);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), hostile);
/** Few, so that they repeat. */
const id = fc.constantFrom('c1', 'c2', 'Abc123xyz', '', 'not an id', '\ud83d', 'y'.repeat(90));
const vendor = fc.option(
  fc.record({
    provider: fc.constantFrom('zai-anthropic', 'kimi', 'gemini', 'openai', 'mistral', 'other'),
    model: fc.constantFrom('claude-opus-5-5', 'kimi-k2.5', 'gemini-3-pro-preview', 'gpt-6-sol', 'magistral-medium', ''),
    data: fc.constantFrom('{}', '[]', 'no JSON', '{"field":"reasoning_content"}', '{"field":7}', '{"call":0}'),
  }),
  { nil: undefined },
);
const withVendor = <Part extends object>(part: fc.Arbitrary<Part>) =>
  fc.tuple(part, vendor).map(([one, value]) => (value ? { ...one, vendor: value } : one));

const part: fc.Arbitrary<AnswerPart> = withVendor(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text }),
    fc.record({ type: fc.constant('reasoning' as const), text }),
    fc.record({
      type: fc.constant('call' as const),
      id,
      name: fc.oneof(fc.constantFrom('leggi', 'toString', '__proto__', 'constructor'), text),
      arguments: text,
    }),
  ),
);
const image = { type: 'image' as const, mimeType: 'image/png', bytes: Uint8Array.of(1, 2, 3) };
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({
    role: fc.constant('user' as const),
    content: fc.array(
      fc.oneof(
        text.map((one) => ({ type: 'text' as const, text: one })),
        fc.constant(image),
      ),
      { maxLength: 3 },
    ),
  }),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 4 }) }),
  fc.record({
    role: fc.constant('tool' as const),
    toolCallId: id,
    toolName: text,
    content: text,
    isError: fc.boolean(),
    images: fc.constantFrom([], [image]),
  }),
);

/** Sends histories of any messages in any order to each vendor's rules: none may be refused. */
export async function sendHistories(count: number): Promise<void> {
  for (const [model, rules] of VENDORS) {
    await using harness = await createHarness();
    await harness.connect(model.split(':')[0] as string);
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
        const server = createVendorServer(rules, []);
        harness.server.script(server.script);
        const events = await harness.ask(model, { messages, tools: [TOOL] });
        expect([events.at(-1)?.type, ...server.refusals]).toEqual(['finish']);
      }),
      { numRuns: Math.ceil(count / VENDORS.length) },
    );
  }
}
