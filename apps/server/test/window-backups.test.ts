import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({ windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
const open = (options: Parameters<typeof visit>[1] = {}) =>
  visit({ browser: browser as Browser, server, path: '/settings/backups' }, options);

walk('the user schedules backups, sees why a folder is refused, and makes one at once', async () => {
  await using v = await open();
  const { page } = v;
  await page.getByText('No backup made yet.').waitFor();
  const save = page.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'Daily' }).check();
  await page.getByLabel('Folder').fill(join(server.dataDir, 'copies'));
  await save.click();
  await page.getByText('This folder is in the data folder').waitFor();
  const folder = join(await realpath(server.project.path), 'copies');
  await page.getByLabel('Folder').fill(folder);
  await page.getByLabel('Backups to keep').fill('2');
  await save.click();
  // The button is disabled while it saves, too.
  const kept = async () => (await server.call('GET', '/ext/backup')).data.backup.cartella;
  await until(async () => ((await kept()) === folder ? true : undefined));
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText('Last backup:').waitFor();
  expect(await readdir(folder)).toHaveLength(1);
  expect((await server.call('GET', '/ext/backup')).data.backup).toMatchObject({
    frequenza: 'giornaliera',
    cartella: folder,
    conserva: 2,
  });
  await clean(v);
  await shot(page, 'backups-light-1440');
});

for (const [locale, colorScheme] of [
  ['it-IT', 'dark'],
  ['en-GB', 'light'],
] as const) {
  walk(`backups fit a phone in ${locale}, ${colorScheme}`, async () => {
    await using v = await open({ locale, colorScheme, viewport: { width: 390, height: 844 } });
    await v.page.getByRole('radio', { checked: true }).waitFor();
    await clean(v);
    await shot(v.page, `backups-${locale}-${colorScheme}-390`);
  });
}
