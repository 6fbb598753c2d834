import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signalProcess } from '@fucina/shared';
import { processesWith, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { html, type Site, startSite } from '../browser-fixture.ts';
import { refuses as always, refusesEach } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';
import { driver, hasBrowser, withBrowser } from '../live-fixture.ts';

/** Without a browser, only the tests that need none can run. */
const refuses: typeof always = hasBrowser ? always : () => undefined;

let site: Site;
let home: Awaited<ReturnType<typeof tempDir>>;
let server: TestServer;
let session: string;
/** One server that finds no browser, one whose settings disable it, each with a session. */
let bare: TestServer;
let off: TestServer;
const ids = new Map<TestServer, string>();
beforeAll(async () => {
  site = await startSite({ '/': html('<h1>Forge</h1>') });
  home = await tempDir();
  server = await testServer({ dataDir: home.path, settings: { environment: withBrowser(home.path) } });
  session = await server.startSession();
  await server.settled(session);
  bare = await testServer({ settings: { environment: { PATH: '/nowhere' } } });
  off = await testServer({ settings: { environment: { ...process.env, FUCINA_BROWSER: 'off' } } });
  for (const one of [bare, off]) ids.set(one, await one.startSession());
});
afterAll(async () => {
  await bare[Symbol.asyncDispose]();
  await off[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

function act(at: TestServer, operation: string, id: string) {
  const { state, ask, open, gesture, describe, resize, close } = driver(at, id);
  switch (operation) {
    case 'browser.live-state':
      return state();
    case 'browser.live-screen':
      return ask('schermo');
    case 'browser.live-open':
      return open('http://127.0.0.1:1/');
    case 'browser.live-gesture':
      return gesture({ tipo: 'clic', x: 1, y: 1 });
    case 'browser.live-describe':
      return describe(1, 1);
    case 'browser.live-resize':
      return resize(800, 600);
    default:
      return close();
  }
}

refusesEach(
  'BROWSER_VIVO_SENZA_SESSIONE',
  [
    'browser.live-state',
    'browser.live-screen',
    'browser.live-open',
    'browser.live-gesture',
    'browser.live-describe',
    'browser.live-resize',
    'browser.live-close',
  ],
  async (operation) => {
    expect(await act(server, operation, '')).toMatchObject({ status: 400, code: 'BROWSER_VIVO_SENZA_SESSIONE' });
  },
);

refusesEach(
  'NOT_FOUND',
  [
    'browser.live-state',
    'browser.live-screen',
    'browser.live-open',
    'browser.live-gesture',
    'browser.live-describe',
    'browser.live-resize',
    'browser.live-close',
  ],
  async (operation) => {
    expect(await act(server, operation, 'nobody')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  },
);

refusesEach(
  'QUERY_INVALID',
  [
    'browser.live-state',
    'browser.live-screen',
    'browser.live-open',
    'browser.live-gesture',
    'browser.live-describe',
    'browser.live-resize',
    'browser.live-close',
  ],
  async (operation) => {
    expect(await act(server, operation, 'x'.repeat(201))).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  },
);

refusesEach(
  'BROWSER_VIVO_ASSENTE',
  [
    'browser.live-state',
    'browser.live-screen',
    'browser.live-open',
    'browser.live-gesture',
    'browser.live-describe',
    'browser.live-resize',
    'browser.live-close',
  ],
  async (operation) => {
    expect(await act(bare, operation, ids.get(bare) ?? '')).toMatchObject({
      status: 503,
      code: 'BROWSER_VIVO_ASSENTE',
    });
  },
);

refusesEach(
  'BROWSER_VIVO_NON_CONFIGURATO',
  [
    'browser.live-state',
    'browser.live-screen',
    'browser.live-open',
    'browser.live-gesture',
    'browser.live-describe',
    'browser.live-resize',
    'browser.live-close',
  ],
  async (operation) => {
    expect(await act(off, operation, ids.get(off) ?? '')).toMatchObject({
      status: 503,
      code: 'BROWSER_VIVO_NON_CONFIGURATO',
      reason: 'turned-off',
    });
  },
);

refusesEach(
  'BROWSER_VIVO_SCHEDA_ASSENTE',
  ['browser.live-screen', 'browser.live-gesture', 'browser.live-describe', 'browser.live-resize', 'browser.live-close'],
  async (operation) => {
    const other = await server.startSession();
    const reply = await act(server, operation, other);
    const expected = hasBrowser ? [409, 'BROWSER_VIVO_SCHEDA_ASSENTE'] : [503, 'BROWSER_VIVO_NON_CONFIGURATO'];
    expect([reply.status, reply.code]).toEqual(expected);
  },
);

test('a configured browser that cannot be executed is reported as a settings error', async () => {
  for (const FUCINA_BROWSER of ['/nowhere/chromium', 'chromium', import.meta.dirname]) {
    await using other = await testServer({ settings: { environment: { ...process.env, FUCINA_BROWSER } } });
    expect(await driver(other, await other.startSession()).state()).toMatchObject({
      code: 'BROWSER_VIVO_NON_CONFIGURATO',
      reason: 'not-a-program',
    });
  }
});

refuses('browser.live-open', 'BROWSER_VIVO_CONNESSIONE_FALLITA', 'for a program that is not a browser', async () => {
  await using place = await tempDir();
  const program = join(place.path, 'chrome');
  await writeFile(program, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  await using other = await testServer({ settings: { environment: { ...process.env, FUCINA_BROWSER: program } } });
  const reply = await driver(other, await other.startSession()).open(`${site.url}/`);
  expect(reply).toMatchObject({ status: 502, code: 'BROWSER_VIVO_CONNESSIONE_FALLITA' });
  expect(reply.text).not.toContain(place.path);
});

refuses('browser.live-open', 'QUERY_INVALID', 'for an invalid address and for this server', async () => {
  const { open } = driver(server, session);
  for (const url of ['', 'nothing', 'file:///etc/passwd', 'chrome://version', 'data:text/html,x', 'about:config']) {
    expect(await open(url)).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  }
  for (const size of [{ larghezza: 99 }, { altezza: 5_000 }, { larghezza: 1.5 }, { altro: 1 }]) {
    expect(await open(`${site.url}/`, size)).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  }
  for (const name of ['127.0.0.1', 'localhost', '[::1]', '127.9.9.9', '0x7f.1', 'x.localhost', '0.0.0.0']) {
    const reply = await open(`http://${name}:${server.port}/`);
    expect([name, reply.status, reply.reason]).toEqual([name, 400, 'own-address']);
  }
});

refuses('browser.live-open', 'BROWSER_VIVO_TROPPE_SCHEDE', 'for a seventh tab', async () => {
  const ids = await Promise.all(Array.from({ length: 7 }, () => server.startSession()));
  const [last = '', ...six] = ids;
  for (const id of six) expect((await driver(server, id).open(`${site.url}/`)).data.ok).toBe(true);
  expect(await driver(server, last).open(`${site.url}/`)).toMatchObject({
    status: 429,
    code: 'BROWSER_VIVO_TROPPE_SCHEDE',
  });
  for (const id of six.slice(1)) await driver(server, id).close();
  // Deleting a session closes its tab.
  await server.settled(six[0] as string);
  expect((await server.call('POST', `/sessions/${six[0]}/delete`)).ok).toBe(true);
  expect((await driver(server, session).state()).data.schede).toEqual([]);
});

refuses('browser.live-gesture', 'BROWSER_VIVO_GESTO_IGNOTO', 'for an unknown kind, button or key', async () => {
  const { open, gesture } = driver(server, session);
  await open(`${site.url}/`);
  for (const body of [
    {},
    { tipo: 'sogno' },
    { tipo: 7 },
    { tipo: 'clic', x: 1, y: 1, tasto: 'quarto' },
    { tipo: 'tasto', tasto: '' },
    { tipo: 'tasto', tasto: 'Sogno' },
    { tipo: 'tasto', tasto: '\u0007' },
  ]) {
    const reply = await gesture(body);
    expect([body, reply.status, reply.code]).toEqual([body, 400, 'BROWSER_VIVO_GESTO_IGNOTO']);
  }
  for (const body of [
    { tipo: 'clic', x: -1, y: 1 },
    { tipo: 'clic', x: 1 },
    { tipo: 'tasto', tasto: 'a', altro: 1 },
    { tipo: 'rotella', x: 1, y: 1, deltaY: '5' },
    { tipo: 'clic', x: 1, y: 1, modificatori: 16 },
  ]) {
    const reply = await gesture(body);
    expect([body, reply.status, reply.code]).toEqual([body, 400, 'QUERY_INVALID']);
  }
});

if (hasBrowser) {
  refusesEach(
    'BROWSER_VIVO_SENZA_CONNESSIONE',
    ['browser.live-gesture', 'browser.live-describe', 'browser.live-resize', 'browser.live-open'],
    async (operation) => {
      const { open, ask, state } = driver(server, session);
      await open(`${site.url}/`);
      const [main] = processesWith(home.path);
      if (operation === 'browser.live-open') {
        site.pages['/late'] = () => void signalProcess(main as number, 'SIGKILL');
        expect(await open(`${site.url}/late`)).toMatchObject({ status: 500, code: 'BROWSER_VIVO_SENZA_CONNESSIONE' });
      } else {
        signalProcess(main as number, 'SIGKILL');
        await until(async () => ((await state()).data.finestraAperta ? undefined : true));
        expect(await act(server, operation, session)).toMatchObject({
          status: 500,
          code: 'BROWSER_VIVO_SENZA_CONNESSIONE',
        });
      }
      // Viewers are notified, and opening starts again.
      expect((await ask('schermo')).text).toContain('"codice":"BROWSER_VIVO_SENZA_CONNESSIONE"');
      expect((await open(`${site.url}/`)).data.ok).toBe(true);
    },
  );
}
