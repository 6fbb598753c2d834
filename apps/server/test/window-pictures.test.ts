import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEMO_STEPS, SAMPLE_BUG, sampleProject } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { comparePicture, PICTURE_SCALE, picture, type Replacement } from './pictures.ts';
import { answerByKey, launchBrowser, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const TASK = 'A test of this project fails. Find the cause, fix it and check the fix.';

let server: TestServer;
let browser: Browser | undefined;
let done: string;
let waiting: string;
let replacements: readonly Replacement[];

/** Without the pauses of the demo. */
const STEPS = DEMO_STEPS.map(({ text, reasoning, toolCalls, usage }) => ({ text, reasoning, toolCalls, usage }));

beforeAll(async () => {
  browser = await launchBrowser();
  if (!browser) return;
  server = await testServer({ windowFolder: WINDOW_FOLDER, script: STEPS, settings: { model: 'ollama:tiny' } });
  replacements = replacementsOf(server.project.path);
  done = await server.startSession({ consegna: TASK, permessi: 'Full access' });
  await server.settled(done);
  server.model.script(({ lastRole }) =>
    lastRole === 'tool'
      ? { fault: { kind: 'hang' } }
      : {
          text: 'The page ends one item too early. I would like to change that line back and look again.',
          toolCalls: [
            {
              name: 'file_edit',
              arguments: { percorso: SAMPLE_BUG.path, vecchio: SAMPLE_BUG.after, nuovo: SAMPLE_BUG.before },
            },
          ],
        },
  );
  waiting = await server.startSession({ consegna: 'Look at the pager once more.', permessi: 'On request' });
  await until(async () =>
    (await server.call('GET', '/sessions')).data.items.some(
      (row: any) => row.sessionId === waiting && row.inAttesaApprovazione,
    )
      ? true
      : undefined,
  );
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** The same name for a folder in every run. */
function replacementsOf(path: string): readonly Replacement[] {
  return [
    [path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g', '/home/you/shop'],
    [basename(path), 'g', 'shop'],
  ];
}

interface Screen {
  name: string;
  path: () => string;
  /** Resolves when the screen is drawn. */
  ready: (page: Page) => Promise<unknown>;
}

const text = (words: string) => (page: Page) => page.getByText(words).first().waitFor();
const inSession = (view: string) => () => `/sessions/${done}${view}`;

const SCREENS: readonly Screen[] = [
  { name: 'new-session', path: () => '/', ready: (page) => page.getByRole('textbox', { name: 'Task' }).waitFor() },
  { name: 'conversation', path: inSession(''), ready: text('Done: all three tests pass.') },
  { name: 'approval', path: () => `/sessions/${waiting}`, ready: text('Edit this file?') },
  { name: 'files', path: inSession('/files?file=src/pages.js'), ready: text('pageOf') },
  { name: 'changes', path: inSession('/changes'), ready: text('src/pages.js') },
  { name: 'git', path: inSession('/git'), ready: text('pages.js') },
  { name: 'page', path: inSession('/page'), ready: (page) => page.getByRole('textbox').first().waitFor() },
  { name: 'workflows', path: inSession('/workflows'), ready: text('workflow') },
  { name: 'library', path: inSession('/library'), ready: text('library') },
  { name: 'research', path: inSession('/research'), ready: text('research') },
  { name: 'extensions', path: inSession('/extensions'), ready: text('MCP') },
  { name: 'inbox', path: () => '/inbox', ready: text('Edit this file?') },
  { name: 'automations', path: () => '/automations', ready: text('No automations yet') },
  { name: 'notes', path: () => '/records/notes', ready: text('note') },
  { name: 'tasks', path: () => '/records/tasks', ready: text('task') },
  { name: 'memory', path: () => '/records/memory', ready: text('memor') },
  { name: 'providers', path: () => '/settings/providers', ready: text('Ollama') },
  { name: 'appearance', path: () => '/settings/appearance', ready: text('Telemetry') },
  { name: 'notifications', path: () => '/settings/notifications', ready: text('Notif') },
  { name: 'about', path: () => '/settings/about', ready: text('Version') },
];

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  // Forty pictures, each once the page rests.
  walk(
    `${SCREENS.length} screens look as recorded, wide and narrow: ${colorScheme}`,
    async () => {
      const options = { colorScheme, deviceScaleFactor: PICTURE_SCALE, reducedMotion: 'reduce' } as const;
      const wrong: string[] = [];
      await using place = await visit({ browser: browser as Browser, server, path: '/' }, options);
      const { page } = place;
      for (const viewport of SIZES) {
        await page.setViewportSize(viewport);
        for (const { name, path, ready } of SCREENS) {
          await page.goto(new URL(path(), server.url).href);
          await ready(page);
          const problem = await comparePicture(page, `${name}-${colorScheme}-${viewport.width}`, replacements);
          if (problem !== undefined) wrong.push(problem);
        }
      }
      expect(wrong).toEqual([]);
    },
    240_000,
  );
}

// The picture of the README, in full size: the agent has found the cause and asks.
if (process.env.FUCINA_UPDATE_PICTURES === '1') {
  walk('takes the picture of the README', async () => {
    // The other project is fixed already.
    await using project = await sampleProject();
    server.model.script(STEPS);
    const id = await server.startSession({
      cartellaLibera: project.path,
      consegna: TASK,
      permessi: 'On request',
    });
    const options = { colorScheme: 'dark', viewport: { width: 1440, height: 900 } } as const;
    await using place = await visit({ browser: browser as Browser, server, path: `/sessions/${id}` }, options);
    await answerByKey(place.page, 'Run the test command?', '1');
    await text('Edit this file?')(place.page);
    await place.page.waitForLoadState('networkidle');
    const file = join(import.meta.dirname, '../../../docs/window.png');
    writeFileSync(file, await picture(place.page, [...replacementsOf(project.path), ...replacements]));
  });
}
