import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from './harness.ts';
import { type FilesFixture, filesFixture, type Look } from './window-files-fixture.ts';
import { delayFrames, faults, walk } from './window-visit.ts';

let fixture: FilesFixture;

beforeAll(async () => {
  const made = await filesFixture({
    'src/long.ts': Array.from({ length: 300 }, (_, at) => `export const line${at + 1} = ${at};`).join('\n'),
    'src/deep/inner.ts': 'inner',
    'docs/guide.md': '# Guide\n',
    'alpha.txt': 'alpha',
    'beta.txt': 'beta',
    'with space.txt': 'space',
    'node_modules/x/alpha.js': '',
  });
  if (made) fixture = made;
});
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
});

const at = (path: string) => join(fixture.folder.path, path);
const isThere = (path: string) =>
  access(at(path)).then(
    () => true,
    () => false,
  );
const seen = async (path: string, wanted = true) =>
  expect(await until(async () => ((await isThere(path)) === wanted ? 'so' : undefined))).toBe('so');

async function clean({ page, complaints }: Look): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

const current = (page: Page) =>
  page.evaluate(() => {
    const id = document.querySelector('[role="tree"]')?.getAttribute('aria-activedescendant');
    return document.getElementById(id ?? '')?.querySelector('.tree-name')?.textContent;
  });

/** Drops a file of the computer on an element. */
const dropFile = (page: Page, selector: string) =>
  page.evaluate((where) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['dropped words'], 'dropped.txt', { type: 'text/plain' }));
    const target = [...document.querySelectorAll('[role="treeitem"]')].find(
      (row) => row.querySelector('.tree-name')?.textContent === where,
    );
    target?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, selector);

describe('the file tree', () => {
  walk('browses, opens and type-ahead searches with standard keys', async () => {
    await using v = await fixture.look();
    await v.tree.focus();
    await v.page.keyboard.press('End');
    expect(await current(v.page)).toBe('with space.txt');
    await v.page.keyboard.type('src');
    expect(await current(v.page)).toBe('src');
    await v.page.keyboard.press('ArrowRight');
    await v.row('long.ts').waitFor();
    await v.page.keyboard.press('ArrowRight');
    expect(await current(v.page)).toBe('deep');
    await v.page.keyboard.press('ArrowLeft');
    await v.page.keyboard.press('ArrowLeft');
    await v.row('long.ts').waitFor({ state: 'detached' });
    await v.page.keyboard.press('Home');
    await v.page.keyboard.type('al');
    await v.page.keyboard.press('Enter');
    await v.page.getByRole('tab', { name: 'alpha.txt', selected: true }).waitFor();
    expect(new URL(v.page.url()).searchParams.get('file')).toBe('alpha.txt');
    await clean(v);
  });

  walk('creates, renames, duplicates, moves and deletes entries on disk', async () => {
    await using v = await fixture.look();
    await v.page.getByRole('button', { name: 'New folder' }).click();
    await v.page.getByRole('textbox', { name: 'Name', exact: true }).fill('made');
    await v.page.keyboard.press('Enter');
    await v.row('made').waitFor();
    await seen('made');
    await v.row('made').click();
    await v.page.getByRole('button', { name: 'New file' }).click();
    await v.page.getByRole('textbox', { name: 'Name', exact: true }).fill('first.txt');
    await v.page.keyboard.press('Enter');
    await v.row('first.txt').waitFor();
    await seen('made/first.txt');

    await v.tree.focus();
    await v.page.keyboard.press('F2');
    await clean(v);
    await v.page.getByRole('textbox', { name: 'Rename' }).fill('second.txt');
    await v.page.keyboard.press('Enter');
    await v.row('second.txt').waitFor();
    await seen('made/second.txt');

    await v.page.getByRole('button', { name: 'New file' }).click();
    await v.page.getByRole('textbox', { name: 'Name', exact: true }).fill('aux.c');
    await v.page.keyboard.press('Enter');
    await v.page.getByText('aux.c: a file of this name cannot exist on Windows.').waitFor();
    await seen('made/aux.c');
    await v.row('second.txt').click();

    await v.tree.focus();
    await v.page.keyboard.press('Control+c');
    await v.page.keyboard.press('Home');
    await v.page.keyboard.type('docs');
    await v.page.keyboard.press('Control+v');
    await seen('docs/second.txt');
    await v.row('second.txt').nth(1).waitFor();

    await v.page.keyboard.press('Home');
    await v.page.keyboard.type('made');
    await v.page.keyboard.press('Delete');
    await v.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await v.row('made').waitFor({ state: 'detached' });
    await seen('made', false);
    await clean(v);
  });

  walk('moves an entry to a named folder and by drag and drop', async () => {
    await writeFile(at('mover.txt'), 'm');
    await using v = await fixture.look();
    const move = v.page.getByRole('menuitem', { name: 'Move to…' });
    await v.row('mover.txt').click();
    await v.row('mover.txt').click({ button: 'right' });
    await move.waitFor();
    await clean(v);
    await v.page.keyboard.press('Escape');
    await move.waitFor({ state: 'detached' });
    expect(await v.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tree');
    await v.row('mover.txt').click({ button: 'right' });
    await move.click();
    await v.page.getByRole('combobox', { name: 'Move mover.txt to' }).fill('deep');
    await v.page.getByRole('option', { name: 'src/deep' }).waitFor();
    await clean(v);
    await v.page.keyboard.press('Enter');
    await seen('src/deep/mover.txt');
    await v.row('src').and(v.page.locator('[aria-expanded=true]')).waitFor();
    // It may still be listed at its old place for a moment.
    await v.row('mover.txt').and(v.page.locator('[aria-level="3"]')).dragTo(v.row('docs'));
    await seen('docs/mover.txt');
    await clean(v);
  });

  walk('shows errors with the sentences of the API', async () => {
    await using v = await fixture.look();
    await v.row('beta.txt').click();
    await v.tree.focus();
    await v.page.keyboard.press('F2');
    await v.page.getByRole('textbox', { name: 'Rename' }).fill('alpha.txt');
    await v.page.keyboard.press('Enter');
    await v.page.getByRole('alert').waitFor();
    expect(await readFile(at('alpha.txt'), 'utf8')).toBe('alpha');
    await clean(v);
  });

  walk('updates at once on changes by other programs and by the agent', async () => {
    await using v = await fixture.look('', 'WRITE it.');
    await v.row(/^src contains changes/).click();
    await v.row(/^new\.ts new$/).waitFor();
    await mkdir(at('from-outside'));
    await v.row('from-outside').waitFor();
    await clean(v);
  });

  walk('uploads dropped files and downloads files', async () => {
    await using v = await fixture.look();
    await v.row('docs').waitFor();
    await dropFile(v.page, 'docs');
    await v.page.getByText('1 file added.').waitFor();
    expect(await readFile(at('docs/dropped.txt'), 'utf8')).toBe('dropped words');
    await v.row('beta.txt').click();
    const [download] = await Promise.all([
      v.page.waitForEvent('download'),
      v.page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('beta.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('beta');
    await clean(v);
  });

  walk('renders only the visible rows of ten thousand entries', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, place) => [`many/f${String(place).padStart(5, '0')}`, '']),
    );
    await fixture.folder.write(many);
    await using v = await fixture.look();
    await v.row('many').click();
    await v.row('f00000').waitFor();
    await v.tree.focus();
    await v.page.keyboard.type('f09999');
    await v.row('f09999').waitFor();
    expect(await v.tree.getByRole('treeitem').count()).toBeLessThan(100);
    expect(await v.row('f09999').getAttribute('aria-setsize')).toBe('10000');
    await clean(v);
    // A search by name scans everything up to its time limit; the next walk does not test that.
    await rm(at('many'), { recursive: true });
  });
});

describe('file search', () => {
  walk('finds files at any depth and names skipped folders', async () => {
    await using v = await fixture.look();
    await v.page.getByRole('searchbox', { name: 'Search by name' }).fill('inner');
    await v.page.getByText('Not searched: node_modules').waitFor();
    await v.page.getByRole('list', { name: 'Search results' }).getByRole('button', { name: 'inner.ts' }).waitFor();
    await v.page.keyboard.press('ArrowDown');
    await v.page.keyboard.press('Enter');
    await v.page.getByRole('tab', { name: 'inner.ts', selected: true }).waitFor();
    await clean(v);
    await v.page.getByRole('searchbox', { name: 'Search by name' }).fill('zzz-nothing');
    await v.page.getByText('No matching files or folders.').waitFor();
  });
});

describe('files in messages', () => {
  walk('completes a path after @ through folders and sends it', async () => {
    await using v = await fixture.look();
    await v.page.goto(new URL(`/sessions/${v.id}`, fixture.server.url).href);
    const box = v.page.getByRole('textbox', { name: 'Message' });
    const option = (name: RegExp) => v.page.getByRole('listbox').getByRole('option', { name });
    await box.fill('Fix ');
    await box.press('End');
    await box.pressSequentially('@src');
    await option(/^src$/).waitFor();
    await clean(v);
    await box.press('Tab');
    await box.pressSequentially('dee');
    await option(/^deep/).waitFor();
    await box.press('Escape');
    await v.page.getByRole('listbox').waitFor({ state: 'detached' });
    await box.pressSequentially('p/inn');
    await option(/inner\.ts/).waitFor();
    await box.press('Enter');
    expect(await until(async () => ((await box.inputValue()).includes('@') ? undefined : await box.inputValue()))).toBe(
      'Fix src/deep/inner.ts ',
    );
    await v.goto('');
    await v.row('with space.txt').click({ button: 'right' });
    await v.page.getByRole('menuitem', { name: 'Mention in the message' }).click();
    await v.page.getByRole('link', { name: 'Conversation' }).click();
    expect(await v.page.getByRole('textbox', { name: 'Message' }).inputValue()).toContain('`with space.txt`');
  });

  walk('takes a key as soon as a path is offered, and the next letter after the path', async () => {
    await using v = await fixture.look();
    await v.page.goto(new URL(`/sessions/${v.id}`, fixture.server.url).href);
    const box = v.page.getByRole('textbox', { name: 'Message' });
    await box.fill('Fix  please');
    for (let step = 0; step < ' please'.length; step += 1) await box.press('ArrowLeft');
    await delayFrames(v.page, 2_000);
    await v.page.evaluate(() => {
      const pick = () => {
        if (!document.querySelector('[role="option"]')?.textContent?.includes('inner.ts')) return;
        observer.disconnect();
        const key = { key: 'Enter', bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
      };
      const observer = new MutationObserver(pick);
      observer.observe(document, { childList: true, subtree: true });
    });
    await box.pressSequentially('@inn');
    await v.page.waitForFunction(() => !document.querySelector('textarea')?.value.includes('@'));
    await v.page.keyboard.type('now');
    expect(await box.inputValue()).toBe('Fix src/deep/inner.ts now please');
    expect(v.complaints).toEqual([]);
  });

  walk('opens a file named by the agent at its line, and Back returns to the conversation', async () => {
    await using v = await fixture.look('', 'WRITE it.');
    await v.page.goto(new URL(`/sessions/${v.id}`, fixture.server.url).href);
    await v.page.getByRole('link', { name: 'src/long.ts:150' }).click();
    await v.page.getByText('export const line150 = 149;').waitFor();
    expect(new URL(v.page.url()).searchParams.get('line')).toBe('150');
    await v.page.goBack();
    await v.page.getByRole('button', { name: /^Read src\/long\.ts/ }).click();
    await v.page.getByRole('link', { name: 'src/long.ts', exact: true }).click();
    await v.page.getByText('export const line120 = 119;').waitFor();
    await clean(v);
  });
});
