import { EMPTY, fold } from '@fucina/conversation';
import { readEvent } from '@fucina/conversation/reader';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { breakStore, readStream, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ script: ({ lastText }) => ({ text: `Heard: ${lastText}` }) });
});
afterAll(async () => server[Symbol.asyncDispose]());

const post = (body: object) => server.call('POST', '/ext/sessions/import', { body });

const SMALL = { events: [{ type: 'RunStarted', input: { consegna: 'x' } }] };

async function expectNothing(table: string, code: string): Promise<void> {
  await using broken = await testServer();
  await broken.settled(await broken.startSession());
  const trigger = `CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`;
  await breakStore(broken.dataDir, trigger);
  const body = { cartellaLibera: broken.project.path, documento: SMALL };
  expect((await broken.call('POST', '/ext/sessions/import', { body })).code).toBe(code);
  expect((await broken.call('GET', '/sessions')).data.items).toHaveLength(1);
}

describe('importing a session', () => {
  covers('ext.sessions.import', 'creates a session that shows the conversation and continues it', async () => {
    const original = await server.startSession({ consegna: 'Name the rivers' });
    await server.settled(original);
    const documento = (await server.call('GET', `/sessions/${original}/export`)).data;
    const { data, status } = await post({ cartellaLibera: server.project.path, documento });
    expect(status).toBe(200);
    const row = (await server.call('GET', '/sessions')).data.items.find(
      ({ sessionId }: { sessionId: string }) => sessionId === data.sessionId,
    );
    expect(row).toMatchObject({ nome: 'Name the rivers', conclusa: true, forkDa: null });
    await server.call('POST', `/sessions/${data.sessionId}/resume`, { body: { messaggio: 'And the lakes?' } });
    await server.settled(data.sessionId);
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toMatch(/Name the rivers.*Heard: .*And the lakes\?/);
  });

  test('a long session is imported whole', async () => {
    const turns = Array.from({ length: 400 }, (_, at) => [
      { type: 'RunStarted', input: { consegna: `Question ${at}` } },
      { type: 'RunFinished', outcome: 'completed' },
    ]).flat();
    const original = { events: [...turns, { type: 'RunStarted', input: { consegna: 'The last one' } }] };
    const { data, status } = await post({ cartellaLibera: server.project.path, documento: original });
    expect(status).toBe(200);
    const text = JSON.stringify(await server.events(data.sessionId));
    expect([text.includes('Question 0'), text.includes('The last one')]).toEqual([true, true]);
  });

  test('a call that the user stopped, and one that had not begun, are stopped in the import, too', async () => {
    server.model.script(({ lastText }) =>
      lastText === 'Wait'
        ? {
            toolCalls: ['echo on; sleep 60', 'echo after'].map((comando) => ({
              name: 'shell',
              arguments: { comando },
            })),
          }
        : { text: `Heard: ${lastText}` },
    );
    const original = await server.startSession({ consegna: 'Wait', permessi: 'Full access' });
    await readStream(server, original, { isDone: ({ type }) => type === 'ToolCallOutput' });
    await server.call('POST', `/sessions/${original}/stop`);
    await server.settled(original);
    const documento = (await server.call('GET', `/sessions/${original}/export`)).data;
    const { data } = await post({ cartellaLibera: server.project.path, documento });
    for (const id of [original, data.sessionId]) {
      const { items } = fold(EMPTY, (await server.events(id)).map(readEvent));
      const calls = items.flatMap((item) => (item.kind === 'tool' ? [item.outcome] : []));
      expect(calls).toMatchObject([
        { command: 'echo on; sleep 60', isFailed: true },
        { command: undefined, isInterrupted: true },
      ]);
      // A command without an exit code was stopped.
      expect(calls[0]?.exitCode).toBeUndefined();
    }
  });

  refuses('ext.sessions.import', 'QUERY_INVALID', 'for what is no export, and for no folder or two', async () => {
    const before = (await server.call('GET', '/sessions')).data.items.length;
    const cartellaLibera = server.project.path;
    for (const documento of ['text', {}, { schema: 'svc.session-export.v1', eventi: [] }, { events: 7 }])
      expect(await post({ cartellaLibera, documento })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
    for (const body of [{ documento: {} }, { cartellaLibera, cartellaId: 'x', documento: {} }])
      expect((await post(body)).code).toBe('QUERY_INVALID');
    expect((await server.call('GET', '/sessions')).data.items).toHaveLength(before);
  });
  refuses('ext.sessions.import', 'WORKSPACE_NOT_AVAILABLE', 'for a folder that does not exist', async () => {
    expect((await post({ cartellaLibera: '/no/such/folder', documento: SMALL })).code).toBe('WORKSPACE_NOT_AVAILABLE');
  });
  refuses('ext.sessions.import', 'SESSION_STORE_HEADER_FAILED', 'when the store cannot be written', () =>
    expectNothing('sessions', 'SESSION_STORE_HEADER_FAILED'),
  );
  refuses('ext.sessions.import', 'SESSION_STORE_WRITE_FAILED', 'when its events cannot be written', () =>
    expectNothing('events', 'SESSION_STORE_WRITE_FAILED'),
  );
  refuses('ext.sessions.import', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    await using closing = await testServer();
    await closing.host.quiesce();
    const body = { cartellaLibera: closing.project.path, documento: SMALL };
    expect((await closing.call('POST', '/ext/sessions/import', { body })).code).toBe('SERVER_SHUTTING_DOWN');
  });
});
