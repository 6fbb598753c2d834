import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type HubFixture, hubFixture, MODEL, PICTURE, REPO } from './hub-fixture.ts';
import { faults, fitsWindow, launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let fixture: HubFixture;
let browser: Browser | undefined;
beforeAll(async () => {
  fixture = await hubFixture({ windowFolder: WINDOW_FOLDER, settings: { model: 'ollama:tiny' } });
  browser = await launchBrowser();
});
afterEach(() => fixture.hub.intercept(undefined));
afterAll(async () => {
  await browser?.close();
  await fixture[Symbol.asyncDispose]();
});

async function enter(path: string, options: Parameters<typeof visit>[1] = {}): Promise<Visit> {
  const place = await visit({ browser: browser as Browser, server: fixture.server, path }, options);
  return place;
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const SHOTS = process.env.FUCINA_SHOTS;

/** Folder for screenshots, if requested. */
async function shot(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

/** The file host sends the first half, and the rest when released. */
function hold(): { go(): void } {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  fixture.hub.intercept(async (asked, response) => {
    if (asked.to !== 'files' || asked.headers.range) return false;
    response.writeHead(200, { 'content-length': MODEL.length });
    response.write(MODEL.subarray(0, MODEL.length / 2));
    await held;
    response.end(MODEL.subarray(MODEL.length / 2));
    return true;
  });
  return { go: () => go() };
}

walk('searches, inspects, downloads, pauses and resumes a model', async () => {
  await using place = await enter('/');
  const { page, complaints } = place;
  await page.getByRole('link', { name: 'Local models' }).click();
  await page.getByText('No local models yet').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'empty');
  await page.getByRole('link', { name: 'Search the model hub' }).click();
  await page.getByText('maker/large').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'search');
  await page.getByLabel('Sort by').selectOption('Most liked');
  await page.waitForURL(/sort=likes/);
  await page.getByRole('searchbox', { name: 'Search the model hub' }).fill('nothing like it');
  await page.getByText('No models found').waitFor();
  await page.getByRole('searchbox', { name: 'Search the model hub' }).fill('tiny');
  await page.getByRole('link', { name: REPO }).click();
  await page.getByRole('heading', { name: REPO }).waitFor();
  await page.getByText('A small model.').waitFor();
  await page.getByText('Licence: apache-2.0').waitFor();
  const asked = fixture.hub.requests.length;
  expect(fixture.hub.requests.some(({ path }) => path.includes('picture.png'))).toBe(false);
  await page.getByRole('button', { name: 'Show one image' }).click();
  await page.getByRole('img', { name: 'How it looks' }).waitFor();
  expect(fixture.hub.requests.length).toBeGreaterThan(asked - 1);
  await page.getByText('Q4_K_M', { exact: true }).waitFor();
  await page.getByText(/Fits: needs about \d/).waitFor();
  await page.getByRole('meter', { name: 'Memory needed' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'repository');

  const held = hold();
  await page.getByRole('button', { name: 'Download tiny-Q4_K_M' }).click();
  const ask = dialog(page, 'Download tiny-Q4_K_M?');
  await ask.getByText('Licence: apache-2.0', { exact: false }).waitFor();
  await shot(page, 'ask');
  await ask.getByRole('button', { name: 'Download' }).click();
  await page.getByText('Downloading', { exact: true }).waitFor();
  const bar = page.getByRole('progressbar', { name: 'tiny-Q4_K_M' });
  await page.getByText('1 MB of 2 MB').waitFor();
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBe(50);
  expect(await faults(page)).toEqual([]);
  await shot(page, 'downloading');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  held.go();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Ready', { exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Local models' }).getByRole('link', { name: 'On this computer' }).click();
  await page.getByText('tiny-Q4_K_M').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'installed');
  await page.goto(new URL(`/local-models/hub/${REPO}`, fixture.server.url).href);
  await page.getByRole('region', { name: 'Files' }).getByText('Downloaded').waitFor();
  expect(complaints).toEqual([]);
});

walk('shows why a download failed and removes a cancelled one', async () => {
  await using place = await enter('/local-models/downloads');
  const { page, complaints } = place;
  fixture.hub.intercept((_asked, response) => Boolean(response.writeHead(403).end()));
  const manifest = fixture.hub.manifest(REPO, ['tiny-Q4_K_M.gguf'], 'gated');
  await fixture.server.call('POST', '/hub/download', { body: manifest });
  await page.reload();
  await page.getByText('The hub gives this model only to approved accounts.').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'failed');
  await page.getByRole('button', { name: 'Cancel download' }).click();
  await dialog(page, /^Cancel the download of/)
    .getByRole('button', { name: 'Cancel download' })
    .click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

walk('imports, renames, copies the path of and deletes a file by keyboard', async () => {
  await using files = await tempDir();
  await files.write({ 'Own.gguf': Buffer.concat([Buffer.from('GGUF'), PICTURE]), 'wrong.gguf': 'no model' });
  await using place = await enter('/local-models', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, complaints } = place;
  const input = page.locator('input[type=file]');
  await input.setInputFiles(join(files.path, 'wrong.gguf'));
  await page.getByText('wrong.gguf is not a GGUF model.').waitFor();
  expect(await faults(page)).toEqual([]);
  await input.setInputFiles(join(files.path, 'Own.gguf'));
  await page.getByText('Imported file').waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'Imported file' });
  await row.getByRole('button', { name: 'Actions for own' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
  await page.getByRole('textbox', { name: 'Rename' }).fill('My own');
  await page.getByRole('textbox', { name: 'Rename' }).press('Enter');
  await row.getByText('My own', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Actions for My own' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Copy path' }).press('Enter');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).endsWith('models/own/Own.gguf'));
  await row.getByRole('button', { name: 'Actions for My own' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  const ask = dialog(page, 'Delete My own?');
  await shot(page, 'delete');
  await ask.getByRole('button', { name: 'Cancel' }).click();
  // The focus is back where the question came from; before, Enter could still go to it.
  await row.locator('[aria-label="Actions for My own"]:focus').waitFor();
  await row.getByRole('button', { name: 'Actions for My own' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await ask.getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await fixture.server.call('GET', '/local-models')).data.items.map((model: any) => model.id)).not.toContain(
    'own',
  );
  expect(complaints).toEqual([]);
});

walk('shows the progress of an import and stops it', async () => {
  await using files = await tempDir();
  await files.write({ 'large.gguf': Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(30_000_000)]) });
  await using place = await enter('/local-models');
  const { page, complaints } = place;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200_000,
  });
  await page.locator('input[type=file]').setInputFiles(join(files.path, 'large.gguf'));
  await page.getByText('Importing large.gguf').waitFor();
  await page.getByRole('progressbar', { name: 'large.gguf' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'importing');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Importing large.gguf').waitFor({ state: 'detached' });
  const { items } = (await fixture.server.call('GET', '/local-models')).data;
  expect(items.map((model: any) => model.id)).not.toContain('large');
  expect(complaints).toEqual([]);
});

walk('works in Italian, narrow and dark, and reports an unreachable hub', async () => {
  await using place = await enter('/local-models/hub', {
    locale: 'it-IT',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const { page, complaints } = place;
  await page.getByRole('heading', { name: 'Modelli locali' }).waitFor();
  await page.getByRole('link', { name: REPO }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'narrow-search');
  await page.goto(new URL(`/local-models/hub/${REPO}`, fixture.server.url).href);
  await page.getByText('Licenza: apache-2.0').waitFor();
  expect(await faults(page)).toEqual([]);
  await fitsWindow(page);
  await shot(page, 'narrow-repository');
  await page.goto(new URL('/local-models/downloads', fixture.server.url).href);
  await page.getByText('Pronto', { exact: true }).waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'narrow-downloads');
  fixture.hub.intercept((_asked, response) => Boolean(response.writeHead(500).end()));
  await page.goto(new URL('/local-models/hub?q=other', fixture.server.url).href);
  await page.getByRole('alert').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'narrow-failure');
  expect(complaints).toEqual([]);
});
