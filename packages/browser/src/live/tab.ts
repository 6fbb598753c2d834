import { type Ambient, textStart } from '@fucina/shared';
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { browserError } from '../errors.ts';
import type { Chromium } from './chromium.ts';
import { type DescribedElement, elementAt } from './element-at.ts';
import type { Gate } from './gate.ts';
import { clickMemory, type Gesture, type GestureOutcome, perform } from './gestures.ts';
import { announceRequests, guardNavigation } from './page-guard.ts';
import { createScreen, type ScreenFrame } from './screen.ts';
import type { TabPolicy } from './tab-policy.ts';

export interface Size {
  /** CSS pixels. */
  width: number;
  height: number;
}

export interface LoadedPage {
  isOk: boolean;
  /**
   * Reason of a failure: `own-address`, `closed-address`, `foreign-page`, `unreachable`, `timeout`, `download`,
   * `failed`.
   */
  status: number | null;
  /** `own-address`, `closed-address`, `foreign-page`, `unreachable`, `timeout`, `download`, `failed`. */
  problem: string | null;
  url: string;
}

/**
 * One tab: a browser context whose cookies and storage end with it. A window that the page opens replaces it until that
 * window closes. A command that the page can no longer answer throws BROWSER_VIVO_SENZA_CONNESSIONE.
 */
export interface Tab {
  page(): Page;
  policy: TabPolicy;
  url(): string;
  /** The connection to it is lost: it can only be closed or reopened. */
  isLost(): boolean;
  isWatched(): boolean;
  load(url: string, by: 'user' | 'agent'): Promise<LoadedPage>;
  perform(gesture: Gesture): Promise<GestureOutcome>;
  describe(point: { x: number; y: number }): Promise<DescribedElement>;
  /** Errors of the page since it was loaded, in its own words, truncated. */
  errors(): readonly string[];
  resize(size: Size): Promise<Size>;
  watch(signal: AbortSignal): AsyncGenerator<ScreenFrame>;
  /** Runs one browser command; times out after 30 s. */
  command<Value>(act: () => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

const LOAD_MS = 20_000;
const FAILURE_PAGE_MS = 5_000;
const COMMAND_MS = 30_000;
const CLOSE_MS = 1_500;
const MOST_WINDOWS = 4;
const MOST_ERRORS = 20;
const ERROR_CHARS = 300;

export interface TabNeeds {
  ambient: Ambient;
  browser: Chromium['browser'];
  /** Its own, closed with it. */
  gate: Gate;
  policy: TabPolicy;
}

export async function openTab(needs: TabNeeds, size: Size): Promise<Tab> {
  const context = await needs.browser.newContext({
    acceptDownloads: false,
    proxy: { server: needs.gate.url },
    viewport: size,
    // Every permission is denied without asking.
    permissions: [],
    // A worker would outlive the page that the policy knows.
    serviceWorkers: 'block',
  });
  announceRequests(context, needs.policy);
  try {
    return await tabOf(needs, { context, first: await context.newPage() });
  } catch (error) {
    await context.close().catch(() => undefined); // the first failure is reported
    throw error;
  }
}

async function tabOf(
  { ambient, browser, gate, policy }: TabNeeds,
  { context, first }: { context: BrowserContext; first: Page },
): Promise<Tab> {
  const screen = createScreen(ambient);
  const isBegun = clickMemory();
  const windows: Page[] = [];
  let control: Promise<CDPSession> | undefined;
  let errors: string[] = [];
  let end: 'lost' | 'closed' | undefined;

  const current = (): Page => windows.at(-1) ?? first;
  const lose = (): void => {
    end ??= 'lost';
    screen.close();
  };
  const isLost = (): boolean => end === 'lost' || (end === undefined && !browser.isConnected());
  const complain = (text: string): void => {
    errors = [...errors.slice(1 - MOST_ERRORS), textStart(text, ERROR_CHARS)];
  };
  const switchTo = async (page: Page): Promise<void> => {
    control = context.newCDPSession(page);
    await control;
    await screen.show(page);
  };
  const adopt = (page: Page): void => {
    windows.push(page);
    page.on('pageerror', (error) => complain(error.message));
    page.on('console', (message) => message.type() === 'error' && complain(message.text()));
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined)); // closed with its page
    page.on('framenavigated', (frame) => frame === page.mainFrame() && (errors = []));
    page.on('crash', () => page === current() && lose());
    page.on('popup', (popup) => void open(popup).catch(logFailure));
    page.on('close', () => void left(page).catch(logFailure));
  };
  const open = async (popup: Page): Promise<void> => {
    if (windows.length >= MOST_WINDOWS) return popup.close();
    adopt(popup);
    await guardNavigation({ page: popup, isWindow: true }, policy);
    const size = first.viewportSize();
    if (size) await popup.setViewportSize(size);
    await switchTo(popup);
  };
  const left = async (page: Page): Promise<void> => {
    const wasCurrent = page === current();
    const at = windows.indexOf(page);
    if (at >= 0) windows.splice(at, 1);
    if (windows.length === 0) return lose();
    if (wasCurrent) await switchTo(current());
  };
  const logFailure = (error: unknown): void => ambient.log.debug('browser.window', { error });
  const command = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    if (isLost()) throw browserError('BROWSER_VIVO_SENZA_CONNESSIONE', { reason: 'lost' });
    return withinTime(ambient, act, isLost);
  };

  /** A gesture may close its own window; another one replaces it, which is not a failure. */
  const gestureOn = async (page: Page, gesture: Gesture): Promise<GestureOutcome> => {
    try {
      return await perform(page, gesture, isBegun(gesture, ambient.monotonic()));
    } catch (error) {
      const isReplaced = page.isClosed() && windows.some((other) => other !== page);
      if (!isReplaced || !isGoneError(error)) throw error;
      return 'key' in gesture ? { key: gesture.key } : {};
    }
  };

  browser.once('disconnected', lose);
  adopt(first);
  await guardNavigation({ page: first, isWindow: false }, policy);
  await switchTo(first);
  return {
    page: current,
    policy,
    url: () => current().url(),
    isLost,
    isWatched: () => screen.isWatched(),
    errors: () => errors,
    command,
    load: (url, by) => command(() => loadedBy(by, { page: current(), url, gate, policy })),
    async perform(gesture) {
      if (gesture.kind !== 'wheel') policy.userActs();
      return command(() => gestureOn(current(), gesture));
    },
    describe: (point) => command(async () => elementAt(current(), await (control as Promise<CDPSession>), point)),
    async resize(size) {
      await command(() => Promise.all(windows.map((page) => page.setViewportSize(size))));
      return current().viewportSize() ?? size;
    },
    watch: (signal) => screen.watch(signal),
    async close() {
      end ??= 'closed';
      screen.close();
      browser.off('disconnected', lose);
      // Nothing waits for a hanging page: it ends with the browser.
      await Promise.race([
        context.close().catch(logFailure),
        new Promise<void>((done) => void ambient.timer(CLOSE_MS, done)),
      ]);
      await gate[Symbol.asyncDispose]();
    },
  };
}

/** A page that answers nothing for this long has lost its connection too. */
async function withinTime<Value>(ambient: Ambient, act: () => Promise<Value>, isGone: () => boolean): Promise<Value> {
  const late = Symbol('late');
  let cancel: (() => void) | undefined;
  const limit = new Promise<typeof late>((resolve) => {
    cancel = ambient.timer(COMMAND_MS, () => resolve(late));
  });
  try {
    const done = await Promise.race([act(), limit]);
    if (done === late) throw browserError('BROWSER_VIVO_SENZA_CONNESSIONE', { reason: 'timeout' });
    return done as Value;
  } catch (cause) {
    if (!isGone() && !isGoneError(cause)) throw cause;
    throw browserError('BROWSER_VIVO_SENZA_CONNESSIONE', { reason: 'lost', cause });
  } finally {
    cancel?.();
  }
}

/** The driver's messages when the page, its process or the browser ended during a command. */
function isGoneError(error: unknown): boolean {
  return error instanceof Error && /has been closed|crashed|Session closed|Not attached|No target/i.test(error.message);
}

interface Loading {
  page: Page;
  url: string;
  gate: Gate;
  policy: TabPolicy;
}

async function loadedBy(by: 'user' | 'agent', { page, url, gate, policy }: Loading): Promise<LoadedPage> {
  if (by === 'user') {
    policy.userActs();
    return loaded(page, url, gate);
  }
  // What a page contains may not leave by the address that is opened next.
  if (policy.isGuarded()) await page.goto('about:blank');
  const isOpened = policy.agentOpens(url);
  try {
    return await loaded(page, url, gate);
  } finally {
    isOpened();
  }
}

async function loaded(page: Page, url: string, gate: Gate): Promise<LoadedPage> {
  const failurePage = watchFailurePage(page);
  try {
    const response = await page.goto(url, { timeout: LOAD_MS, waitUntil: 'domcontentloaded' });
    const status = response?.status() ?? null;
    return { isOk: status === null || status < 400, status, problem: null, url: page.url() };
  } catch (error) {
    if (isGoneError(error)) throw error;
    if (/net::ERR_(?!ABORTED)/.test(String(error))) await failurePage.shown();
    const asked = URL.canParse(url) ? new URL(url) : undefined;
    const problem = problemOf(error) ?? (asked && gate.whyNot(asked)) ?? 'failed';
    return { isOk: false, status: null, problem, url: page.url().startsWith('chrome-error:') ? url : page.url() };
  } finally {
    failurePage.forget();
  }
}

/**
 * The browser's error page loads after the failure is reported and would cancel the next navigation. If one is already
 * shown, it belongs to another failure: wait for the new one.
 */
function watchFailurePage(page: Page): { shown(): Promise<void>; forget(): void } {
  const isFailure = (frame: Frame) => frame === page.mainFrame() && frame.url().startsWith('chrome-error:');
  let hasCome = false;
  const look = (frame: Frame): void => {
    hasCome ||= isFailure(frame);
  };
  page.on('framenavigated', look);
  return {
    async shown() {
      if (hasCome) return;
      const coming = page.waitForEvent('framenavigated', { predicate: isFailure, timeout: FAILURE_PAGE_MS });
      await coming.catch(() => undefined); // no error page came: nothing blocks the next navigation
    },
    forget: () => void page.off('framenavigated', look),
  };
}

function problemOf(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : '';
  if (/Download is starting/.test(text)) return 'download';
  if (/Timeout|ERR_TIMED_OUT/.test(text)) return 'timeout';
  return undefined;
}
