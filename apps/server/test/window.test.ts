import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DEMO_STEPS } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import {
  answerByKey,
  faults,
  launchBrowser,
  type Visit,
  visit as visitAt,
  WINDOW_FOLDER,
  walk,
} from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  const script = DEMO_STEPS.map(({ text, reasoning, toolCalls, usage }) => ({ text, reasoning, toolCalls, usage }));
  server = await testServer({ script, windowFolder: WINDOW_FOLDER });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const visit = (options?: Parameters<Browser['newContext']>[0]): Promise<Visit> =>
  visitAt({ browser: browser as Browser, server }, options);

/** Kilobytes of script, gzipped, that the page loads before anything shows; one language of words among them. */
function firstLoad(): number {
  const assets = join(WINDOW_FOLDER, 'assets');
  const page = readFileSync(join(WINDOW_FOLDER, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/"\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const words = readdirSync(assets).filter((name) => /^it-.*\.js$/.test(name));
  const sizes = [...scripts, ...words].map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

describe('the first load', () => {
  test('is at most 200 kB of script', () => {
    expect(firstLoad()).toBeLessThanOrEqual(200);
  });
});

describe('a person in the window', () => {
  walk('starts a session, answers its one question with a key, and sees the tests pass', async () => {
    await using v = await visit();
    const { page } = v;
    await page.getByRole('button', { name: 'Choose a folder' }).first().click();
    const dialog = page.getByRole('dialog');
    const path = dialog.getByRole('textbox', { name: 'Path of the folder' });
    await path.fill(server.project.path);
    await page.keyboard.press('Enter');
    const hidden = dialog.getByRole('button', { name: 'Show one hidden folder' });
    expect(await dialog.getByRole('button', { name: '.git' }).count()).toBe(0);
    await hidden.click();
    await dialog.getByRole('button', { name: '.git' }).waitFor();
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
      await answerByKey(page, question, '1');
    }
    await page.getByText('Done: all three tests pass.', { exact: true }).waitFor();
    expect(await page.getByText('exit 1').count()).toBeGreaterThan(0);
    await page
      .locator('.status')
      .getByText(/in the sandbox|no sandbox/)
      .waitFor();
    await page
      .getByRole('tab', { name: /Changes/ })
      .or(page.getByRole('link', { name: /Changes/ }))
      .first()
      .click();
    await page.getByText('src/pages.js').first().waitFor();
    expect(v.complaints).toEqual([]);
  });
});

interface Source {
  url: string;
  isLeft: boolean;
}

/** Every stream that the page opens from now on, and whether it has closed it. */
async function watchSources({ page }: Visit): Promise<() => Promise<Source[]>> {
  await page.addInitScript(() => {
    const sources: Source[] = [];
    class Watched extends EventSource {
      isLeft = false;
      constructor(url: string) {
        super(url);
        sources.push(this);
      }
      override close(): void {
        this.isLeft = true;
        super.close();
      }
    }
    Object.assign(globalThis, { EventSource: Watched, sources });
  });
  return () =>
    page.evaluate(() =>
      (globalThis as unknown as { sources: Source[] }).sources.map(({ url, isLeft }) => ({ url, isLeft })),
    );
}

describe('the events of a session', () => {
  walk('are asked for once, and by nobody where there is no such session', async () => {
    const id = await server.startSession();
    await server.settled(id);
    await using v = await visit();
    const sources = await watchSources(v);
    await v.page.goto(new URL(`/sessions/${id}`, server.url).href);
    await v.page.getByRole('complementary', { name: 'Details' }).getByText('Context').first().waitFor();
    expect(await sources()).toEqual([{ url: expect.stringContaining(id), isLeft: false }]);

    await v.page.goto(new URL('/sessions/11111111-1111-4111-8111-111111111111', server.url).href);
    await v.page.getByRole('heading', { level: 1, name: 'This session is not here' }).waitFor();
    expect((await sources()).filter(({ isLeft }) => !isLeft)).toEqual([]);
    expect(v.complaints).toEqual([]);
  });
});

describe('the palette', () => {
  walk('leads to every view of the session on screen, and to every page', async () => {
    const id = await server.startSession();
    await server.settled(id);
    await using v = await visit();
    await v.page.goto(new URL(`/sessions/${id}`, server.url).href);
    await v.page.getByRole('heading', { level: 1 }).waitFor();
    const palette = v.page.getByRole('dialog');
    for (const [name, path] of [
      ['Files', `/sessions/${id}/files`],
      ['Extensions', `/sessions/${id}/extensions`],
      ['Conversation', `/sessions/${id}`],
      ['Tasks', '/kept/tasks'],
      ['Downloads', '/local-models/downloads'],
      ['Settings · Health', '/settings/doctor'],
    ] as const) {
      await v.page.keyboard.press('ControlOrMeta+K');
      await palette.getByRole('combobox').fill(name);
      await palette.getByRole('option', { name, exact: true }).click();
      await v.page.waitForURL(new URL(path, server.url).href);
    }
    expect(v.complaints).toEqual([]);
  });
});

const PANELS = [
  '/',
  '/settings/providers',
  '/settings/appearance',
  '/settings/health',
  '/settings/about',
  '/api-docs',
  '/setup',
  '/nowhere',
  '/automations',
  '/automations/new',
  '/kept/notes',
  '/kept/tasks',
  '/kept/memory',
  '/local-models',
  '/local-models/downloads',
];
const VIEWS = ['files', 'changes', 'git', 'terminal', 'page', 'workflows', 'library', 'research', 'extensions'];

describe('every panel', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 1024, 390]) {
      walk(`in ${colorScheme} at ${width} has no accessibility fault, no refused resource and no error`, async () => {
        await using v = await visit({ colorScheme, viewport: { width, height: 844 } });
        const id = await server.startSession();
        await server.settled(id);
        const found: string[] = [];
        const views = VIEWS.map((view) => `/sessions/${id}/${view}`);
        for (const path of [...PANELS, `/sessions/${id}`, ...views]) {
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
