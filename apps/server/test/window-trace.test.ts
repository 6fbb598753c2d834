import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { readStream, type TestServer, testServer } from './harness.ts';
import { faults, fitsWindow, launchBrowser, shot, smallTargets, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let server: TestServer;
let done: string;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({ windowFolder: WINDOW_FOLDER });
  const usage = { promptTokens: 1_200, completionTokens: 40, cachedTokens: 800 };
  const calls = (name: string, args: Record<string, unknown>) => ({
    toolCalls: [{ name, arguments: args }],
    usage,
  });
  server.model.script(({ lastRole, lastText }) => {
    if (lastText.includes('Look around') && lastRole !== 'tool') return calls('shell', { comando: 'sleep 0.3; ls' });
    if (lastText.includes('Find the slow')) return calls('delega_sottotask', { task: 'Look around' });
    if (lastText.includes('Write it')) return calls('scrivi', { percorso: 'new.txt', contenuto: 'x' });
    return lastText.includes('Report of the agent')
      ? calls('shell', { comando: 'sleep 0.2; exit 3' })
      : { text: 'Done.', usage };
  });
  done = await server.startSession({ consegna: 'Find the slow test', permessi: 'Full access' });
  await server.settled(done);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const steps = (page: Page) => page.locator('.trace-step');
const details = (page: Page) => page.locator('.trace-details');

for (const [locale, colorScheme, open, exit, failure] of [
  ['en-GB', 'light', 'Trace of this turn', 'Exit code 3', 'Failed'],
  ['it-IT', 'dark', 'Traccia di questo turno', 'Codice di uscita 3', 'Non riuscito'],
] as const) {
  walk(`the trace of a turn is a waterfall that the arrow keys walk, in ${locale}, ${colorScheme}`, async () => {
    const at = { browser: browser as Browser, server, path: `/sessions/${done}` };
    await using v = await visit(at, { locale, colorScheme });
    const { page } = v;
    await page.getByRole('button', { name: open }).click();
    await steps(page).first().waitFor();
    expect(await steps(page).count()).toBe(8);
    await steps(page).first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    expect(await details(page).innerText()).toContain('sleep 0.2; exit 3');
    expect(await details(page).innerText()).toContain(exit);
    const failed = page.locator('tr[data-outcome="failed"]');
    expect(await failed.locator('.trace-outcome:visible').allInnerTexts()).toEqual([failure]);
    await shot(page, `trace-${colorScheme}-1440`);
    await page.keyboard.press('Home');
    expect(await details(page).innerText()).toContain('ollama:tiny');
    await steps(page).nth(1).hover();
    expect(await details(page).getByRole('link').getAttribute('href')).toMatch(/^\/sessions\//);
    expect(await faults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await fitsWindow(page);
    expect(await smallTargets(page)).toEqual([]);
    await shot(page, `trace-${colorScheme}-390`);
    await page.keyboard.press('Escape');
    await steps(page).first().waitFor({ state: 'detached' });
    expect(v.complaints).toEqual([]);
  });
}

walk('the trace of a running turn grows, and shows the wait for the user', async () => {
  const id = await server.startSession({ consegna: 'Write it', permessi: 'On request' });
  await using v = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` });
  const { page } = v;
  await readStream(server, id, { isDone: ({ type }) => type === 'ApprovalRequested' });
  await page.getByRole('button', { name: 'Trace of the latest turn' }).click();
  await steps(page).nth(1).waitFor();
  await shot(page, 'trace-live');
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
  await page.locator('tr[data-outcome="running"]').first().waitFor({ state: 'detached' });
  expect(await details(page).count()).toBe(1);
  await page.locator('tr[data-outcome="interrupted"]').getByText('Stopped', { exact: true }).waitFor();
});

walk('a turn without times says so', async () => {
  const documento = (await server.call('GET', `/sessions/${done}/export`)).data;
  const body = { cartellaLibera: server.project.path, documento };
  const { sessionId } = (await server.call('POST', '/ext/sessions/import', { body })).data;
  await using v = await visit({ browser: browser as Browser, server, path: `/sessions/${sessionId}` });
  const { page } = v;
  await page.getByRole('button', { name: 'Trace of this turn' }).click();
  await page.getByText('No times for this turn').waitFor();
  await shot(page, 'trace-none');
});
