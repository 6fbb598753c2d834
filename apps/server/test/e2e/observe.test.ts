import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers } from '../covers.ts';
import { readStream, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await testServer({
    script: [
      {
        reasoning: ['hm'],
        text: ['one ', 'two ', 'three'],
        usage: { promptTokens: 100, completionTokens: 3, cachedTokens: 25 },
      },
    ],
  });
  id = await server.startSession();
  await server.settled(id);
});
afterAll(async () => server[Symbol.asyncDispose]());

const isQueue = (event: { type: string; name?: string }): boolean =>
  event.type === 'CUSTOM' && event.name === 'svc.coda';

covers('sessions.events', 'replays merged deltas, then sends end-of-replay and queue frames without ids', async () => {
  const seen = await readStream(server, id, { isDone: isQueue });
  expect(seen.map(({ event }) => (event as any).name ?? event.type)).toEqual([
    'RunStarted',
    'svc.contesto-richiesta',
    'ReasoningMessageStart',
    'ReasoningMessageContent',
    'ReasoningMessageEnd',
    'TextMessageStart',
    'TextMessageContent',
    'TextMessageEnd',
    'StateDelta',
    'svc.ricevuta-consumo',
    'RunFinished',
    'svc.fine-rigiocata',
    'svc.coda',
  ]);
  const merged = seen.find(({ event }) => event.type === 'TextMessageContent');
  expect(merged?.event).toMatchObject({ delta: 'one two three', _sequenza: 9 });
  expect(merged?.id).toBe(9);
  expect(seen.slice(-2).map((frame) => frame.id)).toEqual([undefined, undefined]);
});

covers('sessions.events', 'Last-Event-ID resumes after that event, even within a merged group', async () => {
  const seen = await readStream(server, id, { after: 7, isDone: isQueue });
  expect(seen[0]).toMatchObject({ id: 9, event: { delta: 'two three' } });
});

test('an invalid Last-Event-ID is QUERY_INVALID', async () => {
  for (const value of ['x', '-1', '1e3', '9'.repeat(20)]) {
    const reply = await server.call('GET', `/sessions/${id}/events`, { headers: { 'last-event-id': value } });
    expect([reply.status, reply.code]).toEqual([400, 'QUERY_INVALID']);
  }
});

test('HEAD of a stream sends its headers and ends', async () => {
  const reply = await server.call('HEAD', `/sessions/${id}/events`);
  expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    '',
  ]);
  expect((await server.call('HEAD', '/sessions/none/events')).status).toBe(404);
});

test('a thousand reconnections during a stream lose, repeat and reorder nothing', async () => {
  await using busy = await testServer({ script: () => ({ text: { count: 3_000 } }) });
  const session = await busy.startSession();
  const ids: number[] = [];
  let cuts = 0;
  for (let isOver = false; !isOver; ) {
    const limit = 1 + ((cuts * 7) % 40);
    let taken = 0;
    const seen = await readStream(busy, session, {
      after: ids.at(-1) ?? 0,
      isDone: (event, frameId) => {
        if (frameId !== undefined) taken += 1;
        isOver = event.type === 'RunFinished';
        return isOver || taken >= limit;
      },
    });
    cuts += 1;
    for (const frame of seen) if (frame.id !== undefined) ids.push(frame.id);
  }
  const { data } = await busy.call('GET', `/sessions/${session}/export`);
  expect(ids.every((value, index) => index === 0 || value > (ids[index - 1] ?? 0))).toBe(true);
  expect(ids.at(-1)).toBe(data.eventi.length);
  expect(data.eventi.map((event: any) => event._sequenza)).toEqual(
    data.eventi.map((_: unknown, index: number) => index + 1),
  );
});

covers('sessions.export', 'returns the session with its unmerged raw events', async () => {
  const { data } = await server.call('GET', `/sessions/${id}/export`);
  expect(data).toMatchObject({
    schema: 'svc.session-export.v1',
    sessionId: id,
    conclusa: true,
    interrotta: false,
    modello: 'ollama:tiny',
  });
  expect(data.eventi.filter((event: any) => event.type === 'TextMessageContent')).toHaveLength(3);
});

covers('sessions.metrics', 'returns turns, cache use, time to first token, duration and event age', async () => {
  const { data } = await server.call('GET', `/sessions/${id}/metrics`, { query: { eta: '1' } });
  expect(data).toMatchObject({
    registrato: true,
    motivo: null,
    giri: 1,
    cache: { promptTokens: 100, cachedTokens: 25, percentuale: 25, motivoAssente: null },
    primoToken: { tipo: 'ragionamento', ms: expect.any(Number) },
    chiusura: { motivo: 'fine-lavoro', codice: null },
    etaEvento: { sequenza: 1, ms: expect.any(Number) },
  });
  const bad: Record<string, string>[] = [{ eta: 'x' }, { eta: '1e1' }, { other: '1' }];
  for (const query of bad) {
    expect((await server.call('GET', `/sessions/${id}/metrics`, { query })).code).toBe('QUERY_INVALID');
  }
});

covers('sessions.processes', 'returns a list and the guard’s thresholds for an empty ledger', async () => {
  const { data } = await server.call('GET', `/sessions/${id}/processes`);
  expect(data).toMatchObject({
    registrato: true,
    processi: [],
    motivo: null,
    guardia: { interviene: false, segnalazioni: [] },
  });
});

covers('sessions.list', 'filters by search words and returns the excerpts', async () => {
  const search = (text: string) =>
    server.call('GET', '/sessions', { headers: { 'x-svc-cerca': encodeURIComponent(text) } });
  const { data } = await search('two thr');
  expect(data.items.map((row: any) => row.sessionId)).toEqual([id]);
  expect(data.items[0].trovato).toEqual([
    {
      sequenza: expect.any(Number),
      riferimento: expect.any(String),
      brano: expect.arrayContaining([{ testo: 'two', trovato: true }]),
    },
  ]);
  expect((await search('nowhere said')).data.items).toEqual([]);
  expect((await server.call('GET', '/sessions')).data.items[0].trovato).toBeUndefined();
  for (const bad of ['', 'x'.repeat(201)]) expect((await search(bad)).code).toBe('QUERY_INVALID');
  expect((await server.call('GET', '/sessions', { headers: { 'x-svc-cerca': '%zz' } })).code).toBe('QUERY_INVALID');
});
