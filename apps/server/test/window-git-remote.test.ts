import { gitIn } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { GitFixture } from './git-fixture.ts';
import { commitMine, commitTheirs, type RemoteFixture, remoteFixture } from './git-remote-fixture.ts';
import { until } from './harness.ts';
import { clean, commit, type GitPage, lookAt } from './window-git-fixture.ts';
import { launchBrowser, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let fixture: RemoteFixture;

beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) fixture = await remoteFixture({ windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  await fixture?.[Symbol.asyncDispose]();
});

const look = ({ sessionId }: GitFixture): Promise<GitPage> => lookAt({ browser, server: fixture.server }, sessionId);

/** Compares with git, with retries. */
const agrees = async (folder: string, args: string[], wanted: string): Promise<void> =>
  expect(
    await until(async () => {
      const notice = (await gitIn(folder)(...args)).trim();
      return notice === wanted ? notice : undefined;
    }),
  ).toBe(wanted);

const head = (folder: string): Promise<string> => gitIn(folder)('rev-parse', 'HEAD');

describe('the Git view with a remote', () => {
  walk('publishes a new branch and pushes its commits', async () => {
    const { mine, remote } = await fixture.connected();
    await mine.git('switch', '-q', '-c', 'idea');
    await using v = await look(mine);
    await v.press('Publish');
    await v.notice('Pushed.');
    await agrees(remote, ['rev-parse', 'idea'], await head(mine.path));
    await mine.write({ 'a.txt': 'two\n' });
    await v.group('Changes').getByRole('button', { name: 'modified a.txt' }).waitFor();
    await commit(v.page, 'Two');
    await v.page.getByText('One commit to push').waitFor();
    await clean(v);
    await v.press('Push');
    await v.notice('Pushed.');
    await v.page.getByText('One commit to push').waitFor({ state: 'detached' });
    await agrees(remote, ['log', '-1', '--format=%s', 'idea'], 'Two');
  });

  walk('fetches, counts and pulls commits of others', async () => {
    const pair = await fixture.connected();
    await using v = await look(pair.mine);
    const theirs = await commitTheirs(pair, { 'new.txt': 'theirs\n' });
    await v.press('Fetch');
    await v.notice('Fetched');
    await v.page.getByText('One commit to pull').waitFor();
    await clean(v);
    await v.press('Pull');
    await v.notice('Pulled.');
    await agrees(pair.mine.path, ['rev-parse', 'HEAD'], theirs);
    await v.press('Pull');
    await v.notice('Already up to date.');
  });

  walk('stops a long fetch', async () => {
    const { mine } = await fixture.connected({ isWeb: true });
    await using v = await look(mine);
    fixture.web.behaviour.isHanging = true;
    try {
      await v.press('Fetch');
      await v.press('Stop fetch');
      await v.notice('Fetch stopped.');
    } finally {
      fixture.web.behaviour.isHanging = false;
    }
    await v.page.getByRole('button', { name: 'Fetch' }).waitFor();
    await clean(v);
  });

  walk('shows a refusal with the next step and changes nothing', async () => {
    const pair = await fixture.connected();
    await commitTheirs(pair, { 'a.txt': 'theirs\n' });
    const own = await commitMine(pair, { 'b.txt': 'mine\n' });
    await using v = await look(pair.mine);
    await v.press('Push');
    await v.notice('Pull, then push again.');
    await clean(v);
    await pair.mine.write({ 'a.txt': 'half done\n' });
    await v.press('Pull');
    await v.notice('Commit or stash the changes, then try again.');
    await clean(v);
    expect(await head(pair.mine.path)).toBe(own);
  });

  walk('groups conflicts and commits the resolved merge', async () => {
    const pair = await fixture.connected();
    await commitTheirs(pair, { 'a.txt': 'theirs\n' });
    await commitMine(pair, { 'a.txt': 'mine\n' });
    await using v = await look(pair.mine);
    await v.press('Pull');
    await v.notice('Pulled, with conflicts in one file');
    await v.group('Conflicts').getByRole('button', { name: 'in conflict a.txt' }).click();
    await clean(v);
    await pair.mine.write({ 'a.txt': 'both\n' });
    await v.group('Conflicts').getByRole('button', { name: 'Mark as resolved' }).first().click();
    await v.group('Conflicts').waitFor({ state: 'detached' });
    await commit(v.page, 'Both');
    await agrees(pair.mine.path, ['rev-list', '--count', '--merges', 'HEAD'], '1');
  });

  walk('asks before it commits conflict markers that another program staged', async () => {
    const pair = await fixture.connected();
    await commitTheirs(pair, { 'a.txt': 'theirs\n' });
    await commitMine(pair, { 'a.txt': 'mine\n' });
    await using v = await look(pair.mine);
    await v.press('Pull');
    await v.notice('Pulled, with conflicts in one file');
    await pair.mine.git('add', 'a.txt');
    await v.page.reload();
    await v.group('Staged').getByRole('button', { name: 'a.txt' }).first().waitFor({ timeout: 20_000 });
    const own = await head(pair.mine.path);
    await v.page.getByRole('textbox', { name: 'Commit message' }).fill('Both');
    await v.page
      .getByRole('region', { name: 'Commit' })
      .getByRole('button', { name: /^Commit / })
      .click();
    const dialog = v.page.getByRole('dialog');
    await dialog.getByText('“a.txt” was in conflict').waitFor({ timeout: 20_000 });
    await clean(v);
    expect(await head(pair.mine.path)).toBe(own);
    await dialog.getByRole('button', { name: 'Commit anyway' }).click();
    await v.notice('Committed as');
    await agrees(pair.mine.path, ['rev-list', '--count', '--merges', 'HEAD'], '1');
  });
});

describe('the Git view', () => {
  walk('renames a branch and drops a stash after confirmation', async () => {
    const { mine } = await fixture.connected();
    await mine.git('branch', 'idea');
    await mine.write({ 'a.txt': 'aside\n' });
    await mine.git('stash', 'push', '-qm', 'later');
    await using v = await look(mine);
    await v.open('Branches');
    await v.press('Actions for idea');
    await v.page.getByRole('menuitem', { name: 'Rename' }).click();
    await v.page.keyboard.type('better');
    await v.page.keyboard.press('Enter');
    await v.page.getByRole('button', { name: /^better/ }).waitFor();
    await agrees(mine.path, ['branch', '--list', 'idea', 'better', '--format=%(refname:short)'], 'better');
    await v.open('Stashes');
    await v.page.getByRole('button', { name: /^Delete: .*later/ }).click();
    await v.page.getByRole('dialog').getByText('The stashed changes are lost.').waitFor();
    await clean(v);
    await v.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await v.page.getByText('No stashes').waitFor();
    await agrees(mine.path, ['stash', 'list'], '');
  });

  walk('amends the last commit and offers its message', async () => {
    const pair = await fixture.connected();
    await commitMine(pair, { 'b.txt': 'mine\n' });
    await using v = await look(pair.mine);
    await v.page.getByRole('checkbox', { name: 'Amend last commit' }).check();
    const message = v.page.getByRole('textbox', { name: 'Commit message' });
    expect(await until(async () => (await message.inputValue()) || undefined)).toBe('mine');
    await message.fill('Mine, said better');
    await clean(v);
    await v.press('Amend');
    await v.notice('Committed as');
    await agrees(pair.mine.path, ['log', '-2', '--format=%s'], 'Mine, said better\nStart');
  });

  walk('suggests a message by the model and stops a long suggestion', async () => {
    const { mine } = await fixture.connected();
    await mine.write({ 'a.txt': 'two\n' });
    await using v = await look(mine);
    fixture.server.model.script(() => ({ fault: { kind: 'hang' } }));
    await v.press('Generate commit message');
    await v.press('Stop');
    await v.page.getByRole('button', { name: 'Generate commit message' }).waitFor();
    await clean(v);
    fixture.server.model.script(() => ({ text: 'Fix the count' }));
    await v.press('Generate commit message');
    const message = v.page.getByRole('textbox', { name: 'Commit message' });
    expect(await until(async () => (await message.inputValue()) || undefined)).toBe('Fix the count');
  });
});
