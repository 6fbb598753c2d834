import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { serverWithDamagedProviders, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let cartella: string;
beforeEach(async () => {
  server = await testServer({
    templatesDir: join(import.meta.dirname, '../../templates'),
    script: () => ({ text: 'Done.', usage: { promptTokens: 100, completionTokens: 20 } }),
  });
  cartella = await realpath(server.project.path);
});
afterEach(async () => server[Symbol.asyncDispose]());

const NONE = { giornoUsd: null, giornoToken: null, sessioneUsd: null, sessioneToken: null };
const rows = async (query: Record<string, string> = {}) =>
  (await server.call('GET', '/ext/usage', { query })).data.righe;
const limit = (limits: object) => server.call('POST', '/ext/usage/budget', { body: { ...NONE, ...limits } });
const budget = async (query: Record<string, string> = {}) =>
  (await server.call('GET', '/ext/usage/budget', { query })).data.budget;
const pass = (body: object) => server.call('POST', '/ext/usage/budget/continue', { body });
const price = (body: object) => server.call('POST', '/ext/usage/prices', { body });
const again = (id: string) => server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Go on.' } });
async function oneTurn(): Promise<string> {
  const id = await server.startSession();
  await server.settled(id);
  return id;
}

covers(
  'ext.usage.report',
  'counts tokens and time by day, project and model; deleted sessions stay, copies add nothing',
  async () => {
    const id = await oneTurn();
    const [row] = await rows();
    expect(row).toMatchObject({ cartella, modello: 'ollama:tiny', chiamate: 1, costoUsd: null, chiamateSenzaCosto: 1 });
    expect(row.tokenInput).toBeGreaterThan(0);
    expect(row.durataMs).toBeGreaterThanOrEqual(0);
    const fork = (await server.call('POST', `/sessions/${id}/fork`)).data.sessionId;
    expect(await rows()).toEqual([row]);
    await again(fork);
    await server.settled(fork);
    expect((await rows())[0].chiamate).toBe(2);
    await server.call('POST', `/sessions/${id}/delete`);
    expect((await rows())[0].chiamate).toBe(2);
    expect(await rows({ da: '2020-01-01', a: '2020-01-31' })).toEqual([]);
    const wrong: Record<string, string>[] = [{ da: '2026-13-99x' }, { da: '2026-02-02', a: '2026-02-01' }];
    for (const query of wrong) {
      expect((await server.call('GET', '/ext/usage', { query })).code).toBe('QUERY_INVALID');
    }
  },
);

covers('ext.usage.set-price', 'gives a cost to past and future calls of a model without a price', async () => {
  await oneTurn();
  const prezzo = { input: 10, output: 20, cache: null };
  expect((await price({ modello: 'ollama:tiny', prezzo })).data.modello).toEqual({
    modello: 'ollama:tiny',
    prezzo,
    proprio: true,
  });
  const [row] = await rows();
  expect(row.costoUsd).toBeCloseTo((row.tokenInput * 10 + row.tokenOutput * 20) / 1e6, 12);
  expect(row.chiamateSenzaCosto).toBe(0);
  await oneTurn();
  expect((await rows())[0].costoUsd).toBeCloseTo(2 * row.costoUsd, 12);
  for (const wrong of [{ input: -1, output: 1, cache: null }, { input: 1 }]) {
    expect((await price({ modello: 'ollama:tiny', prezzo: wrong })).code).toBe('QUERY_INVALID');
  }
  expect((await price({ modello: 'ollama:tiny', prezzo: null })).data.modello.prezzo).toBeNull();
});

refuses('ext.usage.set-price', 'MODEL_ID_INVALID', 'for an unknown provider', async () => {
  const reply = await price({ modello: 'nobody:model', prezzo: null });
  expect(reply.code).toBe('MODEL_ID_INVALID');
});

refuses('ext.usage.set-price', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', async () => {
  await using broken = await serverWithDamagedProviders();
  const body = { modello: 'ollama:tiny', prezzo: { input: 1, output: 1, cache: null } };
  const reply = await broken.call('POST', '/ext/usage/prices', { body });
  expect([reply.status, reply.code]).toEqual([503, 'PROVIDER_STORE_UNAVAILABLE']);
});

covers('ext.usage.prices', 'lists the models that were used', async () => {
  await oneTurn();
  expect((await server.call('GET', '/ext/usage/prices')).data.modelli).toEqual([
    { modello: 'ollama:tiny', prezzo: null, proprio: false },
  ]);
});

covers('ext.usage.budget', 'warns near a limit, for the day and for one session', async () => {
  const id = await oneTurn();
  const { giorno } = await budget();
  expect(giorno).toMatchObject({ usd: 0, chiamateSenzaCosto: 1 });
  await limit({ sessioneToken: Math.floor(giorno.token * 1.2) });
  expect(await budget({ sessionId: id })).toMatchObject({
    sessione: { token: giorno.token },
    stato: { livello: 'avviso', ambito: 'sessione', unita: 'token', speso: giorno.token },
  });
  expect((await budget()).stato.livello).toBe('entro');
  expect((await server.call('GET', '/ext/usage/budget', { query: { sessionId: 'absent' } })).code).toBe('NOT_FOUND');
});

covers(
  'ext.usage.set-budget',
  'stops the next turn of a session and says how to go on; the running one ends',
  async () => {
    const id = await oneTurn();
    await limit({ sessioneToken: 1 });
    const before = await server.events(id);
    const reply = await again(id);
    expect([reply.status, reply.code, reply.reason]).toEqual([409, 'SESSION_NOT_READY', 'budget-session']);
    expect(reply.error?.action).toMatch(/fucina usage allow/);
    expect(await server.events(id)).toEqual(before);
    // Another session has its own budget, and its turn ends although it passes the limit.
    const other = await oneTurn();
    expect((await server.events(other)).at(-1)?.type).toBe('RunFinished');
    await limit({});
    expect((await again(id)).status).toBe(200);
    expect((await limit({ giornoUsd: 0 })).code).toBe('QUERY_INVALID');
  },
);

covers('ext.usage.pass-budget', 'lets turns start beyond the limit', async () => {
  const id = await oneTurn();
  await limit({ sessioneToken: 1, giornoToken: 1 });
  expect((await again(id)).reason).toBe('budget-day');
  expect((await pass({ ambito: 'giorno' })).status).toBe(200);
  expect((await again(id)).reason).toBe('budget-session');
  expect((await pass({ ambito: 'sessione' })).code).toBe('QUERY_INVALID');
  expect((await pass({ ambito: 'sessione', sessionId: id })).data.budget.stato.livello).toBe('consentito');
  expect((await again(id)).status).toBe(200);
});

refusesEach('SESSION_NOT_READY', ['sessions.create-custom', 'sessions.create-from-task'], async (operation) => {
  await oneTurn();
  await limit({ giornoToken: 1 });
  const count = (await server.call('GET', '/sessions')).data.items.length;
  const reply =
    operation === 'sessions.create-custom'
      ? await server.call('POST', '/sessions/custom', {
          body: { consegna: 'More.', modello: 'ollama:tiny', cartellaLibera: cartella },
        })
      : await server.call('POST', '/sessions', { body: { taskId: 'carrello-sconti', modello: 'ollama:tiny' } });
  if (reply.code !== 'SESSION_NOT_READY') throw new Error(reply.text);
  expect(reply.reason).toBe('budget-day');
  expect((await server.call('GET', '/sessions')).data.items).toHaveLength(count);
});

test('a message that waits in the queue is not sent beyond the limit, and stays in the queue', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  await oneTurn();
  server.model.script(async () => {
    await gate;
    return { text: 'Done.' };
  });
  const id = await server.startSession();
  await server.call('POST', `/sessions/${id}/queue`, { body: { messaggio: 'Later.' } });
  await limit({ giornoToken: 1 });
  release();
  await server.settled(id);
  const { data } = await server.call('GET', `/sessions/${id}/queue`);
  expect(JSON.stringify(data)).toContain('Later.');
});

test('limits are not changed by a page of another site', async () => {
  const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const path of ['budget', 'budget/prosegui', 'prezzi']) {
    const reply = await server.call('POST', join('/ext/usage', path), { headers, body: {} });
    expect([path, reply.status, reply.code]).toEqual([path, 403, 'ORIGIN_FORBIDDEN']);
  }
});
