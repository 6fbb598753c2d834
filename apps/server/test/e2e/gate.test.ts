import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/routes.ts';
import { type TestServer, TOKEN, testServer } from '../harness.ts';
import { type HubFixture, hubFixture } from '../hub-fixture.ts';
import { cookie, get, raw } from '../raw-request.ts';

let fixture: HubFixture;
let server: TestServer;
beforeAll(async () => {
  // Every operation is called, including those that contact the model hub.
  fixture = await hubFixture();
  server = fixture.server;
});
afterAll(async () => fixture[Symbol.asyncDispose]());

const concrete = (path: string): string => path.replace(/\{[^}]+\}/g, 'x');
const SECURITY = [
  'cache-control',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'content-security-policy',
];

/** The sign-in callback has its own secret and comes from another site: `sign-in.test.ts` tests its gate. */
/** Required parameters of a session's reads. */
const QUERIES: Record<string, Record<string, string>> = {
  '/research/{researchId}/esporta': { formato: 'md' },
  '/file': { percorso: 'a' },
  '/tree/file': { percorso: 'a' },
  '/file/anteprima': { percorso: 'a' },
  '/tree/search': { q: 'a' },
  '/git/diff': { percorso: 'a', area: 'lavoro' },
  '/git/changes': { a: 'a'.repeat(40) },
  '/workflows/{runId}/nodes/{nodeId}/lineage': { direction: 'upstream' },
  '/git/changes-diff': { a: 'a'.repeat(40), percorso: 'a' },
};
/** Operations rejected for a missing secret before anything else is checked. */
const GUARDED: Record<string, number> = {
  '/admin/shutdown': 401,
  '/workspace-launches': 403,
  '/ext/automations/{automationId}/hook': 401,
};
const OURS = ROUTES.filter(({ guards }) => !guards.includes('sign-in-state') && !guards.includes('page-pass'));

describe('access', () => {
  test('every operation and unknown path answers 401 without the cookie', async () => {
    const wrong = [
      {},
      { cookie: 'svc_token=' },
      { cookie: 'svc_token=wrong' },
      { cookie: `svc_token=${TOKEN}x` },
      { cookie: `svc_token=${TOKEN.slice(0, -1)}x` },
      { cookie: 'svc_token=wrong; svc_token=' },
      { authorization: `Bearer ${TOKEN}` },
      { 'svc-token': TOKEN },
    ];
    const targets = [
      ...OURS.map(({ method, path }) => [method, concrete(path)] as const),
      ['GET', '/nowhere'] as const,
    ];
    for (const [method, path] of targets) {
      for (const headers of wrong) {
        const reply = await server.call(method, path, {
          isAnonymous: true,
          headers: headers as Record<string, string>,
        });
        expect([method, path, reply.status, reply.code]).toEqual([method, path, 401, 'AUTH_REQUIRED']);
      }
    }
  });

  test('accepts the cookie beside one of the same name from another local server', async () => {
    const send = (cookie: string) => server.call('GET', '/health', { isAnonymous: true, headers: { cookie } });
    expect((await send(`svc_token=other; svc_token=${TOKEN}`)).status).toBe(200);
    expect((await send(`svc_token=${TOKEN}; svc_token=other`)).status).toBe(200);
    expect((await send('svc_token=other; svc_token=wrong')).status).toBe(401);
  });

  test('the sign-in address sets a strict cookie and drops the token, and rejects a wrong token', async () => {
    const open = (query: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}?${query}`, { redirect: 'manual', headers });
    const right = await open(`token=${TOKEN}`);
    expect(right.status).toBe(302);
    expect(right.headers.get('location')).toBe('/');
    expect(right.headers.get('set-cookie')).toBe(`svc_token=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`);
    for (const query of ['token=wrong', `token=${TOKEN}&next=x`, `token=${TOKEN}&token=${TOKEN}`]) {
      const refused = await open(query);
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null]);
    }
    const foreign = await open(`token=${TOKEN}`, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([401, null]);
  });

  test('redirects pages of another local name to the server’s own without a cookie', async () => {
    const answer = await raw(server, get(`/?token=${TOKEN}`, [`Host: localhost:${server.port}`]));
    expect(answer).toMatch(/^HTTP\/1\.1 302/);
    expect(answer).toContain(`Location: http://127.0.0.1:${server.port}/?token=${TOKEN}`);
    expect(answer).not.toMatch(/set-cookie/i);
  });
});

describe('Host', () => {
  test('accepts exactly one Host header with its own name', async () => {
    const port = server.port;
    const bad = [
      [],
      ['Host: evil.example'],
      [`Host: 127.0.0.1.evil.example:${port}`],
      [`Host: 127.0.0.1`],
      [`Host: 0.0.0.0:${port}`],
      [`Host: 2130706433:${port}`],
      [`Host: 127.1:${port}`],
      [`Host: localhost.:${port}`],
      [`Host: user@127.0.0.1:${port}`],
      [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`],
      [`Host: 127.0.0.1:${port}`, 'Host: evil.example'],
    ];
    for (const hosts of bad) {
      const answer = await raw(server, get('/api/v1/sessions', [...hosts, cookie]));
      expect([hosts, answer.split('\r\n')[0]]).toEqual([hosts, 'HTTP/1.1 400 Bad Request']);
      expect(answer).not.toContain('"items"');
    }
    for (const host of [`127.0.0.1:${port + 1}`, `[::1]:${port + 1}`, `localhost:1`]) {
      const answer = await raw(server, get('/api/v1/sessions', [`Host: ${host}`]));
      expect([answer.slice(9, 12), answer.includes('HOST_FORBIDDEN')]).toEqual(['400', true]);
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect(await raw(server, get('/api/v1/health', [`Host: ${host}`, cookie]))).toContain('"status":"ok"');
    }
  });
});

describe('Origin and fetch metadata', () => {
  const own = (): string => `http://127.0.0.1:${server.port}`;

  test('rejects writes from another site, another port, an opaque origin or a browser without Origin', async () => {
    const profiles: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: `http://127.0.0.1:${server.port + 1}`, 'sec-fetch-site': 'same-site' },
      { origin: `http://localhost:${server.port}`, 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: own(), 'sec-fetch-site': 'same-site' },
      { origin: own(), 'sec-fetch-site': 'cross-site' },
      { origin: `${own()}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
      { origin: `https://127.0.0.1:${server.port}` },
    ];
    for (const { method, path, guards } of ROUTES.filter((route) => route.method !== 'GET')) {
      const guard = guards.find((one) => one.startsWith('from-window:'));
      const code = guard ? guard.slice('from-window:'.length) : 'ORIGIN_FORBIDDEN';
      for (const headers of profiles) {
        const reply = await server.call(method, concrete(path), { headers });
        expect([path, headers, reply.status, reply.code]).toEqual([path, headers, 403, code]);
      }
    }
  });

  test('accepts writes from the window and from programs', async () => {
    const headers = { origin: own(), 'sec-fetch-site': 'same-origin' };
    expect((await server.call('POST', '/sessions/none/stop', { headers })).code).toBe('NOT_FOUND');
    expect((await server.call('POST', '/sessions/none/stop')).code).toBe('NOT_FOUND');
  });

  test('rejects reads from pages of other sites and ports', async () => {
    for (const { path } of OURS.filter((route) => route.method === 'GET')) {
      for (const site of ['cross-site', 'same-site']) {
        const reply = await server.call('GET', concrete(path), { headers: { 'sec-fetch-site': site } });
        expect([path, reply.status, reply.code]).toEqual([path, 403, 'ORIGIN_FORBIDDEN']);
      }
    }
    expect((await server.call('GET', '/health', { headers: { 'sec-fetch-site': 'same-origin' } })).ok).toBe(true);
  });

  test('never allows another origin through CORS', async () => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const reply = await server.call(method, '/health', { headers: { origin: 'https://evil.example' } });
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('routes', () => {
  test('answers 405 with Allow for another method and 404 for an unknown path', async () => {
    const reply = await server.call('DELETE', '/sessions');
    expect([reply.status, reply.code, reply.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, HEAD, POST',
    ]);
    expect((await server.call('GET', '/sessions/x/rename')).headers.get('allow')).toBe('POST');
    for (const path of [
      '/nowhere',
      '/sessions/x/nowhere',
      '/Sessions',
      '/sessions/',
      '//sessions',
      '/sessions//rename',
      '/automations/Inbox',
      '/automations/inbox/x',
    ]) {
      expect([path, (await server.call('GET', path)).code]).toEqual([path, 'NOT_FOUND']);
    }
    expect(await raw(server, get('/api/v2/health', [`Host: 127.0.0.1:${server.port}`, cookie]))).toMatch(
      /^HTTP\/1\.1 404/,
    );
  });

  test('answers HEAD on every GET without a body', async () => {
    for (const { path } of ROUTES.filter((route) => route.method === 'GET')) {
      const reply = await server.call('HEAD', concrete(path));
      expect([path, reply.text]).toEqual([path, '']);
      expect(reply.status).toBeLessThan(500);
    }
  });

  test('answers NOT_FOUND for unknown and deleted sessions with the same text', async () => {
    const id = await server.startSession();
    await server.settled(id);
    await server.call('POST', `/sessions/${id}/delete`);
    for (const { path } of ROUTES.filter(
      (route) => route.method === 'GET' && route.path.startsWith('/sessions/{sessionId}'),
    )) {
      const query = QUERIES[path.slice('/sessions/{sessionId}'.length)];
      const [absent, deleted] = await Promise.all(
        ['00000000-0000-4000-8000-000000000000', id].map((session) =>
          server.call('GET', path.replace('{sessionId}', session).replace('{number}', '1'), { query }),
        ),
      );
      expect([path, absent?.status, absent?.code]).toEqual([path, 404, 'NOT_FOUND']);
      expect({ ...deleted?.error, doctorReference: '' }).toEqual({ ...absent?.error, doctorReference: '' });
    }
  });
});

test('rejects an unknown query key on every operation', async () => {
  // A page's own query is not checked.
  for (const { method, path } of ROUTES.filter(({ guards }) => !guards.includes('page-pass'))) {
    const reply = await server.call(method, concrete(path), { query: { nessuno: '1' } });
    expect([path, reply.status]).toEqual([path, GUARDED[path] ?? 400]);
  }
});

describe('headers', () => {
  test('sets the headers on success, errors, files, redirects and parser errors', async () => {
    const answers = [
      (await server.call('GET', '/health')).headers,
      (await server.call('GET', '/nowhere')).headers,
      (await server.call('GET', '/health', { isAnonymous: true })).headers,
      (await fetch(server.url, { redirect: 'manual' })).headers,
      (await fetch(`${server.url}?token=${TOKEN}`, { redirect: 'manual' })).headers,
    ];
    for (const headers of answers) {
      for (const name of SECURITY) expect([name, headers.has(name)]).toEqual([name, true]);
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      `GET / HTTP/1.1\r\nBad Header\r\n\r\n`,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
    ]) {
      const answer = await raw(server, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
      for (const name of SECURITY) expect(answer.toLowerCase()).toContain(`${name}:`);
      expect(answer).toContain('"ok":false');
    }
  });

  test('caches a hashed file in browsers and never its error', async () => {
    await using window = await tempDir();
    await window.write({ 'index.html': '', 'assets/a-1234.js': 'export {};' });
    await using own = await testServer({ windowFolder: window.path });
    const ask = (headers = {}) => fetch(`${own.url}assets/a-1234.js`, { headers });
    expect((await ask()).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const failed = await ask({ 'if-match': '"other"' });
    expect([failed.ok, failed.headers.get('cache-control')]).toEqual([false, 'no-store']);
  });

  test('rejects smuggled framing before any operation', async () => {
    const host = `Host: 127.0.0.1:${server.port}`;
    const head = `POST /api/v1/sessions/x/rename HTTP/1.1\r\n${host}\r\n${cookie}\r\nContent-Type: application/json\r\n`;
    const attempts = [
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1`,
      `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`,
      `CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n${host}\r\n\r\n`,
      `GET http://127.0.0.1:${server.port}/api/v1/health HTTP/1.1\r\n${host}\r\n${cookie}\r\nConnection: close\r\n\r\n`,
      `GET /api/v1/health HTTP/1.1\r\n${host}\r\n${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      `GET /api/v1/health HTTP/1.1\n${host}\n\n`,
      `GET /api/v1/health\0 HTTP/1.1\r\n${host}\r\n\r\n`,
    ];
    for (const attempt of attempts) {
      const answer = await raw(server, attempt);
      expect([attempt.slice(0, 40), /^(HTTP\/1\.1 4\d\d|$)/.test(answer)]).toEqual([attempt.slice(0, 40), true]);
    }
  });
});

describe('errors', () => {
  test('are Italian by default and English on request', async () => {
    const say = async (language?: string) =>
      (await server.call('GET', '/nowhere', language ? { headers: { 'accept-language': language } } : {})).error?.title;
    expect(await say()).toBe(await say('it-IT,it;q=0.9,en;q=0.5'));
    expect(await say('en-GB')).not.toBe(await say());
    expect(await say('de, en;q=0.4, it;q=0.2')).toBe(await say('en'));
  });

  test('contain every field of the envelope and no local path', async () => {
    const reply = await server.call('POST', '/sessions/custom', {
      body: { cartellaLibera: '/nowhere/secret-place', consegna: 'x', modello: 'ollama:tiny' },
    });
    expect(Object.keys(reply.error ?? {})).toEqual(
      expect.arrayContaining(['code', 'message', 'title', 'explanation', 'action', 'doctorReference']),
    );
    expect(reply.text).not.toContain('secret-place');
  });
});
