import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { faults, launchBrowser, type Visit, visit as visitAt, WINDOW_FOLDER, walk } from './window-visit.ts';

let server: TestServer;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  // One successful session is listed; in those of the tests the model fails.
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

/** Every stream that the page opens from now on, and whether it was closed. */
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
      ['Tasks', '/records/tasks'],
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

const PANELS = {
  'start and set-up': ['/', '/setup', '/nowhere', '/api-docs'],
  settings: ['providers', 'appearance', 'health', 'about'].map((name) => `/settings/${name}`),
  automations: ['/automations', '/automations/new'],
  'notes, tasks and memories': ['/records/notes', '/records/tasks', '/records/memory'],
  'local models': ['/local-models', '/local-models/downloads'],
  'files and changes': ['', '/files', '/changes', '/git'],
  'terminal, page and workflows': ['/terminal', '/page', '/workflows'],
  'library, research and extensions': ['/library', '/research', '/extensions'],
};
const OF_A_SESSION = new Set(['files and changes', 'terminal, page and workflows', 'library, research and extensions']);

describe('every panel', () => {
  for (const [name, paths] of Object.entries(PANELS)) {
    walk(`of ${name} has no accessibility fault, no refused resource and no error at any width`, async () => {
      const id = await server.startSession();
      await server.settled(id);
      const found: string[] = [];
      await using v = await visit({ reducedMotion: 'reduce' });
      for (const path of paths) {
        const url = new URL(OF_A_SESSION.has(name) ? `/sessions/${id}${path}` : path, server.url).href;
        for (const colorScheme of ['light', 'dark'] as const) {
          await v.page.emulateMedia({ colorScheme });
          // Loaded once wide and once narrow, and resized in between as a user does.
          for (const width of colorScheme === 'light' ? [1440, 1024, 390] : [390, 1024, 1440]) {
            const isLoaded = width === (colorScheme === 'light' ? 1440 : 390);
            await v.page.setViewportSize({ width, height: 844 });
            if (isLoaded) await v.page.goto(url);
            found.push(...(await faultsOf(v.page)).map((fault) => `${path} in ${colorScheme} at ${width}: ${fault}`));
          }
        }
      }
      expect(found).toEqual([]);
      expect(v.complaints).toEqual([]);
    });
  }
});

/** The result of axe-core once the page is drawn, and whether it is wider than the screen. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('domcontentloaded');
  const overflow = await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  });
  return [...(await faults(page)), ...(overflow > 0 ? [`it is ${overflow} px wider than the screen`] : [])];
}
