import { type Reply, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, type Visit, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

const WAITS: Reply = {
  toolCalls: [{ name: 'shell', arguments: { comando: 'tail -f /dev/null', descrizione: 'Waits' } }],
};

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) =>
      lastRole === 'user' && lastText.startsWith('WAIT') ? WAITS : { text: `Heard: ${lastText.slice(0, 80)}` },
  });
  // While a session runs, the window asks for the list more often.
  await server.startSession({ consegna: 'WAIT in the background' });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Shown extends Visit {
  id: string;
}

/** Opens a session that began with this message. */
async function shown(consegna: string): Promise<Shown> {
  const id = await server.startSession({ consegna, linguaInterfaccia: 'en' });
  return { ...(await visitAt({ browser: browser as Browser, server, path: `/sessions/${id}` })), id };
}

async function clean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

/** The entry that deletes a session, once the window knows that its turn has ended. */
const deletable = (page: Page) =>
  page.locator('[role="menuitem"][aria-disabled="false"]', { hasText: 'Delete session' });

walk('searches messages, opens a match, and renames in place', async () => {
  await using v = await shown('a needle in here');
  await server.settled(v.id);
  const { page } = v;
  await page.getByRole('searchbox', { name: 'Search' }).fill('NEEDLE');
  const place = page.getByRole('link', { name: 'Heard: a needle in here' });
  await place.click();
  await page.locator('[data-found]').waitFor();
  await clean(v);
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  const line = page.getByRole('link', { name: /a needle in here/ }).first();
  await line.focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Rename' }).fill('A better name');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A better name' }).waitFor();
});

walk('lists session actions and confirms deletion', async () => {
  await using v = await shown('to be deleted');
  await server.settled(v.id);
  const { page } = v;
  await page.getByRole('button', { name: 'More actions for to be deleted' }).click();
  await deletable(page).waitFor();
  await clean(v);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { name: 'What should the agent do?' }).waitFor();
});

/** The line of a session, while the section of running sessions lists it. */
const running = ({ page }: Visit, name: string) =>
  page
    .locator('.nav-section', { has: page.getByRole('heading', { name: 'Running' }) })
    .locator('.nav-line', { hasText: name });

/** Starts a session, and waits until the list on screen shows it. */
async function listsAfter({ page }: Visit, consegna: string): Promise<void> {
  await server.startSession({ consegna });
  await page.getByRole('link', { name: new RegExp(consegna) }).waitFor();
}

const stop = (id: string) => server.call('POST', `/sessions/${id}/stop`);

walk('keeps the menu of a session open, and its line in place, while its turn ends', async () => {
  await using v = await shown('WAIT with a menu');
  const { page } = v;
  const button = page.getByRole('button', { name: 'More actions for WAIT with a menu' });
  await running(v, 'WAIT with a menu').waitFor();
  await button.click();
  const remove = page.getByRole('menuitem', { name: 'Delete session' });
  await remove.waitFor();
  await stop(v.id);
  await deletable(page).waitFor();
  await running(v, 'WAIT with a menu').waitFor();
  await page.keyboard.press('Escape');
  await running(v, 'WAIT with a menu').waitFor({ state: 'detached' });
  await button.waitFor();
});

walk('renames from a menu that was opened before the turn ended', async () => {
  await using v = await shown('WAIT for a name');
  const { page } = v;
  await running(v, 'WAIT for a name').getByRole('button', { name: 'More actions for WAIT for a name' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  await stop(v.id);
  await deletable(page).waitFor();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await listsAfter(v, 'started before the name was there');
  await page.getByRole('textbox', { name: 'Rename' }).fill('Named at last');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Named at last' }).waitFor();
  await running(v, 'Named at last').waitFor({ state: 'detached' });
});

walk('keeps a name being typed while the turn of its session ends', async () => {
  await using v = await shown('WAIT to be named');
  const { page } = v;
  await running(v, 'WAIT to be named').getByRole('link').focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Rename' }).fill('Half a na');
  await stop(v.id);
  await server.settled(v.id);
  await listsAfter(v, 'started after the end');
  await page.keyboard.type('me');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Half a name' }).waitFor();
  await running(v, 'Half a name').waitFor({ state: 'detached' });
});

walk('keeps the menu of a session open while the lists of projects change places', async () => {
  await using other = await tempRepo({ 'a.txt': 'a\n' });
  await server.settled(await server.startSession({ consegna: 'elsewhere', cartellaLibera: other.path }));
  await using v = await shown('with a menu');
  await server.settled(v.id);
  const { page } = v;
  const sections = page.locator('.nav-section').filter({ hasNot: page.getByRole('heading', { name: 'Running' }) });
  await sections.nth(1).getByRole('link', { name: 'elsewhere' }).waitFor();
  await page.getByRole('button', { name: 'More actions for with a menu' }).click();
  const remove = page.getByRole('menuitem', { name: 'Delete session' });
  await remove.waitFor();
  await server.settled(await server.startSession({ consegna: 'elsewhere again', cartellaLibera: other.path }));
  await sections.nth(0).getByRole('link', { name: 'elsewhere again' }).waitFor();
  expect(await remove.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await remove.waitFor({ state: 'hidden' });
});

walk('shows the menu of a session in the place of its time, not on it', async () => {
  await using v = await shown('with a time');
  await server.settled(v.id);
  const { page } = v;
  const line = page.locator('.nav-line').filter({ has: page.getByRole('link', { name: 'with a time' }) });
  const time = line.locator('time');
  await time.waitFor();
  await line.hover();
  expect(await time.isVisible()).toBe(false);
  await page.mouse.move(600, 400);
  expect(await time.isVisible()).toBe(true);
});
