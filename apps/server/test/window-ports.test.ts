import { freePort, pageServerCommand } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    isApart: true,
    script: ({ lastRole, lastText }) => {
      const [, port] = /^SERVE (\d+)/.exec(lastText) ?? [];
      if (lastRole !== 'user') return { text: `It runs at http://localhost:${latest}/.` };
      const comando = pageServerCommand(Number(port), '<h1>From the sandbox</h1>');
      return { toolCalls: [{ name: 'shell', arguments: { comando, sfondo: true } }] };
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

/** Port of the server that the model started last. */
let latest = 0;

async function serving(): Promise<{ id: string; port: number }> {
  const port = await freePort();
  latest = port;
  const id = await server.startSession({ consegna: `SERVE ${port}`, permessi: 'Workspace write' });
  await server.settled(id);
  await until(async () => ((await listed(id)).length > 0 ? true : undefined));
  return { id, port };
}
const listed = async (id: string): Promise<any[]> =>
  (await server.call('GET', `/ext/sessions/${id}/ports`)).data.servers;
const isOpen = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
const enter = (path: string) => visit({ browser: browser as Browser, server, path });
const panelOf = (page: Page) => page.getByRole('region', { name: 'Servers in the sandbox' });

walk('a server of the sandbox is opened and closed beside the conversation', async () => {
  const { id, port } = await serving();
  await using place = await enter(`/sessions/${id}`);
  const { page, complaints } = place;
  const panel = panelOf(page);
  await panel.getByText('not open on this computer').waitFor();
  expect(await isOpen(port)).toBe(false);
  await panel.getByRole('button', { name: `Open port ${port}` }).click();
  await panel.getByRole('link', { name: `http://localhost:${port}` }).waitFor();
  expect(await isOpen(port)).toBe(true);
  expect(await faults(page)).toEqual([]);
  await shot(page, 'ports');
  await panel.getByRole('button', { name: `Close port ${port}` }).click();
  await panel.getByText('not open on this computer').waitFor();
  expect(await isOpen(port)).toBe(false);
  expect(complaints).toEqual([]);
});

walk('opening a preview opens the port', async () => {
  const { id, port } = await serving();
  await using place = await enter(`/sessions/${id}/page`);
  const { page } = place;
  await page.getByRole('button', { name: `http://localhost:${port}` }).waitFor();
  expect(await isOpen(port)).toBe(false);
  await page.getByRole('button', { name: `http://localhost:${port}` }).click();
  await page
    .frameLocator('iframe.page-frame')
    .frameLocator('iframe')
    .getByRole('heading', { name: 'From the sandbox' })
    .waitFor();
  expect(await isOpen(port)).toBe(true);
});

walk('a link in the conversation opens the port, then the page in a new tab', async () => {
  const { id, port } = await serving();
  await using place = await enter(`/sessions/${id}`);
  const { page } = place;
  const link = page.getByRole('link', { name: `http://localhost:${port}/` }).first();
  await link.waitFor();
  expect(await isOpen(port)).toBe(false);
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await tab.getByRole('heading', { name: 'From the sandbox' }).waitFor();
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
  expect(await isOpen(port)).toBe(true);
});
