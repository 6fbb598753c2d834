import { join } from 'node:path';
import type { SessionEvent } from '@fucina/shared';
import { createModelServer, type ModelServer } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

const PDF = Buffer.from('%PDF-1.7 a page');
const LIST = { data: [{ id: 'lab/omni', architecture: { input_modalities: ['text', 'audio', 'file'] } }] };
const CALL = { toolCalls: [{ name: 'mcp__media__both', arguments: {} }] };

let server: TestServer;
let model: ModelServer;
let sessionId: string;
beforeAll(async () => {
  model = await createModelServer({
    modelsReply: { fault: { kind: 'status', status: 200, body: JSON.stringify(LIST) } },
    script: ({ lastRole }) => (lastRole === 'tool' || lastRole === 'user' ? { text: 'done' } : {}),
  });
  server = await testServer();
  await server.call('POST', '/ext/providers/aggregator/connection', { body: { endpoint: `${model.url}/v1` } });
  await server.call('POST', '/providers/aggregator/key', { body: { key: 'sk-media' } });
  await server.call('GET', '/models', { query: { forza: '1' } });
  const definizione = { comando: 'node', argomenti: [PROGRAM], ambiente: {}, intestazioni: {} };
  await server.call('POST', '/ext/mcp', { body: { nome: 'media', ambito: 'ovunque', definizione } });
  model.script([CALL, { text: 'done' }]);
  sessionId = await server.startSession({ modello: 'lab/omni', permessi: 'Full access' });
  await server.settled(sessionId);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await model.close();
});

const PROGRAM = join(import.meta.dirname, '../media-mcp-server.mjs');

const eventsOf = async (): Promise<SessionEvent[]> =>
  (await server.call('GET', `/sessions/${sessionId}/export`)).data.eventi;
const shown = async (): Promise<any[]> => {
  const result = (await eventsOf()).find(({ type }) => type === 'ToolCallResult') as any;
  return result.immagini;
};
const lastBody = (): any => model.requests.findLast(({ wire }) => wire === 'openai-chat')?.body;

covers('ext.media.read', 'answers the bytes with their type', async () => {
  const [wav, pdf] = await shown();
  expect(pdf).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{64}$/),
    mimeType: 'application/pdf',
    nome: 'demo://reports/june.pdf',
    byte: PDF.length,
  });
  const reply = await server.call('GET', `/ext/media/${pdf.id}`);
  expect(reply.headers.get('content-type')).toBe('application/pdf');
  expect(reply.text).toBe(PDF.toString());
  const audio = await server.call('GET', `/ext/media/${wav.id}`);
  expect(audio.headers.get('content-type')).toBe('audio/wav');
  // An image operation does not answer them.
  expect((await server.call('GET', `/chat-images/${pdf.id}`)).code).toBe('NOT_FOUND');
});

refuses('ext.media.read', 'NOT_FOUND', 'for what is not stored', async () => {
  expect((await server.call('GET', `/ext/media/${'0'.repeat(64)}`)).code).toBe('NOT_FOUND');
});

test('audio and PDF of an MCP tool reach a model that takes them, also after a restart', async () => {
  const [wav] = await shown();
  const { content } = lastBody().messages.at(-1);
  expect(content).toMatchObject([
    { type: 'text' },
    { type: 'input_audio', input_audio: { format: 'wav' } },
    { type: 'file', file: { file_data: `data:application/pdf;base64,${PDF.toString('base64')}` } },
  ]);
  const sent = Buffer.from(content[1].input_audio.data, 'base64');
  expect(sent.length).toBe(wav.byte);
  await server.stop();
  await using second = await testServer({ dataDir: server.dataDir });
  await second.call('POST', '/providers/aggregator/key', { body: { key: 'sk-media' } });
  model.script([{ text: 'again' }]);
  const asked = model.nextRequest();
  await second.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: 'And now?' } });
  await asked;
  await second.settled(sessionId);
  const files = lastBody().messages.find(({ content: parts }: any) => Array.isArray(parts) && parts.length === 3);
  expect(Buffer.from(files.content[1].input_audio.data, 'base64')).toEqual(sent);
});
