import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Route } from 'playwright-core';
import { until } from './harness.ts';
import { type FilesFixture, filesFixture, type Look } from './window-files-fixture.ts';
import { faults, shot, walk } from './window-visit.ts';

let fixture: FilesFixture;
beforeAll(async () => {
  const made = await filesFixture({
    'src/sum.ts': 'export function sum(a: number, b: number): number {\n  return a - b;\n}\n',
    'windows.txt': 'one\r\ntwo\r\n',
    'mixed.txt': 'one\r\ntwo\n',
    'data.json': '{ "a": 1, }\n',
    'first.txt': 'first\n',
    'other.txt': 'other\n',
  });
  if (made) fixture = made;
});
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
});

const at = (path: string) => join(fixture.folder.path, path);
const textOf = (path: string) => readFile(at(path), 'utf8').catch(() => undefined);
const becomes = (path: string, text: string) => until(async () => ((await textOf(path)) === text ? true : undefined));

async function edit(path: string, search = ''): Promise<Look> {
  const look = await fixture.look(`?file=${path}${search}`);
  await look.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await look.page.getByRole('textbox', { name: path }).waitFor();
  return look;
}
const editor = ({ page }: Look, path: string) => page.getByRole('textbox', { name: path });

walk('edits a file and saves it by keyboard, with find, replace and undo', async () => {
  await using v = await edit('src/sum.ts', '&line=2');
  const { page, complaints } = v;
  await page.keyboard.press('End');
  await page.keyboard.type(' // wrong');
  await page.getByText('Unsaved changes').waitFor();
  await page.getByRole('tab').getByRole('img', { name: 'Unsaved changes' }).waitFor();
  expect(await faults(page)).toEqual([]);
  for (const width of [1440, 900, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await shot(page, `editor-light-${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  await becomes('src/sum.ts', 'export function sum(a: number, b: number): number {\n  return a - b; // wrong\n}\n');
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByPlaceholder('Find').fill('a - b');
  await page.getByPlaceholder('Replace with').fill('a + b');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await shot(page, 'editor-find');
  await page.getByRole('button', { name: 'Save' }).click();
  await becomes('src/sum.ts', 'export function sum(a: number, b: number): number {\n  return a + b;\n}\n');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close editor' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

/** Saves of a file wait until the test lets them through. */
async function heldSaves({ page }: Look): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route('**/ext/sessions/*/files', (route) => void held.push(route));
  return async () => (await until(async () => held.pop())).continue();
}

walk('closes after a save in progress', async () => {
  await using v = await edit('data.json');
  const { page } = v;
  const letThrough = await heldSaves(v);
  await editor(v, 'data.json').press('Control+End');
  await page.keyboard.type('x');
  await page.evaluate(() => {
    // A busy computer may take longer than the second after which it asks.
    const start = setTimeout;
    globalThis.setTimeout = ((act: () => void, ms?: number) => (ms === 1_000 ? 0 : start(act, ms))) as typeof start;
  });
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Close editor' }).click();
  await letThrough();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  expect(await textOf('data.json')).toBe('{ "a": 1, }\nx');
});

walk('asks before it closes during a save that takes long', async () => {
  await using v = await edit('data.json');
  const { page } = v;
  const letThrough = await heldSaves(v);
  await editor(v, 'data.json').press('Control+End');
  await page.keyboard.type('y');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Close editor' }).click();
  const ask = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await letThrough();
  await page.getByText('Saved', { exact: true }).waitFor();
});

walk('keeps line endings as they are', async () => {
  await using v = await edit('windows.txt');
  await editor(v, 'windows.txt').press('Control+End');
  await v.page.keyboard.type('three');
  await v.page.keyboard.press('Enter');
  await v.page.keyboard.press('Control+s');
  await becomes('windows.txt', 'one\r\ntwo\r\nthree\r\n');
  await v.goto('?file=mixed.txt');
  await v.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await editor(v, 'mixed.txt').press('Control+End');
  await v.page.keyboard.type('three');
  await v.page.keyboard.press('Control+s');
  await becomes('mixed.txt', 'one\r\ntwo\nthree');
});

walk('follows the file on disk, and asks where both changed', async () => {
  await using v = await edit('first.txt');
  const { page, complaints } = v;
  await writeFile(at('first.txt'), 'from outside\n');
  await editor(v, 'first.txt').getByText('from outside').waitFor();
  await editor(v, 'first.txt').press('Control+Home');
  await page.keyboard.type('mine ');
  await writeFile(at('first.txt'), 'once more\n');
  const alert = page.getByRole('alert').filter({ hasText: 'This file changed on disk' });
  await alert.waitFor();
  await page.keyboard.press('Control+s');
  await alert.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('region', { name: 'Your changes, compared' }).waitFor();
  expect(await textOf('first.txt')).toBe('once more\n');
  expect(await faults(page)).toEqual([]);
  await shot(page, 'editor-conflict');
  await alert.getByRole('button', { name: 'Keep my changes' }).click();
  await alert.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await becomes('first.txt', 'mine from outside\n');
  await editor(v, 'first.txt').press('Control+End');
  await page.keyboard.type('more');
  await rm(at('first.txt'));
  await page.getByText('This file was deleted on disk').waitFor();
  await page.getByRole('button', { name: 'Keep and create the file again' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await becomes('first.txt', 'mine from outside\nmore');
  expect(complaints).toEqual([]);
});

walk('keeps unsaved text while another file is shown, and asks before it is discarded', async () => {
  await using v = await edit('other.txt');
  const { page } = v;
  await editor(v, 'other.txt').press('Control+End');
  await page.keyboard.type('kept');
  await v.row('windows.txt').click();
  await page.getByRole('tab', { name: /windows/ }).waitFor();
  await page.getByRole('tab', { name: /other/ }).click();
  await editor(v, 'other.txt').getByText('kept').waitFor();
  await page.keyboard.press('Alt+w');
  const ask = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await editor(v, 'other.txt').getByText('kept').waitFor();
  await page.keyboard.press('Alt+w');
  await ask.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('tab', { name: /other/ }).waitFor({ state: 'detached' });
  expect(await textOf('other.txt')).toBe('other\n');
});

walk('keeps the text while the server is away, and saves it afterwards', async () => {
  await using v = await edit('other.txt');
  const { page } = v;
  await editor(v, 'other.txt').press('Control+End');
  await page.keyboard.type('later');
  await page.context().setOffline(true);
  await page.keyboard.press('Control+s');
  const failure = page
    .getByRole('alert')
    .filter({ hasText: /server/i })
    .first();
  await failure.waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Save' }).click();
  await becomes('other.txt', 'other\nlater');
  await writeFile(at('other.txt'), 'other\n');
});

walk('opens and saves a file while this computer has no network', async () => {
  await using v = await fixture.look();
  const { page } = v;
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await v.row('other.txt').click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await editor(v, 'other.txt').press('Control+End');
  await page.keyboard.type('offline');
  await page.keyboard.press('Control+s');
  await becomes('other.txt', 'other\noffline');
  await writeFile(at('other.txt'), 'other\n');
});

walk('marks an error in JSON in the gutter, in Italian and dark', async () => {
  await using v = await fixture.look('?file=data.json');
  const { page, complaints } = v;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => localStorage.setItem('fucina.language', '"it"'));
  await page.reload();
  await page.getByRole('button', { name: 'Modifica', exact: true }).click();
  await page.locator('.cm-lint-marker-error').waitFor();
  await shot(page, 'editor-dark-it');
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
