import type { SessionEvent } from '@fucina/shared';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { breakStore, busySession, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const post = (id: string, what: string, on = server) => on.call('POST', `/sessions/${id}/${what}`);
const NEVER = '2026-01-01T00:00:00.000Z';

/** Three reads, each a separate exchange, and an end; a summary request gets a summary. */
function script(on: TestServer, end: object = { text: 'All read.' }): void {
  on.model.script((request) => {
    if (JSON.stringify(request.body).includes('Goal; Constraints and preferences')) return { text: 'THE SUMMARY' };
    const results = JSON.stringify(request.body).split('"role":"tool"').length - 1;
    return results < 3 ? { toolCalls: [{ name: 'leggi', arguments: { percorso: 'README.md' } }] } : end;
  });
}

async function readSession(on = server): Promise<string> {
  script(on);
  const id = await on.startSession();
  await on.settled(id);
  return id;
}

covers('sessions.compact', 'replaces the beginning with a summary', async () => {
  const id = await readSession();
  const { data } = await post(id, 'compact');
  expect(data).toEqual({
    compattato: true,
    at: expect.stringMatching(/^20\d\d-/),
    annullabile: false,
    tokenPrima: expect.any(Number),
    tokenDopo: expect.any(Number),
  });
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Go on.' } });
  await server.settled(id);
  expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain('THE SUMMARY');
  server.model.script(() => ({ text: 'Hello.' }));
  const short = await server.startSession();
  await server.settled(short);
  expect((await post(short, 'compact')).data).toEqual({ compattato: false, motivo: 'troppo-corta' });
});

covers('sessions.undo-compaction', 'reverts an automatic compaction and restores the whole conversation', async () => {
  const tooLong = { fault: { kind: 'status', status: 400, message: 'maximum context length exceeded' } };
  let isFull = true;
  server.model.script((request) => {
    const body = JSON.stringify(request.body);
    if (body.includes('Goal; Constraints and preferences')) return { text: 'THE SUMMARY' };
    if (body.split('"role":"tool"').length - 1 < 3 && !body.includes('THE SUMMARY'))
      return { toolCalls: [{ name: 'leggi', arguments: { percorso: 'README.md' } }] };
    if (!isFull) return { text: 'Fine.' };
    isFull = false;
    return tooLong as never;
  });
  const id = await server.startSession();
  expect((await server.settled(id)).motivoChiusura).toBe('fine-lavoro');
  const made = (await server.events(id)).flatMap((event: SessionEvent) =>
    event.type === 'CUSTOM' && event.name === 'svc.compattazione' ? [event.value as { at: string; fase: string }] : [],
  );
  expect(made.map(({ fase }) => fase)).toEqual(['inizio', 'fine']);
  const at = made[0]?.at ?? '';
  expect((await post(id, `compaction/${at}/undo`)).data).toEqual({ annullata: true });
  expect(await post(id, `compaction/${at}/undo`)).toMatchObject({ status: 404, code: 'COMPACTION_NOT_FOUND' });
  expect((await post(id, 'compaction/yesterday/undo')).code).toBe('QUERY_INVALID');
});

covers('sessions.compaction-policy', 'returns the limits and whether a compaction is running', async () => {
  const id = await readSession();
  const { data } = await server.call('GET', `/sessions/${id}/compaction-policy`);
  expect(data).toEqual({
    windowTokens: 200_000,
    triggerTokens: 200_000,
    warningTokens: 180_000,
    emergencyTokens: 240_000,
    source: 'predefinito',
    modelId: 'ollama:tiny',
    inProgress: false,
  });
});

refuses('sessions.undo-compaction', 'COMPACTION_NOT_FOUND', 'for an unknown compaction', async () => {
  const id = await readSession();
  expect(await post(id, `compaction/${NEVER}/undo`)).toMatchObject({ status: 404, code: 'COMPACTION_NOT_FOUND' });
});

refuses('sessions.compact', 'SESSION_NOT_READY', 'while a turn runs', async () => {
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const id = await server.startSession();
  expect(await post(id, 'compact')).toMatchObject({ status: 409, code: 'SESSION_NOT_READY' });
  await post(id, 'stop');
  await server.settled(id);
});

refuses('sessions.undo-compaction', 'SESSION_NOT_READY', 'while a turn runs', async () => {
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const id = await server.startSession();
  expect(await post(id, `compaction/${NEVER}/undo`)).toMatchObject({ status: 409, code: 'SESSION_NOT_READY' });
  await post(id, 'stop');
  await server.settled(id);
});

refuses('sessions.compact', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', () => whenClosing('compact'));
refuses('sessions.undo-compaction', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', () =>
  whenClosing(`compaction/${NEVER}/undo`),
);
refuses('sessions.compact', 'SESSION_STORE_BUSY', 'when another process runs the session', () => whenBusy('compact'));
refuses('sessions.undo-compaction', 'SESSION_STORE_BUSY', 'when another process runs the session', () =>
  whenBusy(`compaction/${NEVER}/undo`),
);

refuses('sessions.compact', 'SESSION_STORE_WRITE_FAILED', 'when the store cannot be written', async () => {
  await using broken = await testServer();
  const id = await readSession(broken);
  await breakStore(broken.dataDir, FULL);
  expect((await post(id, 'compact', broken)).code).toBe('SESSION_STORE_WRITE_FAILED');
});

refuses('sessions.undo-compaction', 'SESSION_STORE_WRITE_FAILED', 'when the store cannot be written', async () => {
  await using broken = await testServer();
  const id = await readSession(broken);
  await breakStore(
    broken.dataDir,
    `INSERT INTO compactions SELECT key, '${NEVER}', 3, 'x', 9, 1, 'm', 'background', 1, 0 FROM sessions; ${FULL}`,
  );
  expect((await post(id, `compaction/${NEVER}/undo`, broken)).code).toBe('SESSION_STORE_WRITE_FAILED');
});

refuses('sessions.compact', 'SESSION_MODEL_UNKNOWN', 'for a session without a model', async () => {
  await using old = await testServer();
  const id = await readSession(old);
  await breakStore(
    old.dataDir,
    `UPDATE sessions SET settings = json_set(settings, '$.model', NULL), revision = revision + 1`,
  );
  expect(await post(id, 'compact', old)).toMatchObject({ status: 409, code: 'SESSION_MODEL_UNKNOWN' });
});

const FULL = "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END";

async function whenClosing(what: string): Promise<void> {
  await using closing = await testServer();
  const id = await closing.startSession();
  await closing.settled(id);
  await closing.host.quiesce();
  expect(await post(id, what, closing)).toMatchObject({ status: 503, code: 'SERVER_SHUTTING_DOWN' });
}

async function whenBusy(what: string): Promise<void> {
  await using busy = await busySession(server);
  expect(await post(busy.sessionId, what)).toMatchObject({ status: 503, code: 'SESSION_STORE_BUSY' });
}
