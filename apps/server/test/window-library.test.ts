import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, TOKEN, testServer } from './harness.ts';
import { faults, launchBrowser, openView, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
let session: string;
beforeAll(async () => {
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole }) =>
      lastRole === 'tool'
        ? { text: 'Made.' }
        : { toolCalls: [{ name: 'document_create', arguments: { format: 'pdf', title: 'Report', body: '# Heat' } }] },
  });
  browser = await launchBrowser();
  session = await server.startSession({ permessi: 'Workspace write' });
  await server.settled(session);
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

async function give(name: string, body: string): Promise<string> {
  const response = await fetch(`${server.url}api/v1/sessions/${session}/chat-files`, {
    method: 'POST',
    headers: {
      cookie: `svc_token=${TOKEN}`,
      'content-type': 'application/octet-stream',
      'x-svc-file-name': encodeURIComponent(name),
    },
    body,
  });
  expect(response.status).toBe(200);
  return (await items()).find(({ nome }) => nome === name).id;
}
const items = async (): Promise<any[]> => (await server.call('GET', `/sessions/${session}/library`)).data.voci;
const names = async (): Promise<string[]> => (await items()).map(({ nome }) => nome);

async function enter(): Promise<Visit> {
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${session}` });
  await openView(place.page, 'Library');
  return place;
}
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name.replace('.', '\\.')) });

walk('finds and previews items of agent and user and shows their origin', async () => {
  await give('notes.md', '# Tempering\n\n- heat **slowly**');
  await give('page.html', '<h1>Hi</h1><script>document.body.append("ran")</script>');
  await give('measures.csv', 'alloy,degrees\nC45,840\n');
  await give('blob.bin', 'a\0b');
  await using place = await enter();
  const { page, complaints } = place;
  await row(page, 'Report.pdf').waitFor();
  expect(await faults(page)).toEqual([]);

  await row(page, 'notes.md').click();
  await page.getByRole('heading', { name: 'Tempering' }).waitFor();
  await page.getByRole('link', { name: 'allegati/notes.md' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await row(page, 'measures.csv').click();
  await page.getByRole('columnheader', { name: 'degrees' }).waitFor();
  await row(page, 'page.html').click();
  await page.frameLocator('iframe').frameLocator('iframe').getByText('ran').waitFor();
  await row(page, 'blob.bin').click();
  await page.getByText('No preview for this file type').waitFor();
  await row(page, 'Report.pdf').click();
  await page.getByRole('region', { name: 'Report.pdf' }).getByText('Create documents').waitFor();
  const frame = page.locator('iframe[title="Report.pdf"]');
  await frame.waitFor();
  expect(await frame.getAttribute('src')).toContain('/anteprima');

  await page.getByLabel('Search by name').fill('REPORT');
  await page.getByText('One item', { exact: true }).waitFor();
  await page.getByLabel('Search by name').fill('absent');
  await page.getByText('No matches').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Source').selectOption('Created by agents');
  await page.getByText('One item', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

walk('opens, renames and deletes items by keyboard, and several after confirmation', async () => {
  for (const name of ['k1.txt', 'k2.txt', 'k3.txt']) await give(name, name);
  await using place = await enter();
  const { page, complaints } = place;
  await row(page, 'k3.txt').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByText('k3.txt', { exact: true }).last().waitFor();
  await page.keyboard.press('F2');
  await page.keyboard.type('renamed: here');
  await page.keyboard.press('Enter');
  // The character that no file name can contain is removed, with a notice.
  await page.getByText('Renamed: renamed here.txt.').waitFor();
  expect(await names()).toContain('renamed here.txt');

  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 selected').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Delete');
  await page.getByRole('heading', { name: 'Delete 3 items?' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await names()).toContain('k1.txt');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('3 items deleted.').waitFor();
  expect((await names()).filter((name) => /k\d|renamed/.test(name))).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('shows new items at once and reports a missing desktop', async () => {
  await using place = await enter();
  const { page } = place;
  await row(page, 'Report.pdf').first().waitFor();
  const before = (await items()).length;
  server.model.script(({ lastRole }) =>
    lastRole === 'tool'
      ? { text: 'Made.' }
      : { toolCalls: [{ name: 'document_create', arguments: { format: 'md', title: 'Later', body: '# Later' } }] },
  );
  await server.call('POST', `/sessions/${session}/resume`, { body: { messaggio: 'Another one.' } });
  await row(page, 'Later.md').waitFor();
  expect(await items()).toHaveLength(before + 1);

  await row(page, 'Later.md').click();
  await page.getByRole('button', { name: 'Actions for Later.md' }).click();
  await page.getByRole('menuitem', { name: 'Reveal in file manager' }).click();
  await page.getByRole('alert').getByText('not', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
});

walk('reports changed bytes without showing them, and damaged metadata', async () => {
  const id = await give('whole.txt', 'whole');
  const folder = join(server.project.path, '.svc/library', id);
  await writeFile(join(folder, 'contenuto.txt'), 'other');
  await using place = await enter();
  const { page } = place;
  await row(page, 'whole.txt').click();
  await page.getByRole('alert').getByText('Library item damaged').waitFor();
  await writeFile(join(folder, 'meta.json'), '{');
  await page.reload();
  await page.getByText('The library cannot be read').waitFor();
  expect(await faults(page)).toEqual([]);
});
