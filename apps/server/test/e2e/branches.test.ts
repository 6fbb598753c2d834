import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { breakStore, busySession, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const branches = (id: string) => `/ext/sessions/${id}/branches`;
const restores = (id: string) => `/ext/sessions/${id}/restore`;

let files = 0;

/** Two turns; the second writes a file that was not there. */
async function twoTurns(on: TestServer): Promise<{ id: string; first: string; second: string; file: string }> {
  files += 1;
  const file = `branch-${files}.txt`;
  on.model.script(({ lastRole, lastText }) =>
    lastRole !== 'tool' && lastText.includes('write')
      ? { toolCalls: [{ name: 'scrivi', arguments: { percorso: file, contenuto: 'new\n' } }] }
      : { text: 'Done.' },
  );
  const id = await on.startSession({ permessi: 'Workspace write' });
  await on.settled(id);
  await on.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Now write.' } });
  await on.settled(id);
  const starts = (await on.events(id)).filter(({ type }) => type === 'RunStarted') as unknown as {
    _sequenza: number;
  }[];
  const [first = '', second = ''] = starts.map(({ _sequenza }) => `giro:${_sequenza}`);
  return { id, first, second, file };
}

const read = (file: string): Promise<string | null> =>
  readFile(join(server.project.path, file), 'utf8').catch(() => null);

covers('ext.branches.create', 'resends an edited message, with the files restored', async () => {
  const { id, second, file } = await twoTurns(server);
  expect(await read(file)).toBe('new\n');
  const body = { prima: second, messaggio: 'Better not.', ripristinaFile: true };
  const reply = await server.call('POST', branches(id), { body });
  expect(reply).toMatchObject({ status: 201, data: { sessionId: expect.any(String), fileNonRipristinati: [] } });
  await server.settled(reply.data.sessionId);
  expect(await read(file)).toBeNull();
  const asked = JSON.stringify(server.model.requests.at(-1)?.body);
  expect(asked).toContain('Better not.');
  expect(asked).not.toContain('Now write.');
  const { items } = (await server.call('GET', '/sessions')).data;
  expect(items.find((item: any) => item.sessionId === reply.data.sessionId)).toMatchObject({ forkDa: id });
});

covers('ext.branches.list', 'names the turns with alternatives and where they are', async () => {
  const { id, first, second } = await twoTurns(server);
  expect((await server.call('GET', branches(id))).data).toEqual({ rami: [] });
  const { data } = await server.call('POST', branches(id), { body: { prima: second, messaggio: 'Other words.' } });
  await server.settled(data.sessionId);
  expect((await server.call('GET', branches(id))).data).toEqual({
    rami: [{ riferimento: second, sessioni: [id, data.sessionId], corrente: id }],
  });
  const after = await server.call('POST', branches(id), { body: { dopo: first } });
  expect((await server.events(after.data.sessionId)).at(-1)).toMatchObject({ type: 'RunFinished' });
});

covers('ext.restore.preview', 'tells what a restore would do to each file', async () => {
  const { id, second, file } = await twoTurns(server);
  const { data } = await server.call('GET', restores(id), { query: { riferimento: second } });
  expect(data).toEqual({ file: [{ percorso: file, effetto: 'eliminato', problema: null }] });
});

covers('ext.restore.run', 'undoes the changes of the turn, which /redo all repeats', async () => {
  const { id, second, file } = await twoTurns(server);
  const reply = await server.call('POST', restores(id), { body: { riferimento: second } });
  expect([reply.status, reply.data, await read(file)]).toEqual([200, { ok: true, fileNonRipristinati: [] }, null]);
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: '/redo all' } });
  await server.settled(id);
  expect(await read(file)).toBe('new\n');
});

const ALL: Record<string, (on: TestServer, id: string, reference: string) => ReturnType<TestServer['call']>> = {
  'ext.branches.create': (on, id, prima) =>
    on.call('POST', branches(id), { body: { prima, messaggio: 'x', ripristinaFile: true } }),
  'ext.branches.list': (on, id) => on.call('GET', branches(id)),
  'ext.restore.preview': (on, id, riferimento) => on.call('GET', restores(id), { query: { riferimento } }),
  'ext.restore.run': (on, id, riferimento) => on.call('POST', restores(id), { body: { riferimento } }),
};
const act = (operation: string, on: TestServer, id: string, reference = 'giro:1') =>
  (ALL[operation] as (typeof ALL)[string])(on, id, reference);

refusesEach('NOT_FOUND', ['ext.branches.create', 'ext.restore.preview', 'ext.restore.run'], async (operation) => {
  const { id } = await twoTurns(server);
  const before = await server.events(id);
  for (const [session, reference] of [
    [id, 'giro:2'],
    [id, 'nothing'],
    ['unknown', 'giro:1'],
  ] as const) {
    expect(await act(operation, server, session, reference)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  }
  expect(await server.events(id)).toEqual(before);
  expect(await act('ext.branches.list', server, 'unknown')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

refuses('ext.branches.create', 'QUERY_INVALID', 'for a body that is neither kind of branch', async () => {
  const { id } = await twoTurns(server);
  const prima = 'giro:1';
  for (const body of [{}, { prima }, { prima, messaggio: ' ' }, { prima, dopo: prima, messaggio: 'x' }, { dopo: 1 }]) {
    expect(await server.call('POST', branches(id), { body })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  }
  expect((await server.call('GET', branches(id))).data).toEqual({ rami: [] });
});

refusesEach('SESSION_NOT_READY', ['ext.branches.create', 'ext.restore.run'], async (operation) => {
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const id = await server.startSession();
  expect(await act(operation, server, id)).toMatchObject({ status: 409, code: 'SESSION_NOT_READY' });
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
});

refusesEach('SESSION_STORE_BUSY', ['ext.branches.create', 'ext.restore.run'], async (operation) => {
  await using busy = await busySession(server);
  const reply = await act(operation, server, busy.sessionId);
  expect(reply).toMatchObject({ status: 503, code: 'SESSION_STORE_BUSY' });
});

refusesEach('SERVER_SHUTTING_DOWN', ['ext.branches.create', 'ext.restore.run'], async (operation) => {
  await using closing = await testServer();
  const id = await closing.startSession();
  await closing.settled(id);
  await closing.host.quiesce();
  expect(await act(operation, closing, id)).toMatchObject({ status: 503, code: 'SERVER_SHUTTING_DOWN' });
});

refuses('ext.branches.create', 'SESSION_STORE_HEADER_FAILED', 'when the store cannot be written', async () => {
  await using broken = await testServer();
  const { id, first, second } = await twoTurns(broken);
  await breakStore(
    broken.dataDir,
    "CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  for (const body of [{ dopo: first }, { prima: second, messaggio: 'x' }]) {
    expect((await broken.call('POST', branches(id), { body })).code).toBe('SESSION_STORE_HEADER_FAILED');
  }
  expect((await broken.call('GET', '/sessions')).data.items).toHaveLength(1);
});
