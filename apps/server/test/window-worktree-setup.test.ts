import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pullRequestRemote, type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { faults, fitsWindow, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let server: TestServer;

beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) server = await testServer({ windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function repositoryWith(script: string): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'a\n', '.gitignore': '.env*\n' });
  await repo.write({ '.svc/worktree': script, '.env': 'KEY=1\n', '.env.local': 'KEY=2\n' });
  await chmod(join(repo.path, '.svc/worktree'), 0o755);
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'Set-up');
  return repo;
}
const list = async (repo: TempRepo): Promise<any[]> =>
  (await server.call('GET', '/ext/worktrees', { query: { cartella: repo.path } })).data.worktree;
const open = (repo: TempRepo, options: Parameters<typeof visit>[1] = {}) =>
  visit({ browser: browser as Browser, server, path: `/?folder=${encodeURIComponent(repo.path)}` }, options);

/** The form for a session in a worktree, with the script switched on. */
async function chosen(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'In a worktree' }).click();
  await page.getByRole('checkbox', { name: /Run the set-up script/ }).check();
  await page.getByRole('textbox', { name: 'Task' }).fill('Say hello');
}
const start = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^Start/ })
    .first()
    .click();
const setup = (page: Page) => page.getByRole('region', { name: /^Set-up of/ });

describe('the set-up script of a worktree', () => {
  walk('is shown before it is trusted, and runs with its output before the session starts', async () => {
    const waiting = 'until [ -e go ]; do sleep 0.05; done';
    await using repo = await repositoryWith(`#!/bin/sh\necho installing\n${waiting}\ntouch ready\n`);
    await using v = await open(repo);
    const { page } = v;
    await page.getByRole('button', { name: 'In a worktree' }).click();
    const choice = page.getByRole('checkbox', { name: /Run the set-up script/ });
    await choice.waitFor();
    expect([await choice.isChecked(), await page.getByText('You have not trusted this version').count()]).toEqual([
      false,
      1,
    ]);
    await page.getByRole('button', { name: 'Show script' }).click();
    await page.getByLabel('.svc/worktree', { exact: true }).getByText('echo installing').waitFor();
    await page.getByRole('checkbox', { name: '.env.local' }).check();
    await clean(v);
    await shot(page, 'worktree-setup-choice-light-1440');
    await chosen(page);
    await start(page);
    await setup(page).getByText('installing').waitFor();
    await clean(v);
    await shot(page, 'worktree-setup-running-light-1440');
    const [begun] = await list(repo);
    await writeFile(join(begun.percorso, 'go'), '');
    await page.waitForURL(/\/sessions\//);
    const [made] = await list(repo);
    expect(await readFile(join(made.percorso, 'ready'), 'utf8')).toBe('');
    expect(await readFile(join(made.percorso, '.env.local'), 'utf8')).toBe('KEY=2\n');
    await expect(readFile(join(made.percorso, '.env'))).rejects.toThrow('ENOENT');
    await page.goto(`${new URL(page.url()).origin}/?folder=${encodeURIComponent(repo.path)}`);
    await page.getByRole('button', { name: 'In a worktree' }).click();
    await choice.waitFor();
    expect(await choice.isChecked()).toBe(true);
  });

  walk('that fails shows its last lines, runs again, and the session starts anyway', async () => {
    await using repo = await repositoryWith('#!/bin/sh\necho cause of the failure\nexit 3\n');
    await using v = await open(repo);
    const { page } = v;
    await chosen(page);
    await start(page);
    await page.getByRole('alert').filter({ hasText: 'failed with exit code 3' }).waitFor();
    await setup(page).getByText('cause of the failure').waitFor();
    await clean(v);
    await shot(page, 'worktree-setup-failed-light-1440');
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('alert').filter({ hasText: 'failed with exit code 3' }).waitFor();
    await page.getByRole('button', { name: 'Start anyway' }).click();
    await page.waitForURL(/\/sessions\//);
    expect(await list(repo)).toHaveLength(1);
  });

  walk('is stopped by the user, who may leave everything as it was', async () => {
    await using repo = await repositoryWith('#!/bin/sh\necho on\nsleep 600\n');
    await using v = await open(repo);
    const { page } = v;
    await chosen(page);
    await start(page);
    await setup(page).getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alert').filter({ hasText: 'Stopped' }).waitFor();
    await page.getByRole('button', { name: 'Don’t start' }).click();
    await until(async () => ((await list(repo)).length === 0 ? true : undefined));
    await setup(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Task' }).inputValue()).toBe('Say hello');
    expect(await repo.git('branch', '--list', 'fucina/*')).toBe('');
  });

  walk('asks again when the branch has another version, and is left out when the user wants that', async () => {
    await using repo = await repositoryWith('#!/bin/sh\ntouch first\n');
    await repo.git('checkout', '-qb', 'other');
    await repo.write({ '.svc/worktree': '#!/bin/sh\ntouch second\n' });
    await repo.git('commit', '-qam', 'Other');
    await repo.git('checkout', '-q', 'main');
    await using v = await open(repo);
    const { page } = v;
    await chosen(page);
    await page.getByRole('combobox', { name: 'Start from' }).selectOption('other');
    await start(page);
    await page.getByRole('alert').filter({ hasText: 'another version' }).waitFor();
    await setup(page).getByText('touch second').waitFor();
    await clean(v);
    await shot(page, 'worktree-setup-changed-light-1440');
    await page.getByRole('button', { name: 'Trust and run' }).click();
    await page.waitForURL(/\/sessions\//);
    const [made] = await list(repo);
    expect(await readFile(join(made.percorso, 'second'), 'utf8')).toBe('');
  });

  walk('that fails while the user is elsewhere asks again on the page of new sessions', async () => {
    await using repo = await repositoryWith('#!/bin/sh\nsleep 1\nexit 3\n');
    await using v = await open(repo);
    const { page } = v;
    await chosen(page);
    await start(page);
    await setup(page).waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.getByRole('link', { name: 'New session' }).click();
    await page.getByRole('alert').filter({ hasText: 'failed with exit code 3' }).waitFor();
    expect(
      await page
        .getByRole('button', { name: /^Start( |$)/ })
        .first()
        .isDisabled(),
    ).toBe(true);
    await clean(v);
    await setup(page).getByRole('button', { name: 'Don’t start' }).click();
    await setup(page).waitFor({ state: 'detached' });
    await until(async () => ((await list(repo)).length === 0 ? true : undefined));
  });

  walk('that asks when the window is closed leaves a worktree that the sidebar lists and removes', async () => {
    await using repo = await repositoryWith('#!/bin/sh\nexit 3\n');
    await using v = await open(repo);
    const { page } = v;
    await chosen(page);
    await start(page);
    await page.getByRole('alert').filter({ hasText: 'failed with exit code 3' }).waitFor();
    await page.reload();
    const left = page.getByRole('navigation').getByRole('group', { name: 'Worktree: fucina/say-hello' });
    await left.getByRole('link').waitFor();
    await page.getByText('Worktrees without a session').waitFor();
    await clean(v);
    await shot(page, 'worktree-spare-light-1440');
    await left.getByRole('button', { name: /^More actions for worktree/ }).click();
    await page.getByRole('menuitem', { name: 'Remove worktree' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await left.waitFor({ state: 'detached' });
    expect(await list(repo)).toEqual([]);
  });

  walk('leaves no worktree when the server cannot be reached meanwhile', async () => {
    await using repo = await repositoryWith('#!/bin/sh\nexit 0\n');
    await using v = await open(repo);
    const { page } = v;
    await chosen(page);
    await page.route('**/setup', (route) => route.abort());
    await start(page);
    await page.getByRole('alert').filter({ hasText: 'The server is not responding' }).waitFor();
    expect(await list(repo)).toEqual([]);
    await page.unroute('**/setup');
    await start(page);
    await page.waitForURL(/\/sessions\//);
  });
});

describe('several tries', () => {
  walk('open those that started and name those that did not', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using v = await open(repo);
    const { page } = v;
    await page.getByRole('button', { name: 'In a worktree' }).click();
    await page.getByText('Choose a model for the session first.').waitFor();
    await page.getByRole('combobox', { name: 'Number of tries' }).selectOption('3');
    await page.getByRole('textbox', { name: 'Task' }).fill('Say hello');
    let count = 0;
    await page.route('**/sessions/custom', (route) => (++count === 2 ? route.abort() : route.continue()));
    await start(page);
    const dialog = page.getByRole('dialog', { name: /^1 try did not start/ });
    await dialog.getByRole('alert').waitFor();
    await clean(v);
    await shot(page, 'worktree-tries-failed-light-1440');
    await page.waitForURL(/\/compare\?sessions=/);
    expect(await list(repo)).toHaveLength(2);
  });
});

for (const [locale, colorScheme] of [
  ['en-GB', 'dark'],
  ['it-IT', 'light'],
] as const) {
  walk(`the choice of a pull request fits a phone in ${locale}, ${colorScheme}`, async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using v = await open(repo, { viewport: { width: 390, height: 844 }, locale, colorScheme });
    const { page } = v;
    await page.getByRole('button', { name: /In a worktree|In un worktree/ }).click();
    await page.getByRole('combobox', { name: /Start from|Parti da/ }).selectOption({ label: 'Pull request…' });
    await page.getByRole('textbox', { name: /pull request/ }).fill('#x');
    await page.getByText(/Not a pull request|Non è una pull request/).waitFor();
    await fitsWindow(page);
    expect(await faults(page)).toEqual([]);
    await shot(page, `worktree-pull-${locale}-${colorScheme}-390`);
  });

  walk(`the set-up fits a phone in ${locale}, ${colorScheme}`, async () => {
    await using repo = await repositoryWith(
      '#!/bin/sh\necho a long line of output that does not fit on a phone at all\nexit 1\n',
    );
    await using v = await open(repo, { viewport: { width: 390, height: 844 }, locale, colorScheme });
    const { page } = v;
    await page.getByRole('button', { name: /In a worktree|In un worktree/ }).click();
    await page.getByRole('checkbox', { name: /svc\/worktree/ }).check();
    await page
      .getByRole('textbox', { name: /^(Task|Attività)$/ })
      .first()
      .fill('x');
    await page
      .getByRole('button', { name: /^(Start|Avvia)/ })
      .first()
      .click();
    await page.getByRole('button', { name: /Start anyway|Avvia comunque/ }).waitFor();
    await fitsWindow(page);
    expect(await faults(page)).toEqual([]);
    await shot(page, `worktree-setup-${locale}-${colorScheme}-390`);
    for (const width of [900, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await shot(page, `worktree-setup-${locale}-${colorScheme}-${width}`);
    }
  });
}

describe('a worktree of a pull request', () => {
  walk('starts from a pull request, and says when there is none with this number', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using remote = await pullRequestRemote(repo);
    const commit = await remote.propose('Proposed');
    await using v = await open(repo);
    const { page } = v;
    await page.getByRole('button', { name: 'In a worktree' }).click();
    await page.getByRole('combobox', { name: 'Start from' }).selectOption({ label: 'Pull request…' });
    await page.getByRole('textbox', { name: 'Task' }).fill('Review it');
    const number = page.getByRole('textbox', { name: 'Number or address of the pull request' });
    const start = page.getByRole('button', { name: /^Start/ });
    expect(await start.isDisabled()).toBe(true);
    await number.fill('seven');
    await page.getByText('Not a pull request.').waitFor();
    expect(await start.isDisabled()).toBe(true);
    await clean(v);
    await shot(page, 'worktree-pull-wrong-light-1440');
    await number.fill('8');
    await start.click();
    await page.getByRole('alert').filter({ hasText: 'Pull request not found' }).waitFor();
    await clean(v);
    await shot(page, 'worktree-pull-absent-light-1440');
    await number.fill('https://github.com/owner/name/pull/7/files');
    await start.click();
    await page.waitForURL(/\/sessions\//);
    const [made, ...others] = await list(repo);
    expect([made.nome, made.stato.commit, others]).toEqual(['pr-7', commit, []]);
  });
});
