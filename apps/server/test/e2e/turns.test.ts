import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_BUG } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { busySession, readStream, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const edit = { percorso: SAMPLE_BUG.path, vecchio: SAMPLE_BUG.before, nuovo: SAMPLE_BUG.after };

/** The first request of each session calls the tool, the next one ends. */
function scriptCall(name: string, args: Record<string, unknown>): void {
  server.model.script((request) =>
    request.lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: [{ name, arguments: args }] },
  );
}

describe('approvals', () => {
  covers('turns.pending', 'returns the pending request, or null', async () => {
    scriptCall('file_edit', edit);
    const id = await server.startSession({ permessi: 'On request' });
    const card = await server.pending(id);
    expect(card.azione).toMatchObject({
      tipo: 'file_edit',
      percorso: SAMPLE_BUG.path,
      vecchio: edit.vecchio,
      nuovo: edit.nuovo,
    });
    const { headers } = await server.call('GET', `/sessions/${id}/pending`);
    expect(headers.get('cache-control')).toBe('private, no-store');
    await server.call('POST', `/sessions/${id}/approve`, { body: { requestId: card.requestId, approvato: false } });
    await server.settled(id);
    expect((await server.call('GET', `/sessions/${id}/pending`)).data.pending).toBeNull();
    expect(await readFile(join(server.project.path, SAMPLE_BUG.path), 'utf8')).toContain(SAMPLE_BUG.before);
  });

  covers('turns.approve', 'runs exactly what was shown', async () => {
    scriptCall('file_edit', edit);
    const id = await server.startSession({ permessi: 'On request' });
    const { requestId } = await server.pending(id);
    const reply = await server.call('POST', `/sessions/${id}/approve`, {
      body: { requestId, approvato: true, ambito: 'percorso', rispostoDa: id },
    });
    expect(reply.data).toEqual({ ok: true });
    await server.settled(id);
    expect(await readFile(join(server.project.path, SAMPLE_BUG.path), 'utf8')).toContain(SAMPLE_BUG.after);
    const change = (await server.events(id)).find(
      (event) => event.type === 'StateDelta' && event.delta[0]?.path.startsWith('/file/'),
    );
    expect(change).toMatchObject({
      delta: [{ op: 'replace', path: `/file/${SAMPLE_BUG.path}`, prima: expect.stringContaining(edit.vecchio) }],
    });
  });

  covers('turns.approve', 'allows the prefix of a command for the session, and not its neighbor', async () => {
    const lines = ['git status', 'git status --short', 'git stash list', 'cd src && git status', 'git status > out'];
    server.model.script(({ body }) => {
      const answered = (body.messages as { role: string }[]).filter(({ role }) => role === 'tool').length;
      const comando = lines[answered];
      return comando === undefined ? { text: 'Done.' } : { toolCalls: [{ name: 'shell', arguments: { comando } }] };
    });
    const id = await server.startSession({ permessi: 'On request' });
    const asked: unknown[] = [];
    for (let at = 0; at < 4; at += 1) {
      const { requestId, azione } = await server.pending(id);
      asked.push([azione.comando, azione.prefissi]);
      const ambito = at === 0 ? { ambito: 'percorso' } : {};
      await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: true, ...ambito } });
    }
    await server.settled(id);
    expect(asked).toEqual([
      ['git status', ['git status']],
      ['git stash list', []],
      ['cd src && git status', ['cd src', 'git status']],
      ['git status > out', []],
    ]);
  });

  refuses(
    'turns.approve',
    'APPROVAL_NOT_PENDING',
    'for an answered or unknown request, and for an idle session',
    async () => {
      scriptCall('shell', { comando: 'true' });
      const id = await server.startSession({ permessi: 'On request' });
      const { requestId } = await server.pending(id);
      const answer = (approvato: boolean, request = requestId) =>
        server.call('POST', `/sessions/${id}/approve`, { body: { requestId: request, approvato } });
      expect((await answer(true, 'other')).code).toBe('APPROVAL_NOT_PENDING');
      expect((await answer(true)).ok).toBe(true);
      expect(await answer(false)).toMatchObject({ status: 409, code: 'APPROVAL_NOT_PENDING' });
      await server.settled(id);
    },
  );

  refuses('turns.approve', 'APPROVAL_ANSWER_FORBIDDEN', 'from a session that is not an ancestor', async () => {
    scriptCall('shell', { comando: 'true' });
    const id = await server.startSession({ permessi: 'On request' });
    const { requestId } = await server.pending(id);
    const body = { requestId, approvato: true, rispostoDa: 'stranger' };
    expect(await server.call('POST', `/sessions/${id}/approve`, { body })).toMatchObject({
      status: 403,
      code: 'APPROVAL_ANSWER_FORBIDDEN',
    });
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
  });

  covers('turns.approve', 'answers QUERY_INVALID for invalid input and keeps the request pending', async () => {
    scriptCall('shell', { comando: 'true' });
    const id = await server.startSession({ permessi: 'On request' });
    const { requestId } = await server.pending(id);
    const bad = [
      {},
      { requestId },
      { requestId, approvato: 'yes' },
      { requestId, approvato: false, ambito: 'cartella' },
      { requestId, approvato: true, ambito: 'mondo' },
      { requestId, approvato: true, automazioneModificata: 'x' },
    ];
    for (const body of bad)
      expect((await server.call('POST', `/sessions/${id}/approve`, { body })).code).toBe('QUERY_INVALID');
    expect((await server.pending(id)).requestId).toBe(requestId);
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
  });
});

describe('stopping', () => {
  covers('turns.stop', 'ends the turn as fermato and accepts a second stop', async () => {
    server.model.script(() => ({ text: ['half ', 'a sentence'], fault: { kind: 'hang-mid-stream', after: 1 } }));
    const id = await server.startSession();
    await readStream(server, id, { isDone: (event) => event.type === 'TextMessageContent' });
    expect((await server.call('POST', `/sessions/${id}/stop`, { body: {} })).data).toEqual({ stopped: true });
    const row = await server.settled(id);
    expect(row).toMatchObject({ motivoChiusura: 'fermata', giriFermati: [1] });
    expect((await server.events(id)).at(-1)).toMatchObject({ type: 'RunError', code: 'fermato' });
    expect((await server.call('POST', `/sessions/${id}/stop`)).ok).toBe(true);
    expect((await server.call('POST', `/sessions/${id}/stop`, { body: { redirectId: 'x' } })).code).toBe(
      'QUERY_INVALID',
    );
  });

  covers('turns.cancel', 'stops the turn under its other name', async () => {
    server.model.script(() => ({ fault: { kind: 'hang' } }));
    const id = await server.startSession();
    expect((await server.call('POST', `/sessions/${id}/cancel`)).data).toEqual({ ok: true, sessionId: id });
    expect((await server.settled(id)).motivoChiusura).toBe('fermata');
  });

  covers('sessions.stop-process', 'stops one command and continues the turn', async () => {
    scriptCall('shell', { comando: 'echo begun; sleep 60' });
    const id = await server.startSession();
    const seen = await readStream(server, id, { isDone: (event) => event.type === 'ToolCallOutput' });
    const call = seen.map(({ event }) => event).find((event) => event.type === 'ToolCallStart') as {
      toolCallId: string;
    };
    expect((await server.call('POST', `/sessions/${id}/processes/${call.toolCallId}/stop`)).data).toEqual({
      stopped: true,
    });
    expect((await server.settled(id)).motivoChiusura).toBe('fine-lavoro');
  });

  refuses('sessions.stop-process', 'PROCESS_NOT_RUNNING', 'for an unknown process id', async () => {
    server.model.script(() => ({ text: 'Hello.' }));
    const id = await server.startSession();
    await server.settled(id);
    expect(await server.call('POST', `/sessions/${id}/processes/none/stop`)).toMatchObject({
      status: 409,
      code: 'PROCESS_NOT_RUNNING',
    });
  });
});

describe('resuming', () => {
  covers('sessions.resume', 'a message starts the next turn', async () => {
    server.model.script(() => ({ text: 'Hello.' }));
    const id = await server.startSession();
    await server.settled(id);
    const body = { messaggio: 'And now?', bolla: { note: 'kept, never sent' } };
    expect((await server.call('POST', `/sessions/${id}/resume`, { body })).data).toEqual({ sessionId: id });
    await server.settled(id);
    const starts = (await server.events(id)).flatMap((event) => (event.type === 'RunStarted' ? [event.input] : []));
    expect(starts[1]).toEqual({ consegna: 'And now?', seguito: true, bolla: { note: 'kept, never sent' } });
    expect(JSON.stringify(server.model.requests.at(-1))).not.toContain('never sent');
    for (const bad of [{ messaggio: '' }, { immagini: [] }, { other: 1 }]) {
      expect((await server.call('POST', `/sessions/${id}/resume`, { body: bad })).code).toBe('QUERY_INVALID');
    }
  });

  refuses(
    'sessions.resume',
    'SESSION_NOT_READY',
    'while a turn runs, and when there is nothing to resume',
    async () => {
      server.model.script(() => ({ fault: { kind: 'hang' } }));
      const id = await server.startSession();
      const resume = (body?: unknown) => server.call('POST', `/sessions/${id}/resume`, { body });
      expect(await resume({ messaggio: 'x' })).toMatchObject({
        status: 409,
        code: 'SESSION_NOT_READY',
        reason: 'turn-in-progress',
      });
      await server.call('POST', `/sessions/${id}/stop`);
      await server.settled(id);
      expect(await resume()).toMatchObject({ code: 'SESSION_NOT_READY', reason: 'nothing-to-resume' });
    },
  );

  refuses('sessions.resume', 'SESSION_STORE_BUSY', 'when another process runs the session', async () => {
    await using busy = await busySession(server);
    const reply = await server.call('POST', `/sessions/${busy.sessionId}/resume`, { body: { messaggio: 'x' } });
    expect(reply).toMatchObject({ status: 503, code: 'SESSION_STORE_BUSY' });
  });

  refuses('sessions.resume', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    await using closing = await testServer();
    const id = await closing.startSession();
    await closing.settled(id);
    await closing.host.quiesce();
    const reply = await closing.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'x' } });
    expect(reply).toMatchObject({ status: 503, code: 'SERVER_SHUTTING_DOWN' });
  });
});

describe('a whole task', () => {
  covers(
    'sessions.create-custom',
    'reads, runs the failing test, fixes the code after one approval, and runs the test again',
    async () => {
      const { DEMO_STEPS } = await import('@fucina/testkit');
      await using demo = await testServer({
        script: DEMO_STEPS.map(({ text, reasoning, toolCalls, usage }) => ({ text, reasoning, toolCalls, usage })),
      });
      const id = await demo.startSession({ permessiPerAttrezzo: { file_edit: 'chiedi' } });
      const { requestId, azione } = await demo.pending(id);
      expect(azione.percorso).toBe(SAMPLE_BUG.path);
      await demo.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: true } });
      expect((await demo.settled(id)).motivoChiusura).toBe('fine-lavoro');
      const events = await demo.events(id);
      const exits = events.flatMap((event) =>
        event.type === 'ToolCallResult' && event.exitCode !== undefined ? [event.exitCode] : [],
      );
      expect(exits).toEqual([1, 0]);
      const { data } = await demo.call('GET', `/sessions/${id}/processes`);
      expect(data.processi.map((row: any) => [row.attrezzo, row.esito, row.codiceUscita])).toEqual([
        ['prova', 'fallito', 1],
        ['prova', 'concluso', 0],
      ]);
      expect(await readFile(join(demo.project.path, SAMPLE_BUG.path), 'utf8')).toContain(SAMPLE_BUG.after);
    },
  );
});
