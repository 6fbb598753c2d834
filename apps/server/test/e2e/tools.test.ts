import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const offeredIn = (request: TestServer['model']['requests'][number] | undefined): string[] =>
  ((request?.body.tools ?? []) as any[]).map((tool) => tool.function.name);

const named = (tools: readonly any[], name: string): any => tools.find(({ nome }) => nome === name);
const FIELDS = [
  'categoria',
  'descrizione',
  'dipendenza',
  'nome',
  'permesso',
  'permessoConfigurabile',
  'tokenSchemaStimati',
];

covers('tools.list', 'lists every tool with category, gate and description tokens', async () => {
  const { status, data } = await server.call('GET', '/tools');
  expect([status, data.errore]).toEqual([200, null]);
  for (const tool of data.attrezzi) {
    expect(Object.keys(tool).sort()).toEqual(FIELDS);
    expect(tool.permesso).toBeNull();
    expect(tool.tokenSchemaStimati).toBeGreaterThan(10);
  }
  expect(named(data.attrezzi, 'leggi')).toMatchObject({ categoria: 'base', permessoConfigurabile: false });
  expect(named(data.attrezzi, 'artifact_create')).toMatchObject({ categoria: 'esteso', permessoConfigurabile: false });
  const gated = data.attrezzi.filter((tool: any) => tool.permessoConfigurabile).map(({ nome }: any) => nome);
  expect(gated).toEqual(expect.arrayContaining(['scrivi', 'file_edit', 'prova', 'shell']));
  expect((await server.call('GET', '/tools', { query: { x: '1' } })).code).toBe('QUERY_INVALID');
});

covers('sessions.tools', 'lists the tools offered to the model with the session’s choices', async () => {
  const sessionId = await server.startSession({ permessiPerAttrezzo: { shell: 'nega', scrivi: 'chiedi' } });
  await server.settled(sessionId);
  const { data } = await server.call('GET', `/sessions/${sessionId}/tools`);
  expect(data.errore).toBeNull();
  const choices = ['shell', 'scrivi', 'file_edit', 'leggi'].map((name) => named(data.attrezzi, name).permesso);
  expect(choices).toEqual(['nega', 'chiedi', null, null]);
  const asked = offeredIn(server.model.requests.at(-1));
  const listed = data.attrezzi.map(({ nome }: any) => nome);
  expect(asked).toEqual(expect.arrayContaining(['read', 'bash', 'find_tools']));
  expect(listed).toEqual(
    expect.arrayContaining(['leggi', 'shell', 'notes_create', 'automation_create', 'document_create']),
  );
  await server.call('POST', `/sessions/${sessionId}/settings`, {
    body: { permessiPerAttrezzo: { shell: 'sempre' } },
  });
  const changed = await server.call('GET', `/sessions/${sessionId}/tools`);
  expect(named(changed.data.attrezzi, 'shell').permesso).toBe('sempre');
});

refuses('sessions.tools', 'NOT_FOUND', 'for an unknown session', async () => {
  expect(await server.call('GET', '/sessions/nope/tools')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

/** Estimated tokens of a turn's first request without the conversation, as in the context gauge. */
async function promptTokens(sessionId: string): Promise<number> {
  const events: any[] = await server.events(sessionId);
  const { value } = events.find(({ name }) => name === 'svc.contesto-richiesta');
  const parts: { id: string; tokens: number }[] = value.ripartizione.categorie;
  return parts.reduce((sum, { id, tokens }) => (id === 'conversation' ? sum : sum + tokens), 0);
}

test('a turn’s prompt takes at most 3,000 tokens with the tools of all domains, also in plan mode', async () => {
  for (const fields of [{}, { modalitaOperativa: 'piano' }]) {
    const sessionId = await server.startSession(fields);
    await server.settled(sessionId);
    expect(await promptTokens(sessionId)).toBeLessThanOrEqual(3_000);
    expect((await server.call('GET', `/sessions/${sessionId}/tools`)).data.attrezzi.length).toBeGreaterThan(55);
  }
});

test('the model finds a tool by words and uses it, and the tools of its requests stay the same', async () => {
  const from = server.model.requests.length;
  const note = { title: 'Herons', content: 'They eat fish.' };
  server.model.script([
    { toolCalls: [{ name: 'find_tools', arguments: { query: 'write a note' } }] },
    { toolCalls: [{ name: 'use_tool', arguments: { name: 'notes_create', arguments: note } }] },
    { text: 'Noted.' },
    { text: 'Still here.' },
  ]);
  const sessionId = await server.startSession();
  await server.settled(sessionId);
  await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: 'And?' } });
  await server.settled(sessionId);
  server.model.script(() => ({ text: 'Hello.' }));
  const requests = server.model.requests.slice(from).filter(({ wire }) => wire === 'openai-chat');
  expect(requests).toHaveLength(4);
  expect(offeredIn(requests[0])).not.toContain('notes_create');
  expect(new Set(requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1);
  expect(requests[1]?.lastText).toContain('"name":"notes_create"');
  expect(requests[2]?.lastText).toContain('Note created');
});
