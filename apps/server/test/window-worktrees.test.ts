import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn, type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { faults, fitsWindow, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let server: TestServer;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) =>
      lastRole === 'user' && lastText.startsWith('Write')
        ? {
            toolCalls: [
              { name: 'leggi', arguments: { percorso: 'a.txt' } },
              { name: 'scrivi', arguments: { percorso: 'a.txt', contenuto: `${lastText}\n` } },
            ],
          }
        : { text: 'Done.' },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const OFFLINE = 'The server is not responding';
const list = async (repo: TempRepo): Promise<any[]> =>
  (await server.call('GET', '/ext/worktrees', { query: { cartella: repo.path } })).data.worktree;

/** A worktree with a session that wrote `a.txt`. */
async function worked(repo: TempRepo, titolo: string, text = `Write ${titolo}`): Promise<any> {
  const body = { cartella: repo.path, titolo };
  const { worktree } = (await server.call('POST', '/ext/worktrees', { body })).data;
  const id = await server.startSession({
    cartellaLibera: worktree.cartella,
    consegna: text,
    permessi: 'Workspace write',
    linguaInterfaccia: 'en',
  });
  await server.settled(id);
  return { ...worktree, sessionId: id };
}

const open = (path: string, options: Parameters<typeof visit>[1] = {}) =>
  visit({ browser: browser as Browser, server, path }, options);
const at = (repo: TempRepo): string => `/?folder=${encodeURIComponent(repo.path)}`;
const where = (page: Page) => page.getByRole('group', { name: 'Where to work' });
const menu = async (page: Page, name: string, entry: string | RegExp, where = 'main'): Promise<void> => {
  await page
    .locator(where)
    .getByRole('button', { name: `More actions for worktree ${name}` })
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
};

describe('a new session', () => {
  walk(
    'works in a worktree with the uncommitted changes, and is marked in the sidebar, its counts beside its menu',
    async () => {
      await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
      await repo.git('branch', 'release');
      await repo.write({ 'b.txt': 'not committed\n' });
      await using v = await open(at(repo));
      const { page } = v;
      await where(page).getByRole('button', { name: 'In a worktree' }).click();
      await page.getByRole('combobox', { name: 'Start from' }).selectOption('release');
      await page.getByRole('checkbox', { name: /Copy the uncommitted change/ }).check();
      await page.getByRole('textbox', { name: 'Task' }).fill('Write the greeting');
      await clean(v);
      await shot(page, 'worktree-new-light-1440');
      await page.getByRole('button', { name: /^Start/ }).click();
      await page.waitForURL(/\/sessions\//);
      const [made] = await until(async () => ((await list(repo)).length > 0 ? list(repo) : undefined));
      expect(made).toMatchObject({ nome: 'write-the-greeting', base: { nome: 'release' } });
      expect(await readFile(join(made.percorso, 'b.txt'), 'utf8')).toBe('not committed\n');
      await page
        .getByRole('link', { name: /fucina\/write-the-greeting/ })
        .first()
        .waitFor();
      const section = page.getByRole('group', { name: 'Worktree: fucina/write-the-greeting' });
      await section.waitFor();
      await clean(v);
      await shot(page, 'worktree-session-light-1440');
      // One that was copied, and later the one that the agent writes.
      const count = section.getByRole('img', { name: /^[12] uncommitted files?$/ });
      await section
        .getByRole('link', { name: /write-the-greeting/ })
        .first()
        .hover();
      const [counted, button] = await Promise.all([
        count.boundingBox(),
        section.getByRole('button', { name: /^More actions for worktree/ }).boundingBox(),
      ]);
      expect(button?.x).toBeGreaterThan((counted?.x ?? 0) + (counted?.width ?? 0) - 1);
    },
  );

  walk('says what is wrong, and starts after the cause is gone', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await repo.git('branch', 'old');
    await repo.write({ 'a.txt': 'b\n' });
    await repo.git('commit', '-qam', 'Second');
    await repo.write({ 'a.txt': 'c\n' });
    await using v = await open(at(repo));
    const { page } = v;
    await where(page).getByRole('button', { name: 'In a worktree' }).click();
    await page.getByRole('combobox', { name: 'Start from' }).selectOption('old');
    await page.getByRole('checkbox', { name: /Copy the uncommitted change/ }).check();
    await page.getByRole('textbox', { name: 'Task' }).fill('Say hello');
    await page.getByRole('button', { name: /^Start/ }).click();
    await page.getByRole('alert').filter({ hasText: 'Changes do not apply' }).waitFor();
    await clean(v);
    await page.getByRole('checkbox', { name: /Copy the uncommitted change/ }).uncheck();
    await page.route('**/ext/worktrees', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: /^Start/ }).click();
    await page.getByRole('alert').filter({ hasText: OFFLINE }).waitFor();
    expect(await list(repo)).toEqual([]);
    await page.unroute('**/ext/worktrees');
    await page.getByRole('button', { name: /^Start/ }).click();
    await page.waitForURL(/\/sessions\//);
    expect(await list(repo)).toHaveLength(1);
  });

  walk('offers no worktree outside a repository, and says why in an empty one', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await repo.git('update-ref', '-d', 'HEAD');
    await using v = await open(at(repo));
    await where(v.page).getByRole('button', { name: 'In a worktree' }).click();
    await v.page.getByRole('alert').filter({ hasText: 'no commit yet' }).waitFor();
    await clean(v);
  });

  walk('tries a task several times and opens the comparison', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using v = await open(at(repo));
    const { page } = v;
    await where(page).getByRole('button', { name: 'In a worktree' }).click();
    await page.getByRole('combobox', { name: 'Number of tries' }).selectOption('3');
    await page.getByRole('textbox', { name: 'Task' }).fill('Write it');
    await page.getByRole('button', { name: /^Start/ }).click();
    await page.waitForURL(/\/compare\?sessions=/);
    await page.locator('.compare-side').nth(2).waitFor();
    expect(await list(repo)).toHaveLength(3);
  });

  walk('gives the same task to several models, each in its worktree, and compares them', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using v = await open(at(repo));
    const { page } = v;
    await where(page).getByRole('button', { name: 'In a worktree' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose a model' });
    const choose = async (model: string): Promise<void> => {
      await picker.getByRole('combobox').fill(`ollama:${model}`);
      await picker
        .getByRole('option', { name: new RegExp(model) })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await picker.waitFor({ state: 'detached' });
    };
    const add = async (model: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add a model' }).click();
      await choose(model);
      await page.getByRole('button', { name: new RegExp(`Remove.*${model}`) }).waitFor();
    };
    await page.keyboard.press('ControlOrMeta+Shift+M');
    await choose('first');
    await add('second');
    await add('unwanted');
    await page.getByRole('button', { name: /Remove.*unwanted/ }).click();
    await page.getByRole('textbox', { name: 'Task' }).fill('Write it');
    await clean(v);
    await shot(page, 'worktree-models-light-1440');
    await page.getByRole('button', { name: /^Start/ }).click();
    await page.waitForURL(/\/compare\?sessions=/);
    await page.locator('.compare-side').nth(1).waitFor();
    expect(await page.locator('.compare-side').count()).toBe(2);
    const made = await list(repo);
    const ids: string[] = made.flatMap(({ sessioni }) => sessioni);
    await Promise.all(ids.map((id) => server.settled(id)));
    const histories = await Promise.all(ids.map((id) => server.events(id)));
    const models = histories.map((events) => /ollama:\w+/.exec(JSON.stringify(events))?.[0]);
    expect(made).toHaveLength(2);
    expect(new Set(models)).toEqual(new Set(['ollama:first', 'ollama:second']));
    for (const { percorso } of made) expect(await readFile(join(percorso, 'a.txt'), 'utf8')).toBe('Write it\n');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
});

describe('the worktrees', () => {
  walk('are listed with their state, merged and removed', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const one = await worked(repo, 'Greeting');
    await using v = await open('/worktrees');
    const { page } = v;
    const row = page.locator('.worktree-row').filter({ hasText: 'fucina/greeting' });
    await row.getByText('1 uncommitted file').waitFor();
    await clean(v);
    await shot(page, 'worktrees-light-1440');
    await menu(page, 'greeting', /^Merge into/);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('is committed first').waitFor();
    await clean(v);
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect([await repo.git('log', '-1', '--format=%s'), await readFile(join(repo.path, 'a.txt'), 'utf8')]).toEqual([
      'Work of greeting',
      'Write Greeting\n',
    ]);
    await row.getByText('uncommitted').waitFor({ state: 'hidden' });
    await writeFile(join(one.percorso, 'new.txt'), 'new\n');
    await page.reload();
    await row.getByText('1 uncommitted file').waitFor();
    await menu(page, 'greeting', 'Remove worktree');
    await dialog.getByText('with uncommitted changes is deleted').waitFor();
    await shot(page, 'worktree-remove-light-1440');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await list(repo)).toHaveLength(1);
    await menu(page, 'greeting', 'Remove worktree');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'hidden' });
    expect(await list(repo)).toEqual([]);
    await clean(v);
  });

  walk('are rebased onto the branch of the folder', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await worked(repo, 'Linear');
    await repo.write({ 'b.txt': 'mine\n' });
    await repo.git('commit', '-qam', 'Mine');
    await using v = await open('/worktrees');
    const { page } = v;
    const row = page.locator('.worktree-row').filter({ hasText: 'fucina/linear' });
    await row.getByText('1 uncommitted file').waitFor();
    await row.getByRole('button', { name: 'More actions for worktree linear' }).click();
    await page.getByRole('menuitem', { name: /^Rebase and merge/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Rebase fucina\/linear/ });
    await dialog.waitFor();
    await clean(v);
    await shot(page, 'worktree-rebase-light-1440');
    await dialog.getByRole('button', { name: 'Rebase and merge' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await repo.git('log', '--format=%s')).toBe('Work of linear\nMine\nStart');
  });

  walk('keep changes that were made after the question, and stay when the server is away', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const one = await worked(repo, 'Late', 'Hello');
    await using v = await open('/worktrees');
    const { page } = v;
    await menu(page, 'late', 'Remove worktree');
    const dialog = page.getByRole('dialog');
    await writeFile(join(one.percorso, 'new.txt'), 'new\n');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'uncommitted changes' }).waitFor();
    expect(await readFile(join(one.percorso, 'new.txt'), 'utf8')).toBe('new\n');
    await page.route('**/ext/worktrees/**', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('alert').filter({ hasText: OFFLINE }).waitFor();
    expect(await list(repo)).toHaveLength(1);
  });

  walk('hand conflicts to the agent and leave both sides alone', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const one = await worked(repo, 'Clash');
    await repo.write({ 'a.txt': 'mine\n' });
    await repo.git('commit', '-qam', 'Mine');
    await using v = await open('/worktrees');
    const { page } = v;
    await menu(page, 'clash', /^Merge into/);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('dialog', { name: '1 file conflicts' }).waitFor();
    await clean(v);
    await shot(page, 'worktree-conflicts-light-1440');
    expect([await repo.git('status', '--porcelain'), await gitIn(one.percorso)('status', '--porcelain')]).toEqual([
      '',
      ' M a.txt',
    ]);
    await dialog.getByRole('button', { name: 'Ask the agent' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await server.settled(one.sessionId);
    const asked = (await server.events(one.sessionId)).map((event) => JSON.stringify(event)).join('\n');
    expect(asked).toContain('Merging this branch into main conflicts in: a.txt');
  });
});

describe('the sidebar', () => {
  walk('groups sessions by worktree with its branch, changes and commits, and acts on it', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const one = await worked(repo, 'Grouped', 'Hello');
    const again = await server.startSession({
      cartellaLibera: one.cartella,
      consegna: 'Again',
      linguaInterfaccia: 'en',
    });
    await server.settled(again);
    const loose = await server.startSession({ cartellaLibera: repo.path, consegna: 'Loose', linguaInterfaccia: 'en' });
    await server.settled(loose);
    await gitIn(one.percorso)('commit', '-q', '--allow-empty', '-m', 'Work');
    await writeFile(join(one.percorso, 'new.txt'), 'new\n');
    await using v = await open('/');
    const { page } = v;
    const group = page.getByRole('group', { name: 'Worktree: fucina/grouped' });
    await group.getByLabel('1 uncommitted file').waitFor();
    await group.getByLabel('1 commit ahead of main').waitFor();
    expect(await group.getByRole('link', { name: /Hello|Again/ }).count()).toBe(2);
    expect(await group.getByRole('link', { name: /Loose/ }).count()).toBe(0);
    await clean(v);
    await shot(page, 'sidebar-worktree-light-1440');
    await page.setViewportSize({ width: 900, height: 900 });
    await shot(page, 'sidebar-worktree-light-900');
    await page.setViewportSize({ width: 1440, height: 900 });
    await group
      .getByRole('link', { name: /^fucina\/grouped/ })
      .first()
      .focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy path' }).waitFor();
    await clean(v);
    await page.keyboard.press('Escape');
    await menu(page, 'grouped', 'New session in this worktree', '.nav-worktree');
    await page.waitForURL(/folder=.*grouped/);
    await menu(page, 'grouped', 'Remove worktree', '.nav-worktree');
    const dialog = page.getByRole('dialog');
    await page.route('**/ext/worktrees/**', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('alert').filter({ hasText: OFFLINE }).waitFor();
    await page.unroute('**/ext/worktrees/**');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await group.waitFor({ state: 'detached' });
    expect(await list(repo)).toEqual([]);
  });
});

describe('the comparison', () => {
  walk('shows what each session changed', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const [one, two] = [await worked(repo, 'First'), await worked(repo, 'Second')];
    await using v = await open(`/compare?sessions=${one.sessionId},${two.sessionId}`);
    const { page } = v;
    const file = page.getByRole('button', { name: /^a\.txt/ });
    await file.getByText('changed by 2 of 2').waitFor();
    await clean(v);
    await shot(page, 'compare-light-1440');
    await file.click();
    await page.getByRole('region', { name: 'a.txt' }).getByText('Write First').waitFor();
    await page.getByRole('button', { name: 'second', exact: true }).click();
    await page.getByRole('region', { name: 'a.txt' }).getByText('Write Second').waitFor();
    await clean(v);
    await shot(page, 'compare-open-light-1440');
  });

  for (const [locale, colorScheme] of [
    ['en-GB', 'dark'],
    ['it-IT', 'light'],
  ] as const) {
    walk(`fits a phone, as the list of worktrees does, in ${locale}, ${colorScheme}`, async () => {
      await using repo = await tempRepo({ 'a.txt': 'a\n' });
      const [one, two] = [await worked(repo, 'A long name of a task that does not fit'), await worked(repo, 'Second')];
      for (const [path, name] of [
        ['/worktrees', 'worktrees'],
        [`/compare?sessions=${one.sessionId},${two.sessionId}`, 'compare'],
        [at(repo), 'worktree-new'],
      ] as const) {
        await using v = await open(path, { viewport: { width: 390, height: 844 }, locale, colorScheme });
        const { page } = v;
        if (name === 'worktree-new') {
          await page.getByRole('button', { name: /In a worktree|In un worktree/ }).click();
          await page.getByRole('combobox', { name: /Start from|Parti da/ }).waitFor();
        } else await page.getByText('second', { exact: false }).first().waitFor();
        await fitsWindow(page);
        expect(await faults(page)).toEqual([]);
        await shot(page, `${name}-${locale}-${colorScheme}-390`);
        for (const width of [900, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await shot(page, `${name}-${locale}-${colorScheme}-${width}`);
        }
      }
    });
  }
});
