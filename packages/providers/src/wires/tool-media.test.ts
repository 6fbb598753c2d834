import type { Media, ModelMessage } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { createHarness, TOOL } from '../../test/harness.ts';

const PDF = Buffer.from('%PDF-1.7 a page');
const WAV = Buffer.from('RIFF\u0004\u0000\u0000\u0000WAVEdata');
const OGG = Buffer.from('OggS a voice');
const MEDIA: Media[] = [
  { mimeType: 'application/pdf', bytes: PDF, name: 'demo://reports/June 2026?page=1' },
  { mimeType: 'audio/wav', bytes: WAV, name: 'audio' },
  { mimeType: 'audio/ogg', bytes: OGG, name: 'voice.ogg' },
];
const SENTENCES = {
  pdf: `(demo://reports/June 2026?page=1, application/pdf, ${PDF.length} bytes: not shown)`,
  wav: `(audio, audio/wav, ${WAV.length} bytes: not shown)`,
  ogg: `(voice.ogg, audio/ogg, ${OGG.length} bytes: not shown)`,
};
const base64 = (bytes: Buffer): string => bytes.toString('base64');

const messages = (media = MEDIA, isError = false): ModelMessage[] => [
  { role: 'user', content: [{ type: 'text', text: 'go' }] },
  { role: 'assistant', parts: [{ type: 'call', id: 'call-1', name: 'leggi', arguments: '{}' }] },
  { role: 'tool', toolCallId: 'call-1', toolName: 'leggi', content: 'here', isError, media },
];

async function sentTo(model: string, inputs: ('audio' | 'pdf')[] | undefined, given = messages()): Promise<any> {
  const [provider = '', name = ''] = model.split(':');
  const chosen = inputs && { models: { [name]: { inputs } } };
  await using harness = await createHarness({ needs: { chosen } });
  await harness.connect(provider);
  const events = await harness.ask(model, { messages: given, tools: [TOOL] });
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  return harness.server.requests[0]?.body;
}

describe('audio and PDF that a tool read', () => {
  test('follow the result on the wire of chat completions', async () => {
    const body = await sentTo('deepseek:omni', ['audio', 'pdf']);
    expect(body.messages.slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'call-1', content: `here\n${SENTENCES.ogg}` },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Files read by leggi (call-1):' },
          {
            type: 'file',
            file: { filename: 'June-2026.pdf', file_data: `data:application/pdf;base64,${base64(PDF)}` },
          },
          { type: 'input_audio', input_audio: { data: base64(WAV), format: 'wav' } },
        ],
      },
    ]);
  });

  test('are a document in the result on the wire of Anthropic, which has no audio', async () => {
    const body = await sentTo('anthropic:claude-haiku-4-5', ['audio', 'pdf']);
    const [result] = body.messages.at(-1).content;
    expect(result).toMatchObject({
      type: 'tool_result',
      content: [
        { type: 'text', text: `here\n${SENTENCES.wav}\n${SENTENCES.ogg}` },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64(PDF) } },
      ],
    });
  });

  test.each(['gemini-2.5-flash', 'gemini-3-pro-preview'])(
    'are inline data on the wire of Gemini (%s)',
    async (name) => {
      const body = await sentTo(`gemini:${name}`, ['audio', 'pdf']);
      const inline = [...JSON.stringify(body.contents).matchAll(/"inlineData":(\{[^}]*\})/g)].map(([, text]) =>
        JSON.parse(text ?? ''),
      );
      expect(inline).toEqual([
        { mimeType: 'application/pdf', data: base64(PDF) },
        { mimeType: 'audio/wav', data: base64(WAV) },
        { mimeType: 'audio/ogg', data: base64(OGG) },
      ]);
      expect(JSON.stringify(body)).not.toContain('not shown');
    },
  );

  test('are an input file on the wire of OpenAI responses', async () => {
    const body = await sentTo('openai:gpt-6-sol', ['pdf']);
    expect(body.input.at(-1).output).toEqual([
      { type: 'input_text', text: `here\n${SENTENCES.wav}\n${SENTENCES.ogg}` },
      { type: 'input_file', filename: 'June-2026.pdf', file_data: `data:application/pdf;base64,${base64(PDF)}` },
    ]);
  });

  test.each(['deepseek:omni', 'anthropic:claude-haiku-4-5', 'gemini:gemini-2.5-flash', 'openai:gpt-6-sol'])(
    'are sentences for %s when nothing states that it takes them',
    async (model) => {
      const text = JSON.stringify(await sentTo(model, undefined));
      for (const sentence of Object.values(SENTENCES)) expect(text).toContain(sentence);
      for (const bytes of [PDF, WAV, OGG]) expect(text).not.toContain(base64(bytes));
    },
  );

  test('are sentences for a failed call', async () => {
    const body = await sentTo('deepseek:omni', ['audio', 'pdf'], messages(MEDIA, true));
    expect(body.messages.at(-1).content).toBe(`here\n${Object.values(SENTENCES).join('\n')}`);
  });

  test('reach a model whose provider lists them as its inputs', async () => {
    const list = { data: [{ id: 'lab/omni', architecture: { input_modalities: ['text', 'file'] } }] };
    await using harness = await createHarness({
      modelsReply: { fault: { kind: 'status', status: 200, body: JSON.stringify(list) } },
    });
    await harness.connect('aggregator');
    await harness.providers.catalog.listAll({ isForced: true });
    await harness.ask('lab/omni', { messages: messages(), tools: [TOOL] });
    const text = JSON.stringify(harness.server.requests.at(-1)?.body);
    expect(text).toContain(base64(PDF));
    expect(text).toContain(SENTENCES.wav);
  });
});
