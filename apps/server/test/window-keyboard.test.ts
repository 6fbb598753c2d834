import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import {
  faults,
  launchBrowser,
  openView,
  shot,
  smallTargets,
  type Visit,
  visit as visitAt,
  WINDOW_FOLDER,
  walk,
} from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) server = await testServer({ windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const visit = (path: string, options: Parameters<typeof visitAt>[1] = {}): Promise<Visit> =>
  visitAt({ browser: browser as Browser, server, path }, options);

async function session(nome: string): Promise<string> {
  const id = await server.startSession();
  await server.settled(id);
  await server.call('POST', `/sessions/${id}/rename`, { body: { nome } });
  return id;
}

const focusedText = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('title') ?? document.activeElement?.textContent);

walk('? lists the shortcuts, except while typing', async () => {
  const id = await session('Shortcuts');
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.pressSequentially('Why?');
  expect(await field.inputValue()).toBe('Why?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await field.press('Escape');
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Toggle sidebar').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'shortcuts-1440');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(v.complaints).toEqual([]);
});

walk('a shortcut focuses the message field from every view and page', async () => {
  const id = await session('Focus');
  await using v = await visit(`/sessions/${id}/files`);
  const { page } = v;
  await page.getByRole('navigation', { name: 'Session views' }).waitFor();
  await page.keyboard.press('ControlOrMeta+i');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Message');
  await page.goto(new URL('/settings', server.url).href);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.keyboard.press('ControlOrMeta+i');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Task');
  expect(v.complaints).toEqual([]);
});

walk('the shortcut for the model works as soon as the page is there', async () => {
  await using v = await visit('/settings/about');
  const { page } = v;
  await page.addInitScript(() => {
    const press = () => {
      if (!document.querySelector('textarea[aria-label="Task"]')) return;
      observer.disconnect();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'M', ctrlKey: true, shiftKey: true, bubbles: true }));
    };
    const observer = new MutationObserver(press);
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto(server.url);
  await page.getByRole('dialog', { name: 'Choose a model' }).waitFor();
  expect(v.complaints).toEqual([]);
});

walk('in a terminal, Ctrl B and Ctrl I go to the shell', async () => {
  const id = await session('Shell');
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  await openView(page, 'Terminal');
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Control+i');
  expect(await page.getByRole('complementary', { name: 'Sessions' }).count()).toBe(1);
  expect(new URL(page.url()).pathname).toMatch(/\/terminal$/);
});

walk('the sidebar’s tab stop is the current session also when the list arrives late', async () => {
  const first = await session('Roving late');
  await using v = await visit('/');
  const { page } = v;
  await page.getByRole('link', { name: 'Inbox' }).waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/sessions', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(new URL(`/sessions/${first}`, server.url).href);
  const stops = page.locator('[data-roving][tabindex="0"]');
  await stops.filter({ hasText: 'Inbox' }).waitFor();
  release();
  await stops.filter({ hasText: 'Roving late' }).waitFor();
  expect(await stops.count()).toBe(1);
});

walk('the sidebar is one tab stop with arrow keys', async () => {
  const [first, second] = [await session('Roving one'), await session('Roving two')];
  await using v = await visit(`/sessions/${first}`);
  const { page } = v;
  const link = (name: string) => page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name });
  await link('Roving one').waitFor();
  await page.getByRole('button', { name: 'Ctrl K' }).focus();
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe('Roving one');
  await page.keyboard.press('ArrowUp');
  expect(await focusedText(page)).toBe('Roving two');
  await page.keyboard.press('ArrowRight');
  expect(await focusedText(page)).toBe('More actions for Roving two');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  expect(await focusedText(page)).toBe('Help');
  await page.keyboard.press('ArrowUp');
  expect(await focusedText(page)).toBe('Settings');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('separator');
  // The stop is where the user left it.
  await page.keyboard.press('Shift+Tab');
  expect(await focusedText(page)).toBe('Settings');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(second));
  expect(v.complaints).toEqual([]);
});

walk('the palette acts on the session on screen', async () => {
  const id = await session('Palette');
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  const run = async (name: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').getByRole('combobox').fill(name);
    await page.getByRole('option', { name, exact: true }).click();
  };
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await run('Turn plan mode on');
  await page.getByRole('switch', { name: 'Plan', checked: true }).waitFor();
  await run('Toggle details');
  await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' });
  await run('Rename');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Rename' }).fill('A better name');
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('navigation').getByText('A better name').waitFor();
  await run('Fork');
  await page.waitForURL((url) => /\/sessions\//.test(url.pathname) && !url.pathname.includes(id));
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.route('**/settings', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await run('Turn plan mode off');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  expect(v.complaints).toEqual([]);
});

walk('the palette opens the first time without the server', async () => {
  const id = await session('Away');
  await using v = await visit(`/sessions/${id}`);
  const { page } = v;
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/overlays-[\w-]+\.js$/.test(name)),
  );
  await page.waitForLoadState('networkidle');
  await page.route('**/*', (route) => route.abort());
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
});

walk('every target is at least 24 px, or has that much space', async () => {
  const id = await session('Targets');
  const found: string[] = [];
  await using v = await visit('/');
  const paths = ['', '/changes', '/files', '/git', '/page', '/library'].map((view) => `/sessions/${id}${view}`);
  for (const path of [
    '/',
    '/settings/providers',
    '/settings/appearance',
    '/inbox',
    '/automations',
    '/records/notes',
    ...paths,
  ]) {
    await v.page.goto(new URL(path, server.url).href);
    await v.page.getByRole('heading', { level: 1 }).first().waitFor();
    await v.page.waitForLoadState('networkidle');
    found.push(...(await smallTargets(v.page)).map((target) => `${path}: ${target}`));
  }
  expect(found).toEqual([]);
});
