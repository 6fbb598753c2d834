import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { EVERYTHING } from '../everything-server.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let sessionId: string;
beforeAll(async () => {
  server = await testServer();
  sessionId = await server.startSession();
  await server.settled(sessionId);
  const definizione = { comando: 'node', argomenti: [EVERYTHING], ambiente: {}, intestazioni: {} };
  await server.call('POST', '/ext/mcp', { body: { nome: 'all', ambito: 'ovunque', definizione } });
});
afterAll(async () => server[Symbol.asyncDispose]());

const RESOURCE = 'demo://resource/dynamic/text/1';
const suggest = (testo: string, place: object = { sessionId }) =>
  server.call('POST', '/ext/mcp/suggestions', { body: { testo, ...place } });
const textsFor = async (testo: string) =>
  (await suggest(testo)).data.suggerimenti.map(({ testo: text }: { testo: string }) => text);

covers('ext.mcp.suggest', 'continues the name of a resource and the arguments of a prompt', async () => {
  expect((await suggest('@al')).data).toEqual({
    suggerimenti: [{ testo: '@all:', nome: 'all:', dettaglio: 'MCP', continua: true }],
  });
  expect(await textsFor('@all:demo://resource/dynamic/text/1')).toContain(`@all:${RESOURCE}`);
  expect(await textsFor('/mcp__all__completable-prompt Ma')).toEqual(['/mcp__all__completable-prompt Marketing']);
  expect((await suggest('@al', {})).data.suggerimenti).toHaveLength(1);
  expect((await suggest('')).code).toBe('QUERY_INVALID');
  expect((await suggest('@al', { sessionId: 'nobody' })).code).toBe('NOT_FOUND');
});

refuses('ext.mcp.suggest', 'WORKSPACE_NOT_AVAILABLE', 'for a folder that is not there', async () => {
  expect((await suggest('@al', { cartella: '/not/there' })).code).toBe('WORKSPACE_NOT_AVAILABLE');
});

refuses('ext.mcp.suggest', 'ORIGIN_FORBIDDEN', 'from a page of another origin', async () => {
  const headers = { origin: 'https://evil.example' };
  const reply = await server.call('POST', '/ext/mcp/suggestions', { body: { testo: '@al' }, headers });
  expect([reply.status, reply.code]).toEqual([403, 'ORIGIN_FORBIDDEN']);
});

test('a message that names a resource brings its content to the model, and keeps the words of the user', async () => {
  server.model.script(() => ({ text: 'Read.' }));
  const messaggio = `Sum up @all:${RESOURCE}, please.`;
  await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio } });
  await server.settled(sessionId);
  const asked = server.model.requests.findLast(({ lastText }) => lastText.includes('Sum up'));
  expect(asked?.lastText).toContain('Resource 1: This is a plaintext resource');
  const started = (await server.events(sessionId)).findLast(({ type }) => type === 'RunStarted');
  expect(started).toMatchObject({ input: { consegna: messaggio } });
});

test('the first message of a session and an edited message bring their resources, too', async () => {
  server.model.script(() => ({ text: 'Read.' }));
  const first = await server.startSession({ consegna: 'Start with @all:demo://resource/dynamic/text/2' });
  await server.settled(first);
  expect(server.model.requests.at(-1)?.lastText).toContain('Resource 2: This is a plaintext resource');
  const started = (await server.events(first)).find(({ type }) => type === 'RunStarted') as { _sequenza?: number };
  const messaggio = 'Start with @all:demo://resource/dynamic/text/3';
  const body = { prima: `giro:${started._sequenza}`, messaggio };
  const { data } = await server.call('POST', `/ext/sessions/${first}/branches`, { body });
  await server.settled(data.sessionId);
  expect(server.model.requests.at(-1)?.lastText).toContain('Resource 3: This is a plaintext resource');
});
