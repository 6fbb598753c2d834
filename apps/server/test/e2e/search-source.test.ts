import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import { sqliteDriver } from '@fucina/shared/testing';
import { redirectOrigins } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type Reply, serverWithDamagedProviders, type TestServer, testServer } from '../harness.ts';

const ORIGINS = ['https://html.duckduckgo.com', 'https://api.tavily.com', 'https://api.search.brave.com'];
const FOUND = JSON.stringify({ results: [{ title: 'Forge', url: 'https://forge.example/', content: 'Iron.' }] });

let server: TestServer;
let broken: TestServer;
let source: Server;
let http: OutboundHttp;
let url: string;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  source = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  http = createOutboundHttp({ ambient: systemAmbient('silent') });
  server = await testServer({
    http: redirectOrigins(http, Object.fromEntries(ORIGINS.map((origin) => [origin, url]))),
  });
  broken = await serverWithDamagedProviders();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
  await http[Symbol.asyncDispose]();
  source.closeAllConnections();
  source.close();
});

const post = (path: string, body?: unknown): Promise<Reply> => server.call('POST', `/search-source${path}`, { body });
const read = (): Promise<Reply> => server.call('GET', '/search-source');
const say = (status: number, body: string): void => {
  answer = (response) => void response.writeHead(status).end(body);
};
async function expectBroken(method: string, path: string, body?: unknown): Promise<void> {
  const reply = await broken.call(method, `/search-source${path}`, { body });
  expect(reply).toMatchObject({ status: 503, code: 'SEARCH_STORE_UNAVAILABLE' });
}

/** The error of an unknown source in each operation that names one. */
async function expectUnknown(path: string, more: Record<string, unknown> = {}): Promise<void> {
  for (const id of ['google', '', 'DuckDuckGo', 'constructor']) {
    const reply = await post(path, { source: id, ...more });
    expect([id, reply.status, reply.code]).toEqual([id, 422, 'SEARCH_SOURCE_INVALID']);
  }
}

/** A server whose settings name a source that no longer exists. */
async function withOldSource(act: (old: TestServer) => Promise<void>): Promise<void> {
  await using old = await testServer();
  await old.call('GET', '/search-source');
  const db = new (sqliteDriver())(join(old.dataDir, 'providers.db'));
  db.prepare("INSERT INTO fact VALUES ('search', ?)").run(JSON.stringify({ source: 'altavista' }));
  db.close();
  await act(old);
}

describe('the web search source', () => {
  covers('search.read', 'is DuckDuckGo by default, with notes in the requested language', async () => {
    const { data } = await read();
    expect(data).toMatchObject({ source: 'duckduckgo', endpoint: '', readiness: 'pronta' });
    expect(data.fonti.map((row: any) => [row.id, row.needsKey, row.needsEndpoint, row.keyless])).toEqual([
      ['duckduckgo', false, false, true],
      ['tavily', true, false, false],
      ['brave', true, false, false],
      ['searxng', false, true, true],
      ['custom', false, true, false],
    ]);
    const english = await server.call('GET', '/search-source', { headers: { 'accept-language': 'en' } });
    expect([data.fonti[1].nota, english.data.fonti[1].nota]).toEqual([
      'Pensato per gli agenti. Serve una chiave.',
      'Built for agents. Needs a key.',
    ]);
  });

  covers('search.choose', 'accepts a ready source and off', async () => {
    expect((await post('', { source: 'searxng', endpoint: `${url}/` })).data).toMatchObject({
      source: 'searxng',
      endpoint: url,
      readiness: 'pronta',
    });
    expect((await post('', { source: 'off' })).data).toMatchObject({
      source: 'off',
      endpoint: '',
      readiness: 'spenta',
    });
    expect((await post('', { source: 'searxng' })).data).toMatchObject({ endpoint: url });
    expect((await post('', { source: 'duckduckgo', endpoint: '' })).data.readiness).toBe('pronta');
    for (const body of [{}, { source: 7 }, { source: 'off', x: 1 }])
      expect((await post('', body)).code).toBe('QUERY_INVALID');
  });

  covers('search.save-key', 'stores a key and never returns it', async () => {
    const reply = await post('/key', { source: 'tavily', key: ' tvly-secret-000 ' });
    expect(reply.data.fonti[1]).toMatchObject({ id: 'tavily', keyConfigured: true });
    expect(reply.text).not.toContain('tvly-secret');
    expect((await post('', { source: 'tavily' })).data.readiness).toBe('pronta');
  });

  covers('search.remove-key', 'removes the key and reports the source as not ready', async () => {
    await post('/key', { source: 'brave', key: 'brave-secret-000' });
    await post('', { source: 'brave' });
    expect((await post('/key/remove', { source: 'brave' })).data).toMatchObject({
      source: 'brave',
      readiness: 'chiave-mancante',
    });
    expect((await post('/key/remove', { source: 'brave' })).status).toBe(200);
  });

  covers('search.test', 'queries the active source', async () => {
    say(200, FOUND);
    await post('', { source: 'searxng', endpoint: url });
    for (const body of [undefined, { query: 'blacksmith forge' }]) {
      expect((await post('/test', body)).data).toEqual({
        source: 'searxng',
        risultati: 1,
        titoli: ['Forge'],
        durataMs: expect.any(Number),
      });
    }
  });

  refuses('search.choose', 'SEARCH_SOURCE_INVALID', 'for an unknown source', () => expectUnknown(''));
  refuses('search.save-key', 'SEARCH_SOURCE_INVALID', 'for an unknown source and one without keys', async () => {
    await expectUnknown('/key', { key: 'k' });
    for (const id of ['duckduckgo', 'searxng', 'off']) {
      expect((await post('/key', { source: id, key: 'k' })).code).toBe('SEARCH_SOURCE_INVALID');
    }
  });
  refuses('search.remove-key', 'SEARCH_SOURCE_INVALID', 'for an unknown source', () => expectUnknown('/key/remove'));
  refuses('search.read', 'SEARCH_SOURCE_INVALID', 'when the settings name a removed source', () =>
    withOldSource(async (old) => {
      expect(await old.call('GET', '/search-source')).toMatchObject({ status: 422, code: 'SEARCH_SOURCE_INVALID' });
      // Choosing a new one fixes it.
      expect((await old.call('POST', '/search-source', { body: { source: 'off' } })).status).toBe(200);
    }),
  );
  refuses('search.test', 'SEARCH_SOURCE_INVALID', 'when the settings name a removed source', () =>
    withOldSource(async (old) => {
      expect((await old.call('POST', '/search-source/test')).code).toBe('SEARCH_SOURCE_INVALID');
    }),
  );

  refuses(
    'search.choose',
    'SEARCH_ENDPOINT_INVALID',
    'for an invalid address and for a source without an address',
    async () => {
      const bad = ['ftp://x', 'x', 'http://u:p@x', 'http://x/#y', `http://${'x'.repeat(2_100)}`];
      for (const endpoint of bad) {
        expect(await post('', { source: 'custom', endpoint })).toMatchObject({
          status: 422,
          code: 'SEARCH_ENDPOINT_INVALID',
        });
      }
      expect((await post('', { source: 'tavily', endpoint: url })).code).toBe('SEARCH_ENDPOINT_INVALID');
    },
  );
  refuses('search.choose', 'SEARCH_NOT_READY', 'for a source without its key or address', async () => {
    const before = (await read()).data;
    for (const body of [{ source: 'brave' }, { source: 'custom' }, { source: 'searxng', endpoint: '' }]) {
      expect(await post('', body)).toMatchObject({ status: 409, code: 'SEARCH_NOT_READY' });
    }
    expect((await read()).data).toEqual(before);
  });
  refuses('search.save-key', 'SEARCH_KEY_REQUIRED', 'for an empty key', async () => {
    for (const key of ['', '  ']) {
      expect(await post('/key', { source: 'brave', key })).toMatchObject({ status: 422, code: 'SEARCH_KEY_REQUIRED' });
    }
  });
  refuses(
    'search.save-key',
    'SEARCH_KEY_INVALID',
    'for a key with a line break or a key that is too long',
    async () => {
      for (const key of ['a\nb', 'a\0b', 'k'.repeat(4_097)]) {
        expect(await post('/key', { source: 'brave', key })).toMatchObject({ status: 422, code: 'SEARCH_KEY_INVALID' });
      }
    },
  );

  refuses('search.test', 'SEARCH_NOT_READY', 'when search is off', async () => {
    await post('', { source: 'off' });
    expect(await post('/test')).toMatchObject({ status: 409, code: 'SEARCH_NOT_READY' });
  });
  refuses('search.test', 'SEARCH_BLOCKED', 'when the source asks for a captcha', async () => {
    await post('', { source: 'duckduckgo' });
    say(202, '<div class="anomaly-modal__title">Are you a person?</div>');
    expect(await post('/test')).toMatchObject({ status: 502, code: 'SEARCH_BLOCKED' });
  });
  refuses('search.test', 'SEARCH_FAILED', 'for an invalid answer', async () => {
    await post('', { source: 'duckduckgo' });
    say(200, '<h1>Sign in</h1>');
    expect(await post('/test')).toMatchObject({ status: 502, code: 'SEARCH_FAILED' });
    say(500, '');
    expect((await post('/test')).code).toBe('SEARCH_FAILED');
  });
  refuses('search.test', 'SEARCH_UNREACHABLE', 'when the source does not answer', async () => {
    await post('', { source: 'custom', endpoint: 'http://127.0.0.1:1' });
    expect(await post('/test')).toMatchObject({ status: 502, code: 'SEARCH_UNREACHABLE' });
  });

  refuses('search.read', 'SEARCH_STORE_UNAVAILABLE', 'when the settings are damaged', () => expectBroken('GET', ''));
  refuses('search.choose', 'SEARCH_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('POST', '', { source: 'off' }),
  );
  refuses('search.save-key', 'SEARCH_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('POST', '/key', { source: 'brave', key: 'k' }),
  );
  refuses('search.remove-key', 'SEARCH_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('POST', '/key/remove', { source: 'brave' }),
  );
  refuses('search.test', 'SEARCH_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('POST', '/test'),
  );
});
