import { join } from 'node:path';
import { sqliteDriver } from '@fucina/shared/testing';
import { createModelServer, type ModelServer } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type Reply, readStream, serverWithDamagedProviders, type TestServer, testServer } from '../harness.ts';

const VALUE = 'Bearer of-the-gateway-0001';
let server: TestServer;
let gateway: ModelServer;
beforeAll(async () => {
  server = await testServer();
  gateway = await createModelServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await gateway.close();
});

const pathOf = (provider: string): string => `/ext/providers/${provider}/connection`;
const read = async (provider: string) => (await server.call('GET', pathOf(provider))).data.connessione;
const change = (provider: string, body: unknown, more: object = {}): Promise<Reply> =>
  server.call('POST', pathOf(provider), { body, ...more });

async function turnOf(model: string): Promise<string[]> {
  const body = { cartellaLibera: server.project.path, consegna: 'x', modello: model };
  const { sessionId } = (await server.call('POST', '/sessions/custom', { body })).data;
  const events = await readStream(server, sessionId, { isDone: ({ type }) => /^Run(Finished|Error)$/.test(type) });
  return events.map(({ event }) => event.type);
}

covers('ext.connection.read', 'shows the address and no headers at first', async () => {
  expect(await read('gemini')).toEqual({
    provider: 'gemini',
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    endpointConfigured: false,
    modificabile: true,
    intestazioni: [],
  });
  expect(await read('esterno')).toMatchObject({ endpoint: null, modificabile: false });
});

describe('a turn through a gateway', () => {
  covers('ext.connection.change', 'carries key and headers on the wire of Anthropic', async () => {
    const intestazioni = [{ nome: 'X-Gateway', valore: VALUE }];
    const reply = await change('anthropic', { endpoint: `${gateway.url}/v1/`, intestazioni });
    expect(reply.data.connessione).toEqual({
      provider: 'anthropic',
      endpoint: `${gateway.url}/v1`,
      endpointConfigured: true,
      modificabile: true,
      intestazioni: [{ nome: 'x-gateway', inviata: true }],
    });
    expect(reply.text).not.toContain(VALUE);
    await server.call('POST', '/providers/anthropic/key', { body: { key: 'sk-gateway' } });
    expect(await turnOf('anthropic:claude-haiku-4-5')).toContain('RunFinished');
    expect((await server.call('POST', '/providers/anthropic/test')).data.esito).toBe('raggiunto');
    const sent = [...gateway.requests, ...gateway.lists.slice(-1)];
    expect(sent.map(({ wire, headers }) => [wire, headers['x-api-key'], headers['x-gateway']])).toEqual([
      ['anthropic', 'sk-gateway', VALUE],
      ['models', 'sk-gateway', VALUE],
    ]);
    const { items } = (await server.call('GET', '/providers')).data;
    const row = items.find(({ id }: { id: string }) => id === 'anthropic');
    // The row of the interface stays as it is described.
    expect(row).toMatchObject({ supportsEndpoint: false, endpointConfigured: true, endpoint: `${gateway.url}/v1` });
    await server.call('POST', '/providers/anthropic/runtime/reset');
    expect(await read('anthropic')).toMatchObject({
      endpoint: 'https://api.anthropic.com/v1',
      intestazioni: [{ nome: 'x-gateway', inviata: false }],
    });
  });
});

covers('ext.connection.change', 'restores the default address with null, and removes headers', async () => {
  await change('gemini', { endpoint: gateway.url, intestazioni: [{ nome: 'x-a', valore: 'one' }] });
  expect(await read('gemini')).toMatchObject({ endpointConfigured: true });
  const { data } = await change('gemini', { endpoint: null, intestazioni: [] });
  expect(data.connessione).toMatchObject({ endpointConfigured: false, intestazioni: [] });
});

refuses('ext.connection.change', 'PROVIDER_RUNTIME_INVALID', 'for what breaks a request', async () => {
  const header = (nome: string, valore?: string) => ({ intestazioni: [{ nome, valore }] });
  const bad: [string, unknown, string][] = [
    ['gemini', { endpoint: 'ftp://x' }, 'endpoint'],
    ['gemini', { endpoint: 'https://user:pass@x' }, 'endpoint'],
    ['gemini', header('Host', 'x'), 'header-refused'],
    ['gemini', header('content-length', '1'), 'header-refused'],
    ['gemini', header('a b', 'x'), 'header-name'],
    ['gemini', header('x-a', 'a\nb'), 'header-value'],
    ['gemini', header('x-a'), 'header-value'],
    ['azure', header('x-a', 'x'), 'header-no-address'],
    ['local', { endpoint: 'http://127.0.0.1:1' }, 'no-connection'],
    ['esterno', header('x-a', 'x'), 'no-connection'],
  ];
  for (const [provider, body, reason] of bad) {
    const { status, code, reason: found } = await change(provider, body);
    expect([provider, body, status, code, found]).toEqual([provider, body, 422, 'PROVIDER_RUNTIME_INVALID', reason]);
  }
  for (const body of [{}, { endpoint: 7 }, { intestazioni: 'x' }, { intestazioni: [{ name: 'x' }] }, { x: 1 }]) {
    expect((await change('gemini', body)).code).toBe('QUERY_INVALID');
  }
});

refuses('ext.connection.change', 'PROVIDER_RUNTIME_UNAVAILABLE', 'when the store cannot be written', async () => {
  await using full = await testServer();
  const db = new (sqliteDriver())(join(full.dataDir, 'providers.db'));
  db.exec("CREATE TRIGGER full BEFORE INSERT ON runtime BEGIN SELECT RAISE(ABORT, 'full'); END");
  db.close();
  const reply = await full.call('POST', pathOf('gemini'), { body: { endpoint: 'https://gateway.example' } });
  expect(reply).toMatchObject({ status: 503, code: 'PROVIDER_RUNTIME_UNAVAILABLE' });
  expect((await full.call('GET', pathOf('gemini'))).data.connessione.endpointConfigured).toBe(false);
});

const asked = (to: TestServer, id: string, provider: string) =>
  id === 'ext.connection.read'
    ? to.call('GET', pathOf(provider))
    : to.call('POST', pathOf(provider), { body: { endpoint: null } });

refusesEach('PROVIDER_INVALID', ['ext.connection.read', 'ext.connection.change'], async (id) => {
  expect(await asked(server, id, 'nobody')).toMatchObject({ code: 'PROVIDER_INVALID' });
});

refusesEach('PROVIDER_STORE_UNAVAILABLE', ['ext.connection.read', 'ext.connection.change'], async (id) => {
  await using broken = await serverWithDamagedProviders();
  expect(await asked(broken, id, 'gemini')).toMatchObject({ status: 503, code: 'PROVIDER_STORE_UNAVAILABLE' });
});

refuses('ext.connection.change', 'ORIGIN_FORBIDDEN', 'from another origin', async () => {
  const elsewhere = { headers: { origin: 'http://evil.example' } };
  expect((await change('gemini', { endpoint: null }, elsewhere)).code).toBe('ORIGIN_FORBIDDEN');
});
