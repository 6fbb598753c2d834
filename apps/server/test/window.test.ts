import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { DEMO_STEPS } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type TestServer, TOKEN, testServer } from './harness.ts';

const CHROMIUM = process.env.FUCINA_BROWSER ?? '/usr/bin/chromium';
const hasBrowser = existsSync(CHROMIUM) || process.env.FUCINA_TEST_REQUIRE === '1';
if (!hasBrowser) process.stderr.write(`window tests skipped: no Chromium at ${CHROMIUM}\n`);
const walk = hasBrowser ? test : test.skip;

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  const script = DEMO_STEPS.map(({ text, reasoning, toolCalls, usage }) => ({ text, reasoning, toolCalls, usage }));
  server = await testServer({ script, windowFolder: join(import.meta.dirname, '../../window/dist') });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  page: Page;
  /** What the content policy refused and what the page could not do. */
  complaints: string[];
}

async function visit(options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(text));
  await page.addInitScript(() => {
    const report = (globalThis as unknown as { reportViolation(text: string): void }).reportViolation;
    document.addEventListener('securitypolicyviolation', (event) =>
      report(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(`${server.url}?token=${TOKEN}`);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** What axe-core finds on the page as it stands. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

describe('a person in the window', () => {
  walk('starts a session, answers its one question with a key, and sees the tests pass', async () => {
    await using v = await visit();
    const { page } = v;
    await page.getByRole('button', { name: 'Choose a folder' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Path of the folder' }).fill(server.project.path);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: `Use “${basename(server.project.path)}”` }).click();
    await page.getByRole('textbox', { name: 'Assignment' }).fill('A test fails. Mend it and prove it.');
    await page.getByRole('button', { name: /model/i }).first().click();
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .or(page.getByRole('dialog').getByRole('textbox'))
      .first()
      .fill('ollama:tiny');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: /On request/ }).check();
    await page.getByRole('button', { name: /Start/ }).click();
    for (const question of ['Run the test command?', 'Edit this file?', 'Run the test command?']) {
      await page.getByRole('heading', { name: question }).waitFor();
      await answerByKey(page, question);
    }
    await page.getByText('Done: all three tests pass.', { exact: true }).waitFor();
    expect(await page.getByText('exit 1').count()).toBeGreaterThan(0);
    await page
      .getByRole('tab', { name: /Changes/ })
      .or(page.getByRole('link', { name: /Changes/ }))
      .first()
      .click();
    await page.getByText('src/pages.js').first().waitFor();
    expect(v.complaints).toEqual([]);
  });
});

/** A key pressed as soon as the card comes up is taken for one meant for something else: pressed again until it counts. */
async function answerByKey(page: Page, question: string): Promise<void> {
  const card = page.getByRole('heading', { name: question });
  while (await card.isVisible()) {
    await page.keyboard.press('1');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

const PANELS = [
  '/',
  '/settings/providers',
  '/settings/appearance',
  '/settings/health',
  '/settings/about',
  '/api-docs',
  '/setup',
  '/nowhere',
];

describe('every panel', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 1024, 390]) {
      walk(`in ${colorScheme} at ${width} has no accessibility fault, no refused resource and no error`, async () => {
        await using v = await visit({ colorScheme, viewport: { width, height: 844 } });
        const id = await server.startSession();
        await server.settled(id);
        const found: string[] = [];
        for (const path of [...PANELS, `/sessions/${id}`, `/sessions/${id}/files`, `/sessions/${id}/changes`]) {
          await v.page.goto(new URL(path, server.url).href);
          await v.page.getByRole('heading', { level: 1 }).first().waitFor();
          await v.page.waitForLoadState('domcontentloaded');
          found.push(...(await faults(v.page)).map((fault) => `${path} ${fault}`));
          const overflow = await v.page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          if (overflow > 0) found.push(`${path} is ${overflow} px wider than the screen`);
        }
        expect(found).toEqual([]);
        expect(v.complaints).toEqual([]);
      });
    }
  }

  walk('speaks the language of the browser', async () => {
    await using italian = await visit({ locale: 'it-IT' });
    await italian.page.getByText('Nuova sessione').first().waitFor();
    expect(await italian.page.evaluate(() => document.documentElement.lang)).toBe('it');
  });
});
