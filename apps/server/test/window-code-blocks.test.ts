import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, fitsWindow, launchBrowser, shot, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

const LONG_LINE = `export const answer = ${'42 + '.repeat(80)}0;`;
const HEADS = Array.from({ length: 30 }, (_, at) => `Column${at + 1}`);
const TABLE = [HEADS, HEADS.map(() => '---'), HEADS].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const ANSWER = `\`\`\`ts\n${LONG_LINE}\n\`\`\`\n\n\`\`\`\n${LONG_LINE}\n\`\`\`\n\n${TABLE}\n`;

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({ windowFolder: WINDOW_FOLDER, script: () => ({ text: ANSWER }) });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function visit(linguaInterfaccia: 'en' | 'it', colorScheme: 'light' | 'dark') {
  const id = await server.startSession({ consegna: 'Show it', linguaInterfaccia });
  await server.settled(id);
  const locale = linguaInterfaccia === 'en' ? 'en-GB' : 'it-IT';
  const path = `/sessions/${id}`;
  return visitAt({ browser: browser as Browser, server, path }, { colorScheme, locale });
}

/** The boxes of an element's text: one if it does not wrap. */
const pieces = (element: Locator) =>
  element.evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });

const sideways = (element: Locator) => element.evaluate((box) => box.scrollWidth - box.clientWidth);

walk('a code block wraps its lines by keyboard, as every other does, and after a reload', async () => {
  await using v = await visit('en', 'light');
  const { page } = v;
  const blocks = page.locator('figure.code pre');
  const wrap = page.getByRole('button', { name: 'Wrap lines' });
  await wrap.nth(1).waitFor();
  expect(await wrap.first().getAttribute('aria-pressed')).toBe('false');
  expect(await sideways(blocks.first())).toBeGreaterThan(0);
  await wrap.first().press('Enter');
  expect(await wrap.nth(1).getAttribute('aria-pressed')).toBe('true');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect([await sideways(blocks.first()), await sideways(blocks.nth(1))]).toEqual([0, 0]);
    await shot(page, `code-wrapped-light-${width}`);
  }
  expect(await faults(page)).toEqual([]);
  await page.reload();
  await wrap.first().waitFor();
  expect(await wrap.first().getAttribute('aria-pressed')).toBe('true');
  await wrap.first().press('Enter');
  expect(await sideways(blocks.first())).toBeGreaterThan(0);
  expect(v.complaints).toEqual([]);
});

walk('a code block copies its text as it was written while its lines are wrapped', async () => {
  await using v = await visit('en', 'dark');
  const { page } = v;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Wrap lines' }).first().press('Enter');
  await page.getByRole('button', { name: 'Copy code' }).first().press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(LONG_LINE);
  expect(await faults(page)).toEqual([]);
  await shot(page, 'code-wrapped-dark-1440');
});

walk('a wide table scrolls within itself, its words whole and the page no wider', async () => {
  await using v = await visit('it', 'dark');
  const { page } = v;
  await page.getByRole('button', { name: 'A capo automatico' }).first().waitFor();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await sideways(page.locator('.table-scroll'))).toBeGreaterThan(0);
    await fitsWindow(page);
    expect(await pieces(page.getByRole('columnheader').last())).toBe(1);
    await shot(page, `table-dark-${width}`);
  }
  expect(await faults(page)).toEqual([]);
});
