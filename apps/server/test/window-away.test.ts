import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startServer } from '../src/server.ts';
import { settingsFor, type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, openView, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

interface Place extends AsyncDisposable {
  server: TestServer;
  /** A copy of the built window, which a test may modify. */
  window: TempDir;
  page: Page;
  id: string;
  /** Restarts a server on the same data and port. */
  restart(token?: string): Promise<void>;
}

async function place(options?: Parameters<typeof visit>[1]): Promise<Place> {
  const window = await tempDir();
  await cp(WINDOW_FOLDER, window.path, { recursive: true });
  const server = await testServer({ windowFolder: window.path });
  const id = await server.startSession();
  await server.settled(id);
  const visited: Visit = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` }, options);
  const { page } = visited;
  await page.locator('.status').waitFor();
  let again: { close(): Promise<void> } | undefined;
  return {
    server,
    window,
    page,
    id,
    async restart(token) {
      const settings = settingsFor(server.dataDir, { port: server.port, isPortExact: true, ...(token && { token }) });
      again = await startServer({ ambient: systemAmbient('silent'), settings, windowFolder: window.path });
    },
    async [Symbol.asyncDispose]() {
      await visited[Symbol.asyncDispose]();
      await again?.close();
      await server[Symbol.asyncDispose]();
      await window[Symbol.asyncDispose]();
    },
  };
}

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Style sheets that are loading or could not be loaded: a browser lets nobody read the rules of those. */
const missingStyles = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].flatMap(({ href, sheet }) => {
      try {
        return sheet?.cssRules ? [] : [href];
      } catch {
        return [href];
      }
    }),
  );

/** Leaves the window, whose parts may still be loading; returns its address. */
async function left(page: Page): Promise<string> {
  const address = page.url();
  await page.goto('about:blank');
  return address;
}

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });

/** The same window as another build: its scripts have other names, and the old ones are gone. */
async function upgrade(window: TempDir): Promise<void> {
  const assets = join(window.path, 'assets');
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const other = (text: string): string =>
    names.reduce((changed, name) => changed.replaceAll(name, `${name.slice(0, -3)}-next.js`), text);
  for (const name of names) {
    await writeFile(join(assets, `${name.slice(0, -3)}-next.js`), other(await readFile(join(assets, name), 'utf8')));
    await rm(join(assets, name));
  }
  const index = join(window.path, 'index.html');
  await writeFile(index, other(await readFile(index, 'utf8')));
}

walk('keeps drafts while the server is unreachable and loads the tab when it returns', async () => {
  await using p = await place();
  const { page } = p;
  await page.waitForLoadState('networkidle');
  await p.server.stop();
  await message(page).pressSequentially('First words');
  await openView(page, 'Library');
  await page.getByRole('alert').getByText('The server is not responding').first().waitFor();
  expect(await page.getByRole('navigation', { name: 'Session views' }).isVisible()).toBe(true);
  await p.restart();
  await page.getByRole('alert').getByText('The server is not responding').first().waitFor({ state: 'detached' });
  await page.getByText('No items yet').waitFor();
  await openView(page, 'Conversation');
  expect(await message(page).inputValue()).toBe('First words');
  await page.reload();
  await message(page).waitFor();
  expect(await message(page).inputValue()).toBe('First words');
  // Until the server has accepted it, a reload brings the text back.
  const accepted = page.waitForResponse((answer) => answer.url().endsWith('/resume') && answer.ok());
  await message(page).press('Enter');
  await page.locator('.row[data-kind="user"]').getByText('First words').waitFor();
  await (await accepted).finished();
  await page.reload();
  await message(page).waitFor();
  expect(await message(page).inputValue()).toBe('');
});

walk('a part whose styles could not be loaded has them when it is opened later', async () => {
  await using p = await place();
  const { page } = p;
  const styles = /\/assets\/(?!core-)[^/]*\.css$/;
  await page.route(styles, (route) => route.abort());
  const ofOverlays = /overlays-[^/]*\.css$/;
  const address = await left(page);
  const refused = page.waitForEvent('requestfailed', (request) => ofOverlays.test(request.url()));
  await page.goto(address);
  await page.locator('.status').waitFor();
  await refused;
  await page.unroute(styles);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').waitFor();
  expect((await missingStyles(page)).filter((href) => ofOverlays.test(href))).toEqual([]);
  // Parts that are not open may still be loading theirs.
  await until(async () => (await missingStyles(page)).length === 0 || undefined);
});

walk('a part that is opened while its preload fails is loaded again', async () => {
  await using p = await place();
  const { page } = p;
  const preloading = deferred();
  const opened = deferred();
  const address = await left(page);
  let requests = 0;
  await page.route(/overlays-[^/]*\.js$/, async (route) => {
    preloading.resolve();
    await opened.promise;
    // The first load requests the code ahead, then imports it, and tries that once more.
    await (++requests > 3 ? route.continue() : route.abort());
  });
  await page.goto(address);
  await preloading.promise;
  await page.keyboard.press('ControlOrMeta+k');
  opened.resolve();
  await page.getByRole('dialog').waitFor();
  expect(requests).toBe(4);
});

walk('restores an unsent message before a newer draft', async () => {
  await using p = await place();
  const { page } = p;
  const refused = deferred();
  await page.route('**/resume', async (route) => {
    await refused.promise;
    await route.abort();
  });
  await message(page).fill('Sent into silence');
  await message(page).press('Enter');
  await page.keyboard.type('And more');
  expect(await message(page).inputValue()).toBe('And more');
  refused.resolve();
  await page.getByRole('alert').getByText('The server is not responding').first().waitFor();
  expect(await message(page).inputValue()).toBe('Sent into silence\n\nAnd more');
});

walk('an outdated tab offers a reload and keeps the draft', async () => {
  await using p = await place();
  const { page } = p;
  await message(page).fill('Written before the upgrade');
  await page.waitForLoadState('networkidle');
  await p.server.stop();
  await upgrade(p.window);
  await p.restart();
  await openView(page, 'Library');
  await page.getByText('Fucina was updated').first().waitFor();
  await page.getByRole('button', { name: 'Reload' }).first().click();
  await openView(page, 'Conversation');
  expect(await message(page).inputValue()).toBe('Written before the upgrade');
  expect(await page.getByText('Fucina was updated').count()).toBe(0);
});

for (const [locale, title, close] of [
  ['en-GB', 'Fucina was updated', 'Close'],
  ['it-IT', 'Fucina è stata aggiornata', 'Chiudi'],
] as const) {
  walk(`the notice of an update is dismissed by keyboard and stays dismissed (${locale})`, async () => {
    await using p = await place({ locale });
    const { page } = p;
    await page.waitForLoadState('networkidle');
    await p.server.stop();
    await upgrade(p.window);
    await p.restart();
    await openView(page, locale === 'it-IT' ? 'Libreria' : 'Library');
    const notice = page.locator('.update').filter({ hasText: title });
    await notice.waitFor();
    await notice.getByRole('button', { name: close }).focus();
    await page.keyboard.press('Enter');
    await notice.waitFor({ state: 'detached' });
    await page.locator('a[href$="/changes"]').first().click();
    expect(await notice.count()).toBe(0);
  });
}

walk('a server with a new token shows how to sign in again and keeps the draft', async () => {
  await using p = await place();
  const { page } = p;
  await message(page).fill('Written before the restart');
  await p.server.stop();
  const token = 'another-token-0123456789-0123456789-0123456789';
  await p.restart(token);
  await page.getByRole('heading', { name: 'Sign in again from the terminal' }).waitFor();
  await page.getByText('The text you were writing is saved in this browser.').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  // Long enough for a stream to reconnect several times.
  await page.waitForTimeout(5_000);
  expect(asked.filter((path) => path.endsWith('/events'))).toEqual([]);
  expect(await faults(page)).toEqual([]);
  await page.goto(`${p.server.url}?token=${token}`);
  await page.goto(new URL(`/sessions/${p.id}`, p.server.url).href);
  await message(page).waitFor();
  expect(await message(page).inputValue()).toBe('Written before the restart');
});

walk('restores a prompt that was not sent after a reload', async () => {
  await using p = await place({ locale: 'it-IT', colorScheme: 'dark' });
  const { page } = p;
  await page.getByRole('link', { name: 'Nuova sessione' }).first().click();
  await page.getByRole('textbox', { name: 'Attività' }).fill('Un compito da cominciare');
  await p.server.stop();
  await p.restart('another-token-0123456789-0123456789-0123456789');
  await page.getByRole('heading', { name: 'Accedi di nuovo dal terminale' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.goto(`${p.server.url}?token=another-token-0123456789-0123456789-0123456789`);
  await page.getByRole('textbox', { name: 'Attività' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Attività' }).inputValue()).toBe('Un compito da cominciare');
});

walk('a turn interrupted by a server stop leaves no spinner', async () => {
  await using p = await place();
  const { page, server } = p;
  server.model.script(({ lastRole }) =>
    lastRole === 'user'
      ? { toolCalls: [{ name: 'shell', arguments: { comando: 'sleep 60', descrizione: 'Waits' } }] }
      : { text: 'Done.' },
  );
  await message(page).fill('Wait');
  await message(page).press('Enter');
  await page.locator('.tool-head .spin').waitFor();
  await server.stop();
  await p.restart();
  await page.locator('.turn-outcome').getByText('Interrupted').waitFor();
  await page.locator('.session-head').getByText('Interrupted').waitFor();
  await page.locator('.spin').first().waitFor({ state: 'detached' });
  expect(await page.locator('.spin').count()).toBe(0);
});
