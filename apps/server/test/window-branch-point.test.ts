import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { faults, fitsWindow, launchBrowser, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let server: TestServer;

const newServer = (): Promise<TestServer> =>
  testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) =>
      lastRole === 'user' && lastText.startsWith('WRITE')
        ? { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'src/fresh.ts', contenuto: 'export {};\n' } }] }
        : { text: 'Done.' },
  });

beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) server = await newServer();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const LINES = Array.from({ length: 30 }, (_, at) => `export const line${at} = ${at};\n`);

/** A branch with a commit, an uncommitted change, a new file and a binary one, that left main two commits ago. */
async function branched(): Promise<TempRepo> {
  const repo = await tempRepo({
    'src/lines.ts': LINES.join(''),
    'src/old.ts': LINES.join('// a\n'),
    'README.md': 'x\n',
  });
  await repo.git('checkout', '-q', '-b', 'feature');
  await repo.git('mv', 'src/old.ts', 'src/renamed.ts');
  await repo.write({ 'src/lines.ts': LINES.toSpliced(3, 1, 'export const committed = true;\n').join('') });
  await repo.git('commit', '-qam', 'First');
  await repo.git('branch', 'middle');
  await repo.git('branch', 'alone', await repo.git('commit-tree', '-m', 'Alone', 'HEAD^{tree}'));
  await repo.git('rm', '-q', 'README.md');
  await repo.write({ 'notes.md': '# Notes\n' });
  await writeFile(join(repo.path, 'picture.bin'), Buffer.from([0, 1, 2, 0]));
  return repo;
}

interface Look extends Visit {
  id: string;
}

async function look(folder: string, options: Parameters<typeof visit>[1] = {}, on = server): Promise<Look> {
  const linguaInterfaccia = options.locale === 'it-IT' ? 'it' : 'en';
  const id = await on.startSession({ cartellaLibera: folder, linguaInterfaccia });
  await on.settled(id);
  const seen = await visit({ browser: browser as Browser, server: on, path: `/sessions/${id}/changes` }, options);
  return { ...seen, id };
}

const scope = (page: Page) => page.getByRole('combobox', { name: 'Show changes of' });
const base = (page: Page) => page.getByRole('combobox', { name: 'Base branch' });
const diff = (page: Page, path: string) => page.getByRole('region', { name: path, exact: true });
const listed = (page: Page) => page.locator('.change .path').allInnerTexts();
/** The list once it has these files. */
const lists = async (page: Page, files: string[]) =>
  expect(
    await until(async () => ((await listed(page)).join() === files.join() ? files : undefined)).catch(() =>
      listed(page),
    ),
  ).toEqual(files);

const ALL = ['README.md', 'notes.md', 'picture.bin', 'src/lines.ts', 'src/renamed.ts'];

describe('the changes since the branch point', () => {
  walk('lists committed and uncommitted files with their diffs, against a base of choice', async () => {
    await using repo = await branched();
    await using v = await look(repo.path);
    const { page } = v;
    await page.getByText('No files changed').waitFor();
    await scope(page).selectOption('Since branch point');
    await lists(page, ALL);
    expect(await base(page).inputValue()).toBe('main');
    await diff(page, 'src/lines.ts').getByText('export const committed = true;').waitFor();
    await page.getByText('Binary file').waitFor();
    await clean(v);
    await shot(page, 'branch-point-light-1440');
    await page.reload();
    await lists(page, ALL);
    await base(page).selectOption('middle');
    await lists(page, ['README.md', 'notes.md', 'picture.bin']);
    expect(new URL(page.url()).searchParams.get('base')).toBe('middle');
    await base(page).selectOption('alone');
    await page.getByRole('alert').waitFor();
    expect(await faults(page)).toEqual([]);
    await base(page).selectOption('main');
    await lists(page, ALL);
    await scope(page).selectOption('Whole session');
    await page.getByText('No files changed').waitFor();
    expect(await base(page).count()).toBe(0);
    await clean(v);
  });

  walk('takes comments on lines, steps through the files, and follows the agent', async () => {
    await using repo = await branched();
    await using v = await look(repo.path);
    const { page } = v;
    await scope(page).selectOption('Since branch point');
    await diff(page, 'src/lines.ts').getByRole('button', { name: 'Comment on removed line 4' }).press('c');
    await page.keyboard.type('Keep the name');
    await page.keyboard.press('Control+Enter');
    const bar = page.getByRole('region', { name: 'Review', exact: true });
    await bar.getByRole('button', { name: '1 comment' }).click();
    expect(await bar.getByText('Outdated').count()).toBe(0);
    await scope(page).selectOption('Whole session');
    await page.getByText('No files changed').waitFor();
    await bar.getByRole('link', { name: 'src/lines.ts:4' }).click();
    await diff(page, 'src/lines.ts').getByText('Keep the name').waitFor();
    await page.keyboard.press('F7');
    expect(await page.evaluate(() => document.activeElement?.closest('.change')?.id)).toMatch(/^change-/);
    await clean(v);
    await bar.getByRole('button', { name: 'Send to agent' }).click();
    await bar.getByText('Comments sent to the agent').waitFor();
    await server.call('POST', `/sessions/${v.id}/resume`, { body: { messaggio: 'WRITE it' } });
    await lists(page, [...ALL.slice(0, 3), 'src/fresh.ts', ...ALL.slice(3)]);
  });

  walk('are not offered outside a repository or without another branch', async () => {
    await using repo = await tempRepo({ 'a.ts': 'export {};\n' });
    for (const folder of [repo.path, server.project.path]) {
      await using v = await look(folder);
      await v.page.getByText('No files changed').waitFor();
      await v.page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await scope(v.page).locator('option').allInnerTexts()).toEqual(['Whole session']);
      await clean(v);
    }
  });

  walk('say when the server does not answer, and load after a retry', async () => {
    await using repo = await branched();
    await using v = await look(repo.path);
    const { page } = v;
    await scope(page).selectOption('Since branch point');
    await lists(page, ALL);
    await page.route('**/branch-point?base=middle', (route) => route.abort());
    await base(page).selectOption('middle');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    expect(await base(page).inputValue()).toBe('middle');
    await page.unroute('**/branch-point?base=middle');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await lists(page, ['README.md', 'notes.md', 'picture.bin']);
  });
});

for (const [locale, colorScheme] of [
  ['en-GB', 'dark'],
  ['it-IT', 'light'],
] as const) {
  walk(`the changes since the branch point fit a phone, in ${locale}, ${colorScheme}`, async () => {
    await using repo = await branched();
    await using v = await look(repo.path, { viewport: { width: 390, height: 844 }, locale, colorScheme });
    const { page } = v;
    await page.goto(`${page.url()}?scope=branch`);
    await diff(page, 'src/lines.ts').waitFor();
    await fitsWindow(page);
    const link = await page.locator('.changes-git').boundingBox();
    expect((link?.x ?? 390) + (link?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await faults(page)).toEqual([]);
    await shot(page, `branch-point-${colorScheme}-390`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shot(page, `branch-point-${locale}-${colorScheme}-1440`);
  });
}
