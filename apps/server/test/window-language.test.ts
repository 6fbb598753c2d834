import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { addTypeScript } from './typescript-project.ts';
import { faults, launchBrowser, openView, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const GOOD = 'export const size = (text: string): number => text.length;\n';
const BROKEN = `${GOOD}export const wrong: string = size('x');\n`;
const MESSAGE = "Type 'number' is not assignable to type 'string'.";

let server: TestServer;
let browser: Browser | undefined;
let sessionId: string;
beforeAll(async () => {
  server = await testServer({ windowFolder: WINDOW_FOLDER, isApart: true });
  browser = await launchBrowser();
  await addTypeScript(server.project);
  await server.project.write({ 'src/size.ts': GOOD });
  sessionId = await edit(GOOD);
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

/** A session whose model writes this text. */
async function edit(contenuto: string): Promise<string> {
  const calls = [
    { name: 'leggi', arguments: { percorso: 'src/size.ts' } },
    { name: 'scrivi', arguments: { percorso: 'src/size.ts', contenuto } },
  ];
  server.model.script(() => {
    const call = calls.shift();
    return call ? { toolCalls: [call] } : { text: 'Done.' };
  });
  const id = await server.startSession({ permessi: 'Workspace write' });
  await server.settled(id);
  return id;
}

type Options = NonNullable<Parameters<typeof visit>[1]>;
const look = (search = '', options: Options = {}, id = sessionId): Promise<Visit> =>
  visit({ browser: browser as Browser, server, path: `/sessions/${id}${search}` }, options);
const section = (page: Page) => page.getByRole('region', { name: 'Language servers' });

async function clean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

walk('trusts a server of the project after it showed what would run', async () => {
  await using place = await look();
  const { page } = place;
  await openView(page, 'Extensions');
  await section(page).getByText('Not trusted: disabled').waitFor();
  await shot(page, 'language-untrusted');
  await clean(place);
  await section(page).getByRole('button', { name: 'Review and trust typescript' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('node_modules/.bin/tsc --lsp --stdio').waitFor();
  await shot(page, 'language-trust');
  await clean(place);
  await page.route('**/trust', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await page.unroute('**/trust');
  if (!(await dialog.isVisible())) {
    await section(page).getByRole('button', { name: 'Review and trust typescript' }).click();
  }
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
  await section(page).getByText('Running', { exact: true }).waitFor();
  await section(page).getByRole('button', { name: 'Restart typescript' }).click();
  await section(page).getByText('Running', { exact: true }).waitFor();
  await clean(place);
  await using narrow = await look('', { colorScheme: 'dark', locale: 'it-IT', viewport: { width: 390, height: 844 } });
  await openView(narrow.page, 'Estensioni');
  await narrow.page.getByRole('region', { name: 'Language server' }).getByText('Attivo', { exact: true }).waitFor();
  await shot(narrow.page, 'language-running-it');
  await clean(narrow);
});

walk('shows the problems of an edit in the call, in Changes and in Files', async () => {
  sessionId = await edit(BROKEN);
  await using place = await look();
  const { page } = place;
  await openView(page, 'Changes');
  await page.getByTitle('1 error', { exact: true }).waitFor();
  await shot(page, 'language-changes');
  await clean(place);
  await openView(page, 'Files');
  await page.getByRole('treeitem', { name: 'src' }).click();
  await page
    .getByRole('treeitem', { name: /size\.ts/ })
    .getByTitle('1 error', { exact: true })
    .waitFor();
  await shot(page, 'language-files');
  await clean(place);
});

walk('underlines problems in the editor until the text is right', async () => {
  for (const [name, options] of [
    ['en', { colorScheme: 'light' }],
    ['it', { colorScheme: 'dark', locale: 'it-IT', viewport: { width: 390, height: 844 } }],
  ] as const) {
    await writeFile(join(server.project.path, 'src/size.ts'), BROKEN);
    await using place = await look('/files?file=src/size.ts', options);
    const { page, complaints } = place;
    await page.getByRole('button', { name: /^(Edit|Modifica)$/ }).click();
    const editor = page.getByRole('textbox', { name: 'src/size.ts' });
    await editor.locator('.cm-lintRange-error').getByText('wrong').waitFor();
    await page.locator('.cm-gutter-lint .cm-lint-marker-error').hover();
    await page.locator('.cm-tooltip').getByText(MESSAGE).waitFor();
    await shot(page, `language-editor-${name}`);
    expect(await faults(page)).toEqual([]);
    await editor.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Shift+K');
    await editor.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  }
});

walk('edits and saves a file although the diagnostics cannot be read', async () => {
  await writeFile(join(server.project.path, 'src/size.ts'), GOOD);
  await using place = await look('/files?file=src/size.ts');
  const { page, complaints } = place;
  await page.route('**/diagnostics**', (route) => route.abort());
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'src/size.ts' });
  await editor.press('Control+End');
  const asked = page.waitForRequest(/diagnostics\/file/);
  await page.keyboard.type('// end');
  await asked;
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await readFile(join(server.project.path, 'src/size.ts'), 'utf8')).toBe(`${GOOD}// end`);
  expect(complaints).toEqual([]);
});
