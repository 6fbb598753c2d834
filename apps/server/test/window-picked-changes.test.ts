import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { faults, fitsWindow, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
const edited = (changes: Record<number, string>): string =>
  LINES.map((line, at) => (changes[at] === undefined ? line : `${changes[at]}\n`)).join('');

let browser: Browser | undefined;
let server: TestServer;

beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) server = await testServer({ windowFolder: WINDOW_FOLDER, script: [{ text: 'Done.' }] });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Side {
  id: string;
  folder: string;
}

/** A session in a worktree of the repository, with these files. */
async function side(repo: TempRepo, titolo: string, files: Record<string, string>): Promise<Side> {
  server.model.script(() => ({ text: 'Done.' }));
  const { worktree } = (await server.call('POST', '/ext/worktrees', { body: { cartella: repo.path, titolo } })).data;
  for (const [name, content] of Object.entries(files)) await writeFile(join(worktree.percorso, name), content);
  const id = await server.startSession({
    cartellaLibera: worktree.cartella,
    consegna: titolo,
    linguaInterfaccia: 'en',
  });
  await server.settled(id);
  return { id, folder: worktree.percorso };
}

const compare = (sides: readonly Side[], options: Parameters<typeof visit>[1] = {}) => {
  const path = `/compare?sessions=${sides.map(({ id }) => id).join(',')}`;
  return visit({ browser: browser as Browser, server, path }, options);
};
const bar = (page: Page) => page.getByRole('region', { name: /^(Chosen changes|Modifiche scelte)$/ });
const text = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8');

describe('chosen changes of several sessions', () => {
  walk('are applied to the folder together, and undone', async () => {
    await using repo = await tempRepo({ 'a.txt': LINES.join('') });
    const one = await side(repo, 'One', { 'a.txt': edited({ 2: 'one', 20: 'not chosen' }) });
    const two = await side(repo, 'Two', { 'a.txt': edited({ 30: 'two' }), 'new.txt': 'new\n' });
    await repo.write({ 'a.txt': edited({ 39: 'mine' }) });
    await using v = await compare([one, two]);
    const { page } = v;
    await page.getByRole('button', { name: /^a\.txt/ }).click();
    await page.getByRole('checkbox', { name: 'Choose change 1 of 2' }).check();
    const version = page.getByRole('group', { name: 'Version of' });
    await version.getByRole('button', { name: 'two' }).click();
    await page.getByRole('checkbox', { name: 'Choose all changes' }).check();
    await page.getByRole('button', { name: /^new\.txt/ }).click();
    await page.getByRole('checkbox', { name: 'Choose all changes' }).nth(1).check();
    await bar(page).getByText('Changes of 3 files chosen').waitFor();
    await clean(v);
    await shot(page, 'picked-chosen-light-1440');

    await bar(page).getByRole('button', { name: 'Apply' }).click();
    await bar(page)
      .getByText(/^Applied to .*: 2 files changed$/)
      .waitFor();
    expect([await text(repo.path, 'a.txt'), await text(repo.path, 'new.txt')]).toEqual([
      edited({ 2: 'one', 30: 'two', 39: 'mine' }),
      'new\n',
    ]);
    await clean(v);
    await shot(page, 'picked-applied-light-1440');
    await bar(page).getByRole('button', { name: 'Undo' }).click();
    await bar(page)
      .getByText(/^Undone in/)
      .waitFor();
    expect(await repo.git('status', '--porcelain')).toBe(' M a.txt');
    expect(await text(repo.path, 'a.txt')).toBe(edited({ 39: 'mine' }));
  });

  walk('are offered when the changes of every session are known', async () => {
    await using repo = await tempRepo({ 'a.txt': LINES.join('') });
    const one = await side(repo, 'One', { 'a.txt': edited({ 5: 'one' }) });
    const two = await side(repo, 'Two', { 'a.txt': edited({ 30: 'two' }) });
    await using v = await compare([one, two]);
    const { page } = v;
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/ext/sessions/${one.id}/branch-point*`, async (route) => {
      await held;
      await route.continue();
    });
    const known = page.waitForResponse(new RegExp(`/ext/sessions/${two.id}/branch-point`));
    await page.reload();
    await known;
    // The sidebar may be loading, too.
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor();
    expect(await page.getByRole('button', { name: /^a\.txt/ }).count()).toBe(0);
    release?.();
    await page.getByRole('button', { name: /^a\.txt/ }).click();
    await page.getByRole('group', { name: 'Version of' }).getByRole('button', { name: 'one', pressed: true }).waitFor();
  });

  walk('that conflict are listed with their session, and nothing changes', async () => {
    await using repo = await tempRepo({ 'a.txt': LINES.join('') });
    const one = await side(repo, 'One', { 'a.txt': edited({ 5: 'one' }) });
    const two = await side(repo, 'Two', { 'a.txt': edited({ 5: 'two' }) });
    await using v = await compare([one, two]);
    const { page } = v;
    await page.getByRole('button', { name: /^a\.txt/ }).click();
    await page.getByRole('checkbox', { name: 'Choose all changes' }).check();
    await page.getByRole('group', { name: 'Version of' }).getByRole('button', { name: 'two' }).click();
    await page.getByRole('checkbox', { name: 'Choose all changes' }).check();
    await bar(page).getByRole('button', { name: 'Apply' }).click();
    const alert = bar(page).getByRole('alert').filter({ hasText: 'Nothing was changed' });
    await alert.getByText('two').waitFor();
    await clean(v);
    await shot(page, 'picked-conflict-light-1440');
    expect(await repo.git('status', '--porcelain')).toBe('');
    await bar(page).getByRole('button', { name: 'Clear' }).click();
    expect(await page.getByRole('checkbox', { name: 'Choose all changes' }).isChecked()).toBe(false);
  });

  walk('go to another worktree, and are refused when the file has changed since', async () => {
    await using repo = await tempRepo({ 'a.txt': LINES.join('') });
    const one = await side(repo, 'One', { 'a.txt': edited({ 5: 'one' }) });
    const two = await side(repo, 'Two', { 'a.txt': edited({ 30: 'two' }) });
    await using v = await compare([one, two]);
    const { page } = v;
    await page.getByRole('button', { name: /^a\.txt/ }).click();
    await page.getByRole('checkbox', { name: 'Choose all changes' }).check();
    await bar(page).getByRole('combobox', { name: 'Apply to' }).selectOption('two');
    await bar(page).getByRole('button', { name: 'Apply' }).click();
    await bar(page).getByText('Applied to two: 1 file changed').waitFor();
    expect(await text(two.folder, 'a.txt')).toBe(edited({ 5: 'one', 30: 'two' }));

    await page.getByRole('checkbox', { name: 'Choose all changes' }).check();
    await writeFile(join(one.folder, 'a.txt'), edited({ 5: 'newer' }));
    await bar(page).getByRole('button', { name: 'Apply' }).click();
    await bar(page).getByRole('alert').filter({ hasText: 'Changes are out of date' }).waitFor();
    await page.getByRole('main').getByText('newer').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Choose all changes' }).isChecked()).toBe(false);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
});

walk('changes of a sub-agent in a worktree are reviewed from the conversation, and applied', async () => {
  await using repo = await tempRepo({ 'a.txt': 'one\n' });
  server.model.script(({ lastRole, lastText }) => {
    if (lastRole !== 'user') return { text: 'Written.' };
    const [name, args] = lastText.startsWith('Delegate')
      ? ['delega_sottotask', { task: 'Write a.txt', isolamento: 'worktree' }]
      : ['scrivi', { percorso: 'a.txt', contenuto: 'agent\n' }];
    return {
      toolCalls: [
        { name: 'leggi', arguments: { percorso: 'a.txt' } },
        { name, arguments: args },
      ],
    };
  });
  const id = await server.startSession({
    cartellaLibera: repo.path,
    consegna: 'Delegate it',
    permessi: 'Workspace write',
    linguaInterfaccia: 'en',
  });
  await server.settled(id);
  await using v = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` });
  const { page } = v;
  const review = page.getByRole('link', { name: 'Review its changes' });
  await page
    .getByRole('button', { name: /Write a\.txt/ })
    .first()
    .click();
  await review.first().waitFor();
  await clean(v);
  await shot(page, 'agent-review-light-1440');
  await review.first().click();
  await page.waitForURL(/\/compare\?sessions=/);
  await page.getByRole('button', { name: /^a\.txt/ }).click();
  await page.getByRole('checkbox', { name: 'Choose all changes' }).check();
  await bar(page).getByRole('button', { name: 'Apply' }).click();
  await bar(page)
    .getByText(/^Applied to/)
    .waitFor();
  expect(await text(repo.path, 'a.txt')).toBe('agent\n');
  await clean(v);
});

for (const [locale, colorScheme] of [
  ['en-GB', 'dark'],
  ['it-IT', 'light'],
] as const) {
  walk(`the choice fits a phone in ${locale}, ${colorScheme}`, async () => {
    await using repo = await tempRepo({ 'a.txt': LINES.join('') });
    const one = await side(repo, 'One', { 'a.txt': edited({ 2: 'one', 20: 'other' }) });
    await using v = await compare([one], { viewport: { width: 390, height: 844 }, locale, colorScheme });
    const { page } = v;
    await page.getByRole('button', { name: /^a\.txt/ }).click();
    await page
      .getByRole('checkbox', { name: /1 (of|di) 2/ })
      .first()
      .check();
    await bar(page).waitFor();
    await fitsWindow(page);
    expect(await faults(page)).toEqual([]);
    await shot(page, `picked-${locale}-${colorScheme}-390`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shot(page, `picked-${locale}-${colorScheme}-1440`);
  });
}
