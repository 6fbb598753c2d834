import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { clean, commit, type GitPage, lookAt } from './window-git-fixture.ts';
import { launchBrowser, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let server: TestServer;

beforeAll(async () => {
  browser = await launchBrowser();
  const script = () => ({ text: 'Done.' });
  if (browser) server = await testServer({ windowFolder: WINDOW_FOLDER, script, isApart: true });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** Opens the Git view of a new session in the folder. */
async function look(folder: string): Promise<GitPage> {
  const id = await server.startSession({ cartellaLibera: folder, linguaInterfaccia: 'en' });
  await server.settled(id);
  return lookAt({ browser, server }, id);
}

const git = async (repo: TempRepo, ...args: string[]) => (await repo.git(...args)).trim();
/** Compares with git, with retries. */
const agrees = async (repo: TempRepo, args: string[], wanted: string) =>
  expect(await until(async () => ((await git(repo, ...args)) === wanted ? 'so' : undefined))).toBe('so');

const LINES = Array.from({ length: 40 }, (_, at) => `export const line${at} = ${at};`);

describe('the Git view', () => {
  walk('disables the commit button on a clean tree', async () => {
    await using repo = await tempRepo({ 'a.ts': 'export {};\n' });
    await using v = await look(repo.path);
    const commitButton = v.page
      .getByRole('region', { name: 'Commit' })
      .getByRole('button', { name: 'Commit', exact: true });
    await commitButton.waitFor();
    expect(await commitButton.isDisabled()).toBe(true);
    expect(await v.page.getByText('Commit 0 files').count()).toBe(0);
    await clean(v);
  });

  walk('shows the hidden characters of commits, branches and stashes', async () => {
    await using repo = await tempRepo({ 'a.ts': 'export {};\n' });
    await git(repo, 'checkout', '-q', '-b', 'fix\u202exif');
    await git(repo, 'commit', '-q', '--allow-empty', '-m', 'Adds a\u202egpj.exe');
    await writeFile(join(repo.path, 'a.ts'), 'export const a = 1;\n');
    await git(repo, 'stash', 'push', '-q', '-m', 'Kept\u200b');
    await using v = await look(repo.path);
    await v.page.locator('.status').getByText('fix<U+202E>xif').waitFor();
    await v.open('History');
    const row = v.page.getByRole('button', { name: 'Adds a<U+202E>gpj.exe' });
    await row.click();
    await v.page.getByRole('heading', { name: 'Adds a<U+202E>gpj.exe' }).waitFor();
    await v.open('Branches');
    await v.page.getByRole('button', { name: 'fix<U+202E>xif' }).first().waitFor();
    await v.open('Stashes');
    await v.page.getByText('Kept<U+200B>').waitFor();
    await clean(v);
  });

  walk('loads history beyond the first fifty commits', async () => {
    await using repo = await tempRepo({ 'a.ts': 'export {};\n' });
    const tree = await git(repo, 'rev-parse', 'HEAD^{tree}');
    let parent = await git(repo, 'rev-parse', 'HEAD');
    for (let n = 1; n <= 60; n += 1) parent = await git(repo, 'commit-tree', tree, '-p', parent, '-m', `Commit ${n}`);
    await git(repo, 'reset', '-q', '--hard', parent);
    await using v = await look(repo.path);
    await v.open('History');
    await v.page.getByRole('button', { name: /^Commit 60/ }).waitFor();
    expect(await v.page.getByRole('button', { name: /^Commit 5\b/ }).count()).toBe(0);
    await v.page.getByRole('button', { name: 'Load more commits' }).click();
    await v.page.getByRole('button', { name: /^Commit 5\b/ }).click();
    await v.page.getByRole('heading', { name: 'Commit 5' }).waitFor();
    expect(await v.page.getByRole('button', { name: 'Load more commits' }).count()).toBe(0);
    await clean(v);
  });

  walk('stages a hunk, commits it, shows it in the history, and undoes the commit', async () => {
    await using repo = await tempRepo({ 'a.ts': `${LINES.join('\n')}\n` });
    const changed = LINES.with(1, 'export const first = 1;').with(35, 'export const last = 2;');
    await writeFile(join(repo.path, 'a.ts'), `${changed.join('\n')}\n`);
    await using v = await look(repo.path);
    await v.group('Changes').getByRole('button', { name: 'modified a.ts' }).click();
    await v.page.getByRole('button', { name: 'Stage hunk' }).first().click();
    await v.group('Staged').getByRole('button', { name: 'modified a.ts' }).waitFor();
    await v.page.getByRole('button', { name: 'Side by side' }).click();
    await clean(v);
    await commit(v.page, 'First part');
    await agrees(repo, ['log', '-1', '--format=%s'], 'First part');
    expect(await git(repo, 'diff', '--numstat')).toMatch(/^1\s+1\s+a\.ts$/);

    await v.open('History');
    await v.page.getByRole('button', { name: /^First part/ }).click();
    await v.page.getByRole('button', { name: 'modified a.ts' }).click();
    await v.page.getByRole('region', { name: 'a.ts' }).getByText('first').first().waitFor();
    await clean(v);
    await v.page.getByRole('button', { name: 'Undo this commit' }).click();
    await v.page.getByRole('dialog').getByRole('button', { name: 'Undo this commit' }).click();
    await v.page.getByRole('status').filter({ hasText: 'Undone' }).waitFor();
    await agrees(repo, ['diff', '--cached', '--name-only'], 'a.ts');
  });

  walk('shows the first changed file before any is selected, and the list alone on a phone', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await writeFile(join(repo.path, 'a.txt'), 'first\n');
    await writeFile(join(repo.path, 'b.txt'), 'second\n');
    await using v = await look(repo.path);
    const shown = v.page.getByRole('region', { name: 'a.txt', exact: true });
    await shown.getByText('first').waitFor();
    const row = (name: string) => v.group('Changes').getByRole('button', { name: `modified ${name}` });
    expect(await row('a.txt').getAttribute('aria-current')).toBe('true');
    await row('b.txt').click();
    await v.page.getByRole('region', { name: 'b.txt', exact: true }).getByText('second').waitFor();
    expect(await row('a.txt').getAttribute('aria-current')).toBeNull();
    await v.page.goBack();
    await shown.waitFor();
    await clean(v);
    await v.page.setViewportSize({ width: 390, height: 844 });
    await shown.waitFor({ state: 'hidden' });
    expect(await row('b.txt').isVisible()).toBe(true);
    await clean(v);
  });

  walk('stages files by keyboard and names what a discard loses', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await writeFile(join(repo.path, 'a.txt'), 'changed\n');
    await writeFile(join(repo.path, 'b.txt'), 'changed\n');
    await writeFile(join(repo.path, 'new.txt'), 'new\n');
    await using v = await look(repo.path);
    await v.group('Changes').getByRole('button', { name: 'modified a.txt' }).focus();
    await v.page.keyboard.press('ArrowDown');
    await v.page.keyboard.press('Space');
    await v.group('Staged').getByRole('button', { name: 'modified b.txt' }).waitFor();
    await agrees(repo, ['diff', '--cached', '--name-only'], 'b.txt');
    await v.group('Changes').getByRole('button', { name: 'modified a.txt' }).focus();
    await v.page.keyboard.press('Delete');
    await v.page.getByRole('dialog').getByText('You can undo this').waitFor();
    await clean(v);
    await v.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await v.group('Changes').waitFor({ state: 'detached' });
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('a\n');
    await clean(v);
  });

  walk('undoes a discard, and names the files that changed since', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await writeFile(join(repo.path, 'a.txt'), 'changed\n');
    await writeFile(join(repo.path, 'new.txt'), 'new\n');
    await using v = await look(repo.path);
    const discardAll = async () => {
      for (const group of ['Changes', 'Untracked']) {
        await v.group(group).getByRole('button', { name: 'Discard all' }).click();
        await v.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
        await v.group(group).waitFor({ state: 'detached' });
      }
    };
    await discardAll();
    await v.page.getByText(/^Discarded .*: new\.txt$/).waitFor();
    await clean(v);
    const undo = v.page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await v.page.getByText(/^Discarded .*: a\.txt$/).waitFor();
    expect(await readFile(join(repo.path, 'new.txt'), 'utf8')).toBe('new\n');
    await writeFile(join(repo.path, 'a.txt'), 'since\n');
    await undo.click();
    await v.notice('Left as they are, because they changed since: a.txt');
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('since\n');
    await clean(v);
  });

  walk('creates, switches and deletes a branch, stashes changes and restores them', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const home = await git(repo, 'branch', '--show-current');
    await using v = await look(repo.path);
    await v.open('Branches');
    await v.page.getByRole('textbox', { name: 'New branch name' }).fill('idea');
    await v.page.keyboard.press('Enter');
    await agrees(repo, ['branch', '--show-current'], 'idea');
    await v.page.locator('[aria-current=true]').filter({ hasText: 'idea' }).waitFor();
    await v.page.getByTitle('Branch', { exact: true }).getByText('idea', { exact: true }).waitFor();
    await v.page
      .getByRole('listitem')
      .getByRole('button', { name: new RegExp(`^${home}`) })
      .click();
    await agrees(repo, ['branch', '--show-current'], home);
    await clean(v);
    await v.page.getByRole('button', { name: 'Actions for idea' }).click();
    await v.page.getByRole('menuitem', { name: 'Delete' }).click();
    await v.page.getByRole('status').filter({ hasText: 'Branch idea deleted' }).waitFor();

    await writeFile(join(repo.path, 'fresh.txt'), 'fresh\n');
    await v.open('Stashes');
    await v.page.getByRole('textbox', { name: 'Stash message' }).fill('later');
    await v.page.keyboard.press('Enter');
    const back = v.page.getByRole('button', { name: /^Pop: .*later/ });
    await back.waitFor();
    expect(await git(repo, 'status', '--porcelain')).toBe('');
    await clean(v);
    await back.click();
    await v.page.getByText('No stashes').waitFor();
    await agrees(repo, ['status', '--porcelain'], '?? fresh.txt');
  });

  walk('asks to trust the filter of a repository, and commits what it converts', async () => {
    await using repo = await tempRepo({ '.gitattributes': '*.key filter=upper\n' });
    await git(repo, 'config', 'filter.upper.clean', 'tr a-z A-Z');
    await git(repo, 'config', 'filter.upper.required', 'true');
    await writeFile(join(repo.path, 'k.key'), 'secret\n');
    await using v = await look(repo.path);
    const filter = v.group('Filter “upper” of this repository is not trusted');
    await filter.getByText('tr a-z A-Z').waitFor();
    await clean(v);
    await v.page.getByRole('textbox', { name: 'Commit message' }).fill('Key');
    await v.press('Commit one file');
    await v.page.getByRole('alert').filter({ hasText: 'converts “k.key” (filter “upper”)' }).waitFor();
    await filter.getByRole('button', { name: 'Trust these commands' }).click();
    await filter.waitFor({ state: 'detached' });
    await commit(v.page, 'Key');
    await agrees(repo, ['show', 'HEAD:k.key'], 'SECRET');
    await clean(v);
  });

  walk('offers to trust a hook, shows what it refuses, and runs it outside once', async () => {
    await using repo = await tempRepo({ 'a.ts': 'export {};\n' });
    await using elsewhere = await tempDir();
    const target = join(elsewhere.path, 'seen');
    await repo.write({
      '.git/hooks/pre-commit': `#!/bin/sh\necho checking\necho x > ${target}\n`,
      'a.ts': 'export const a = 1;\n',
    });
    await chmod(join(repo.path, '.git/hooks/pre-commit'), 0o755);
    await using v = await look(repo.path);
    await v.page.getByText('Not trusted, so not run: pre-commit').click();
    const hook = v.group('pre-commit');
    await hook.getByText('echo checking').waitFor();
    await clean(v);
    await hook.getByRole('button', { name: 'Trust, run in the sandbox' }).click();
    await hook.getByText('runs in the sandbox').waitFor();
    await v.page.getByRole('textbox', { name: 'Commit message' }).fill('Checked');
    await v.press('Commit one file');
    await v.page.getByRole('alert').filter({ hasText: 'The hook “pre-commit” of this repository failed' }).waitFor();
    const failed = v.group('Hook pre-commit failed');
    await failed.getByText('checking').waitFor();
    await clean(v);
    await failed.getByRole('button', { name: 'Run outside once' }).click();
    await v.notice('Start it again');
    await commit(v.page, 'Checked');
    await agrees(repo, ['log', '-1', '--format=%s'], 'Checked');
    expect(await readFile(target, 'utf8')).toBe('x\n');
    await failed.waitFor({ state: 'detached' });
  });

  walk('initializes a repository in a folder without one', async () => {
    await using folder = await tempDir();
    await folder.write({ 'a.txt': 'a\n' });
    await using v = await look(folder.path);
    await v.page.getByText('Not a Git repository').waitFor();
    await clean(v);
    await v.page.getByRole('button', { name: 'Initialize repository' }).click();
    await v.group('Untracked').getByRole('button', { name: 'new a.txt' }).waitFor();
    // The author is a user setting, which a new computer lacks.
    execFileSync('git', ['config', 'user.name', 'Ada'], { cwd: folder.path });
    execFileSync('git', ['config', 'user.email', 'ada@forge.invalid'], { cwd: folder.path });
    await commit(v.page, 'Begin');
    await v.page.getByText('No changes').waitFor();
    await clean(v);
  });
});
