import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, shot, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;
let answers = 0;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      const [, file] = /^WRITE (\S+)/.exec(lastText) ?? [];
      if (lastRole === 'user' && file) {
        return { toolCalls: [{ name: 'scrivi', arguments: { percorso: file, contenuto: `${lastText}\n` } }] };
      }
      answers += 1;
      return { text: `Answer ${answers}.` };
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** A session of these messages, shown. */
async function conversation([first = '', ...more]: readonly string[]) {
  const id = await server.startSession({ consegna: first, linguaInterfaccia: 'en', permessi: 'Workspace write' });
  await server.settled(id);
  for (const messaggio of more) {
    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio } });
    await server.settled(id);
  }
  const visited = await visitAt({ browser: browser as Browser, server, path: `/sessions/${id}` });
  return Object.assign(visited, { id });
}

const messageOf = (page: Page, text: string) => page.locator('.message', { hasText: text });
const shownSession = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const at = (path: string) => join(server.project.path, path);

/** Until another session is shown, whose turn is over. */
async function branched(page: Page, from: string): Promise<string> {
  await page.waitForURL((url) => url.pathname.includes('/sessions/') && !url.pathname.endsWith(from));
  const id = shownSession(page);
  await server.settled(id);
  return id;
}

async function edit(page: Page, text: string, to: string): Promise<void> {
  const message = messageOf(page, text);
  await message.hover();
  await message.getByRole('button', { name: 'Edit and resend' }).click();
  await page.getByRole('textbox', { name: 'Edited message' }).fill(to);
}

describe('a message of the user', () => {
  walk('is edited and sent again in a branch, and the versions can be switched', async () => {
    await using v = await conversation(['First question', 'Second question', 'Third question']);
    const { page, id } = v;
    await edit(page, 'Second question', 'Second question, better');
    expect(await faults(page)).toEqual([]);
    await shot(page, 'branch-edit');
    await page.keyboard.press('Enter');
    const branch = await branched(page, id);
    const versions = page.getByRole('navigation', { name: 'Version 2 of 2' });
    await versions.waitFor();
    await page.getByText('First question').first().waitFor();
    expect(await page.getByText('Third question').count()).toBe(0);
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toMatch(/First question.*Second question, better/);
    expect(await faults(page)).toEqual([]);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await shot(page, `branch-versions-${width}`);
    }
    await versions.getByRole('link', { name: 'Previous version' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    await page.getByText('Third question').first().waitFor();
    await page
      .getByRole('navigation', { name: 'Version 1 of 2' })
      .getByRole('link', { name: 'Next version' })
      .press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(branch));
    expect(v.complaints).toEqual([]);
  });

  walk('stays as it was after Escape, and after a refusal keeps the text that was written', async () => {
    await using v = await conversation(['Only question']);
    const { page, id } = v;
    await edit(page, 'Only question', 'thrown away');
    await page.keyboard.press('Escape');
    await messageOf(page, 'Only question').waitFor();
    await edit(page, 'Only question', 'not lost');
    await page.route('**/ext/sessions/*/branches', (route) => route.abort());
    await page.getByRole('button', { name: 'Send', exact: true }).first().click();
    await page.locator('.edit-message').getByRole('alert').waitFor();
    expect(await page.getByRole('textbox', { name: 'Edited message' }).inputValue()).toBe('not lost');
    await page.unroute('**/ext/sessions/*/branches');
    await page.locator('.edit-message').getByRole('button', { name: 'Send', exact: true }).click();
    await branched(page, id);
    await messageOf(page, 'not lost').waitFor();
  });
});

describe('the files', () => {
  walk('are restored to before a message after a preview, and all changes come back', async () => {
    await using v = await conversation(['WRITE a.txt', 'WRITE b.txt', 'WRITE a.txt again']);
    const { page } = v;
    const message = messageOf(page, 'WRITE b.txt').first();
    await message.hover();
    await message.getByRole('button', { name: 'Restore files to before this message' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('a.txt', { exact: true }).waitFor();
    await dialog.getByText('deleted').waitFor();
    expect(await faults(page)).toEqual([]);
    await shot(page, 'restore-preview');
    await dialog.getByRole('button', { name: 'Restore files' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(existsSync(at('b.txt'))).toBe(false);
    expect(await readFile(at('a.txt'), 'utf8')).toBe('WRITE a.txt\n');
    await page.getByRole('button', { name: 'Redo all' }).click();
    await page.getByText('Redid turns 2, 3.').waitFor();
    expect(existsSync(at('b.txt'))).toBe(true);
    await shot(page, 'restore-redone');
    expect(v.complaints).toEqual([]);
  });

  walk('go back with an edited message on request; one that was changed since is named', async () => {
    await using v = await conversation(['Hello', 'WRITE c.txt', 'WRITE d.txt']);
    const { page, id } = v;
    await server.project.write({ 'd.txt': 'of the user\n' });
    await edit(page, 'WRITE c.txt', 'Nothing to write');
    await page.getByText('2 files changed since this message.').waitFor();
    await page.getByRole('button', { name: 'Restore files and send' }).click();
    await branched(page, id);
    const dialog = page.getByRole('dialog', { name: 'Some files were not restored' });
    await dialog.getByText('d.txt').waitFor();
    expect([existsSync(at('c.txt')), await readFile(at('d.txt'), 'utf8')]).toEqual([false, 'of the user\n']);
    await dialog.getByRole('button', { name: 'Open original session' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    await page.getByText('Undid turns 2, 3.').waitFor();
  });
});

describe('a turn', () => {
  walk('is regenerated, and branched after its end', async () => {
    await using v = await conversation(['Tell me', 'And more']);
    const { page, id } = v;
    await page.getByRole('button', { name: 'Regenerate' }).last().click();
    const again = await branched(page, id);
    await page.getByRole('navigation', { name: 'Version 2 of 2' }).waitFor();
    expect(await page.locator('.user-message', { hasText: 'And more' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Branch conversation from here' }).first().click();
    await branched(page, again);
    // The address changes before the conversation.
    await page.locator('.user-message', { hasText: 'And more' }).waitFor({ state: 'detached' });
    await page.locator('.user-message', { hasText: 'Tell me' }).waitFor();
    expect(v.complaints).toEqual([]);
  });
});
