import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) =>
      lastRole === 'user' && lastText.startsWith('RUN')
        ? { toolCalls: [{ name: 'shell', arguments: { comando: 'true', descrizione: 'Does nothing' } }] }
        : { text: 'Done.' },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

async function enter(fields: Record<string, unknown>, options?: Parameters<typeof visit>[1]): Promise<Visit> {
  const id = await server.startSession(fields);
  await server.settled(id);
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` }, options);
  await place.page.locator('.status').waitFor();
  return place;
}

const RUN = { consegna: 'RUN it', permessiPerAttrezzo: { shell: 'sempre' } };

async function hasSandbox(): Promise<boolean> {
  const { data } = await server.call('GET', '/doctor');
  return data.voci.find(({ id }: { id: string }) => id === 'sandbox').stato === 'ok';
}

walk('the status line names the sandbox of the last command', async () => {
  await using place = await enter({ ...RUN, permessi: 'Workspace write' });
  const { page, complaints } = place;
  await page
    .locator('.status')
    .getByText((await hasSandbox()) ? 'Sandboxed' : 'Not sandboxed', { exact: true })
    .waitFor();
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('the status line reports an unsandboxed command at Full access after the turn', async () => {
  await using place = await enter({ consegna: 'hello', permessi: 'Full access' });
  const { page } = place;
  const line = page.locator('.status');
  expect(await line.getByText(/sandbox/i).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Message' }).fill('RUN it');
  await page.keyboard.press('Enter');
  await line.getByText('Not sandboxed', { exact: true }).waitFor();
});

walk('the status line does not report a sandbox after a command of the user', async () => {
  await using place = await enter({ consegna: 'hello', permessi: 'Full access' });
  const { page } = place;
  await page.getByRole('textbox', { name: 'Message' }).fill('!ls');
  await page.keyboard.press('Enter');
  await page.locator('.row[data-kind="command"]').getByText('README.md').waitFor();
  await page.reload();
  await page.locator('.row[data-kind="command"]').waitFor();
  await page.getByRole('complementary', { name: 'Session' }).or(page.locator('.process')).first().waitFor();
  expect(
    await page
      .locator('.status')
      .getByText(/sandbox/i)
      .count(),
  ).toBe(0);
});

walk('the status line is in Italian and legible in the dark theme', async () => {
  await using place = await enter({ ...RUN, permessi: 'Full access' }, { locale: 'it-IT', colorScheme: 'dark' });
  const { page } = place;
  await page.locator('.status').getByText('Senza sandbox', { exact: true }).waitFor();
  expect(await faults(page)).toEqual([]);
});
