import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type Reply, serverWithDamagedProviders, type TestServer, testServer } from '../harness.ts';

const PATH = '/providers/aggregator/esclusi';
const KIMI = 'moonshotai/kimi-k2-0905';
let server: TestServer;
let broken: TestServer;
let aggregator: Server;
let answer: { status: number; body: string };
beforeAll(async () => {
  server = await testServer();
  broken = await serverWithDamagedProviders();
  aggregator = createServer((_request, response) => void response.writeHead(answer.status).end(answer.body));
  await new Promise<void>((resolve) => aggregator.listen(0, '127.0.0.1', resolve));
  const { port } = aggregator.address() as AddressInfo;
  const body = { endpoint: `http://127.0.0.1:${port}/api/v1` };
  await server.call('POST', '/providers/aggregator/runtime', { body });
});
afterAll(async () => {
  aggregator.closeAllConnections();
  aggregator.close();
  await server[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
});

const post = (path: string, body?: unknown): Promise<Reply> => server.call('POST', path, { body });
const rows = async (): Promise<any> =>
  (await server.call('GET', '/providers')).data.items.find(({ id }: { id: string }) => id === 'aggregator');

/** The three operations, each with a valid body. */
const OPERATIONS = [
  ['aggregator.change-exclusions', PATH, { esclusi: ['a'] }],
  ['aggregator.exclude-from-answer', `${PATH}/dalla-risposta`, { fornitore: 'A', modello: 'a/b' }],
  ['aggregator.switch-built-in-exclusion', `${PATH}/di-serie`, { modello: KIMI, slug: 'nebius', attivo: false }],
] as const;

async function expectForeign(path: string, body: unknown): Promise<void> {
  const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
  const reply = await server.call('POST', path, { body, headers });
  expect(reply).toMatchObject({ status: 403, code: 'PROVIDER_SETTINGS_ORIGIN_FORBIDDEN' });
}
async function expectBroken(path: string, body: unknown): Promise<void> {
  expect(await broken.call('POST', path, { body })).toMatchObject({ status: 503, code: 'PROVIDER_STORE_UNAVAILABLE' });
}

describe('exclusions of the aggregator', () => {
  covers('aggregator.change-exclusions', 'replaces the list in lower case without duplicates', async () => {
    const reply = await post(PATH, { esclusi: ['Slow-Host', 'slow-host', 'other/fp8'] });
    expect(reply.data).toMatchObject({ esclusi: ['slow-host', 'other/fp8'] });
    expect(reply.data.esclusiDiSerie).toContainEqual({ modello: KIMI, slug: 'together', attivo: true });
    const both = { esclusi: [], diSerie: [{ modello: KIMI, slug: 'together', attivo: false }] };
    const changed = await post(PATH, both);
    expect(changed.data.esclusi).toEqual([]);
    expect(changed.data.esclusiDiSerie).toContainEqual({ modello: KIMI, slug: 'together', attivo: false });
    expect(await rows()).toMatchObject(changed.data);
    expect((await server.call('GET', '/providers/aggregator/runtime')).data.esclusi).toEqual([]);
  });

  covers('aggregator.exclude-from-answer', 'excludes the provider of an answer by its slug', async () => {
    const endpoints = [
      { provider_name: 'Other', tag: 'other/fp8' },
      { provider_name: 'Slow Host', tag: 'slow-host/fp4' },
    ];
    answer = { status: 200, body: JSON.stringify({ data: { endpoints } }) };
    const body = { fornitore: ' slow host ', modello: 'a/b' };
    expect((await post(`${PATH}/dalla-risposta`, body)).data).toEqual({
      slug: 'slow-host',
      giaEscluso: false,
      esclusi: ['slow-host'],
    });
    expect((await post(`${PATH}/dalla-risposta`, body)).data.giaEscluso).toBe(true);
  });

  covers('aggregator.switch-built-in-exclusion', 'disables and enables a built-in exclusion', async () => {
    const of = async (attivo: boolean): Promise<unknown> => {
      const reply = await post(`${PATH}/di-serie`, { modello: KIMI, slug: 'nebius', attivo });
      return reply.data.esclusiDiSerie.find(({ slug }: { slug: string }) => slug === 'nebius').attivo;
    };
    expect([await of(false), await of(true)]).toEqual([false, true]);
  });

  refuses('aggregator.change-exclusions', 'PROVIDER_RUNTIME_INVALID', 'for an invalid slug', async () => {
    const lists = [['a b'], ['a/'], [''], ['ü'], Array.from({ length: 31 }, (_, index) => `host-${index}`)];
    for (const esclusi of lists) {
      expect(await post(PATH, { esclusi })).toMatchObject({ status: 422, code: 'PROVIDER_RUNTIME_INVALID' });
    }
    for (const body of [{}, { esclusi: 'a' }, { x: 1 }, { diSerie: [{ modello: KIMI }] }]) {
      expect((await post(PATH, body)).code).toBe('QUERY_INVALID');
    }
  });
  refuses(
    'aggregator.switch-built-in-exclusion',
    'PROVIDER_RUNTIME_INVALID',
    'for an unknown built-in exclusion',
    async () => {
      const body = { modello: 'a/b', slug: 'nebius', attivo: false };
      expect(await post(`${PATH}/di-serie`, body)).toMatchObject({ status: 422, code: 'PROVIDER_RUNTIME_INVALID' });
    },
  );
  refuses(
    'aggregator.exclude-from-answer',
    'AGGREGATOR_PROVIDER_NOT_FOUND',
    'for an unknown provider name',
    async () => {
      for (answer of [
        { status: 404, body: '{}' },
        { status: 200, body: '{"data":{"endpoints":[{"provider_name":"Other","tag":"other"}]}}' },
      ]) {
        const reply = await post(`${PATH}/dalla-risposta`, { fornitore: 'Nobody', modello: 'a/b' });
        expect(reply).toMatchObject({ status: 404, code: 'AGGREGATOR_PROVIDER_NOT_FOUND' });
      }
    },
  );
  refuses(
    'aggregator.exclude-from-answer',
    'AGGREGATOR_ENDPOINTS_UNAVAILABLE',
    'when the list cannot be fetched',
    async () => {
      for (answer of [
        { status: 500, body: '' },
        { status: 200, body: '<html>' },
        { status: 200, body: '{"data":{"endpoints":[{"provider_name":"Odd","tag":"../x"}]}}' },
      ]) {
        const reply = await post(`${PATH}/dalla-risposta`, { fornitore: 'Odd', modello: 'a/b' });
        expect(reply).toMatchObject({ status: 502, code: 'AGGREGATOR_ENDPOINTS_UNAVAILABLE' });
      }
    },
  );

  refuses('aggregator.change-exclusions', 'PROVIDER_SETTINGS_ORIGIN_FORBIDDEN', 'from another origin', () =>
    expectForeign(OPERATIONS[0][1], OPERATIONS[0][2]),
  );
  refuses('aggregator.exclude-from-answer', 'PROVIDER_SETTINGS_ORIGIN_FORBIDDEN', 'from another origin', () =>
    expectForeign(OPERATIONS[1][1], OPERATIONS[1][2]),
  );
  refuses('aggregator.switch-built-in-exclusion', 'PROVIDER_SETTINGS_ORIGIN_FORBIDDEN', 'from another origin', () =>
    expectForeign(OPERATIONS[2][1], OPERATIONS[2][2]),
  );
  refuses('aggregator.change-exclusions', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken(OPERATIONS[0][1], OPERATIONS[0][2]),
  );
  refuses('aggregator.exclude-from-answer', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken(OPERATIONS[1][1], OPERATIONS[1][2]),
  );
  refuses('aggregator.switch-built-in-exclusion', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken(OPERATIONS[2][1], OPERATIONS[2][2]),
  );
});
