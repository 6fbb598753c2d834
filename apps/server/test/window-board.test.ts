import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { answerByButton, fitsWindow, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let server: TestServer;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      if (lastRole !== 'user') return { text: 'All files are **written**.' };
      if (lastText.startsWith('Write')) {
        return { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'a.txt', contenuto: 'one\ntwo\n' } }] };
      }
      if (lastText.startsWith('Ask')) return { toolCalls: [{ name: 'shell', arguments: { comando: 'echo hello' } }] };
      return {
        text: 'I run the long test first.',
        toolCalls: [{ name: 'shell', arguments: { comando: 'sleep 600' } }],
      };
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const start = (consegna: string, permessi = 'Workspace write'): Promise<string> =>
  server.startSession({ consegna, permessi, linguaInterfaccia: 'en' });
const section = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name, exact: true });
const board = (options: Parameters<typeof visit>[1] = {}) =>
  visit({ browser: browser as Browser, server, path: '/board' }, options);
const isAsking = async (): Promise<boolean> =>
  (await server.call('GET', '/ext/board')).data.sessioni.some(({ stato }: any) => stato === 'in-attesa');

describe('the board', () => {
  walk('says that there are no sessions', async () => {
    await using v = await board();
    await v.page.getByText('No sessions in the last hours').waitFor();
    await clean(v);
    await shot(v.page, 'board-empty-light-1440');
  });

  walk('shows sessions as they work, answers one in place, and stops another', async () => {
    await using v = await board();
    const { page } = v;
    const done = await start('Write the files');
    await server.settled(done);
    const recent = section(page, 'Recent');
    await recent.getByRole('link', { name: 'Write the files' }).waitFor();
    await recent.getByText('All files are written.').waitFor();
    await recent.getByText('+2').waitFor();

    const running = await start('Run the tests');
    await start('Ask before you speak', 'On request');
    await section(page, 'Running').getByText('I run the long test first.').waitFor();
    await page.getByRole('link', { name: 'Board', exact: true }).waitFor();
    const waiting = section(page, 'Waiting for you');
    await waiting.getByText('echo hello').waitFor();
    await clean(v);
    await shot(page, 'board-light-1440');

    await answerByButton(page, 'Run this command?', 'Allow once');
    await recent.getByRole('link', { name: 'Ask before you speak' }).waitFor();
    await waiting.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Stop Run the tests' }).click();
    await server.settled(running);
    await section(page, 'Running').waitFor({ state: 'detached' });
    await clean(v);
  });

  walk('is walked with the arrow keys, and opens a session with Enter', async () => {
    await using v = await board();
    const { page } = v;
    const links = page.getByRole('main').getByRole('link');
    await links.nth(1).waitFor();
    const names = await links.allTextContents();
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(names[1]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\//);
  });

  walk('is opened from the palette', async () => {
    await using v = await visit({ browser: browser as Browser, server, path: '/' });
    const { page } = v;
    await page.getByRole('textbox', { name: 'Task' }).waitFor();
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox').fill('board');
    await page.getByRole('option', { name: 'Board', exact: true }).click();
    await page.waitForURL(/\/board$/);
  });
});

for (const [locale, colorScheme] of [
  ['en-GB', 'light'],
  ['it-IT', 'dark'],
] as const) {
  walk(`the board fits a phone in ${locale}, ${colorScheme}`, async () => {
    const running = await start('Run the tests of the whole project, and then those of all the packages in it');
    const asking = await start('Ask before you speak', 'On request');
    await until(async () => ((await isAsking()) ? true : undefined));
    await using v = await board({ viewport: { width: 390, height: 844 }, locale, colorScheme });
    const { page } = v;
    await page.getByText('echo hello').first().waitFor();
    await page.getByText('I run the long test first.').first().waitFor();
    await fitsWindow(page);
    await clean(v);
    await shot(page, `board-${locale}-${colorScheme}-390`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shot(page, `board-${locale}-${colorScheme}-1440`);
    for (const id of [running, asking]) {
      await server.call('POST', `/sessions/${id}/stop`);
      await server.settled(id);
    }
  });
}
