import { mkdirSync } from 'node:fs';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { html, type Site, startSite } from './browser-fixture.ts';
import { type TestServer, testServer } from './harness.ts';
import { driver, withBrowser } from './live-fixture.ts';
import { faults, fitsWindow, launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const doc = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title><meta name="viewport" content="width=device-width"></head><body style="margin:0;font:16px sans-serif">${body}</body></html>`;
const TALL = '<div style="height:3000px;background:linear-gradient(#fff,#246)"></div>';

let site: Site;
let home: Awaited<ReturnType<typeof tempDir>>;
let server: TestServer;
let browser: Browser | undefined;
let session: string;
beforeAll(async () => {
  site = await startSite({
    '/': html(
      doc(
        'Forge',
        `<h1 id="top" style="margin:0;height:60px">Forge</h1>
        <input id="name" aria-label="Name" style="display:block;height:40px;width:300px">
        <button id="count" style="height:40px;width:300px;color:rgb(10,20,30)" onclick="this.textContent = 1 + Number(this.textContent)" ondblclick="document.getElementById('top').textContent = 'Struck twice'">0</button>
        <a id="next" href="/next" style="display:block;height:40px">Next</a>${TALL}`,
      ),
    ),
    '/next': html(doc('Next', '<h1 id="second">The second page</h1>')),
  });
  home = await tempDir();
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    dataDir: home.path,
    settings: { environment: withBrowser(home.path) },
  });
  browser = await launchBrowser();
  session = await server.startSession();
  await server.settled(session);
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

/** Folder for screenshots, if requested. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.FUCINA_TEST_LOOK;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/browser-${name}.png` });
}

const screen = (page: Page) => page.locator('canvas.page-screen');

async function enter(options: Parameters<typeof visit>[1] = {}, path = 'page'): Promise<Visit> {
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${session}/${path}` }, options);
  return place;
}

async function goLive(page: Page, url: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Page address' }).fill(url);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open in live browser' }).click();
  await screen(page).waitFor();
}

/** The page's own element at a point. */
async function at(x: number, y: number): Promise<string> {
  return (await driver(server, session).describe(x, y)).data.html;
}

async function eventually(look_: () => Promise<string>, word: string): Promise<void> {
  for (;;) {
    if ((await look_()).includes(word)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

walk('watches a page, controls it by pointer, wheel and keys, and returns control', async () => {
  await using place = await enter();
  const { page: window, complaints } = place;
  await goLive(window, site.url);
  await window.getByText('You are watching').waitFor();
  expect(await faults(window)).toEqual([]);
  await look(window, 'watched');

  // The first click activates the page and has no other effect.
  await screen(window).click({ position: { x: 50, y: 120 } });
  await window.getByText('You control the page').waitFor();
  expect(await at(50, 120)).toContain('>0</button>');
  await screen(window).click({ position: { x: 50, y: 120 } });
  await eventually(() => at(50, 120), '>1</button>');
  await screen(window).dblclick({ position: { x: 50, y: 120 } });
  await eventually(() => at(50, 120), '>3</button>');
  expect(await at(20, 20)).toContain('Struck twice');

  await screen(window).click({ position: { x: 50, y: 80 } });
  await window.keyboard.type('Anvil');
  await window.keyboard.press('Tab');
  await window.keyboard.press('Enter');
  await eventually(() => at(50, 120), '>4</button>');
  expect(await faults(window)).toEqual([]);
  await look(window, 'taken');

  await window.mouse.wheel(0, 400);
  await eventually(() => at(20, 20), 'gradient');
  await window.mouse.wheel(0, -400);
  await eventually(() => at(20, 20), 'Struck');
  await window.keyboard.press('Escape');
  await window.getByText('You are watching').waitFor();
  expect(complaints).toEqual([]);
});

walk('the address bar follows the page, and Back and Forward navigate', async () => {
  await using place = await enter();
  const { page: window, complaints } = place;
  await goLive(window, site.url);
  const bar = window.getByRole('textbox', { name: 'Page address' });
  await window.getByRole('button', { name: 'Take over' }).click();
  await screen(window).click({ position: { x: 20, y: 160 } });
  await window.waitForFunction(() => new URLSearchParams(location.search).get('url')?.endsWith('/next'));
  await eventually(() => bar.inputValue(), `${site.url}/next`);
  await window.getByRole('button', { name: 'Back', exact: true }).click();
  await window.waitForFunction(() => !new URLSearchParams(location.search).get('url')?.endsWith('/next'));
  await window.getByRole('button', { name: 'Forward' }).click();
  await window.waitForFunction(() => new URLSearchParams(location.search).get('url')?.endsWith('/next'));
  // Returning shows the same page: it is not opened again.
  const asked = site.asked.length;
  await window.reload();
  await screen(window).waitFor();
  expect(site.asked.length).toBe(asked);
  await bar.fill('http://10.0.0.1/');
  await bar.press('Enter');
  await window.getByText('other computers on a private network').waitFor();
  await bar.fill(server.url);
  await bar.press('Enter');
  await window.getByRole('alert').first().waitFor();
  expect(complaints).toEqual([]);
});

walk('adds an element with a screenshot to the draft, by pointer or keyboard', async () => {
  await using place = await enter();
  const { page: window, complaints } = place;
  await goLive(window, site.url);
  await window.getByRole('button', { name: 'Select an element' }).click();
  await screen(window).click({ position: { x: 50, y: 120 } });
  await window.getByText('#count', { exact: true }).waitFor();
  await window.getByRole('button', { name: 'Select an element' }).press('Enter');
  await window.keyboard.press('ArrowUp');
  await window.locator('.page-mark').waitFor();
  await look(window, 'pointing');
  await window.keyboard.press('Enter');
  await window.getByText('body > div', { exact: false }).waitFor();
  expect(await faults(window)).toEqual([]);
  await window.getByRole('link', { name: 'Go to the message' }).click();
  const draft = await window.getByRole('textbox', { name: /message/i }).inputValue();
  expect(draft).toContain('```css\n#count\n```\n```html\n<button id="count"');
  expect(draft).toContain('color: rgb(10, 20, 30)');
  await window.getByText('page-1.jpg').waitFor();
  await window.getByText('page-2.jpg').waitFor();
  await look(window, 'draft');
  expect(complaints).toEqual([]);
});

walk('shows a page opened by the agent and offers to reopen a closed one', async () => {
  await driver(server, session).open(`${site.url}/`);
  await using place = await enter();
  const { page: window, complaints } = place;
  await window.getByRole('button', { name: 'Watch the agent’s page' }).click();
  await screen(window).waitFor();
  await driver(server, session).close();
  await window.getByText('The page was closed.').waitFor();
  expect(await faults(window)).toEqual([]);
  await look(window, 'closed');
  await window.getByRole('button', { name: 'Reopen' }).click();
  await screen(window).waitFor();
  await window.getByRole('button', { name: 'Close the page' }).click();
  await window.getByText('No open page').waitFor();
  expect((await driver(server, session).state()).data.finestraAperta).toBe(false);
  expect(complaints).toEqual([]);
});

walk('still says that a page was closed when its last image is drawn later', async () => {
  await driver(server, session).open(`${site.url}/`);
  await using place = await enter();
  const { page: window, complaints } = place;
  await window.addInitScript(() => {
    const decode = createImageBitmap;
    const late = (image: Blob) =>
      new Promise<ImageBitmap>((resolve) => {
        const drawLate = async () => {
          resolve(decode(image));
          for (let frames = 0; frames < 5; frames += 1) await new Promise((next) => requestAnimationFrame(next));
        };
        Object.assign(globalThis, { drawLate });
      });
    Object.assign(globalThis, { createImageBitmap: late });
  });
  await window.reload();
  await window.getByRole('button', { name: 'Watch the agent’s page' }).click();
  await window.waitForFunction(() => 'drawLate' in globalThis);
  await driver(server, session).close();
  const closed = window.getByText('The page was closed.');
  await closed.waitFor();
  await window.evaluate(() => (globalThis as unknown as { drawLate(): Promise<void> }).drawLate());
  expect(await closed.count()).toBe(1);
  expect(complaints).toEqual([]);
});

walk('fits a narrow screen, dark and in Italian', async () => {
  await using place = await visit(
    { browser: browser as Browser, server },
    { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'it-IT' },
  );
  const { page: window, complaints } = place;
  await window.goto(
    new URL(`/sessions/${session}/page?live=open&url=${encodeURIComponent(site.url)}`, server.url).href,
  );
  await screen(window).waitFor();
  await window.getByRole('button', { name: 'Prendi il controllo' }).click();
  await window.getByText('Controlli tu la pagina').waitFor();
  await fitsWindow(window);
  expect(await faults(window)).toEqual([]);
  await look(window, 'narrow-dark');
  expect(complaints).toEqual([]);
});

walk('explains how to install a browser when there is none', async () => {
  await using bare = await testServer({
    windowFolder: WINDOW_FOLDER,
    settings: { environment: { ...process.env, FUCINA_BROWSER: 'off' } },
  });
  const id = await bare.startSession();
  await using place = await visit({ browser: browser as Browser, server: bare });
  const { page: window, complaints } = place;
  await window.goto(new URL(`/sessions/${id}/page?live=open&url=${encodeURIComponent(site.url)}`, bare.url).href);
  await window.getByText('Live browser not available').waitFor();
  expect(await faults(window)).toEqual([]);
  await look(window, 'off');
  expect(complaints).toEqual([]);
});
