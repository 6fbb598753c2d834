import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type TestServer, TOKEN } from './harness.ts';

// The same engine without the browser UI starts and draws faster.
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.FUCINA_BROWSER ?? PROGRAMS.find((path) => existsSync(path)) ?? 'chromium';
const hasBrowser = existsSync(CHROMIUM) || process.env.FUCINA_TEST_REQUIRE === '1';
if (!hasBrowser) process.stderr.write(`window tests skipped: no ${CHROMIUM}\n`);

/** A test that needs a real browser. */
export const walk = hasBrowser ? test : test.skip;

export const WINDOW_FOLDER = join(import.meta.dirname, '../../window/dist');

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[
    // Chromium uses only the last list, so this one starts with Playwright's own.
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
    'PreconnectToSearch',
    // Two hidden pages for popups of the address bar: a second of CPU for each page that a test opens.
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
  ].join(',')}`,
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Undefined without a browser: then nothing uses it. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser | undefined> {
  return hasBrowser ? chromium.launch({ executablePath: CHROMIUM, args: [...ARGS, ...more] }) : undefined;
}

export interface Visit extends AsyncDisposable {
  page: Page;
  /** Violations of the content policy, and page errors. */
  complaints: string[];
}

/** A signed-in user with a fresh browser profile: on the start page, or at `path`. */
export async function visit(
  { browser, server, path }: { browser: Browser; server: TestServer; path?: string },
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', ...options });
  // For what hangs, like the limit of a test: a busy machine is no failure.
  context.setDefaultTimeout(150_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(text));
  // Unless a test wants it: one more request to the scripted model after each first answer.
  await page.addInitScript(() => {
    // A sandboxed frame has no storage.
    if (globalThis.top !== globalThis.self || localStorage.getItem('fucina.titles.isSuggested') !== null) return;
    localStorage.setItem('fucina.titles.isSuggested', 'false');
  });
  await page.addInitScript(() => {
    const report = (globalThis as unknown as { reportViolation(text: string): void }).reportViolation;
    document.addEventListener('securitypolicyviolation', (event) =>
      report(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const signIn = `${server.url}?token=${TOKEN}`;
  if (path === undefined) await page.goto(signIn);
  else {
    // Only the cookie is needed: avoids loading the start page.
    await context.request.get(signIn, { maxRedirects: 0 });
    await page.goto(new URL(path, server.url).href);
  }
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens a view of the session on screen: a tab, or an entry of the menu beside the tabs. */
export async function openView(page: Page, name: string): Promise<void> {
  const views = page.getByRole('navigation', { name: /Session views|Viste della sessione/ });
  await views.waitFor();
  const tab = views.getByRole('link', { name });
  if ((await tab.count()) > 0) return tab.click();
  await views.locator('[aria-haspopup="menu"]').click();
  await views.getByRole('menuitem', { name, exact: true }).click();
}

/** Saves a screenshot of the whole page if FUCINA_SHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.FUCINA_SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Waits until the page is no wider than the window: after a resize the layout follows a moment later. */
export async function fitsWindow(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
}

/** Frames of the page come this much later, as on a busy computer. */
export async function delayFrames(page: Page, ms: number): Promise<void> {
  await page.evaluate((pause) => {
    const draw = requestAnimationFrame;
    globalThis.requestAnimationFrame = (callback) => Number(setTimeout(() => draw(callback), pause));
  }, ms);
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Waits until colors have changed: axe-core would find those halfway. */
async function colorsSettle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // What has just changed begins its transitions in the next frame.
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const ending = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Waits until every dialog has a name: Mantine adds it after the first drawing. */
async function dialogsAreNamed(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role="dialog"]')].every(
      (dialog) => !dialog.checkVisibility() || dialog.matches('[aria-labelledby], [aria-label], [title]'),
    ),
  );
}

async function runAxe(page: Page, rules?: readonly string[]): Promise<string[]> {
  await dialogsAreNamed(page);
  await colorsSettle(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const { axe: engine } = globalThis as unknown as { axe: { run(options?: object): Promise<AxeResult> } };
    const { violations } = await engine.run(only ? { runOnly: { type: 'rule', values: only } } : {});
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, rules);
}

/** Violations that axe-core finds in the current page. */
export const faults = (page: Page): Promise<string[]> => runAxe(page);

/** Targets smaller than 24 px without enough space around them (WCAG 2.5.8, which axe-core leaves out by default). */
export const smallTargets = (page: Page): Promise<string[]> => runAxe(page, ['target-size']);

/** A card ignores keys right after it appears: repeats the key until it is accepted. */
export async function answerByKey(page: Page, heading: string, key: string): Promise<void> {
  const card = page.getByRole('heading', { name: heading });
  await card.waitFor();
  const goOn = await keysOnlyFor(page, heading);
  while (await card.isVisible()) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await goOn();
}

/** Drops keys that arrive after the card is gone: they would answer the next one. */
async function keysOnlyFor(page: Page, heading: string): Promise<() => Promise<void>> {
  const drop = await page.evaluateHandle((text) => {
    const guard = (event: KeyboardEvent) => {
      const isThere = [...document.querySelectorAll('h2')].some(({ textContent }) => textContent.includes(text));
      if (isThere) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', guard, true);
    return () => removeEventListener('keydown', guard, true);
  }, heading);
  return () => drop.evaluate((end) => end());
}

/** The same with a click on a button of the card. */
export async function answerByButton(page: Page, heading: string, button: string): Promise<void> {
  const card = page.getByRole('region', { name: heading });
  await card.waitFor();
  while (await card.isVisible()) {
    await card.getByRole('button', { name: button }).click({ timeout: 2_000 }).catch(ignoreGone);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** The previous press has already answered the card. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof Error) || !/Timeout|detached/.test(error.message)) throw error;
}
