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
  server = await testServer({ windowFolder: WINDOW_FOLDER, script: () => ({ text: 'Done.' }) });
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
      '.claude/agents/silent.md',
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
