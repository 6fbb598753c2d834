import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { instanceHost, windowAddresses } from '@fucina/host';
import { writeOpeningPage } from '@fucina/shared';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { html, type Site, startSite } from './browser-fixture.ts';
import { type TestServer, TOKEN, testServer, until } from './harness.ts';
import { launchBrowser, openView, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let site: Site;
let folder: TempDir;
let server: TestServer;
let name: string;
let session: string;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await startSite({ '/': html('<!doctype html><title>Site</title><h1>Another port</h1>') });
  folder = await tempDir();
  await folder.write({ 'beta.txt': 'beta', 'docs/a.txt': 'a' });
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastText }) => ({ text: `Heard: ${lastText.slice(0, 200)}` }),
  });
  name = await instanceHost(server.dataDir);
  const links = `See ${site.url}/ and http://${name}:${site.port}/ now`;
  session = await server.startSession({ cartellaLibera: folder.path, consegna: links, linguaInterfaccia: 'en' });
  await server.settled(session);
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** A signed-in user whose window is at the name of the instance. */
async function atName(path = `/sessions/${session}`): Promise<Visit> {
  const named = { ...server, url: `http://${name}:${server.port}/` };
  const visited = await visit({ browser: browser as Browser, server: named });
  await visited.page.goto(new URL(path, named.url).href);
  return visited;
}

const cookiesOf = async (page: Page): Promise<string[]> =>
  (await page.context().cookies()).map(({ name: key, domain }) => `${key} of ${domain}`);
const cookiesAsked = (): (string | undefined)[] => site.asked.map(({ headers }) => headers.cookie);

walk('the window works under the name of the instance: stream, terminal, upload, download, manifest', async () => {
  await using place = await atName();
  const { page, complaints } = place;
  await page.getByText('Heard: See').waitFor();
  expect(await cookiesOf(page)).toEqual([`svc_token of ${name}`]);
  expect(await page.evaluate(() => isSecureContext)).toBe(true);

  await page.getByRole('textbox', { name: 'Message' }).fill('and streamed');
  await page.keyboard.press('Enter');
  await page.getByText('Heard: and streamed', { exact: true }).waitFor();

  await openView(page, 'Terminal');
  await page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' });
  await page.locator('.xterm-rows', { hasText: /[#$%>]/ }).waitFor();
  await page.keyboard.type('echo $((40 + 2))$((1 + 1))');
  await page.keyboard.press('Enter');
  await page.locator('.xterm-rows', { hasText: '422' }).waitFor();

  await openView(page, 'Files');
  const row = (text: string) => page.locator('[role="treeitem"]', { hasText: text });
  await row('docs').waitFor();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['dropped words'], 'dropped.txt', { type: 'text/plain' }));
    const target = [...document.querySelectorAll('[role="treeitem"]')].find(
      (entry) => entry.querySelector('.tree-name')?.textContent === 'docs',
    );
    target?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.getByText('1 file added.').waitFor();
  expect(await readFile(join(folder.path, 'docs/dropped.txt'), 'utf8')).toBe('dropped words');
  await row('beta.txt').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toBe('beta');

  const manifest = await page.evaluate(async () => {
    const href = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href ?? '';
    return { href, name: ((await (await fetch(href)).json()) as { name: string }).name };
  });
  expect(manifest).toEqual({ href: `http://${name}:${server.port}/manifest.webmanifest`, name: 'Fucina' });
  expect(complaints).toEqual([]);
});

walk('no other port gets the token: links, typed addresses, pages that the user opens', async () => {
  await using place = await atName();
  const { page, complaints } = place;
  site.asked.length = 0;
  const link = page.getByRole('link', { name: site.url }).last();
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`http://localhost:${site.port}/`);
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await opened.getByText('Another port').waitFor();
  expect(new URL(opened.url()).host).toBe(`localhost:${site.port}`);

  // The name of the instance with another port is text.
  await page.getByText('Not opened: this address would receive your access token.').first().waitFor();
  expect(await page.locator(`a[href*="${name}:${site.port}"]`).count()).toBe(0);

  // Typed into the browser itself.
  const typed = await page.context().newPage();
  for (const address of [site.url, `http://localhost:${site.port}/`]) await typed.goto(address);
  expect(cookiesAsked().length).toBeGreaterThanOrEqual(3);
  expect(cookiesAsked().filter((cookie) => cookie?.includes(TOKEN))).toEqual([]);

  // Typed into the window.
  await openView(page, 'Preview');
  const field = page.getByRole('textbox', { name: 'Page address' });
  await field.fill(`127.0.0.1:${site.port}`);
  await page.keyboard.press('Enter');
  await page.frameLocator('iframe.page-frame').frameLocator('iframe').getByText('Another port').waitFor();
  expect(await page.getByRole('link', { name: 'Open in a browser tab' }).getAttribute('href')).toBe(
    `http://localhost:${site.port}/`,
  );
  await field.fill(`http://${name}:${site.port}/`);
  await page.keyboard.press('Enter');
  await page.getByText('Fucina cannot be shown inside itself').waitFor();
  expect(cookiesAsked().filter((cookie) => cookie?.includes(TOKEN))).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('a bookmark of 127.0.0.1 works, and a cookie that another port sets there locks nobody out', async () => {
  await using place = await visit({ browser: browser as Browser, server, path: `/sessions/${session}` });
  const { page, complaints } = place;
  await page.getByText('Heard: See').first().waitFor();
  site.pages['/set'] = html('<h1>Set</h1>', { 'set-cookie': 'svc_token=mine; Path=/api' });
  const other = await page.context().newPage();
  await other.goto(`${site.url}/set`);
  expect(await cookiesOf(page)).toEqual(['svc_token of 127.0.0.1', 'svc_token of 127.0.0.1']);
  await page.reload();
  await page.getByText('Heard: See').first().waitFor();
  // From here too, a link to another port does not take the token along.
  site.asked.length = 0;
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: site.url }).last().click(),
  ]);
  await opened.getByText('Another port').waitFor();
  expect(cookiesAsked().filter((cookie) => cookie?.includes(TOKEN))).toEqual([]);
  expect(complaints).toEqual([]);
});

walk(
  'a browser that resolves the name opens it from the page of the launcher, another one the plain address',
  async () => {
    const query = `?token=${TOKEN}`;
    const { named, plain } = await windowAddresses({ url: server.url, folder: server.dataDir, query });
    const start = async (address: string | undefined): Promise<string> => {
      await using place = await tempDir();
      const context = await (browser as Browser).newContext();
      try {
        const page = await context.newPage();
        await page.goto(pathToFileURL(await writeOpeningPage(place.path, { plain, named: address })).href);
        await page.waitForURL(/^http:[^?#]*$/);
        const signedIn = async () => ((await context.cookies()).length === 1 ? true : undefined);
        await until(signedIn);
        return new URL(page.url()).host;
      } finally {
        await context.close();
      }
    };
    expect(named).toBe(`http://${name}:${server.port}/${query}`);
    expect(await start(named)).toBe(`${name}:${server.port}`);
    expect(await start(undefined)).toBe(`127.0.0.1:${server.port}`);
    // Nothing answers there with an image.
    for (const dead of [`http://${name}:1/${query}`, `http://${name}:${site.port}/${query}`])
      expect(await start(dead)).toBe(`127.0.0.1:${server.port}`);
  },
);
