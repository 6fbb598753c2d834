import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_BUG } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { answerByKey, faults, launchBrowser, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const edit = (vecchio: string) => ({
  name: 'file_edit',
  arguments: { percorso: SAMPLE_BUG.path, vecchio, nuovo: SAMPLE_BUG.after },
});
const PATCH = [
  '*** Begin Patch',
  '*** Add File: one.txt',
  '+first',
  '*** Add File: two.txt',
  '+second',
  '*** End Patch',
];
const command = (comando: string) => ({ name: 'shell', arguments: { comando, descrizione: 'A command' } });

/** Three commands: the second has the prefix of the first, the third has its beginning only. */
function prefixed(messages: readonly { role: string }[]) {
  const lines = ['git status', 'git status --short', 'git stash list'];
  const line = lines[messages.filter(({ role }) => role === 'tool').length];
  return line === undefined ? { text: 'Done.' } : { toolCalls: [command(line)] };
}

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText, body }) => {
      if (JSON.stringify(body).includes('PREFIX')) return prefixed(body.messages as { role: string }[]);
      if (lastRole !== 'user') return { text: 'The **walrus** is in `src/pages.js`.' };
      if (lastText.startsWith('EDIT')) return { toolCalls: [edit(SAMPLE_BUG.before)] };
      if (lastText.startsWith('PATCH'))
        return { toolCalls: [{ name: 'apply_patch', arguments: { input: PATCH.join('\n') } }] };
      if (lastText.startsWith('MISS')) return { toolCalls: [edit('no such line')] };
      if (lastText.startsWith('REACH')) return { toolCalls: [command(`curl -s http://${hostname()}:9/`)] };
      if (lastText.startsWith('LONG')) return { toolCalls: [command(`echo safe${'\n'.repeat(200)}echo the end`)] };
      if (lastText.startsWith('BOTH')) return { toolCalls: [edit(SAMPLE_BUG.before), command('echo second')] };
      return { text: 'Hello.' };
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

async function ask(
  consegna: string,
  options?: Parameters<typeof visit>[1],
  permessi = 'On request',
): Promise<Visit & { id: string }> {
  const id = await server.startSession({ consegna, permessi });
  const place = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` }, options);
  await place.page.locator('.status').waitFor();
  return { ...place, id };
}

walk('the approval card shows the diff with context, line numbers and colors', async () => {
  await using place = await ask('EDIT it', { colorScheme: 'dark' });
  const { page, complaints } = place;
  const card = page.getByRole('region', { name: 'Edit this file?' });
  const diff = card.getByRole('region', { name: SAMPLE_BUG.path });
  // Before the file is loaded, only the edit is shown.
  await diff.locator('.diff-line[data-kind="same"]').first().waitFor();
  await shot(page, 'ask-dark');
  const lines = await diff.locator('.diff-line').allInnerTexts();
  expect(lines.map((line) => line.replaceAll(/\s+/g, ' ').trim())).toEqual([
    '6 6 /** The items of one page; the first page is 1. */',
    '7 7 export function pageOf(items, page, perPage) {',
    '8 8 const start = (page - 1) * perPage;',
    `9 − ${SAMPLE_BUG.before}`,
    `9 + ${SAMPLE_BUG.after}`,
    '10 10 return items.slice(start, end);',
    '11 11 }',
  ]);
  await diff.locator('.diff-text span[style*="color"]').first().waitFor();
  await shot(page, 'ask-colours');
  expect(await faults(page)).toEqual([]);
  await answerByKey(page, 'Edit this file?', '0');
  expect(complaints).toEqual([]);
});

walk('the approval card takes its key after the clock of the computer was set back', async () => {
  await using place = await ask('EDIT it');
  const { page, complaints } = place;
  await page.getByRole('heading', { name: 'Edit this file?' }).waitFor();
  await page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() - 3_600_000;
  });
  await answerByKey(page, 'Edit this file?', '0');
  await page.getByText('Denied by you').first().waitFor();
  expect(complaints).toEqual([]);
});

walk('an answer for the session allows the prefix of a command and asks for its neighbor', async () => {
  await using place = await ask('PREFIX');
  const { page, id, complaints } = place;
  const card = page.getByRole('region', { name: 'Run this command?' });
  await card.locator('.ask-action', { hasText: 'git status' }).waitFor();
  await shot(page, 'ask-prefix');
  expect(await faults(page)).toEqual([]);
  await card.getByRole('button', { name: 'Allow git status … for this session' }).click();
  await card.locator('.ask-action', { hasText: 'git stash list' }).waitFor();
  await card.getByRole('button', { name: 'Allow this exact command for this session' }).waitFor();
  await answerByKey(page, 'Run this command?', '2');
  await server.settled(id);
  const events = await server.events(id);
  expect(events.filter(({ type }) => type === 'ApprovalRequested')).toMatchObject([
    { azione: { comando: 'git status' } },
    { azione: { comando: 'git stash list' } },
  ]);
  expect(events.find(({ type }) => type === 'ApprovalResolved')).toMatchObject({ approvato: true, ambito: 'percorso' });
  expect(complaints).toEqual([]);
});

walk('a command is allowed once its end was on the screen, and denied at any time', async () => {
  await using place = await ask('LONG');
  const { page, id, complaints } = place;
  const card = page.getByRole('region', { name: 'Run this command?' });
  const once = card.getByRole('button', { name: 'Allow once' });
  const show = card.getByRole('button', { name: 'Show the end of the command' });
  await show.waitFor();
  await shot(page, 'ask-long');
  expect(await faults(page)).toEqual([]);
  expect(await once.isDisabled()).toBe(true);
  expect(await card.getByRole('button', { name: 'Deny' }).isEnabled()).toBe(true);
  expect(await card.getByText('The model says: “A command”').count()).toBe(1);
  await show.click();
  await show.waitFor({ state: 'detached' });
  await shot(page, 'ask-long-end');
  expect(await card.getByText('echo the end').last().isVisible()).toBe(true);
  expect(await once.isEnabled()).toBe(true);
  expect((await server.events(id)).filter(({ type }) => type === 'ApprovalResolved')).toEqual([]);
  await answerByKey(page, 'Run this command?', '1');
  await server.settled(id);
  expect((await server.events(id)).find(({ type }) => type === 'ApprovalResolved')).toMatchObject({ approvato: true });
  expect(complaints).toEqual([]);
});

walk('an impossible edit is not offered for approval', async () => {
  await using place = await ask('MISS it');
  const { page, id } = place;
  await server.settled(id);
  await page.getByText('The walrus is in').waitFor();
  const events = await server.events(id);
  expect(events.filter(({ type }) => type === 'ApprovalRequested')).toEqual([]);
});

walk.each([
  ['light', 'en-US', `curl wants to reach ${hostname()}:9`, 'Allow for this session'],
  ['dark', 'it-IT', `curl vuole connettersi a ${hostname()}:9`, 'Consenti per la sessione'],
] as const)('the network card names program and host, %s %s', async (colorScheme, locale, title, session) => {
  await using place = await ask('REACH it', { colorScheme, locale }, 'Workspace write');
  const { page, id, complaints } = place;
  const card = page.getByRole('region', { name: title });
  await card.waitFor();
  await shot(page, `ask-network-${colorScheme}`);
  expect(await faults(page)).toEqual([]);
  await card.getByRole('button', { name: session }).click();
  await server.settled(id);
  const resolved = (await server.events(id)).find(({ type }) => type === 'ApprovalResolved');
  expect(resolved).toMatchObject({ approvato: true, ambito: 'percorso' });
  expect(complaints).toEqual([]);
});

walk('Stop marks both calls as stopped and lists no process for a command that never ran', async () => {
  await using place = await ask('BOTH');
  const { page } = place;
  await page.getByRole('heading', { name: 'Edit this file?' }).waitFor();
  expect(await page.locator('.process').count()).toBe(0);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.locator('.turn-outcome').getByText('Stopped by you').waitFor();
  await shot(page, 'stopped');
  const calls = page.locator('.tool-head');
  expect(await calls.count()).toBe(2);
  for (const call of await calls.all()) expect(await call.getByText('Stopped', { exact: true }).count()).toBe(1);
  expect(await page.getByText('Denied by you').count()).toBe(0);
  expect(await page.getByText('Edited', { exact: true }).count()).toBe(0);
  await page.getByText('No commands yet.').waitFor();
  await page.locator('.spin').first().waitFor({ state: 'detached' });
});

walk('Ctrl K lists sessions above actions and message text below them, with plain excerpts', async () => {
  await using place = await ask('MISS the walrus');
  const { page, id } = place;
  await server.settled(id);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('walrus');
  const found = page.getByRole('option').filter({ hasText: 'The walrus is in src/pages.js' });
  await found.first().waitFor();
  await shot(page, 'palette');
  const groups = await page.locator('.pick-group').allInnerTexts();
  expect(groups[0]).toBe('Sessions');
  expect(groups.at(-1)).toBe('By content');
  await found.first().click();
  await page.waitForURL(/\/sessions\/[^#]+#/);
});

walk(
  'the first letters after Ctrl K reach the search, and Enter takes what was first when messages arrive late',
  async () => {
    await using place = await ask('MISS it');
    const { page, id } = place;
    await server.settled(id);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Both keys in one step of the page: whatever has the focus then gets the letter.
    const focused = await page.evaluate(async () => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
      await new Promise(requestAnimationFrame);
      return document.activeElement?.getAttribute('role');
    });
    expect(focused).toBe('combobox');
    await page.keyboard.type('page');
    const first = page.getByRole('dialog').getByRole('option', { selected: true });
    await first.filter({ hasText: 'Page' }).waitFor();
    const before = await first.innerText();
    await page.locator('.pick-group').filter({ hasText: 'By content' }).waitFor();
    expect(await first.innerText()).toBe(before);
  },
);

walk('the Changes tab colors the syntax of a changed file', async () => {
  await using place = await ask('EDIT it', {}, 'Workspace write');
  const { page, id, complaints } = place;
  await server.settled(id);
  await page.locator('a[href$="/changes"]').first().click();
  const diff = page.getByRole('region', { name: SAMPLE_BUG.path });
  await diff.locator('.diff-text span[style*="color"]').first().waitFor();
  await shot(page, 'changes-colours');
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

walk('the approval card of a patch shows each line of it, and an answer for the folder covers its files', async () => {
  const id = await server.startSession({ consegna: 'PATCH it', permessi: 'On request', modello: 'ollama:gpt-oss' });
  await using place = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` });
  const { page, complaints } = place;
  const card = page.getByRole('region', { name: 'Edit these files?' });
  const lines = card.locator('pre');
  await lines.getByText('*** Add File: two.txt').waitFor();
  expect((await lines.innerText()).trim().split('\n')).toEqual(PATCH);
  expect(await card.getByRole('button', { name: 'Always allow for this file' }).count()).toBe(0);
  await shot(page, 'ask-patch');
  expect(await faults(page)).toEqual([]);
  await card.getByRole('button', { name: 'Allow in this folder' }).click();
  await page.locator('.tool').getByText('one.txt, two.txt').waitFor();
  await server.settled(id);
  expect(await readFile(join(server.project.path, 'two.txt'), 'utf8')).toBe('second\n');
  expect(complaints).toEqual([]);
});
