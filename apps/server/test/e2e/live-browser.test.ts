import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { processesWith, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { html, type Site, startSite } from '../browser-fixture.ts';
import { covers as always } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';
import { driver, hasBrowser, screenOf, withBrowser } from '../live-fixture.ts';

/** Without a browser, only the tests that need none can run. */
const covers: typeof always = hasBrowser ? always : () => undefined;

const FORM = `<body style="margin:0"><h1 id="top">Forge</h1>
  <input id="name" style="position:fixed;left:0;top:200px;width:200px;height:30px">
  <button style="position:fixed;left:0;top:300px;width:200px;height:30px" ondblclick="document.title='twice'" oncontextmenu="document.title='menu';return false">Go</button>
  <a href="#deep" style="position:fixed;left:0;top:400px;width:200px;height:30px">Deep</a>
  <div style="height:4000px"></div>`;

let site: Site;
let home: Awaited<ReturnType<typeof tempDir>>;
let server: TestServer;
let session: string;
beforeAll(async () => {
  site = await startSite({
    '/': html(FORM),
    '/#deep': html(FORM),
    '/gone': (response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing here</p>'),
    '/broken': html('<script>throw new Error("bent")</script>'),
  });
  home = await tempDir();
  server = await testServer({ dataDir: home.path, settings: { environment: withBrowser(home.path) } });
  session = await server.startSession();
  await server.settled(session);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

covers('browser.live-open', 'returns the page, its status and the browser', async () => {
  const { status, data } = await driver(server, session).open(`${site.url}/`);
  expect([status, data]).toEqual([
    200,
    {
      ok: true,
      stato: 200,
      errore: null,
      url: `${site.url}/`,
      canale: expect.stringMatching(/^(chrome|edge|chromium)$/),
      isolata: true,
      annotabile: true,
    },
  ]);
  for (const { rawHeaders } of site.asked) expect(rawHeaders.join('\n')).not.toContain('svc_token');
  const gone = await driver(server, session).open(`${site.url}/gone`);
  expect(gone.data).toMatchObject({ ok: false, stato: 404, errore: null });
  const closed = await startSite({});
  await closed[Symbol.asyncDispose]();
  const nobody = await driver(server, session).open(closed.url);
  expect(nobody.data).toMatchObject({ ok: false, stato: null, errore: 'unreachable' });
});

covers('browser.live-open', 'opens an address after several that do not answer', async () => {
  const closed = await startSite({});
  await closed[Symbol.asyncDispose]();
  for (let round = 0; round < 10; round += 1) {
    for (let time = 0; time <= round % 3; time += 1) await driver(server, session).open(closed.url);
    const { data } = await driver(server, session).open(`${site.url}/`);
    expect(data).toMatchObject({ ok: true, url: `${site.url}/` });
  }
});

covers('browser.live-state', 'returns the browser, its tabs and its profile folder', async () => {
  await driver(server, session).open(`${site.url}/`);
  const { data } = await driver(server, session).state();
  expect(data).toEqual({
    finestraAperta: true,
    canale: expect.any(String),
    schede: [
      {
        sessionId: session,
        url: `${site.url}/`,
        trasmette: false,
        isolata: true,
        annotabile: true,
        fermaDaMs: expect.any(Number),
      },
    ],
    cartellaProfilo: join(home.path, 'browser'),
    inattivitaMs: 600_000,
  });
});

covers('browser.live-gesture', 'sends clicks, keys and scrolling to the page', async () => {
  const { open, gesture, describe } = driver(server, session);
  await open(`${site.url}/`);
  expect((await gesture({ tipo: 'clic', x: 50, y: 210 })).data).toEqual({ coppie: 1 });
  for (const tasto of ['f', 'ò', ' ', 'a', 'ArrowLeft', 'Delete']) {
    expect((await gesture({ tipo: 'tasto', tasto })).data).toEqual({ tasto });
  }
  await gesture({ tipo: 'tasto', tasto: 'A', modificatori: 8 });
  expect((await gesture({ tipo: 'clic', x: 50, y: 310, doppio: true })).data).toEqual({ coppie: 2 });
  await gesture({ tipo: 'clic', x: 50, y: 310, tasto: 'destro', modificatori: { shift: true } });
  expect((await gesture({ tipo: 'rotella', x: 400, y: 400, deltaY: 500 })).data).toEqual({});
  const scrolled = await until(async () => {
    const { data } = await describe(400, 10);
    return data.selector === '#top' ? undefined : data;
  });
  expect(scrolled.selector).toBe('html > body > div');
  // The address follows navigation within the page, too.
  await gesture({ tipo: 'clic', x: 50, y: 410 });
  await until(async () => ((await describe(1, 1)).data.url === `${site.url}/#deep` ? true : undefined));
  await gesture({ tipo: 'tasto', tasto: 'BrowserBack' });
  await until(async () => ((await describe(1, 1)).data.url === `${site.url}/` ? true : undefined));
});

covers('browser.live-describe', 'returns selector, HTML, styles, ancestors and errors of an element', async () => {
  const { open, describe } = driver(server, session);
  await open(`${site.url}/broken`);
  expect((await describe(1, 1)).data.errori).toEqual(['bent']);
  await open(`${site.url}/`);
  const { data } = await describe(20, 20);
  expect(data).toMatchObject({
    selector: '#top',
    html: '<h1 id="top">Forge</h1>',
    styles: { display: 'block', 'font-weight': '700' },
    ancestors: [
      { selector: 'html > body', tag: 'body' },
      { selector: 'html', tag: 'html' },
    ],
    url: `${site.url}/`,
    errori: [],
  });
});

covers('browser.live-resize', 'resizes the page to the given size', async () => {
  const { open, resize } = driver(server, session);
  await open(`${site.url}/`, { larghezza: 800, altezza: 600 });
  expect((await resize(500, 400)).data).toEqual({ larghezza: 500, altezza: 400, url: `${site.url}/` });
  const end = new AbortController();
  for await (const { metadati } of screenOf(server, session, end.signal)) {
    expect(metadati).toMatchObject({ deviceWidth: 500, deviceHeight: 400 });
    break;
  }
  end.abort();
});

covers('browser.live-screen', 'streams frames with metadata and the reason when they end', async () => {
  const { open, close, state } = driver(server, session);
  await open(`${site.url}/`);
  const seen: any[] = [];
  for await (const event of screenOf(server, session, new AbortController().signal)) {
    seen.push(event);
    if (seen.length > 1) continue;
    expect((await state()).data.schede[0].trasmette).toBe(true);
    await close();
  }
  expect(seen[0]).toEqual({
    dati: expect.stringMatching(/^\/9j\//),
    formato: 'jpeg',
    numero: expect.any(Number),
    metadati: {
      offsetTop: 0,
      pageScaleFactor: 1,
      deviceWidth: 1_280,
      deviceHeight: 800,
      scrollOffsetX: 0,
      scrollOffsetY: 0,
      timestamp: expect.any(Number),
    },
    quando: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    url: `${site.url}/`,
  });
  expect(seen.at(-1)).toEqual({ errore: expect.stringMatching(/.+/), codice: 'BROWSER_VIVO_SCHEDA_ASSENTE' });
});

covers('browser.live-close', 'closing the last tab ends the browser and removes its profile', async () => {
  const { open, close, state } = driver(server, session);
  await open(`${site.url}/`);
  expect(processesWith(home.path)).not.toEqual([]);
  expect((await close()).data).toEqual({ chiusa: true });
  expect((await state()).data).toMatchObject({ finestraAperta: false, canale: null, schede: [] });
  expect(processesWith(home.path)).toEqual([]);
});

covers('browser.live-close', 'has ended a browser that takes its time, and opens the next one', async () => {
  await using place = await tempDir();
  const { FUCINA_BROWSER } = withBrowser(place.path);
  await place.write({ chromium: `#!/bin/sh\n"${FUCINA_BROWSER}" "$@"\nsleep 4\n` });
  const program = join(place.path, 'chromium');
  await chmod(program, 0o755);
  const dataDir = join(place.path, 'data');
  const environment = { ...withBrowser(place.path), FUCINA_BROWSER: program };
  await using slow = await testServer({ dataDir, settings: { environment } });
  const { open, close } = driver(slow, await slow.startSession());
  expect((await open(`${site.url}/`)).data).toMatchObject({ ok: true });
  expect(processesWith(dataDir)).not.toEqual([]);
  expect((await close()).data).toEqual({ chiusa: true });
  expect(processesWith(dataDir)).toEqual([]);
  expect((await open(`${site.url}/`)).data).toMatchObject({ ok: true });
});
