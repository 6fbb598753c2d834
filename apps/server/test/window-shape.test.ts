import { basename } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import {
  answerByKey,
  faults,
  launchBrowser,
  openView,
  shot,
  type Visit,
  visit as visitAt,
  WINDOW_FOLDER,
  walk,
} from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      if (lastRole !== 'user') return { text: 'The server is at http://localhost:5173/ now.' };
      if (lastText.startsWith('WRITE'))
        return { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'notes.md', contenuto: '# Notes\n' } }] };
      return { text: 'Understood.' };
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const visit = (path: string, options: Parameters<typeof visitAt>[1] = {}): Promise<Visit> =>
  visitAt({ browser: browser as Browser, server, path }, options);

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sessions' });
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const edge = (page: Page, name: string) => page.getByRole('separator', { name: `Resize: ${name}` });
const widthOf = async (page: Page, name: string) => Number(await edge(page, name).getAttribute('aria-valuenow'));

walk('sidebar and details are resized and hidden by keyboard and pointer, also after a reload', async () => {
  const id = await server.startSession();
  await server.settled(id);
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  await edge(page, 'Sessions').focus();
  await page.keyboard.press('ArrowRight');
  expect(await widthOf(page, 'Sessions')).toBe(280);
  expect((await sidebar(page).boundingBox())?.width).toBe(280);
  await page.keyboard.press('End');
  expect(await widthOf(page, 'Sessions')).toBe(480);
  await page.keyboard.press('Home');
  expect(await widthOf(page, 'Sessions')).toBe(200);
  const box = await edge(page, 'Details').boundingBox();
  if (!box) throw new Error('the details have no edge');
  await page.mouse.move(box.x + box.width / 2, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 100, 400);
  await page.mouse.up();
  expect(await widthOf(page, 'Details')).toBe(396);
  await page.reload();
  expect([await widthOf(page, 'Sessions'), await widthOf(page, 'Details')]).toEqual([200, 396]);
  await edge(page, 'Details').dblclick();
  expect(await widthOf(page, 'Details')).toBe(296);

  await page.keyboard.press('ControlOrMeta+b');
  await sidebar(page).waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+Alt+b');
  await details(page).waitFor({ state: 'detached' });
  expect(await faults(page)).toEqual([]);
  await shot(page, 'shape-collapsed-1440');
  await page.reload();
  await page.getByRole('button', { name: 'Details', expanded: false }).click();
  await details(page).waitFor();
  expect(await sidebar(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Show sessions' }).click();
  await edge(page, 'Sessions').focus();
  await page.keyboard.press('Enter');
  await sidebar(page).waitFor({ state: 'detached' });
  expect(v.complaints).toEqual([]);
});

walk('an unreadable stored layout shows both columns', async () => {
  const id = await server.startSession();
  await server.settled(id);
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  await sidebar(page).waitFor();
  for (const stored of [
    '{"left":{"width":"x","isCollapsed":true}}',
    'not JSON',
    '{"left":{"width":9999,"isCollapsed":false},"right":{"width":1,"isCollapsed":false}}',
  ]) {
    await page.evaluate((text) => localStorage.setItem('fucina.columns', text), stored);
    await page.reload();
    await sidebar(page).waitFor();
    await details(page).waitFor();
  }
  expect([await widthOf(page, 'Sessions'), await widthOf(page, 'Details')]).toEqual([480, 240]);
});

walk('views are grouped, and show a badge where something happened', async () => {
  const id = await server.startSession({ consegna: 'WRITE a file', permessi: 'On request' });
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  const views = page.getByRole('navigation', { name: 'Session views' });
  await views.getByRole('link', { name: 'Preview' }).waitFor();
  const names = await views.getByRole('link').allInnerTexts();
  expect(names).toEqual(['Conversation', 'Changes', 'Files', 'Terminal', 'Preview']);
  await page.getByRole('region', { name: 'Write this file?' }).waitFor();
  await openView(page, 'Git');
  await page.waitForURL(/\/git$/);
  await views.getByRole('button', { name: 'More: Git' }).waitFor();
  await views.getByRole('img', { name: '1 request is waiting for you' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'shape-more-1440');
  await page.keyboard.press('Escape');
  await views.getByRole('link', { name: /Conversation/ }).click();
  await answerByKey(page, 'Write this file?', '1');
  await page.getByText('The server is at').first().waitFor();
  await views.getByRole('link', { name: 'Changes 1' }).waitFor();

  await openView(page, 'Files');
  await page.getByRole('list', { name: 'Changed in this session' }).getByRole('button', { name: 'notes.md' }).click();
  await page.waitForURL(/file=notes\.md/);
  await openView(page, 'Preview');
  const addresses = page.getByRole('list', { name: 'Local addresses in this session' });
  await addresses.getByRole('button', { name: 'http://localhost:5173' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'shape-preview-1440');
  expect(v.complaints).toEqual([]);
});

walk('details show the number of running commands', async () => {
  const id = await server.startSession();
  await server.settled(id);
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('! sleep 30');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Details, 1 running command' }).waitFor();
  await details(page).getByRole('button', { name: 'Stop sleep 30' }).click();
  await page.getByRole('button', { name: 'Details', exact: true }).waitFor();
  expect(v.complaints).toEqual([]);
});

walk('first steps welcome, choose the language and try a sample task', async () => {
  await using v = await visit('/setup');
  const { page } = v;
  await page.getByRole('heading', { name: 'Welcome to Fucina' }).waitFor();
  await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Italiano' }).click();
  await page.getByRole('heading', { name: 'Benvenuto in Fucina' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'setup-welcome-it-1440');
  for (const heading of ['Dove deve lavorare l’agente?', 'Quale modello', 'Che cosa può fare', 'Pronto']) {
    await page.getByRole('button', { name: 'Avanti' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
  }
  const tasks = page.getByRole('region', { name: 'Prova un’attività di esempio' });
  await tasks.getByRole('button').first().waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'setup-end-it-1440');
  await tasks.getByRole('button').first().click();
  await page.waitForURL(/\/sessions\/[\w-]+$/);
  await page.getByRole('navigation', { name: 'Viste della sessione' }).waitFor();
  expect(v.complaints).toEqual([]);
});

walk('first steps keep the folder of a link, and so does the new session after them', async () => {
  await using v = await visit('/nowhere');
  const { page } = v;
  await page.route('**/api/v1/setup/stato', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const data = { ...body.data, introDisattivato: false, provider: { ...body.data.provider, pronto: false } };
    await route.fulfill({ response: answer, json: { ...body, data } });
  });
  const folder = server.project.path;
  await page.goto(new URL(`/?folder=${encodeURIComponent(folder)}`, server.url).href);
  await page.getByRole('heading', { name: 'Welcome to Fucina' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: `Selected: ${basename(folder)}` }).waitFor();
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('textbox', { name: 'Task' }).waitFor();
  await page.getByRole('button', { name: basename(folder) }).waitFor();
  expect(v.complaints).toEqual([]);
});

walk('a sample task that is refused says so and can be started again', async () => {
  await using v = await visit('/setup');
  const { page } = v;
  for (let step = 1; step < 5; step += 1) await page.getByRole('button', { name: 'Next' }).click();
  const tasks = page.getByRole('region', { name: 'Try a sample task' });
  await page.route('**/api/v1/sessions', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await tasks.getByRole('button').first().click();
  await tasks.getByRole('alert').waitFor();
  await page.unroute('**/api/v1/sessions');
  await tasks.getByRole('button').first().click();
  await page.waitForURL(/\/sessions\/[\w-]+$/);
});

walk('the list of providers shows a status only where something was set, and is searched', async () => {
  await using v = await visit('/settings/providers');
  const { page } = v;
  const ollama = page.getByRole('button', { name: /Ollama/ });
  await ollama.getByText('Custom address').waitFor();
  expect(await page.getByText(/Not tested|Default address|No key/).count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Search providers' }).fill('mistr');
  expect(await page.getByRole('button', { name: 'Mistral' }).count()).toBe(1);
  expect(await ollama.count()).toBe(0);
  expect(await faults(page)).toEqual([]);
  await shot(page, 'providers-1440');
});
