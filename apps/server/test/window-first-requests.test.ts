import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { launchBrowser, type Visit, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      if (lastRole !== 'user') return { text: 'Done.' };
      if (lastText.startsWith('AGENT'))
        return { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'Count the files' } }] };
      const [, word] = /^COMMAND (\w+)/.exec(lastText) ?? [];
      return word ? { toolCalls: [{ name: 'shell', arguments: { comando: `echo ${word}` } }] } : { text: 'Done.' };
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** A page that is not the window: nothing of it is loaded before a walk begins. */
const visit = (): Promise<Visit> => visitAt({ browser: browser as Browser, server, path: '/api/v1/health' });
const pathOf = (url: string): string => new URL(url).pathname;

/** Holds back most of the window's code; returns what lets it arrive. */
async function heldCode(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/core-[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

walk('a session is requested before the code of the window has arrived, and its events only once', async () => {
  const id = await server.startSession({ consegna: 'Requested early' });
  await server.settled(id);
  await using v = await visit();
  const { page } = v;
  const release = await heldCode(page);
  const events = `/api/v1/sessions/${id}/events`;
  const early = [events, '/api/v1/sessions'].map((path) =>
    page.waitForRequest((asked) => pathOf(asked.url()) === path),
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(pathOf(request.url())));
  await page.goto(new URL(`/sessions/${id}`, server.url).href, { waitUntil: 'commit' });
  await Promise.all(early);
  expect(asked.filter((path) => path.startsWith('/api/')).toSorted()).toEqual(['/api/v1/sessions', events]);
  release();
  await page.locator('.timeline').getByText('Requested early').waitFor();
  expect(asked.filter((path) => path === events)).toHaveLength(1);
  expect(v.complaints).toEqual([]);
});

walk('a session that is gone is not found, although its events were requested early', async () => {
  await using v = await visit();
  await v.page.goto(new URL('/sessions/00000000-0000-4000-8000-000000000000', server.url).href);
  await v.page.getByText('Session not found').first().waitFor();
});

walk('the list of sessions that was requested early follows the connection', async () => {
  await using v = await visit();
  const { page } = v;
  let refused = 0;
  await page.route('**/api/v1/sessions', (route) => {
    refused += 1;
    return refused === 1 ? route.abort() : route.continue();
  });
  const id = await server.startSession({ consegna: 'After a lost connection' });
  await server.settled(id);
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  await page.locator('.timeline').getByText('After a lost connection').waitFor();
  expect(refused).toBeGreaterThan(1);
});

walk('a conversation is drawn before the list of sessions, which follows without moving it', async () => {
  const id = await server.startSession({ consegna: 'Drawn before the rest' });
  await server.settled(id);
  await using v = await visit();
  const { page } = v;
  await page.addInitScript(() => {
    const seen = { links: -1, at: Number.NaN, top: Number.NaN };
    Object.assign(globalThis, { seen });
    const look = () => {
      const row = document.querySelector('.timeline .user-message');
      if (!row || seen.links >= 0) return;
      seen.links = document.querySelectorAll('.sidebar-list a').length;
      requestAnimationFrame(() => {
        seen.at = performance.now();
        seen.top = row.getBoundingClientRect().top;
      });
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  // The answers are there before the code: the first drawing has the conversation.
  const release = await heldCode(page);
  const answers = [`/api/v1/sessions/${id}/events`, '/api/v1/sessions'].map((path) =>
    page.waitForResponse((answer) => pathOf(answer.url()) === path),
  );
  await page.goto(new URL(`/sessions/${id}`, server.url).href, { waitUntil: 'commit' });
  await Promise.all(answers);
  release();
  await page.locator('.sidebar-list .nav-row.active time', { hasText: /./ }).waitFor();
  await page.locator('.turn-end .turn-undo').waitFor();
  // An entry appears when its file has arrived: those requested before the paint are found by their time.
  const { first, scripts, top } = await page.evaluate(() => ({
    first: (globalThis as unknown as { seen: { links: number; at: number; top: number } }).seen,
    scripts: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime }) => startTime),
    top: document.querySelector('.timeline .user-message')?.getBoundingClientRect().top,
  }));
  expect(first.links).toBe(0);
  // Secondary parts, such as the button of the trace, load their code after the paint.
  expect(scripts.filter((startTime) => startTime <= first.at)).toHaveLength(5);
  expect(scripts.length).toBeGreaterThan(5);
  expect(top).toBe(first.top);
  // What is drawn later is drawn whole.
  await page.getByRole('link', { name: 'Inbox' }).first().click();
  await page.locator('.sidebar-list .nav-row time', { hasText: /./ }).first().waitFor();
  expect(v.complaints).toEqual([]);
});

walk('nothing is requested ahead before the first drawing is on screen, however late that is', async () => {
  const id = await server.startSession({ consegna: 'Drawn late' });
  await server.settled(id);
  await using v = await visit();
  const { page } = v;
  await page.addInitScript(() => {
    const draw = requestAnimationFrame;
    const late = (callback: FrameRequestCallback): number => Number(setTimeout(() => draw(callback), 3_000));
    Object.assign(globalThis, { requestAnimationFrame: late, drawn: new Promise((resolve) => late(resolve)) });
  });
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  await page.locator('.timeline').getByText('Drawn late').waitFor();
  const early = await page.evaluate(async () => {
    const at = await (globalThis as unknown as { drawn: Promise<number> }).drawn;
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
    return scripts.filter(({ startTime }) => startTime <= at).map(({ name }) => new URL(name).pathname);
  });
  expect(early).toHaveLength(5);
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/overlays-[\w-]+\.js$/.test(name)),
  );
  expect(v.complaints).toEqual([]);
});

walk('the commands of a session are requested once when it opens, and new ones appear', async () => {
  const id = await server.startSession({ consegna: 'COMMAND first', permessi: 'Full access' });
  await server.settled(id);
  await using v = await visit();
  const { page } = v;
  const processes = `/api/v1/sessions/${id}/processes`;
  let asked = 0;
  page.on('request', (request) => {
    if (pathOf(request.url()) === processes) asked += 1;
  });
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  const commands = page.getByRole('region', { name: 'Commands' });
  await commands.getByText('echo first').waitFor();
  await page.locator('.timeline').getByText('COMMAND first').waitFor();
  // A second request would follow the answer to the first one.
  await page.evaluate(() => new Promise((next) => setTimeout(next, 500)));
  expect(asked).toBe(1);
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('COMMAND second');
  await box.press('Enter');
  await commands.getByText('echo second').waitFor();
  expect(v.complaints).toEqual([]);
});

walk('a command that starts before the events of its session arrive is listed as running', async () => {
  const id = await server.startSession();
  await server.settled(id);
  await using v = await visit();
  const { page } = v;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => void (release = resolve));
  await page.route(`**/api/v1/sessions/${id}/events*`, (route) => held.then(() => route.continue()));
  const listed = page.waitForResponse((answer) => pathOf(answer.url()) === `/api/v1/sessions/${id}/processes`);
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  await (await listed).finished();
  await server.call('POST', `/sessions/${id}/shell`, { body: { comando: 'sleep 30' } });
  release();
  await page.getByRole('button', { name: 'Details, 1 running command' }).waitFor();
  await page.getByRole('region', { name: 'Commands' }).getByRole('button', { name: 'Stop sleep 30' }).click();
  await page.getByRole('button', { name: 'Details', exact: true }).waitFor();
  expect(v.complaints).toEqual([]);
});

walk('the sub-agents of a session are requested once when it opens, and new ones appear', async () => {
  const id = await server.startSession({ consegna: 'Has no agents yet' });
  await server.settled(id);
  await using v = await visit();
  const { page } = v;
  const children = `/api/v1/sessions/${id}/children`;
  let asked = 0;
  page.on('request', (request) => {
    if (pathOf(request.url()) === children) asked += 1;
  });
  const answered = page.waitForResponse((answer) => pathOf(answer.url()) === children);
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  await (await answered).finished();
  // A second request would follow the answer to the first one.
  await page.evaluate(() => new Promise((next) => setTimeout(next, 200)));
  expect(asked).toBe(1);
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('AGENT go');
  await box.press('Enter');
  const agents = page.getByRole('region', { name: 'Agents' });
  await agents.getByText('Count the files').waitFor();
  expect(v.complaints).toEqual([]);
});
