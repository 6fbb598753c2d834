import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, type Visit, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  // One session that ends well stands in the lists; in those of the tests the model fails.
  server = await testServer({ script: [{ text: 'Hello.' }], windowFolder: WINDOW_FOLDER });
  await server.settled(await server.startSession());
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const visit = (options?: Parameters<Browser['newContext']>[0]): Promise<Visit> =>
  visitAt({ browser: browser as Browser, server }, options);

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
  walk('are requested once, and never for an unknown session', async () => {
    const id = await server.startSession();
    await server.settled(id);
    await using v = await visit();
    const sources = await watchSources(v);
    await v.page.goto(new URL(`/sessions/${id}`, server.url).href);
    await v.page.getByRole('complementary', { name: 'Details' }).getByText('Context').first().waitFor();
    expect(await sources()).toEqual([{ url: expect.stringContaining(id), isLeft: false }]);

    await v.page.goto(new URL('/sessions/11111111-1111-4111-8111-111111111111', server.url).href);
    await v.page.getByRole('heading', { level: 1, name: 'Session not found' }).waitFor();
    expect((await sources()).filter(({ isLeft }) => !isLeft)).toEqual([]);
    expect(v.complaints).toEqual([]);
  });
});

describe('the command palette', () => {
  walk('opens every view of the current session and every page', async () => {
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
});
