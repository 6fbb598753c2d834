import { chmod, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { faults, fitsWindow, launchBrowser, openView, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const BIN = 'node_modules/.bin/prettier';

let server: TestServer;
let browser: Browser | undefined;
let sessionId: string;
beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({ windowFolder: WINDOW_FOLDER });
  await install('#!/bin/sh\ncat\n');
  sessionId = await server.startSession({});
  await server.settled(sessionId);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function install(program: string): Promise<void> {
  await server.project.write({ [BIN]: program });
  await chmod(join(await realpath(server.project.path), BIN), 0o755);
}
const look = (options: Parameters<typeof visit>[1] = {}) =>
  visit({ browser: browser as Browser, server, path: `/sessions/${sessionId}` }, options);
const prettier = (page: Page) => page.getByRole('checkbox', { name: /^prettier/ });

walk('a formatter is turned on with the trust in it, and again after it changed', async () => {
  await using v = await look();
  const { page } = v;
  await openView(page, 'Extensions');
  await prettier(page).waitFor();
  expect(await prettier(page).isChecked()).toBe(false);
  await page.route('**/ext/formatters/**', (route) => route.abort());
  await prettier(page).click();
  await page.getByRole('alert').filter({ hasText: 'The server is not responding' }).waitFor();
  await page.unroute('**/ext/formatters/**');
  await prettier(page).click();
  await page.locator('input:checked').first().waitFor();
  await clean(v);
  await prettier(page).scrollIntoViewIfNeeded();
  await shot(page, 'formatters-light-1440');
  await install('#!/bin/sh\ncat\n# another version\n');
  await page.reload();
  await openView(page, 'Extensions');
  await page.getByText('It changed since you trusted it').waitFor();
  expect(await prettier(page).isChecked()).toBe(false);
  await prettier(page).click();
  await page.getByText('It changed since you trusted it').waitFor({ state: 'detached' });
});

for (const [locale, colorScheme] of [
  ['en-GB', 'dark'],
  ['it-IT', 'light'],
] as const) {
  walk(`formatters fit a phone in ${locale}, ${colorScheme}`, async () => {
    await using v = await look({ viewport: { width: 900, height: 900 }, locale, colorScheme });
    const { page } = v;
    await openView(page, locale === 'it-IT' ? 'Estensioni' : 'Extensions');
    await prettier(page).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await prettier(page).scrollIntoViewIfNeeded();
    await fitsWindow(page);
    expect(await faults(page)).toEqual([]);
    await shot(page, `formatters-${locale}-${colorScheme}-390`);
  });
}
