import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { breakStore, busySession, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const title = (id: string) => `/ext/sessions/${id}/title`;
const times = (id: string) => `/ext/sessions/${id}/times`;

/** A session with one answer; the model then answers `text` when asked for a title. */
async function answered(text: string, on = server): Promise<string> {
  on.model.script(() => ({ text: 'Done.' }));
  const id = await on.startSession({ consegna: 'Fix the failing test of the pager' });
  await on.settled(id);
  on.model.script(() => ({ text }));
  return id;
}

const nameOf = async (id: string, on = server): Promise<string> => {
  const { items } = (await on.call('GET', '/sessions')).data;
  return items.find((item: any) => item.sessionId === id).nome;
};

covers('ext.sessions.suggest-title', 'names a session once, in one line without quotes', async () => {
  const id = await answered(' "Fix pager test."\nMore words');
  expect(await nameOf(id)).toBe('Fix the failing test of the pager');
  const reply = await server.call('POST', title(id));
  expect(reply).toMatchObject({ status: 200, data: { nome: 'Fix pager test', impostato: true } });
  expect(await nameOf(id)).toBe('Fix pager test');
  const asked = server.model.requests.at(-1)?.body as { messages: { role: string }[]; tools?: unknown[] };
  expect(asked.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(asked.tools ?? []).toEqual([]);
  const before = server.model.requests.length;
  expect((await server.call('POST', title(id))).data).toEqual({ nome: 'Fix pager test', impostato: false });
  expect(server.model.requests).toHaveLength(before);
});

test('two windows that ask at once make one request', async () => {
  const id = await answered('Pager');
  const before = server.model.requests.length;
  const replies = await Promise.all([server.call('POST', title(id)), server.call('POST', title(id))]);
  expect(replies.map(({ data }) => data.nome)).toEqual(['Pager', 'Pager']);
  expect(server.model.requests).toHaveLength(before + 1);
});

test('a name that the user gives meanwhile stays', async () => {
  const id = await answered('Pager');
  server.model.script(async () => {
    await server.call('POST', `/sessions/${id}/rename`, { body: { nome: 'Mine' } });
    return { text: 'Pager' };
  });
  expect((await server.call('POST', title(id))).data).toEqual({ nome: 'Mine', impostato: false });
});

covers('ext.turns.times', 'lists when each turn started and ended, in order', async () => {
  const id = await answered('Done.');
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Again' } });
  await server.settled(id);
  const starts = (await server.events(id)).filter(({ type }) => type === 'RunStarted') as unknown as {
    _sequenza: number;
  }[];
  const { giri } = (await server.call('GET', times(id))).data;
  expect(giri.map((turn: any) => turn.riferimento)).toEqual(starts.map(({ _sequenza }) => `giro:${_sequenza}`));
  const order: number[] = giri.flatMap((turn: any) => [Date.parse(turn.iniziatoAlle), Date.parse(turn.finitoAlle)]);
  expect(order).toEqual([...order].sort((one, other) => one - other));
});

test('the end of a running turn is null', async () => {
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const id = await server.startSession();
  const { giri } = (await server.call('GET', times(id))).data;
  expect(giri).toEqual([{ riferimento: 'giro:1', iniziatoAlle: expect.any(String), finitoAlle: null }]);
  await server.call('POST', `/sessions/${id}/stop`);
});

refusesEach('NOT_FOUND', ['ext.sessions.suggest-title', 'ext.turns.times'], async (operation) => {
  const reply =
    operation === 'ext.turns.times'
      ? await server.call('GET', times('unknown'))
      : await server.call('POST', title('unknown'));
  expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

refuses('ext.sessions.suggest-title', 'MODEL_CALL_FAILED', 'without an answer, and the name stays', async () => {
  const id = await answered('   ');
  expect(await server.call('POST', title(id))).toMatchObject({ status: 502, code: 'MODEL_CALL_FAILED' });
  expect(await nameOf(id)).toBe('Fix the failing test of the pager');
});

async function withModel(modello: string): Promise<string> {
  const id = await answered('Pager');
  await server.call('POST', `/sessions/${id}/settings`, { body: { modello } });
  return id;
}

refuses('ext.sessions.suggest-title', 'PROVIDER_KEY_REQUIRED', 'without a key for the provider', async () => {
  const id = await withModel('groq:openai/gpt-oss-20b');
  expect((await server.call('POST', title(id))).code).toBe('PROVIDER_KEY_REQUIRED');
});

refuses('ext.sessions.suggest-title', 'RUNTIME_NOT_AVAILABLE', 'for a local model that does not run', async () => {
  const id = await withModel('local:my.gguf');
  expect((await server.call('POST', title(id))).code).toBe('RUNTIME_NOT_AVAILABLE');
});

refuses('ext.sessions.suggest-title', 'SESSION_MODEL_UNKNOWN', 'for a session without a model', async () => {
  await using old = await testServer();
  const id = await answered('Pager', old);
  await breakStore(
    old.dataDir,
    `UPDATE sessions SET settings = json_set(settings, '$.model', NULL), revision = revision + 1`,
  );
  expect((await old.call('POST', title(id))).code).toBe('SESSION_MODEL_UNKNOWN');
});

refuses('ext.sessions.suggest-title', 'SESSION_STORE_WRITE_FAILED', 'when the name cannot be stored', async () => {
  await using broken = await testServer();
  const id = await answered('Pager', broken);
  await breakStore(
    broken.dataDir,
    "CREATE TRIGGER full BEFORE UPDATE OF name ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  expect((await broken.call('POST', title(id))).code).toBe('SESSION_STORE_WRITE_FAILED');
  expect(await nameOf(id, broken)).toBe('Fix the failing test of the pager');
});

refuses('ext.sessions.suggest-title', 'SESSION_STORE_BUSY', 'for a session of another process', async () => {
  await using busy = await busySession(server);
  expect((await server.call('POST', title(busy.sessionId))).code).toBe('SESSION_STORE_BUSY');
});
