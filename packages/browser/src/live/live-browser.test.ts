import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { processesWith, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findBrowser } from './find-browser.ts';
import { createLiveBrowser, type LiveBrowser } from './live-browser.ts';

const hasBrowser =
  existsSync(process.env.FUCINA_BROWSER ?? '/usr/bin/chromium') || process.env.FUCINA_TEST_REQUIRE === '1';
const drive = hasBrowser ? test : test.skip;
const NONE = { alt: false, ctrl: false, meta: false, shift: false };
const click = (x: number, y: number) =>
  ({ kind: 'click', x, y, button: 'left', isDouble: false, modifiers: NONE }) as const;
const key = (name: string, modifiers = {}) =>
  ({ kind: 'key', key: name, modifiers: { ...NONE, ...modifiers } }) as const;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(
  answers: Record<string, Answer>,
): Promise<{ port: number; asked: IncomingMessage[]; server: Server }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const answer = answers[(request.url ?? '').split('?', 1)[0] ?? ''];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server.on('upgrade', (request: IncomingMessage, socket) => {
    asked.push(request);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, asked, server };
}

const page =
  (body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
      .end(`<!doctype html><title>Forge</title><body style="margin:0">${body}`);

let own: Awaited<ReturnType<typeof serve>>;
let site: Awaited<ReturnType<typeof serve>>;
const idle = new Set<() => void>();
let live: LiveBrowser;
let folder: Awaited<ReturnType<typeof tempDir>>;

beforeAll(async () => {
  own = await serve({ '/': page('SECRET') });
  const at = (host: string) => `http://${host}:${own.port}/`;
  site = await serve({
    '/': page(
      '<h1>Hello</h1><a href="/next">Next</a><input id="name" style="position:fixed;left:0;top:200px;width:200px;height:30px">',
    ),
    '/next': page('<p>Second</p>'),
    '/away': (_request, response) => void response.writeHead(302, { location: at('localhost') }).end(),
    '/tricks': page(`
      <iframe src="${at('127.0.0.1')}"></iframe><img src="${at('localhost')}x.png">
      <link rel="stylesheet" href="${at('[::ffff:127.0.0.1]')}a.css">
      <script>
        const said = [];
        const tell = (what) => { said.push(what); document.title = said.sort().join(' '); };
        fetch('${at('app.localhost')}', { mode: 'no-cors' }).then(() => tell('fetched'), () => tell('no-fetch'));
        fetch('/away', { mode: 'no-cors' }).then(() => tell('followed'), () => tell('no-redirect'));
        const socket = new WebSocket('ws://127.1.2.3:${own.port}/');
        socket.onopen = () => tell('socket'); socket.onerror = () => tell('no-socket');
        const source = new EventSource('${at('0.0.0.0')}');
        source.onopen = () => tell('source'); source.onerror = () => tell('no-source');
      </script>`),
    '/popup': page(
      `<button style="position:fixed;left:0;top:0;width:200px;height:100px" onclick="window.open('/child')">Open</button>`,
    ),
    '/child': page(
      `<button style="position:fixed;left:0;top:0;width:200px;height:100px" onclick="window.close()">Close</button><p>Child`,
    ),
    '/moving': page(
      `<div id="n" style="font-size:80px">0</div><script>let n = 0; setInterval(() => { document.getElementById('n').textContent = ++n }, 10)</script>`,
    ),
    '/file': (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=a.zip' })
        .end('PK'),
    '/crash': page('<p>Soon gone</p>'),
  });
  folder = await tempDir();
  const ambient = systemAmbient('silent');
  live = createLiveBrowser({
    ambient: {
      ...ambient,
      // The test decides when ten minutes pass.
      timer(ms, callback) {
        if (ms !== 600_000) return ambient.timer(ms, callback);
        idle.add(callback);
        return () => void idle.delete(callback);
      },
    },
    environment: process.env,
    dataDir: folder.path,
    ownPorts: () => [own.port],
    isOffered: true,
  });
});
afterAll(async () => {
  await live[Symbol.asyncDispose]();
  for (const { server } of [own, site]) {
    server.closeAllConnections();
    server.close();
  }
  await folder[Symbol.asyncDispose]();
});

const address = (path: string) => `http://127.0.0.1:${site.port}${path}`;
const open = (path: string, session = 'one') => live.open(session, { url: address(path), by: 'user' });

async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 20));
}
const title = async (session = 'one') => (await live.tab(session)).page().title();

drive('a page is opened, described, typed into and gone back from', async () => {
  expect(await open('/')).toEqual({
    isOk: true,
    status: 200,
    problem: null,
    url: address('/'),
    channel: expect.stringMatching(/chrome|edge|chromium/),
    isIsolated: true,
    canBeDescribed: true,
  });
  const { selector, html, ancestors, url } = await live.describe('one', { x: 20, y: 210 });
  expect([selector, url]).toEqual(['#name', address('/')]);
  expect(html).toContain('<input id="name"');
  expect(ancestors.map(({ tag }) => tag)).toEqual(['body', 'html']);
  expect(await live.perform('one', click(20, 210))).toEqual({ pairs: 1 });
  for (const sign of ['a', 'è', 'B', '😀', 'Backspace']) await live.perform('one', key(sign));
  const input = (await live.tab('one')).page().locator('#name');
  expect(await input.inputValue()).toBe('aèB');
  await live.perform('one', key('a', { ctrl: true }));
  await live.perform('one', key('Delete'));
  expect(await input.inputValue()).toBe('');
  await open('/next');
  await live.perform('one', key('BrowserBack'));
  await until(async () => (await live.tab('one')).url() === address('/'));
  await expect(live.perform('one', key('Nonsense'))).rejects.toMatchObject({ code: 'BROWSER_VIVO_GESTO_IGNOTO' });
});

drive('no way leads to our own port', async () => {
  const before = own.asked.length;
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', 'a.localhost', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    await expect(live.open('one', { url: `http://${host}:${own.port}/`, by: 'agent' })).rejects.toMatchObject({
      code: 'QUERY_INVALID',
      reason: 'own-address',
    });
  }
  expect(await open('/away')).toMatchObject({ isOk: false, status: null });
  await open('/tricks');
  await until(async () => (await title()) === 'no-fetch no-redirect no-socket no-source');
  expect(own.asked.length).toBe(before);
});

drive('files, pages of the browser and other computers of this network are not opened', async () => {
  for (const url of [
    'file:///etc/passwd',
    'chrome://version',
    'about:config',
    'devtools://x',
    'data:text/html,x',
    'view-source:http://x',
  ]) {
    await expect(live.open('one', { url, by: 'agent' })).rejects.toMatchObject({ code: 'QUERY_INVALID' });
  }
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'https://192.168.1.1/']) {
    expect(await live.open('one', { url, by: 'agent' })).toMatchObject({ isOk: false, problem: 'closed-address' });
  }
  expect(await open('/file')).toMatchObject({ isOk: false, problem: 'download' });
  await open('/');
  await (await live.tab('one'))
    .page()
    .evaluate("location.href = 'file:///etc/passwd'")
    .catch(() => undefined);
  expect((await live.tab('one')).url()).toBe(address('/'));
});

drive('a window the page opens takes its place until it closes', async () => {
  await open('/popup');
  await live.perform('one', click(50, 50));
  await until(async () => (await live.tab('one')).url() === address('/child'));
  // The address is known before there is a button to click.
  const loaded = "document.readyState === 'complete'";
  await until(async () => (await live.tab('one')).page().evaluate<boolean>(loaded));
  await live.perform('one', click(50, 50));
  await until(async () => (await live.tab('one')).url() === address('/popup'));
});

drive('sessions share nothing, and cookies end with the tab', async () => {
  await open('/');
  await (await live.tab('one')).page().evaluate("document.cookie = 'a=1'");
  await open('/', 'two');
  expect(await (await live.tab('two')).page().evaluate('document.cookie')).toBe('');
  expect((await live.state()).tabs.map(({ sessionId }) => sessionId)).toEqual(['one', 'two']);
  await live.close('two');
});

drive('every viewer gets the newest picture, and a slow one no queue', async () => {
  await open('/moving');
  const end = new AbortController();
  const frames = (await live.follow('one', end.signal))[Symbol.asyncIterator]();
  const slow = (await live.follow('one', end.signal))[Symbol.asyncIterator]();
  const first = await slow.next();
  for (let count = 0; count < 10; count += 1) await frames.next();
  const later = await slow.next();
  const numbers = [first, later].map(({ value }) => (value?.kind === 'frame' ? value.frame.number : -1));
  expect((numbers[1] ?? 0) - (numbers[0] ?? 0)).toBeGreaterThanOrEqual(8);
  const { value } = await frames.next();
  expect(value).toMatchObject({ kind: 'frame', frame: { url: address('/moving'), metadata: { deviceWidth: 1280 } } });
  expect((await live.state()).tabs[0]).toMatchObject({ isWatched: true });
  end.abort();
  expect((await frames.next()).done).toBe(true);
  expect((await slow.next()).done).toBe(true);
  expect((await live.state()).tabs[0]).toMatchObject({ isWatched: false });
});

drive('who looks again at once sees the page again', async () => {
  await open('/');
  for (let turn = 0; turn < 5; turn += 1) {
    const end = new AbortController();
    const frames = (await live.follow('one', end.signal))[Symbol.asyncIterator]();
    expect((await frames.next()).value).toMatchObject({ kind: 'frame' });
    end.abort();
    void frames.next();
  }
});

drive('a page that crashed is told, and the next opening begins anew', async () => {
  await open('/crash');
  const watching = (await live.follow('one', new AbortController().signal))[Symbol.asyncIterator]();
  await watching.next();
  const gone = (await live.tab('one')).page();
  const control = await gone.context().newCDPSession(gone);
  void control.send('Page.crash').catch(() => undefined);
  await until(async () => (await live.state()).tabs[0]?.canBeDescribed === false);
  await expect(live.describe('one', { x: 1, y: 1 })).rejects.toMatchObject({ code: 'BROWSER_VIVO_SENZA_CONNESSIONE' });
  let last = await watching.next();
  while (last.value?.kind === 'frame') last = await watching.next();
  expect(last.value).toEqual({ kind: 'ended', code: 'BROWSER_VIVO_SENZA_CONNESSIONE' });
  expect(await open('/')).toMatchObject({ isOk: true });
});

drive('nothing a page asks permission for is granted', async () => {
  await open('/');
  const { page: current } = await live.tab('one');
  const asked = await current().evaluate(`(async () => {
    const states = [];
    for (const name of ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'])
      states.push((await navigator.permissions.query({ name })).state);
    states.push(await new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('granted'), ({ code }) => done(code))));
    return states;
  })()`);
  expect(asked).toEqual(['denied', 'denied', 'denied', 'denied', 'denied', 1]);
});

drive('a tab that nobody touches for ten minutes is closed, and each touch begins them anew', async () => {
  await open('/', 'two');
  expect(idle.size).toBe(2);
  const [, second] = [...idle];
  await live.resize('two', { width: 800, height: 600 });
  expect(idle.size).toBe(2);
  expect(idle.has(second as () => void)).toBe(false);
  [...idle].at(-1)?.();
  await until(async () => (await live.state()).tabs.length === 1);
  expect((await live.state()).tabs[0]?.sessionId).toBe('one');
});

drive('the last tab closes the browser', async () => {
  const watching = (await live.follow('one', new AbortController().signal))[Symbol.asyncIterator]();
  await watching.next();
  await live.close('one');
  let last = await watching.next();
  while (last.value?.kind === 'frame') last = await watching.next();
  expect(last.value).toEqual({ kind: 'ended', code: 'BROWSER_VIVO_SCHEDA_ASSENTE' });
  expect(await live.state()).toMatchObject({ isOpen: false, channel: null, tabs: [] });
});

drive('the end of all waits only a little for a browser that hangs, also for one that is closing', async () => {
  await using place = await tempDir();
  const [program, end] = ['chromium', 'end'].map((name) => join(place.path, name)) as [string, string];
  const { path } = await findBrowser({ platform: process.platform, environment: process.env });
  await place.write({ chromium: `#!/bin/sh\n"${path}" "$@"\nuntil [ -e '${end}' ]; do sleep 0.05; done\n` });
  await chmod(program, 0o755);
  const system = systemAmbient('silent');
  const hanging = createLiveBrowser({
    // Ten seconds never pass.
    ambient: { ...system, timer: (ms, act) => (ms === 10_000 ? () => undefined : system.timer(ms, act)) },
    environment: { ...process.env, FUCINA_BROWSER: program },
    dataDir: place.path,
    ownPorts: () => [],
    isOffered: true,
  });
  await hanging.open('one', { url: address('/'), by: 'user' });
  const closing = hanging.close('one');
  await until(async () => !(await hanging.state()).isOpen);
  await hanging[Symbol.asyncDispose]();
  await closing;
  await place.write({ end: '' });
  await until(async () => processesWith(program).length === 0);
});
