import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { readStream, type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const trace = (id: string, query?: Record<string, string>) =>
  server.call('GET', `/ext/sessions/${id}/trace`, query && { query });
const traceOf = async (id: string, query?: Record<string, string>) => (await trace(id, query)).data.traccia;
const kinds = (steps: readonly any[]) => steps.map(({ tipo, nome, livello }) => [livello, tipo, nome]);

covers('ext.turns.trace', 'shows model calls, tools, and what sub-agents did, in order', async () => {
  server.model.script(({ lastRole, lastText }) => {
    if (lastRole === 'tool') return { text: 'Done.' };
    if (lastText === 'Look around') return { toolCalls: [{ name: 'elenca', arguments: { percorso: '.' } }] };
    return { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'Look around' } }] };
  });
  const id = await server.startSession({ consegna: 'Delegate' });
  await server.settled(id);
  const turn = await traceOf(id);
  expect(turn).toMatchObject({ riferimento: 'giro:1', esito: 'riuscito', errore: null, altri: 0 });
  expect(kinds(turn.passi)).toEqual([
    [0, 'modello', 'ollama:tiny'],
    [0, 'strumento', 'delega_sottotask'],
    [1, 'modello', 'ollama:tiny'],
    [1, 'strumento', 'elenca'],
    [1, 'modello', 'ollama:tiny'],
    [0, 'modello', 'ollama:tiny'],
  ]);
  const [asked, delegated, inner] = turn.passi;
  expect(asked).toMatchObject({ esito: 'riuscito', token: { ingresso: expect.any(Number) }, attesaUtente: null });
  expect(asked.primoOutputMs).toBeGreaterThanOrEqual(asked.inizioMs);
  expect(delegated.sessionId).toEqual(expect.any(String));
  expect(inner.inizioMs).toBeGreaterThanOrEqual(delegated.inizioMs);
  for (const { inizioMs, fineMs } of turn.passi) {
    expect(fineMs).toBeGreaterThanOrEqual(inizioMs);
    expect(fineMs).toBeLessThanOrEqual(turn.durataMs);
  }
});

test('a call shows how long the user let it wait, and that the user refused it', async () => {
  server.model.script(({ lastRole }) =>
    lastRole === 'tool'
      ? { text: 'Done.' }
      : { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'new.txt', contenuto: 'x' } }] },
  );
  const id = await server.startSession({ permessi: 'On request' });
  await readStream(server, id, { isDone: ({ type }) => type === 'ApprovalRequested' });
  const open = (await traceOf(id)).passi.at(-1);
  expect(open).toMatchObject({ nome: 'scrivi', esito: 'in-corso', fineMs: null, attesaUtente: { fineMs: null } });
  const { requestId } = (await server.events(id)).find(({ type }) => type === 'ApprovalRequested') as any;
  await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: false } });
  await server.settled(id);
  const [, call] = (await traceOf(id)).passi;
  expect(call).toMatchObject({ nome: 'scrivi', esito: 'fallito', attesaUtente: { fineMs: expect.any(Number) } });
  expect(call.inizioMs).toBeGreaterThanOrEqual(call.attesaUtente.fineMs);
});

test('a running turn shows the request that has no answer yet, and a stopped one that it was stopped', async () => {
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const id = await server.startSession();
  const running = await traceOf(id);
  expect(running).toMatchObject({ esito: 'in-corso', durataMs: null });
  expect(running.passi).toMatchObject([{ tipo: 'modello', esito: 'in-corso', fineMs: null }]);
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
  expect(await traceOf(id)).toMatchObject({ esito: 'fermato', durataMs: expect.any(Number) });
});

test('calls that run one at a time are shown from when they begin', async () => {
  server.model.script(({ lastRole }) =>
    lastRole === 'tool'
      ? { text: 'Done.' }
      : {
          toolCalls: ['echo first; sleep 0.4', 'echo second; sleep 30', 'echo third'].map((comando) => ({
            name: 'shell',
            arguments: { comando },
          })),
        },
  );
  const id = await server.startSession({ permessi: 'Full access' });
  const printed = (text: string) =>
    readStream(server, id, { isDone: (event) => event.type === 'ToolCallOutput' && event.delta.includes(text) });
  const calls = async () => (await traceOf(id)).passi.filter(({ tipo }: any) => tipo === 'strumento');
  await printed('first');
  expect(await calls()).toMatchObject([{ esito: 'in-corso', fineMs: null }]);
  await printed('second');
  const [first, second, ...others] = await calls();
  expect(others).toEqual([]);
  expect(second).toMatchObject({ esito: 'in-corso', fineMs: null });
  expect(second.inizioMs).toBeGreaterThanOrEqual(first.fineMs);
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
  const [, stopped, never] = await calls();
  expect(stopped.inizioMs).toBeGreaterThanOrEqual(first.fineMs);
  expect(stopped.esito).toBe('interrotto');
  expect(never.esito).toBe('interrotto');
  expect(never.inizioMs).toBeGreaterThanOrEqual(stopped.fineMs);
});

test('a running sub-agent is shown inside the call that started it', async () => {
  server.model.script(({ lastText }) =>
    lastText === 'Wait here'
      ? { fault: { kind: 'hang' } }
      : { toolCalls: [{ name: 'delega_sottotask', arguments: { task: ' Wait here ' } }] },
  );
  const id = await server.startSession({ consegna: 'Delegate' });
  const steps = await until(async () => {
    const { passi } = await traceOf(id);
    return passi.length === 3 ? passi : undefined;
  });
  expect(kinds(steps).slice(1)).toEqual([
    [0, 'strumento', 'delega_sottotask'],
    [1, 'modello', ''],
  ]);
  expect(steps[2]).toMatchObject({ esito: 'in-corso', fineMs: null });
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
});

test('each turn has its own trace, and a command that the server answers has no steps', async () => {
  server.model.script(() => ({ text: 'Done.' }));
  const id = await server.startSession();
  await server.settled(id);
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: '/context' } });
  await server.settled(id);
  expect(await traceOf(id)).toMatchObject({ esito: 'riuscito', passi: [] });
  expect((await traceOf(id, { riferimento: 'giro:1' })).passi).toHaveLength(1);
});

test('an imported session has no times', async () => {
  server.model.script(() => ({ text: 'Done.' }));
  const id = await server.startSession();
  await server.settled(id);
  const documento = (await server.call('GET', `/sessions/${id}/export`)).data;
  const body = { cartellaLibera: server.project.path, documento };
  const { sessionId } = (await server.call('POST', '/ext/sessions/import', { body })).data;
  expect((await traceOf(sessionId)).passi).toEqual([]);
});

refuses('ext.turns.trace', 'NOT_FOUND', 'for an unknown session or turn', async () => {
  expect(await trace('unknown')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  server.model.script(() => ({ text: 'Done.' }));
  const id = await server.startSession();
  await server.settled(id);
  expect(await trace(id, { riferimento: 'giro:999' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
