import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { busySession, readStream, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let quiet: string;
beforeAll(async () => {
  server = await testServer();
  quiet = await server.startSession();
  await server.settled(quiet);
});
afterAll(async () => server[Symbol.asyncDispose]());

const post = (id: string, what: string, body?: unknown, on = server) =>
  on.call('POST', `/sessions/${id}/${what}`, { body });

/** A session whose model streams without end until it is redirected. */
async function speaking(): Promise<string> {
  const hold = { text: ['well, ', 'and so on'], fault: { kind: 'hang-mid-stream', after: 1 } } as const;
  server.model.script((request) => (request.lastText.includes('Fix') ? hold : { text: `Now: ${request.lastText}` }));
  const id = await server.startSession();
  await readStream(server, id, { isDone: (event) => event.type === 'TextMessageContent' });
  return id;
}

async function closing(act: (on: TestServer, id: string) => Promise<unknown>): Promise<unknown> {
  await using ending = await testServer();
  const id = await ending.startSession();
  await ending.settled(id);
  await ending.host.quiesce();
  return await act(ending, id);
}

const shuttingDown = { status: 503, code: 'SERVER_SHUTTING_DOWN' };

describe('the wait before a retry of the model', () => {
  const busy = { fault: { kind: 'status', status: 429, retryAfter: 600 } } as const;

  covers('ext.turns.try-now', 'ends at once, and the answer comes', async () => {
    let asked = 0;
    server.model.script(() => ((asked += 1) === 1 ? busy : { text: 'Here.' }));
    const id = await server.startSession();
    await readStream(server, id, { isDone: (event) => event.type === 'CUSTOM' && event.name === 'svc.provider-retry' });
    const reply = await server.call('POST', `/ext/sessions/${id}/try-now`);
    expect([reply.status, reply.data]).toEqual([200, { sessionId: id }]);
    expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro' });
    expect(asked).toBe(2);
  });

  refuses('ext.turns.try-now', 'SESSION_NOT_READY', 'when the session does not wait', async () => {
    server.model.script(() => ({ text: 'Here.' }));
    const id = await server.startSession();
    await server.settled(id);
    expect((await server.call('POST', `/ext/sessions/${id}/try-now`)).code).toBe('SESSION_NOT_READY');
    expect((await server.call('POST', '/ext/sessions/nobody/try-now')).code).toBe('NOT_FOUND');
  });
});

describe('a steering message', () => {
  covers('turns.redirect', 'steers the running turn', async () => {
    const id = await speaking();
    const redirectId = '3f1f4ad4-62b3-4b7c-9a6a-0d1f6a7b8c9d';
    const reply = await post(id, 'redirect', { messaggio: 'the other way', redirectId, bolla: { note: 1 } });
    expect(reply.data).toEqual({ ok: true, redirectId });
    expect((await server.settled(id)).motivoChiusura).toBe('fine-lavoro');
    const events = await server.events(id);
    expect(events.filter(({ type }) => type.startsWith('RunRedirect'))).toMatchObject([
      { type: 'RunRedirectRequested', redirectId, testo: 'the other way' },
      { type: 'RunRedirectApplied', redirectId, testo: 'the other way' },
    ]);
    expect(server.model.requests.at(-1)?.lastText).toBe('the other way');
    for (const bad of [{}, { messaggio: '' }, { messaggio: 'x', redirectId: 'y' }, { messaggio: 'x', z: 1 }]) {
      expect((await post(id, 'redirect', bad)).code).toBe('QUERY_INVALID');
    }
  });

  refuses('turns.redirect', 'SESSION_NOT_READY', 'when no turn runs', async () => {
    expect(await post(quiet, 'redirect', { messaggio: 'x' })).toMatchObject({ status: 409, code: 'SESSION_NOT_READY' });
  });

  refuses('turns.redirect', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    expect(await closing((on, id) => post(id, 'redirect', { messaggio: 'x' }, on))).toMatchObject(shuttingDown);
  });
});

describe('the queue', () => {
  covers('turns.queue-add', 'delivers a queued message in the turn that was running', async () => {
    const id = await speaking();
    const first = await post(id, 'queue', { messaggio: 'first' });
    expect(first.data).toEqual({
      ok: true,
      posizione: 1,
      coda: { voci: [{ id: expect.any(String), testo: 'first', immagini: 0 }], inPausa: false },
    });
    await post(id, 'redirect', { messaggio: 'enough' });
    await server.settled(id);
    const delivered = (await server.events(id)).filter(({ type }) => type === 'QueuedMessageDelivered');
    expect(delivered).toMatchObject([{ testo: 'first' }]);
    for (const bad of [{}, { messaggio: '' }, { messaggio: 'x', id: 'y' }, { messaggio: 'x', immagini: [{}] }]) {
      expect((await post(id, 'queue', bad)).code).toBe('QUERY_INVALID');
    }
  });

  covers('turns.queue', 'returns the queue, which pauses when the user stops the turn', async () => {
    const read = (id: string) => server.call('GET', `/sessions/${id}/queue`);
    expect((await read(quiet)).data).toEqual({ voci: [], inPausa: false });
    const id = await speaking();
    await post(id, 'queue', { messaggio: 'later' });
    await post(id, 'stop');
    await server.settled(id);
    expect((await read(id)).data).toMatchObject({ voci: [{ testo: 'later' }], inPausa: true });
    const stream = await readStream(server, id, {
      isDone: (event) => event.type === 'CUSTOM' && event.name === 'svc.coda',
    });
    expect(stream.at(-1)).toMatchObject({ id: undefined, event: { value: { inPausa: true } } });
  });

  covers('turns.queue-remove', 'removes an entry by id or the last one, and returns null when empty', async () => {
    const id = await speaking();
    const { data } = await post(id, 'queue', { messaggio: 'one' });
    await post(id, 'queue', { messaggio: 'two' });
    await post(id, 'queue', { messaggio: 'three' });
    const removed = await post(id, 'queue/annulla', { id: data.coda.voci[0].id });
    expect(removed.data).toMatchObject({ ok: true, rimosso: { testo: 'one' }, coda: { voci: [{}, {}] } });
    expect((await post(id, 'queue/annulla')).data.rimosso.testo).toBe('three');
    expect((await post(id, 'queue/annulla', {})).data).toMatchObject({ rimosso: { testo: 'two' }, coda: { voci: [] } });
    expect((await post(id, 'queue/annulla')).data.rimosso).toBeNull();
    expect(await post(id, 'queue/annulla', { id: 'gone' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await post(id, 'queue/annulla', { id: '' })).code).toBe('QUERY_INVALID');
    await post(id, 'stop');
  });

  covers(
    'turns.queue-send',
    'sends a message now: as steering while a turn runs, as a new turn otherwise',
    async () => {
      const id = await speaking();
      const { data } = await post(id, 'queue', { messaggio: 'right now' });
      const queued = data.coda.voci[0].id;
      expect((await post(id, 'queue/invia', { id: queued })).data).toMatchObject({
        ok: true,
        modo: 'reindirizzato',
        coda: { voci: [] },
        redirectId: expect.any(String),
      });
      await server.settled(id);
      const next = await speaking();
      const later = await post(next, 'queue', { messaggio: 'afterwards' });
      await post(next, 'stop');
      await server.settled(next);
      const sent = await post(next, 'queue/invia', { id: later.data.coda.voci[0].id });
      expect(sent.data).toEqual({ ok: true, modo: 'ripreso', coda: { voci: [], inPausa: false } });
      await server.settled(next);
      const starts = (await server.events(next)).flatMap((event) => (event.type === 'RunStarted' ? [event.input] : []));
      expect(starts[1]).toMatchObject({ consegna: 'afterwards', codaId: later.data.coda.voci[0].id });
      expect(await post(next, 'queue/invia', { id: 'gone' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect((await post(next, 'queue/invia', {})).code).toBe('QUERY_INVALID');
    },
  );

  refuses('turns.queue-add', 'SESSION_NOT_READY', 'when no turn runs', async () => {
    expect((await post(quiet, 'queue', { messaggio: 'x' })).code).toBe('SESSION_NOT_READY');
  });

  refuses('turns.queue-add', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    expect(await closing((on, id) => post(id, 'queue', { messaggio: 'x' }, on))).toMatchObject(shuttingDown);
  });

  refuses('turns.queue-send', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    expect(await closing((on, id) => post(id, 'queue/invia', { id: 'x' }, on))).toMatchObject(shuttingDown);
  });

  refuses('turns.queue-send', 'SESSION_NOT_READY', 'when another process runs the turn', async () => {
    await using busy = await busySession(server);
    const { data } = await post(busy.sessionId, 'queue', { messaggio: 'x' });
    const reply = await post(busy.sessionId, 'queue/invia', { id: data.coda.voci[0].id });
    expect(reply).toMatchObject({ status: 409, code: 'SESSION_NOT_READY' });
    expect((await server.call('GET', `/sessions/${busy.sessionId}/queue`)).data.voci).toHaveLength(1);
  });
});

describe('shell commands of the user', () => {
  covers(
    'turns.shell',
    'run beside the turn, keep their working directory, and appear in the stream and the ledger',
    async () => {
      expect((await post(quiet, 'shell', { comando: 'mkdir -p "a b" && cd "a b" && echo in' })).data).toEqual({
        ok: true,
      });
      await readStream(server, quiet, { isDone: ({ type }) => type === 'ComandoUtenteFinito' });
      await post(quiet, 'shell', { comando: 'pwd; exit 3' });
      let finished = 0;
      const stream = await readStream(server, quiet, {
        isDone: ({ type }) => type === 'ComandoUtenteFinito' && ++finished === 2,
      });
      const events = stream.map(({ event }) => event);
      expect(events.at(-1)).toMatchObject({ codice: 3, enforcement: expect.any(String) });
      const printed = events.flatMap((event) => (event.type === 'ToolCallOutput' ? [event.delta] : [])).join('');
      expect(printed).toMatch(/in\n[^\n]*\/a b\n/);
      const row = (await server.call('GET', '/sessions')).data.items.find((item: any) => item.sessionId === quiet);
      expect(row.conclusa).toBe(true);
      const { data } = await server.call('GET', `/sessions/${quiet}/processes`);
      expect(data.processi.at(-1)).toMatchObject({ origine: 'persona', esito: 'fallito', codiceUscita: 3 });
      for (const bad of [{}, { comando: '' }, { comando: 'ls', x: 1 }])
        expect((await post(quiet, 'shell', bad)).code).toBe('QUERY_INVALID');
    },
  );

  covers('sessions.stop-process', 'stops a user’s command by id without stopping the turn', async () => {
    await post(quiet, 'shell', { comando: 'echo begun; sleep 60' });
    const stream = await readStream(server, quiet, {
      isDone: (event) => event.type === 'ToolCallOutput' && event.delta.includes('begun'),
    });
    const begun = stream.map(({ event }) => event).filter(({ type }) => type === 'ComandoUtenteIniziato');
    const id = (begun.at(-1) as { comandoId: string }).comandoId;
    expect((await post(quiet, `processes/${id}/stop`)).data).toEqual({ stopped: true });
    await readStream(server, quiet, {
      isDone: (event) => event.type === 'ComandoUtenteFinito' && event.comandoId === id,
    });
  });

  refuses('turns.shell', 'SESSION_NOT_READY', 'on an interrupted session', async () => {
    await using first = await testServer();
    first.model.script(() => ({ fault: { kind: 'hang' } }));
    const id = await first.startSession();
    await first.host.quiesce();
    await first.stop();
    await using second = await testServer({ dataDir: first.dataDir });
    expect(await post(id, 'shell', { comando: 'ls' }, second)).toMatchObject({
      status: 409,
      code: 'SESSION_NOT_READY',
    });
  });

  refuses('turns.shell', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    expect(await closing((on, id) => post(id, 'shell', { comando: 'ls' }, on))).toMatchObject(shuttingDown);
  });

  const settings = async () => (await server.call('GET', `/sessions/${quiet}/impostazioni-comandi`)).data;

  covers('turns.command-place', 'stores where commands run', async () => {
    expect((await post(quiet, 'dove-girano-i-comandi', { dove: 'wsl2' })).data).toEqual({ ok: true, dove: 'wsl2' });
    expect((await settings()).dove).toBe('wsl2');
    expect((await post(quiet, 'dove-girano-i-comandi', { dove: null })).data.dove).toBeNull();
  });

  refuses('turns.command-place', 'DOVE_NON_VALIDO', 'for an unknown place', async () => {
    for (const body of [{ dove: 'moon' }, { dove: 1 }, {}]) {
      expect(await post(quiet, 'dove-girano-i-comandi', body)).toMatchObject({ status: 400, code: 'DOVE_NON_VALIDO' });
    }
  });

  covers('turns.commands-told', 'reports later user commands to the model', async () => {
    expect((await post(quiet, 'comandi-nella-conversazione', { acceso: true })).data).toEqual({
      ok: true,
      acceso: true,
    });
    await post(quiet, 'shell', { comando: 'echo "a word for you"' });
    let hasPrinted = false;
    await readStream(server, quiet, {
      isDone(event) {
        hasPrinted ||= event.type === 'ToolCallOutput' && event.delta.includes('a word for you');
        return hasPrinted && event.type === 'ComandoUtenteFinito';
      },
    });
    server.model.script(() => ({ text: 'I saw.' }));
    await post(quiet, 'resume', { messaggio: 'did you see?' });
    await server.settled(quiet);
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain('a word for you');
  });

  refuses('turns.commands-told', 'SCELTA_NON_VALIDA', 'for a value other than true and false', async () => {
    for (const body of [{ acceso: 'yes' }, { acceso: null }, {}]) {
      expect(await post(quiet, 'comandi-nella-conversazione', body)).toMatchObject({ code: 'SCELTA_NON_VALIDA' });
    }
  });

  covers('turns.command-settings', 'returns both settings', async () => {
    const id = await server.startSession();
    expect((await server.call('GET', `/sessions/${id}/impostazioni-comandi`)).data).toEqual({
      dove: null,
      comandiNellaConversazione: false,
    });
    await server.settled(id);
  });
});
