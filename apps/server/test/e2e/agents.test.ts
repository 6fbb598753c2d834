import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { breakStore, busySession, readStream, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let parent: string;
beforeAll(async () => {
  server = await testServer();
  server.model.script((request) => {
    if (request.lastRole === 'tool') return { text: 'All back.' };
    if (!request.lastText.includes('Fix')) return { text: `Looked at ${request.lastText}.` };
    return { toolCalls: ['one', 'two'].map((task) => ({ name: 'delega_sottotask', arguments: { task } })) };
  });
  parent = await server.startSession();
  await server.settled(parent);
});
afterAll(async () => server[Symbol.asyncDispose]());

const get = (path: string, query?: Record<string, string>) =>
  server.call('GET', `/sessions/${parent}/${path}`, { query });

covers('sessions.children', 'lists every sub-agent with its work', async () => {
  const { data } = await get('children');
  // They start in parallel: either may be the first.
  expect(data.figli.toSorted((one: any, other: any) => (one.task < other.task ? -1 : 1))).toMatchObject(
    ['one', 'two'].map((task) => ({
      parentId: parent,
      task,
      avvio: 'da-solo',
      conclusa: true,
      esitoDelega: 'fine-lavoro',
      riassuntoDelega: `Looked at ${task}.`,
      approvalPendingCount: 0,
      questionPendingCount: 0,
      operazioneCorrente: null,
      collisioni: [],
      attivita: { letti: [], scritti: [] },
    })),
  );
  const rows = (await server.call('GET', '/sessions')).data.items;
  expect(rows.filter((row: any) => row.padreId === parent)).toHaveLength(2);
});

covers('sessions.agent-timeline', 'returns the events of all agents in one order, page by page', async () => {
  const { data } = await get('agent-timeline');
  expect(data).toMatchObject({
    schema: 'svc.agent-timeline.v1',
    rootId: parent,
    coverage: 'complete',
    persisted: true,
    next: null,
  });
  expect(data.items.map(({ seq }: any) => seq)).toEqual(data.items.map((_item: any, index: number) => index + 1));
  expect(data.items[0]).toMatchObject({ event: { type: 'RunStarted' }, node: { sessionId: parent, parentId: null } });
  const page = await get('agent-timeline', { after: '2', through: '5', limit: '2' });
  expect(page.data).toMatchObject({ through: 5, next: 4, items: [{ seq: 3 }, { seq: 4 }] });
  const bad: Record<string, string>[] = [
    { limit: '501' },
    { limit: '0' },
    { through: '9999' },
    { after: 'x' },
    { after: '-1' },
  ];
  for (const query of bad) {
    expect((await get('agent-timeline', query)).code).toBe('QUERY_INVALID');
  }
});

covers('sessions.fork', 'copies the conversation into a new session', async () => {
  const { data } = await server.call('POST', `/sessions/${parent}/fork`);
  const row = (await server.call('GET', '/sessions')).data.items.find((item: any) => item.sessionId === data.sessionId);
  expect(row).toMatchObject({ forkDa: parent, conclusa: true, padreId: null });
  expect((await server.events(data.sessionId)).length).toBe((await server.events(parent)).length);
});

refuses('sessions.fork', 'SESSION_NOT_READY', 'while a turn runs', async () => {
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const id = await server.startSession();
  expect(await server.call('POST', `/sessions/${id}/fork`)).toMatchObject({ status: 409, code: 'SESSION_NOT_READY' });
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
});

refuses('sessions.fork', 'SESSION_STORE_HEADER_FAILED', 'when the store cannot be written', async () => {
  await using broken = await testServer();
  const id = await broken.startSession();
  await broken.settled(id);
  await breakStore(
    broken.dataDir,
    "CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  expect((await broken.call('POST', `/sessions/${id}/fork`)).code).toBe('SESSION_STORE_HEADER_FAILED');
  expect((await broken.call('GET', '/sessions')).data.items).toHaveLength(1);
});

refuses('sessions.fork', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
  await using closing = await testServer();
  const id = await closing.startSession();
  await closing.settled(id);
  await closing.host.quiesce();
  expect((await closing.call('POST', `/sessions/${id}/fork`)).code).toBe('SERVER_SHUTTING_DOWN');
});

covers(
  'sessions.background-process',
  'keeps a command running after its call was answered and stops it on request',
  async () => {
    server.model.script((request) =>
      request.lastRole === 'tool'
        ? { text: 'It runs on.' }
        : { toolCalls: [{ name: 'shell', arguments: { comando: 'echo begun; sleep 60' } }] },
    );
    const id = await server.startSession();
    const seen = await readStream(server, id, { isDone: (event) => event.type === 'ToolCallOutput' });
    const { toolCallId } = seen.map(({ event }) => event).find(({ type }) => type === 'ToolCallStart') as {
      toolCallId: string;
    };
    const reply = await server.call('POST', `/sessions/${id}/processes/${toolCallId}/sfondo`);
    expect(reply.data).toEqual({ backgrounded: true });
    expect((await server.settled(id)).motivoChiusura).toBe('fine-lavoro');
    const ledger = async () => (await server.call('GET', `/sessions/${id}/processes`)).data.processi[0];
    expect(await ledger()).toMatchObject({
      esito: 'in-sfondo',
      inSfondo: true,
      sfondoDa: 'persona',
      fileSfondo: toolCallId,
      codiceUscita: null,
    });
    await server.call('POST', `/sessions/${id}/processes/${toolCallId}/stop`);
    await readStream(server, id, {
      isDone: (event) => event.type === 'CUSTOM' && JSON.stringify(event.value).includes('"fine"'),
    });
    expect(await ledger()).toMatchObject({ esito: 'interrotto', inSfondo: false });
  },
);

refuses('sessions.background-process', 'PROCESS_NOT_RUNNING', 'for an unknown process id', async () => {
  const reply = await server.call('POST', `/sessions/${parent}/processes/none/sfondo`);
  expect(reply).toMatchObject({ status: 409, code: 'PROCESS_NOT_RUNNING' });
});

covers('sessions.remove-message', 'removes a user message and an agent message and records a tombstone', async () => {
  server.model.script(() => ({ text: 'A secret.' }));
  const id = await server.startSession();
  await server.settled(id);
  const started = (await server.events(id)).find(({ type }) => type === 'TextMessageStart') as { messageId: string };
  const remove = (reference: string) =>
    server.call('DELETE', `/sessions/${id}/messages/${encodeURIComponent(reference)}`);
  expect((await remove(started.messageId)).data).toEqual({
    rimosso: true,
    riferimento: started.messageId,
    toltoDalModello: true,
    motivo: null,
  });
  expect((await remove('giro:1')).data).toMatchObject({ rimosso: true, riferimento: 'giro:1' });
  expect(await remove('giro:1')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await remove('x'.repeat(201))).code).toBe('QUERY_INVALID');
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Go on.' } });
  await server.settled(id);
  expect(JSON.stringify(server.model.requests.at(-1)?.body)).not.toContain('A secret.');
});

refuses('sessions.remove-message', 'SESSION_STILL_RUNNING', 'while a turn runs', async () => {
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const id = await server.startSession();
  const reply = await server.call('DELETE', `/sessions/${id}/messages/giro:1`);
  expect(reply).toMatchObject({ status: 409, code: 'SESSION_STILL_RUNNING' });
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
});

refuses('sessions.remove-message', 'SESSION_STORE_BUSY', 'when another process runs the session', async () => {
  await using busy = await busySession(server);
  const reply = await server.call('DELETE', `/sessions/${busy.sessionId}/messages/giro:1`);
  expect(reply).toMatchObject({ status: 503, code: 'SESSION_STORE_BUSY' });
});

refuses('sessions.remove-message', 'SESSION_STORE_WRITE_FAILED', 'when the store cannot be written', async () => {
  await using broken = await testServer();
  const id = await broken.startSession();
  await broken.settled(id);
  await breakStore(
    broken.dataDir,
    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  expect((await broken.call('DELETE', `/sessions/${id}/messages/giro:1`)).code).toBe('SESSION_STORE_WRITE_FAILED');
});
