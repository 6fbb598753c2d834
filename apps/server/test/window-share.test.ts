import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const TOKEN_TEXT = `ghp_${'a1B2'.repeat(9)}`;

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
  server = await testServer({ windowFolder: WINDOW_FOLDER, script: () => ({ text: `Use **${TOKEN_TEXT}** here.` }) });
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

async function enter(options: Parameters<typeof visit>[1] = {}): Promise<Visit> {
  const id = await server.startSession({ consegna: 'Where is the token?' });
  await server.settled(id);
  return visit({ browser: browser as Browser, server, path: `/sessions/${id}` }, options);
}

async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

walk('exports a page and Markdown without secrets, and JSON with everything', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  const open = () => page.getByRole('button', { name: 'Export', exact: false }).first().click();
  await open();
  const dialog = page.getByRole('dialog', { name: 'Export session' });
  await dialog.getByText('1 secret was removed').click();
  await dialog.getByText('ghp_…').waitFor();
  expect(await dialog.getByRole('region', { name: 'Preview' }).innerText()).toContain('Use **[token removed]** here.');
  expect(await faults(page)).toEqual([]);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await shot(page, `share-light-${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const html = await saved(page, 'Save file');
  expect(html.name).toBe('Where is the token.html');
  expect(html.text).toContain('<strong>[token removed]</strong>');
  expect(html.text).not.toContain(TOKEN_TEXT);

  const context = page.context();
  const reader = await context.newPage();
  await reader.setContent(html.text);
  await shot(reader, 'shared-page');
  await reader.close();

  await open();
  await dialog.getByRole('button', { name: 'Markdown' }).click();
  const markdown = await saved(page, 'Save file');
  expect(markdown).toMatchObject({ name: 'Where is the token.md' });
  expect(markdown.text).toMatch(/^# Where is the token\?\n\n## User\n\nWhere is the token\?\n\n## Agent\n/);
  await open();
  await dialog.getByRole('button', { name: 'JSON' }).click();
  await dialog.getByText('with nothing removed').waitFor();
  const json = await saved(page, 'Save file');
  expect(JSON.parse(json.text).eventi.length).toBeGreaterThan(3);
  expect(json.text).toContain(TOKEN_TEXT);
  expect(complaints).toEqual([]);
});

walk('says that the server is away, in Italian and dark, and works when it is back', async () => {
  await using place = await enter({ locale: 'it-IT', colorScheme: 'dark' });
  const { page, complaints } = place;
  await page.route('**/export', (route) => route.abort());
  await page.getByRole('button', { name: 'Esporta', exact: false }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Esporta la sessione' });
  await dialog.getByRole('alert').waitFor();
  await page.unroute('**/export');
  await dialog.getByRole('button', { name: 'Riprova' }).click();
  await dialog.getByText('1 segreto rimosso').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'share-dark-it');
  expect(complaints).toEqual([]);
});

walk('imports an exported session into the chosen folder, and says why another file is refused', async () => {
  const id = await server.startSession({ consegna: 'Where is the token?' });
  await server.settled(id);
  const text = JSON.stringify((await server.call('GET', `/sessions/${id}/export`)).data);
  await using place = await visit({ browser: browser as Browser, server, path: '/' });
  const { page } = place;
  const area = page.getByRole('region', { name: 'Import a session' });
  await area.getByText('Choose a folder first.').waitFor();
  await page.evaluate(
    (path) => localStorage.setItem('fucina.new-session', JSON.stringify({ folder: { path } })),
    server.project.path,
  );
  await page.reload();
  const file = (name: string, content: string) =>
    page.locator('input[type=file][accept*=json]').setInputFiles({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
  await area.getByRole('button', { name: 'Import a session…' }).waitFor();
  await file('notes.json', 'not an export');
  await area.getByRole('alert').getByText('Not an exported session').waitFor();
  expect(await faults(page)).toEqual([]);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await shot(page, `import-light-${width}`);
  }
  await file('session.json', text);
  await page.waitForURL((url) => /\/sessions\//.test(url.pathname) && !url.pathname.includes(id));
  await page.getByText('Where is the token?').first().waitFor();
});
