import { createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { html, type Site, startSite } from '../browser-fixture.ts';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type TestServer, TOKEN, testServer } from '../harness.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
const FORGE = 'https://forge.example';

const PROXY_POLICY = "sandbox allow-scripts allow-forms; frame-ancestors 'self'";

let site: Site;
let http: OutboundHttp;
let server: TestServer;
beforeAll(async () => {
  site = await startSite({
    '/oil': html('<html><head><title>Oil</title></head><body><p>Cool it in oil.</p></body></html>'),
    '/denied': html('x', { 'x-frame-options': 'SAMEORIGIN' }),
    '/own': html('x', { 'content-security-policy': "frame-ancestors 'self'", 'x-frame-options': 'ALLOWALL' }),
    '/file': html('x', { 'content-disposition': 'attachment; filename=a.zip' }),
    '/app': html('<!doctype html><html><head><title>App</title></head><body><p>Hello</p></body></html>', {
      'set-cookie': 'svc_token=stolen',
      'x-frame-options': 'DENY',
      'content-security-policy': "default-src 'none'",
    }),
    '/data': (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    '/none': (response) => void response.writeHead(200).end('x'),
    '/large': html('x'.repeat(5 * 1024 * 1024 + 1)),
    '/away': (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    '/favicon.ico': (response) => void response.writeHead(200).end(PNG),
  });
  http = createOutboundHttp({ ambient: systemAmbient('silent') });
  server = await testServer({
    http: redirectOrigins(http, { [FORGE]: site.url }),
    settings: { environment: { ...process.env, FUCINA_BROWSER: 'off' } },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await http[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const read = (url: string) => server.call('GET', '/browser/leggi', { query: { url } });
const check = (url: string) => server.call('GET', '/browser/incorniciabile', { query: { url } });
const proxy = (url: string, headers: Record<string, string> = {}, sessione?: string) =>
  server.call('GET', '/browser/proxy', { query: { url, ...(sessione && { sessione }) }, headers });

covers('browser.read', 'returns the text of a page with its address, time and length', async () => {
  const { status, data } = await read(`${FORGE}/oil`);
  expect([status, data]).toEqual([
    200,
    {
      url: `${FORGE}/oil`,
      stato: 200,
      corpo: 'Cool it in oil.',
      lettoAlle: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      lunghezza: 15,
    },
  ]);
});

refuses(
  'browser.read',
  'BROWSER_PROXY_IRRAGGIUNGIBILE',
  'for a missing page, content that is not a page, and a local address',
  async () => {
    for (const [url, reason] of [
      [`${FORGE}/gone`, 'refused'],
      [`${FORGE}/data.bin`, 'refused'],
      ['https://127.0.0.1:1/', 'unreachable'],
      [`${site.url}/oil`, 'unreachable'],
    ] as const) {
      const reply = await read(url);
      expect([url, reply.status, reply.code, reply.reason]).toEqual([
        url,
        502,
        'BROWSER_PROXY_IRRAGGIUNGIBILE',
        reason,
      ]);
    }
  },
);

const NO_PAGES = [
  '',
  'nothing',
  'file:///etc/passwd',
  'javascript:1',
  'https://a:b@forge.example/',
  `https://x/${'a'.repeat(2_048)}`,
];

refusesEach('QUERY_INVALID', ['browser.read', 'browser.check-frame', 'browser.proxy'], async (operation) => {
  const call = { 'browser.read': read, 'browser.check-frame': check, 'browser.proxy': proxy }[operation] ?? read;
  for (const url of NO_PAGES) {
    const reply = await call(url);
    expect([url, reply.status, reply.code]).toEqual([url, 400, 'QUERY_INVALID']);
  }
});

covers(
  'browser.check-frame',
  'reports whether the page allows framing, with the reason and an alternative',
  async () => {
    const verdict = async (url: string) => {
      const { data } = await check(url);
      return [data.incorniciabile, data.motivo, data.via, data.percheVia];
    };
    expect(await verdict(`${FORGE}/oil`)).toEqual([true, 'allowed', 'frame', 'public-page']);
    expect(await verdict(`${FORGE}/denied`)).toEqual([false, 'x-frame-options', 'frame', 'public-page']);
    expect(await verdict(`${FORGE}/own`)).toEqual([false, 'frame-ancestors', 'frame', 'public-page']);
    expect(await verdict(`${FORGE}/file`)).toEqual([false, 'download', 'frame', 'public-page']);
    expect(await verdict('https://10.0.0.1/')).toEqual([false, 'unreachable', 'frame', 'public-page']);
    const before = site.asked.length;
    expect(await verdict(`${site.url}/app`)).toEqual([true, 'allowed', 'proxy', 'local-server']);
    expect(site.asked).toHaveLength(before);
    for (const name of ['127.0.0.1', 'localhost', '127.9.9.9', '[::1]', '0x7f.1']) {
      expect(await verdict(`http://${name}:${server.port}/`)).toEqual([false, 'own-address', 'frame', 'own-address']);
    }
  },
);

test('offers the live browser for a page that refuses framing', async () => {
  await using other = await testServer({
    http: redirectOrigins(http, { [FORGE]: site.url }),
    settings: { environment: { ...process.env, FUCINA_BROWSER: process.execPath } },
  });
  const verdict = async (path: string) => {
    const { data } = await other.call('GET', '/browser/incorniciabile', { query: { url: FORGE + path } });
    return [data.incorniciabile, data.motivo, data.via, data.percheVia];
  };
  expect(await verdict('/denied')).toEqual([false, 'x-frame-options', 'vivo', 'refuses-frames']);
  expect(await verdict('/oil')).toEqual([true, 'allowed', 'frame', 'public-page']);
  expect(await verdict('/file')).toEqual([false, 'download', 'frame', 'public-page']);
});

covers(
  'browser.proxy',
  'returns the page with a base and the overlay, without cookies or headers of either side',
  async () => {
    const { status, headers, text } = await proxy(`${site.url}/app`, {
      cookie: `svc_token=${TOKEN}; other=1`,
      authorization: 'Bearer secret',
    });
    expect(status).toBe(200);
    expect(text).toContain(`<head><base href="http://localhost:${site.port}/app"><script>`);
    expect(text).toContain('<p>Hello</p>');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(PROXY_POLICY);
    for (const name of ['x-frame-options', 'set-cookie']) expect([name, headers.get(name)]).toEqual([name, null]);
    const sent = site.asked.at(-1)?.rawHeaders.join('\n').toLowerCase() ?? '';
    expect(sent).not.toMatch(/cookie|authorization|secret|svc_token/);
  },
);

test.each(['document', 'iframe', 'empty'])('sandboxes a proxied page for the destination %s', async (destination) => {
  const { headers } = await proxy(`${site.url}/app`, { 'sec-fetch-dest': destination });
  expect(headers.get('content-security-policy')).toBe(PROXY_POLICY);
});

test('limits a proxied page to what the network policy of the session allows without a question', async () => {
  const [id, other] = [await server.startSession(), await server.startSession()];
  const policy = async (sessione = id) =>
    Object.fromEntries(
      ((await proxy(`${site.url}/app`, {}, sessione)).headers.get('content-security-policy') ?? '')
        .split(/; ?/)
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    );
  const set = (path: string, body: object) => server.call('POST', `/ext/sandbox/${path}`, { body });
  const here = ['http://*.localhost:*', 'ws://*.localhost:*', 'http://localhost:*', 'ws://localhost:*'];
  const inside = [...here, 'http://127.0.0.1:*', 'ws://127.0.0.1:*'];
  const first = await policy();
  expect(first).toMatchObject({ sandbox: ['allow-scripts', 'allow-forms'], 'form-action': inside });
  expect(first['default-src']).toEqual(expect.arrayContaining([...inside, 'https://unpkg.com', "'unsafe-inline'"]));
  expect(first['default-src'].join(' ')).not.toMatch(/https?:( |$)|:\/\/\*[: ]|api\.example/);

  await set('rules', { regola: 'Network(api.example:8443)', sessionId: id });
  const named = ['http://api.example:8443', 'ws://api.example:8443'];
  expect(await policy()).toMatchObject({ 'form-action': [...inside, ...named] });

  await set('network', { ambito: 'sessione', modalita: 'spenta', sessionId: id });
  expect(await policy()).toMatchObject({ 'form-action': inside });
  expect((await policy())['default-src'].join(' ')).not.toMatch(/unpkg|api\.example/);
  expect(await policy(other)).toMatchObject({ 'form-action': [...inside, ...named] });

  await set('network', { ambito: 'sessione', modalita: 'aperta', sessionId: id });
  const open = (await proxy(`${site.url}/app`, {}, id)).headers.get('content-security-policy');
  expect(open).toBe(PROXY_POLICY);
  expect(await proxy(`${site.url}/app`, {}, 'unknown')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

refuses('browser.proxy', 'BROWSER_PROXY_SOLO_LOCALE', 'for another computer and for this server', async () => {
  for (const url of [
    `${FORGE}/oil`,
    'http://192.168.1.1/',
    'http://0.0.0.0:1/',
    'http://localhost.evil.example/',
    `http://127.0.0.1:${server.port}/`,
    `http://localhost:${server.port}/api/v1/sessions`,
    `http://[::1]:${server.port}/`,
  ]) {
    const reply = await proxy(url);
    expect([url, reply.status, reply.code]).toEqual([url, 403, 'BROWSER_PROXY_SOLO_LOCALE']);
  }
});

refuses('browser.proxy', 'BROWSER_PROXY_NON_HTML', 'for data and for a response without a content type', async () => {
  for (const path of ['/data', '/none']) {
    expect(await proxy(site.url + path)).toMatchObject({ status: 415, code: 'BROWSER_PROXY_NON_HTML' });
  }
});

refuses('browser.proxy', 'BROWSER_PROXY_TROPPO_GRANDE', 'one byte above 5 MB', async () => {
  expect(await proxy(`${site.url}/large`)).toMatchObject({ status: 413, code: 'BROWSER_PROXY_TROPPO_GRANDE' });
});

refuses(
  'browser.proxy',
  'BROWSER_PROXY_IRRAGGIUNGIBILE',
  'when nothing answers or the page redirects elsewhere',
  async () => {
    expect(await proxy('http://127.0.0.1:1/')).toMatchObject({ status: 502, code: 'BROWSER_PROXY_IRRAGGIUNGIBILE' });
    expect(await proxy(`${site.url}/away`)).toMatchObject({ status: 502, reason: 'redirect' });
  },
);

covers('favicon.read', 'returns the icon, or 204 without one', async () => {
  const get = (dominio: string) =>
    fetch(`${server.url}api/v1/favicon?dominio=${dominio}`, { headers: { cookie: `svc_token=${TOKEN}` } });
  const found = await get('forge.example');
  expect(Buffer.from(await found.arrayBuffer()).equals(PNG)).toBe(true);
  expect(Object.fromEntries(found.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  const none = await get('127.0.0.1');
  expect([none.status, await none.text()]).toEqual([204, '']);
});

refuses('favicon.read', 'QUERY_INVALID', 'for an invalid host name', async () => {
  for (const dominio of ['', 'a/b', 'https://a.example', 'a:80', 'u@a.example']) {
    const reply = await server.call('GET', '/favicon', { query: { dominio } });
    expect([dominio, reply.status, reply.code]).toEqual([dominio, 400, 'QUERY_INVALID']);
  }
});
