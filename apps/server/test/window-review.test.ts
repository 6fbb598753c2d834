import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { SAMPLE_BUG, SAMPLE_FILES } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startServer } from '../src/server.ts';
import { settingsFor, type TestServer, testServer, until } from './harness.ts';
import {
  faults,
  fitsWindow,
  launchBrowser,
  shot,
  type Visit,
  visit as visitAt,
  WINDOW_FOLDER,
  walk,
} from './window-visit.ts';

const PAGES = SAMPLE_FILES['src/pages.js'] as string;
const FIXED = PAGES.replace(SAMPLE_BUG.before, SAMPLE_BUG.after);
const LONG = Array.from({ length: 60 }, (_, at) => `export const value${at + 1} = ${at + 1};\n`).join('');
const write = (percorso: string, contenuto: string) => ({ name: 'scrivi', arguments: { percorso, contenuto } });
const READ = { name: 'leggi', arguments: { percorso: 'src/pages.js' } };

let server: TestServer;
let browser: Browser | undefined;

const newServer = (): Promise<TestServer> =>
  testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      if (lastRole !== 'user') return { text: 'Done.' };
      if (lastText.startsWith('FIX')) {
        return {
          toolCalls: [READ, write('src/pages.js', FIXED), write('src/values.js', LONG), write('notes.md', '# Notes\n')],
        };
      }
      if (lastText.startsWith('AGAIN')) return { toolCalls: [write('src/pages.js', PAGES.replace('- 1', '- 0'))] };
      if (lastText.startsWith('SLOW')) return { text: { count: 400 }, deltaDelayMs: 50 };
      return { text: 'Understood.' };
    },
  });

beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) server = await newServer();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Review extends Visit {
  id: string;
}

async function visit(options: Parameters<typeof visitAt>[1] = {}, on = server): Promise<Review> {
  // As before the agent of another test changed it.
  for (const path of ['src/values.js', 'notes.md']) await rm(join(on.project.path, path), { force: true });
  await on.project.write({ 'src/pages.js': PAGES });
  const linguaInterfaccia = options.locale === 'it-IT' ? 'it' : 'en';
  const id = await on.startSession({ consegna: 'FIX it', linguaInterfaccia });
  await on.settled(id);
  const path = `/sessions/${id}/changes`;
  return { ...(await visitAt({ browser: browser as Browser, server: on, path }, options)), id };
}

const diff = (page: Page, path: string) => page.getByRole('region', { name: path, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Review', exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

async function comment(page: Page, [path, line]: [string, string], text: string): Promise<void> {
  await diff(page, path)
    .getByRole('button', { name: `Comment on ${line}`, exact: true })
    .press('c');
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
  await diff(page, path)
    .getByRole('group', { name: `Comment on ${line}` })
    .getByText(text)
    .waitFor();
}

/** What the model was last asked in the session. */
const asked = (on: TestServer, beginning: string) =>
  until(async () => on.model.requests.findLast(({ lastText }) => lastText.startsWith(beginning))?.lastText);

walk('comments on lines are edited, deleted, kept over a reload and sent as one message', async () => {
  await using v = await visit();
  const { page } = v;
  await diff(page, 'src/pages.js').waitFor();
  // With the pointer: the button of a line comes up where the pointer is.
  const row = diff(page, 'src/pages.js').locator('.diff-line[data-kind="removed"]');
  await row.hover();
  await row.getByRole('button', { name: /^Comment on removed line/ }).click();
  expect(await bar(page).count()).toBe(0);
  await page.keyboard.type('Keep this one');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toMatch(/^Comment on removed line \d+$/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Why was it');
  await page.keyboard.press('Enter');
  await page.keyboard.type('wrong?');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await bar(page).getByText('1 comment', { exact: true }).waitFor();
  await comment(page, ['src/values.js', 'line 1'], 'First of them');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Comment on line 2');
  await comment(page, ['src/values.js', 'line 2'], 'Second of them');
  await page.getByRole('button', { name: 'Edit comment: Comment on line 1', exact: true }).press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Use an array');
  expect(await faults(page)).toEqual([]);
  await shot(page, 'review-editing-1440');
  await page.reload();
  const box = page.getByRole('textbox', { name: 'Comment on line 1' });
  expect(await box.inputValue()).toBe('Use an array');
  await bar(page).getByText('2 comments', { exact: true }).waitFor();
  await box.press('Control+Enter');
  await page.getByRole('button', { name: 'Delete: Comment on line 2' }).click();
  await bar(page).getByText('1 comment deleted').waitFor();
  await bar(page).getByRole('button', { name: 'Undo' }).click();
  await bar(page).getByRole('button', { name: '3 comments' }).press('Enter');
  await bar(page).getByRole('button', { name: 'Delete: src/values.js:2' }).click();
  await bar(page).getByRole('button', { name: 'Close' }).click();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'review-list-1440');
  await bar(page).getByRole('button', { name: 'Send to agent' }).click();
  await bar(page).getByText('Comments sent to the agent').waitFor();
  const line = PAGES.split('\n').findIndex((text) => text.includes(SAMPLE_BUG.before)) + 1;
  expect(await asked(server, 'Please address')).toBe(
    [
      'Please address these 2 review comments on the changes.',
      '',
      `1. \`src/pages.js\`, removed line ${line} (numbered as before the change):`,
      '   ```',
      `     ${SAMPLE_BUG.before}`,
      '   ```',
      '   Why was it',
      '   wrong?',
      '',
      '2. `src/values.js`, line 1:',
      '   ```',
      '   export const value1 = 1;',
      '   ```',
      '   Use an array',
    ].join('\n'),
  );
  expect(await page.locator('.line-comment').count()).toBe(0);
  await page.reload();
  await diff(page, 'src/values.js').waitFor();
  expect([await bar(page).count(), await page.locator('.line-comment').count()]).toEqual([0, 0]);
  expect(v.complaints).toEqual([]);
});

walk('a comment whose line is gone is marked as outdated and still sent with its line', async () => {
  await using v = await visit();
  const { page, id } = v;
  await comment(page, ['src/pages.js', 'line 9'], 'Sure?');
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'AGAIN' } });
  await page.getByText('Outdated').waitFor();
  expect(await page.locator('.line-comment code').textContent()).toBe(SAMPLE_BUG.after);
  expect(await faults(page)).toEqual([]);
  await shot(page, 'review-outdated-1440');
  await server.settled(id);
  await bar(page).getByRole('button', { name: 'Send to agent' }).click();
  await bar(page).getByText('Comments sent to the agent').waitFor();
  const text = await asked(server, 'Please address this');
  expect(text).toContain('`src/pages.js`, line 9 (outdated: this line is no longer in the changes):');
  expect(text).toContain(SAMPLE_BUG.after);
});

walk('comments are queued while a turn runs, and discarded with a way back', async () => {
  await using v = await visit();
  const { page, id } = v;
  await comment(page, ['notes.md', 'line 1'], 'Say more');
  await bar(page).getByRole('button', { name: 'Discard' }).click();
  await bar(page).getByText('1 comment deleted').waitFor();
  await bar(page).getByRole('button', { name: 'Undo' }).click();
  await diff(page, 'notes.md').getByText('Say more').waitFor();
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'SLOW' } });
  await bar(page).getByRole('button', { name: 'Steer' }).waitFor();
  await bar(page).getByRole('button', { name: 'Queue' }).click();
  await bar(page).getByText('Comments queued for the agent').waitFor();
  await bar(page).getByRole('link', { name: 'Show conversation' }).click();
  await page
    .getByRole('region', { name: 'Queued messages' })
    .getByText(/Say more/)
    .waitFor();
  await server.call('POST', `/sessions/${id}/stop`);
});

walk('comments stay while the server does not answer, and are sent when it does', async () => {
  await using own = await newServer();
  await using v = await visit({}, own);
  const { page } = v;
  await page.waitForLoadState('networkidle');
  await comment(page, ['notes.md', 'line 1'], 'Not to be lost');
  await own.stop();
  await bar(page).getByRole('button', { name: 'Send to agent' }).click();
  await bar(page).getByRole('alert').getByText('The server is not responding').waitFor();
  await diff(page, 'notes.md').getByText('Not to be lost').waitFor();
  const settings = settingsFor(own.dataDir, { port: own.port, isPortExact: true });
  const again = await startServer({ ambient: systemAmbient('silent'), settings, windowFolder: WINDOW_FOLDER });
  try {
    await page.reload();
    await diff(page, 'notes.md').getByText('Not to be lost').waitFor();
    await bar(page).getByRole('button', { name: 'Send to agent' }).click();
    await bar(page).getByText('Comments sent to the agent').waitFor();
    expect(await page.locator('.line-comment').count()).toBe(0);
  } finally {
    await again.close();
  }
});

walk('F7 and Shift F7 go from change to change across files, opening closed ones', async () => {
  await using v = await visit();
  const { page } = v;
  await diff(page, 'notes.md').waitFor();
  await page.getByRole('button', { name: /^src\/values\.js/ }).click();
  await page.getByRole('combobox', { name: 'Show changes of' }).focus();
  await page.keyboard.press('F7');
  expect(await focused(page)).toMatch(/^Comment on removed line \d+$/);
  await page.keyboard.press('F7');
  await diff(page, 'src/values.js').waitFor();
  const place = () => page.evaluate(() => document.activeElement?.closest('.change')?.id);
  await until(async () => ((await place()) === 'change-src/values.js' ? true : undefined));
  await page.keyboard.press('F7');
  expect(await place()).toBe('change-notes.md');
  await page.keyboard.press('F7');
  expect(await place()).toBe('change-src/pages.js');
  await page.keyboard.press('Shift+F7');
  expect(await place()).toBe('change-notes.md');
  await page.getByRole('button', { name: 'Previous change' }).click();
  expect(await place()).toBe('change-src/values.js');
});

walk('a changed file opens in the editor that was chosen before', async () => {
  await using v = await visit();
  const { page } = v;
  const open = page.getByRole('button', { name: 'Open src/values.js in an editor' });
  await open.press('Enter');
  const entry = page.getByRole('menuitem', { name: 'Open in Zed' }).and(page.locator(':visible'));
  const folder = encodeURI(server.project.path);
  expect(await entry.getAttribute('href')).toBe(`zed://file${folder}/src/values.js:1`);
  expect(await faults(page)).toEqual([]);
  await shot(page, 'review-editors-1440');
  await page.evaluate(() => document.addEventListener('click', (event) => event.preventDefault()));
  await entry.click();
  await page.reload();
  const link = page.getByRole('link', { name: 'Open in Zed: notes.md' });
  expect(await link.getAttribute('href')).toBe(`zed://file${folder}/notes.md:1`);
});

walk('a changed file opens with $EDITOR in a new terminal', async () => {
  const before = process.env.VISUAL;
  process.env.VISUAL = 'cat';
  await using own = await newServer();
  await using v = await visit({}, own);
  const { page } = v;
  await page.getByRole('button', { name: 'Open notes.md in an editor' }).press('Enter');
  const entry = page.getByRole('menuitem', { name: 'Open with $EDITOR in a terminal' });
  await entry.and(page.locator(':visible')).click();
  await page.locator('.xterm-rows', { hasText: '# Notes' }).waitFor();
  // A link from elsewhere must not run anything.
  expect(new URL(page.url()).search).not.toContain('notes');
  if (before === undefined) delete process.env.VISUAL;
  else process.env.VISUAL = before;
});

walk('comments of the Git view are sent with those of the changes, in both layouts', async () => {
  await using v = await visit();
  const { page, id } = v;
  await comment(page, ['notes.md', 'line 1'], 'From the changes');
  await page.goto(new URL(`/sessions/${id}/git?file=src%2Fpages.js`, server.url).href);
  await comment(page, ['src/pages.js', 'line 9'], 'From the Git view');
  expect(await faults(page)).toEqual([]);
  await shot(page, 'review-git-1440');
  await page.getByRole('button', { name: 'Side by side' }).click();
  await comment(page, ['src/pages.js', 'removed line 9'], 'On the left');
  await diff(page, 'src/pages.js').getByText('From the Git view').waitFor();
  expect(await faults(page)).toEqual([]);
  await shot(page, 'review-git-split-1440');
  await bar(page).getByRole('button', { name: '3 comments' }).click();
  await bar(page).getByRole('link', { name: 'notes.md:1' }).click();
  await diff(page, 'src/pages.js').getByText('From the Git view').waitFor();
  await diff(page, 'notes.md').getByText('From the changes').waitFor();
  await bar(page).getByRole('button', { name: 'Send to agent' }).click();
  await bar(page).getByText('Comments sent to the agent').waitFor();
  expect(await asked(server, 'Please address these 3')).toMatch(/From the changes[^]+On the left[^]+From the Git view/);
  expect(v.complaints).toEqual([]);
});

for (const [locale, colorScheme] of [
  ['en-GB', 'dark'],
  ['it-IT', 'light'],
] as const) {
  walk(`a review fits a phone, in ${locale}, ${colorScheme}`, async () => {
    const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    await using v = await visit({ ...touch, locale, colorScheme });
    const { page } = v;
    const words = locale === 'it-IT' ? ['Aggiungi commento', 'Invia all’agente'] : ['Add comment', 'Send to agent'];
    const line = diff(page, 'src/values.js').locator('.line-add').first();
    await line.tap();
    await page.keyboard.type('These sixty constants could be one array, made by a loop, could they not?');
    await page.getByRole('button', { name: words[0] as string }).tap();
    await page.getByRole('button', { name: words[1] as string }).waitFor();
    await fitsWindow(page);
    expect(await faults(page)).toEqual([]);
    await shot(page, `review-${colorScheme}-390`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shot(page, `review-${colorScheme}-1440`);
  });
}
