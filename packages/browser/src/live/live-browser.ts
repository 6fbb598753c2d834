import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type Ambient, type Environment, isAppError } from '@fucina/shared';
import { pageAddress } from '../addresses.ts';
import { browserError } from '../errors.ts';
import { type Chromium, hasSandbox, startChromium } from './chromium.ts';
import type { DescribedElement } from './element-at.ts';
import { type Channel, findBrowser } from './find-browser.ts';
import { type GateNeeds, openGate } from './gate.ts';
import { isLocalName, isThisComputer } from './gate-rules.ts';
import { checkedKey, type Gesture, type GestureOutcome } from './gestures.ts';
import type { JudgedRequest } from './page-rules.ts';
import type { ScreenFrame } from './screen.ts';
import { type LoadedPage, openTab, type Size, type Tab } from './tab.ts';
import { createTabPolicy } from './tab-policy.ts';

export type { LoadedPage, Size } from './tab.ts';

export interface TabState {
  sessionId: string;
  url: string;
  isWatched: boolean;
  /** Its cookies and storage are its own. */
  isIsolated: boolean;
  /** A page is shown whose elements can be picked. */
  canBeDescribed: boolean;
  idleMs: number;
}

export interface LiveState {
  isOpen: boolean;
  /** Null while it is closed. */
  channel: Channel | null;
  tabs: TabState[];
  profileDir: string;
  /** A tab without use for this long is closed. */
  idleLimitMs: number;
}

export interface OpenRequest extends Partial<Size> {
  url: string;
  by: 'user' | 'agent';
  /** Of the agent's call: while the page loads the user may be asked. */
  signal?: AbortSignal;
}

export interface Opened extends LoadedPage {
  channel: Channel | null;
  isIsolated: boolean;
  canBeDescribed: boolean;
}

export interface Described extends DescribedElement {
  url: string;
  errors: readonly string[];
}

/** `without-sandbox`: the system allows none to root. */
export type BrowserFinding = 'usable' | 'without-sandbox' | 'missing' | 'turned-off' | 'not-a-program';

/** An image of the tab, or the notice that it ended. */
export type ScreenEvent =
  | { kind: 'frame'; frame: ScreenFrame }
  | { kind: 'ended'; code: 'BROWSER_VIVO_SENZA_CONNESSIONE' | 'BROWSER_VIVO_SCHEDA_ASSENTE' };

/**
 * The browser of this computer, shared by the user and the agent: one tab per session. Every call can throw
 * BROWSER_VIVO_NON_CONFIGURATO or BROWSER_VIVO_ASSENTE; without a tab BROWSER_VIVO_SCHEDA_ASSENTE, with a tab that no
 * longer responds BROWSER_VIVO_SENZA_CONNESSIONE.
 */
export interface LiveBrowser extends AsyncDisposable {
  /** Whether a browser is available, and how it would run. Starts nothing. */
  check(): Promise<BrowserFinding>;
  state(): Promise<LiveState>;
  /**
   * Opens the address in the session's tab; creates the tab and starts the browser if needed. Without a size a tab
   * keeps its own; a new one is 1280 by 800. Our own address and an address that is not a page are QUERY_INVALID; also
   * BROWSER_VIVO_TROPPE_SCHEDE, BROWSER_VIVO_CONNESSIONE_FALLITA. A page that fails to load is a normal answer.
   */
  open(sessionId: string, request: OpenRequest): Promise<Opened>;
  /** BROWSER_VIVO_GESTO_IGNOTO for an unknown key. */
  perform(sessionId: string, gesture: Gesture): Promise<GestureOutcome>;
  describe(sessionId: string, point: { x: number; y: number }): Promise<Described>;
  resize(sessionId: string, size: Size): Promise<Size & { url: string }>;
  close(sessionId: string): Promise<void>;
  /** A tab that no longer responds is reported as ended. */
  follow(sessionId: string, signal: AbortSignal): Promise<AsyncIterable<ScreenEvent>>;
  /** For the agent's tools: the tab, if there is one that responds. */
  tab(sessionId: string): Promise<Tab>;
  /** When the user last touched the tab, by the monotonic clock; undefined when never. */
  userActiveAt(sessionId: string): number | undefined;
  /** Closes the tab of a deleted session. */
  forget(sessionId: string): Promise<void>;
}

export interface LiveBrowserNeeds {
  ambient: Ambient;
  environment: Environment;
  dataDir: string;
  ownPorts(): readonly number[];
  /** A connection to a server that the commands of a session run in their own network; default: none does. */
  connectInside?(sessionId: string, port: number): Promise<Socket | undefined>;
  /** Default: the system's resolver. */
  lookup?: GateNeeds['lookup'];
  /** The network policy for what a page sends while the agent uses it; default: it may send everything. */
  judge?(sessionId: string, request: JudgedRequest, signal: AbortSignal): Promise<boolean>;
  /** False: this process has no live browser. */
  isOffered: boolean;
}

const MOST_TABS = 6;
const IDLE_MS = 600_000;
/** For a browser that hangs: on a busy computer its end takes seconds, and until then it holds its profile. */
const CLOSE_MS = 10_000;
/** The same once no other browser follows. */
const STOP_MS = 1_500;
const USUAL_SIZE: Size = { width: 1_280, height: 800 };

interface Held {
  tab: Tab;
  touchedAt: number;
  userActiveAt: number | undefined;
  cancelIdle(): void;
}

export function createLiveBrowser(needs: LiveBrowserNeeds): LiveBrowser {
  const { ambient, environment, ownPorts, isOffered } = needs;
  const profileDir = join(needs.dataDir, 'browser');
  const tabs = new Map<string, Held>();
  /** Tabs and browsers are created and closed one at a time. */
  let queue: Promise<unknown> = Promise.resolve();
  let chromium: Chromium | undefined;
  let isClosed = false;
  const after = (ms: number): Promise<void> => new Promise((resolve) => void ambient.timer(ms, resolve));
  let leave = (_limit: Promise<void>): void => undefined;
  /** Resolves a little after all is to end. */
  const left = new Promise<void>((resolve) => (leave = resolve));

  const inTurn = <Value>(act: () => Promise<Value>): Promise<Value> => {
    const done = queue.then(act, act);
    queue = done.catch(() => undefined); // the caller reports the failure
    return done;
  };
  const checkPresent = async (): Promise<void> => {
    if (!isOffered || isClosed) throw browserError('BROWSER_VIVO_NON_CONFIGURATO', { reason: 'not-offered' });
    await findBrowser({ platform: process.platform, environment });
  };
  const touch = (sessionId: string, held: Held): void => {
    held.touchedAt = ambient.monotonic();
    held.cancelIdle();
    held.cancelIdle = ambient.timer(IDLE_MS, () => void inTurn(() => drop(sessionId, held)).catch(logFailure));
  };
  const logFailure = (error: unknown): void => ambient.log.warn('browser.tab-not-closed', { error });
  const endBrowser = async (): Promise<void> => {
    const ending = chromium;
    chromium = undefined;
    await ending?.close(Promise.race([left, after(CLOSE_MS)]));
  };
  const drop = async (sessionId: string, held = tabs.get(sessionId)): Promise<void> => {
    if (!held || tabs.get(sessionId) !== held) return;
    tabs.delete(sessionId);
    held.cancelIdle();
    await held.tab.close();
    if (tabs.size === 0) await endBrowser();
  };
  const presentTab = async (sessionId: string): Promise<Held> => {
    await checkPresent();
    const held = tabs.get(sessionId);
    if (!held) throw browserError('BROWSER_VIVO_SCHEDA_ASSENTE');
    return held;
  };
  const heldTab = async (sessionId: string): Promise<Held> => {
    const held = await presentTab(sessionId);
    if (held.tab.isLost()) throw browserError('BROWSER_VIVO_SENZA_CONNESSIONE', { reason: 'lost' });
    return held;
  };
  const touched = async (sessionId: string): Promise<Held> => {
    const held = await heldTab(sessionId);
    touch(sessionId, held);
    held.userActiveAt = ambient.monotonic();
    return held;
  };
  const make = async (sessionId: string, size: Size | undefined): Promise<Held> => {
    const known = tabs.get(sessionId);
    if (known && !known.tab.isLost()) {
      if (size) await known.tab.resize(size);
      return known;
    }
    if (!known && tabs.size >= MOST_TABS) throw browserError('BROWSER_VIVO_TROPPE_SCHEDE');
    if (known) {
      tabs.delete(sessionId);
      known.cancelIdle();
      await known.tab.close();
    }
    if (chromium && !chromium.browser.isConnected()) await endBrowser();
    chromium ??= await startChromium({ ambient, environment, profileDir, ownPorts });
    const held: Held = {
      tab: await openedTab(needs, { browser: chromium.browser, sessionId, size: size ?? USUAL_SIZE }),
      touchedAt: ambient.monotonic(),
      userActiveAt: undefined,
      cancelIdle: () => undefined,
    };
    tabs.set(sessionId, held);
    return held;
  };

  return {
    check: () => findingOf(checkPresent),
    async state() {
      await checkPresent();
      const isOpen = chromium?.browser.isConnected() ?? false;
      const now = ambient.monotonic();
      return {
        isOpen,
        channel: (isOpen && chromium?.channel) || null,
        tabs: [...tabs].map(([sessionId, { tab, touchedAt }]) => ({
          sessionId,
          url: tab.url(),
          isWatched: tab.isWatched(),
          isIsolated: true,
          canBeDescribed: isPage(tab),
          idleMs: Math.max(0, Math.round(now - touchedAt)),
        })),
        profileDir,
        idleLimitMs: IDLE_MS,
      };
    },
    async open(sessionId, { url, by, width, height, signal }) {
      await checkPresent();
      const { href } = checkedAddress(url, ownPorts());
      const size = width && height ? { width, height } : undefined;
      const held = await inTurn(() => make(sessionId, size));
      touch(sessionId, held);
      if (by === 'user') held.userActiveAt = ambient.monotonic();
      const load = (): Promise<LoadedPage> => held.tab.load(href, by);
      const loaded = await (signal ? held.tab.policy.during(signal, load) : load());
      touch(sessionId, held);
      return { ...loaded, channel: chromium?.channel ?? null, isIsolated: true, canBeDescribed: isPage(held.tab) };
    },
    async perform(sessionId, gesture) {
      if (gesture.kind === 'key') checkedKey(gesture.key);
      return (await touched(sessionId)).tab.perform(gesture);
    },
    async describe(sessionId, point) {
      const { tab } = await touched(sessionId);
      return { ...(await tab.describe(point)), url: tab.url(), errors: tab.errors() };
    },
    async resize(sessionId, size) {
      const held = await heldTab(sessionId);
      touch(sessionId, held);
      return { ...(await held.tab.resize(size)), url: held.tab.url() };
    },
    async close(sessionId) {
      await checkPresent();
      if (!tabs.has(sessionId)) throw browserError('BROWSER_VIVO_SCHEDA_ASSENTE');
      await inTurn(() => drop(sessionId));
    },
    async follow(sessionId, signal) {
      const { tab } = await presentTab(sessionId);
      return screenEvents(tab, signal);
    },
    async tab(sessionId) {
      const held = await heldTab(sessionId);
      touch(sessionId, held);
      return held.tab;
    },
    userActiveAt: (sessionId) => tabs.get(sessionId)?.userActiveAt,
    forget: (sessionId) => inTurn(() => drop(sessionId)),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      leave(after(STOP_MS));
      await inTurn(async () => {
        await Promise.all([...tabs.keys()].map((sessionId) => drop(sessionId)));
        await endBrowser();
      });
    },
  };
}

async function findingOf(checkPresent: () => Promise<void>): Promise<BrowserFinding> {
  try {
    await checkPresent();
    return hasSandbox() ? 'usable' : 'without-sandbox';
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'BROWSER_VIVO_ASSENTE') return 'missing';
    return error.reason === 'not-a-program' ? 'not-a-program' : 'turned-off';
  }
}

async function openedTab(
  { ambient, environment, ownPorts, connectInside, judge, lookup }: LiveBrowserNeeds,
  { browser, sessionId, size }: { browser: Chromium['browser']; sessionId: string; size: Size },
): Promise<Tab> {
  const inside = async (port: number) => connectInside?.(sessionId, port);
  const policy = createTabPolicy(
    { ambient, judge: judge && ((request, signal) => judge(sessionId, request, signal)) },
    (stays) => gate.cut(stays),
  );
  const { mayConnect, leadsHere } = policy;
  const gate = await openGate({ ownPorts, environment, inside, lookup, mayConnect, leadsHere });
  try {
    return await openTab({ ambient, browser, gate, policy }, size);
  } catch (cause) {
    await gate[Symbol.asyncDispose]();
    throw browserError('BROWSER_VIVO_CONNESSIONE_FALLITA', { cause });
  }
}

/** Rejected before anything starts; every other way to our own port is blocked by the gate. */
function checkedAddress(address: string, ownPorts: readonly number[]): URL {
  const url = pageAddress(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (ownPorts.includes(port) && (isLocalName(host) || isThisComputer(host)))
    throw browserError('QUERY_INVALID', { reason: 'own-address', params: { field: 'url' } });
  return url;
}

function isPage(tab: Tab): boolean {
  return !tab.isLost() && /^https?:/.test(tab.url());
}

async function* screenEvents(tab: Tab, signal: AbortSignal): AsyncGenerator<ScreenEvent> {
  for await (const frame of tab.watch(signal)) yield { kind: 'frame', frame };
  if (signal.aborted) return;
  const code = tab.isLost() ? 'BROWSER_VIVO_SENZA_CONNESSIONE' : 'BROWSER_VIVO_SCHEDA_ASSENTE';
  yield { kind: 'ended', code };
}
