import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { clean } from './window-git-fixture.ts';
import { fitsWindow, launchBrowser, shot, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let server: TestServer;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) => {
      const [, name] = /^CHANGE (.*)/.exec(lastText) ?? [];
      return lastRole === 'user' && name ? { toolCalls: changes(name) } : { text: 'Done.' };
    },
  });
  await server.project.write({
    'AGENTS.md': 'Build with make.',
    'CLAUDE.md': 'Other.',
    '.github/copilot-instructions.md': 'Build with make.',
    '.cursor/rules/always.mdc': '---\nalwaysApply: true\n---\nUse tabs.',
    '.cursor/rules/frontend/components-of-the-window.mdc': '---\nglobs: *.tsx\n---\nHooks.',
    '.cursor/rules/named.mdc': 'Only by name.',
    '.claude/agents/reviewer.md': '---\ndescription: Reviews\ntools: Read, Telepathy\n---\nReview.',
    '.claude/agents/silent.md': 'No front matter.',
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** Instructions, and a file beside them: by the tool that writes files, and by a command. */
const changes = (name: string) => [
  { name: 'scrivi', arguments: { percorso: `${name}.txt`, contenuto: 'Plain.\n' } },
  { name: 'scrivi', arguments: { percorso: `${name}/GEMINI.md`, contenuto: 'Obey.\n' } },
  {
    name: 'shell',
    arguments: { comando: `echo Obey. > ${name}/AGENTS.md; echo Plain. > ${name}/AGENTS.md.txt` },
  },
];

const rows = (page: Page) => page.locator('.instruction-files li');

for (const [locale, colorScheme, details] of [
  ['en-GB', 'light', 'Details'],
  ['it-IT', 'dark', 'Dettagli'],
] as const) {
  walk(`the session details list the instruction files by precedence, in ${locale}, ${colorScheme}`, async () => {
    const id = await server.startSession({ linguaInterfaccia: locale === 'it-IT' ? 'it' : 'en' });
    await server.settled(id);
    const at = { browser: browser as Browser, server, path: `/sessions/${id}` };
    await using v = await visit(at, { locale, colorScheme });
    const { page } = v;
    await rows(page).first().waitFor();
    expect(await rows(page).locator('code').allInnerTexts()).toEqual([
      'AGENTS.md',
      'CLAUDE.md',
      '.github/copilot-instructions.md',
      '.cursor/rules/always.mdc',
      '.cursor/rules/frontend/components-of-the-window.mdc',
      '.cursor/rules/named.mdc',
      '.claude/agents/reviewer.md',
      '.claude/agents/silent.md:1:1',
    ]);
    const offered = await rows(page).nth(6).innerText();
    expect(offered).toContain(
      locale === 'it-IT' ? 'Offerto come sotto-agente, senza Telepathy' : 'sub-agent, without Telepathy',
    );
    const [first = '', second = ''] = await rows(page).allInnerTexts();
    expect(first).toContain(locale === 'it-IT' ? 'Inviato' : 'Sent');
    expect(second).toContain(locale === 'it-IT' ? 'al suo posto c’è AGENTS.md' : 'AGENTS.md is used instead');
    await rows(page).last().scrollIntoViewIfNeeded();
    await clean(v);
    await shot(page, `instructions-${colorScheme}-1440`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.getByRole('button', { name: details, exact: true }).click();
    await rows(page).first().waitFor();
    await rows(page).last().scrollIntoViewIfNeeded();
    await fitsWindow(page);
    await shot(page, `instructions-${colorScheme}-390`);
  });
}

for (const [locale, colorScheme, note, tag] of [
  ['en-GB', 'light', 'Instructions for agents changed', 'Instructions for agents'],
  ['it-IT', 'dark', 'Istruzioni per gli agenti modificate', 'Istruzioni per gli agenti'],
] as const) {
  walk(`instructions that an agent changes are named in the conversation and in lists, in ${locale}`, async () => {
    const id = await server.startSession({
      consegna: `CHANGE ${locale}`,
      linguaInterfaccia: locale === 'it-IT' ? 'it' : 'en',
    });
    await server.settled(id);
    const at = { browser: browser as Browser, server, path: `/sessions/${id}` };
    await using v = await visit(at, { locale, colorScheme });
    const { page } = v;
    await page.locator('.instruction-note').nth(1).waitFor();
    expect(await page.locator('.instruction-note').allInnerTexts()).toEqual([
      `${note}: ${locale}/GEMINI.md`,
      `${note}: ${locale}/AGENTS.md`,
    ]);
    const listed = page.locator('a.line-row[href*="/changes#"]');
    await listed.nth(3).waitFor();
    expect(
      (await listed.allInnerTexts()).filter((text) => text.includes(tag)).map((text) => text.split('\n')[0]),
    ).toEqual([`${locale}/GEMINI.md`, `${locale}/AGENTS.md`]);
    await shot(page, `instructions-changed-${colorScheme}-1440`);
    await page.goto(`${page.url()}/changes`);
    const changed = page.locator('.change');
    await changed.nth(3).waitFor();
    expect(
      await changed
        .filter({ has: page.getByText(tag, { exact: true }) })
        .locator('.path')
        .allInnerTexts(),
    ).toEqual([`${locale}/GEMINI.md`, `${locale}/AGENTS.md`]);
    expect(v.complaints).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await fitsWindow(page);
  });
}
