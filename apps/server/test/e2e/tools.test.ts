import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

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
  const asked = server.model.requests.findLast(({ wire }) => wire === 'openai-chat')?.body.tools as any[];
  expect(asked.map((tool) => tool.function.name)).toEqual(data.attrezzi.map(({ nome }: any) => nome));
  await server.call('POST', `/sessions/${sessionId}/settings`, {
    body: { permessiPerAttrezzo: { shell: 'sempre' } },
  });
  const changed = await server.call('GET', `/sessions/${sessionId}/tools`);
  expect(named(changed.data.attrezzi, 'shell').permesso).toBe('sempre');
});

refuses('sessions.tools', 'NOT_FOUND', 'for an unknown session', async () => {
  expect(await server.call('GET', '/sessions/nope/tools')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
