import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { faults, launchBrowser, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: () => ({ text: 'Done.', usage: { promptTokens: 120_000, completionTokens: 4_000 } }),
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});
const NONE = { giornoUsd: null, giornoToken: null, sessioneUsd: null, sessioneToken: null };
const setBudget = (limits: object) => server.call('POST', '/ext/usage/budget', { body: { ...NONE, ...limits } });
afterEach(() => setBudget({}));

const open = (path: string, options?: Parameters<typeof visit>[1]) =>
  visit({ browser: browser as Browser, server, path }, options);
async function clean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}
async function oneTurn(): Promise<string> {
  const id = await server.startSession();
  await server.settled(id);
  return id;
}

walk('shows nothing before the first call, then usage by day, model and project, with a CSV', async () => {
  await using place = await open('/settings/usage');
  const { page } = place;
  await page.getByText('No model calls in this period.').waitFor();
  await shot(page, 'usage-empty');
  await clean(place);
  await oneTurn();
  await page.reload();
  await page.getByRole('img', { name: 'Tokens by day and model' }).waitFor();
  const table = page.getByRole('table');
  await table.getByRole('columnheader', { name: 'Day' }).waitFor();
  await page.getByRole('button', { name: 'By model' }).click();
  await table.getByRole('rowheader', { name: 'ollama:tiny' }).waitFor();
  await page.getByRole('button', { name: 'By project' }).click();
  await table.getByRole('rowheader').getByText('fucina-repo').waitFor();
  await page.getByRole('button', { name: '7 days' }).click();
  await table.waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const csv = await readFile(await saved.path(), 'utf8');
  expect(csv).toMatch(/^day,project,model,calls[^]*ollama:tiny,1,/);
  await shot(page, 'usage');
  await clean(place);
});

walk('a price that is entered gives a cost, and the chart of the cost', async () => {
  await oneTurn();
  await using place = await open('/settings/usage');
  const { page } = place;
  await page.getByRole('button', { name: 'Price of ollama:tiny' }).click();
  await page.getByRole('textbox', { name: 'Input', exact: true }).fill('2,5');
  await page.getByRole('textbox', { name: 'Output', exact: true }).fill('10');
  await clean(place);
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('(yours)').waitFor();
  await page.getByRole('img', { name: 'Cost by day and model' }).waitFor();
  await shot(page, 'usage-cost');
  await page.getByRole('button', { name: 'Price of ollama:tiny' }).click();
  await page.getByRole('button', { name: 'Remove price' }).click();
  await page.getByRole('button', { name: 'Price of ollama:tiny' }).getByText('Enter price').waitFor();
});

walk('a budget warns, stops the next turn with the reason, and lets the user continue', async () => {
  const id = await oneTurn();
  await using place = await open('/settings/usage');
  const { page } = place;
  const field = page.getByRole('textbox', { name: 'Per session, tokens' });
  await field.fill('many');
  await page.getByText('Enter positive numbers').waitFor();
  await field.fill('10');
  const saved = page.waitForResponse((response) => response.request().method() !== 'GET' && response.ok());
  await page.getByRole('region', { name: 'Budget' }).getByRole('button', { name: 'Save' }).click();
  // Leaving the page would cancel the request.
  await saved;
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  const notice = page.getByRole('status').filter({ hasText: 'Budget reached' });
  await notice.waitFor();
  const composer = page.getByRole('textbox', { name: /message/i });
  await composer.fill('One more');
  await composer.press('Enter');
  await page.getByText('Session budget reached').waitFor();
  expect(await composer.inputValue()).toBe('One more');
  await shot(page, 'usage-stopped');
  await clean(place);
  await notice.getByRole('button', { name: 'Continue anyway' }).click();
  await page.getByText('Beyond the budget, as you chose.').waitFor();
  await composer.press('Enter');
  const starts = async () => (await server.events(id)).filter(({ type }) => type === 'RunStarted').length;
  await until(async () => ((await starts()) === 2 ? true : undefined));
  await server.settled(id);
});

walk('is readable on a phone in Italian, in the dark, and when the server is away', async () => {
  await oneTurn();
  await using place = await open('/settings/usage', {
    viewport: { width: 390, height: 844 },
    locale: 'it-IT',
    colorScheme: 'dark',
  });
  const { page } = place;
  await page.getByRole('img', { name: 'Token per giorno e modello' }).waitFor();
  await shot(page, 'usage-narrow-dark');
  await clean(place);
  await page.route('**/api/v1/ext/usage?**', (route) => route.abort());
  await page.getByRole('button', { name: '90 giorni' }).click();
  await page.getByRole('alert').first().waitFor();
});
