import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({ windowFolder: WINDOW_FOLDER });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

const kept = async (collection: string, list: string) => (await server.call('GET', `/me/${collection}`)).data[list];
const open = (options?: Parameters<typeof visit>[1]): Promise<Visit> =>
  visit({ browser: browser as Browser, server }, options);

async function at(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, server.url).href);
}

walk('creates, autosaves, finds, renders and deletes a note, and restores it', async () => {
  await using place = await open();
  const { page, complaints } = place;
  await at(page, '/');
  await page.getByRole('link', { name: 'Notes', exact: true }).click();
  await page.getByText('No notes yet.').waitFor();
  expect(await faults(page)).toEqual([]);

  await page.getByRole('button', { name: 'New note' }).click();
  await page.getByLabel('Note text').fill('# Heat slowly\n\n- first\n- second');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: /Heat slowly/ }).waitFor();
  expect(await kept('notes', 'note')).toMatchObject([{ titolo: 'Heat slowly' }]);
  // The first save does not move the focus.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  // Asked before the key: it is shown for less than a second.
  const unsaved = page.waitForFunction(() => document.body.textContent.includes('Not saved yet'));
  await page.keyboard.type('\n- third');
  await unsaved;
  await page.getByText('Saved', { exact: true }).waitFor();

  await page.reload();
  await page.getByRole('heading', { name: 'Heat slowly' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'third' }).first().waitFor();
  expect(await faults(page)).toEqual([]);

  await page.getByLabel('Search notes').fill('absent');
  await page.getByText('No matches').waitFor();
  await page.getByLabel('Search notes').fill('HEAT');
  await page.getByRole('link', { name: /Heat slowly/ }).waitFor();

  await page.getByRole('button', { name: 'Delete note' }).click();
  await page.getByText('Deleted: Heat slowly.').waitFor();
  expect(await kept('notes', 'note')).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Heat slowly' }).waitFor();
  expect(await kept('notes', 'note')).toMatchObject([{ contenuto: '# Heat slowly\n\n- first\n- second\n- third' }]);
  expect(complaints).toEqual([]);
});

walk('keeps an unsaved note, reports it, and saves it later, even after closing the page', async () => {
  const made = await server.call('POST', '/me/notes', { body: { titolo: 'Fragile', contenuto: 'before' } });
  const path = `/records/notes/${made.data.nota.id}`;
  await using place = await open();
  const { page } = place;
  await at(page, path);
  await page.getByLabel('Note text').waitFor();
  await page.context().setOffline(true);
  await page.getByLabel('Note text').fill('after');
  await page.getByRole('alert').waitFor();
  await page.getByText('Not saved', { exact: true }).waitFor();
  await page.getByLabel('Note text').fill('long after');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.context().setOffline(false);
  await at(page, path);
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await page.getByLabel('Note text').inputValue()).toBe('long after');
  expect((await server.call('GET', `/me/notes/${made.data.nota.id}`)).data.nota.contenuto).toBe('long after');
});

walk('adds tasks, moves them by keyboard, check box and drag, edits them, and clears completed ones', async () => {
  await using place = await open();
  const { page, complaints } = place;
  await at(page, '/records/tasks');
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  for (const title of ['Oil the hinge', 'Sweep', 'Weld']) {
    await page.getByLabel('Add to “To do”').fill(title);
    await page.keyboard.press('Enter');
    await column('To do').getByText(title).waitFor();
  }
  await column('To do').getByRole('button', { name: 'Oil the hinge' }).focus();
  await page.keyboard.press('Alt+ArrowRight');
  await column('In progress').getByText('Oil the hinge').waitFor();
  // The key can be pressed again: the focus stays on the moved task.
  await page.keyboard.press('Alt+ArrowRight');
  await column('Done').getByText('Oil the hinge').waitFor();
  await page.keyboard.press('Alt+ArrowLeft');
  await column('In progress').getByText('Oil the hinge').waitFor();
  await page.getByRole('checkbox', { name: 'Done: Sweep' }).click();
  await column('Done').getByText('Sweep').waitFor();
  await column('To do').getByText('Weld').dragTo(column('Done'));
  await column('Done').getByText('Weld').waitFor();
  expect(await faults(page)).toEqual([]);

  await column('In progress').getByRole('button', { name: 'Oil the hinge' }).click();
  await page.getByLabel('Description').fill('with care');
  await page.getByLabel('Priority').selectOption('High');
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await column('In progress').getByText('with care').waitFor();

  await page.getByRole('button', { name: 'Delete all in this column' }).click();
  await page.getByText('2 tasks deleted.').waitFor();
  expect(await kept('tasks', 'attivita')).toMatchObject([
    { titolo: 'Oil the hinge', priorita: 'high', stato: 'doing' },
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await column('Done').getByText('Weld').waitFor();
  await page.getByRole('button', { name: 'List' }).click();
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('groups memories by kind and reports an existing title', async () => {
  await using place = await open();
  const { page, complaints } = place;
  await at(page, '/records/memory');
  await page.getByText('No memories yet').waitFor();
  expect(await faults(page)).toEqual([]);
  const write = async (title: string, text: string) => {
    await page.getByRole('button', { name: 'New memory' }).click();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('What to remember').fill(text);
    await page.getByLabel('Type').selectOption('Procedures');
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await write('Release', 'Tag, then push');
  await page.getByRole('region', { name: 'Procedures' }).getByText('Tag, then push').waitFor();
  await write('release', 'other');
  await page.getByText('“Release” already exists: Tag, then push').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Edit Release' }).click();
  await page.getByLabel('Type').selectOption('Rules');
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Rules' }).getByText('Release').waitFor();

  await page.getByRole('button', { name: 'Delete Release' }).click();
  await page.getByText('No memories yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('region', { name: 'Rules' }).getByText('Release').waitFor();
  expect(complaints).toEqual([]);
});
