import type { Ambient } from '@fucina/shared';
import type { CDPSession, Page } from 'playwright-core';

export interface ScreenFrame {
  /** JPEG, base64. */
  data: string;
  /** Number of the frame in this tab: a slow viewer sees gaps. */
  number: number;
  /** In CSS pixels; `timestamp` in seconds. */
  metadata: Readonly<Record<(typeof METADATA)[number], number>>;
  /** Ms since the epoch. */
  at: number;
  url: string;
}

const METADATA = [
  'offsetTop',
  'pageScaleFactor',
  'deviceWidth',
  'deviceHeight',
  'scrollOffsetX',
  'scrollOffsetY',
  'timestamp',
] as const;

/** The screen of a tab for any number of viewers: each gets the newest image when it is ready for one. */
export interface Screen {
  /** Shows this page from now on; nothing is sent without viewers. */
  show(page: Page): Promise<void>;
  isWatched(): boolean;
  /** The newest image at once, then each new one. Ends with the signal or with `close`. */
  watch(signal: AbortSignal): AsyncGenerator<ScreenFrame>;
  close(): void;
}

const QUALITY = 60;
const MAX_WIDTH = 1_280;
const MAX_HEIGHT = 800;
const FRAME_MS = 1_000 / 15;
/** How early the next image is requested, so that it arrives in time. */
const AHEAD_MS = 17;
const STALE_MS = 34;

interface Source {
  page: Page;
  cdp: CDPSession;
  hear(frame: Arrived): void;
}

interface Arrived {
  data: string;
  sessionId: number;
  metadata: Readonly<Partial<Record<(typeof METADATA)[number], number>>>;
}

export function createScreen(ambient: Ambient): Screen {
  let shown: Source | undefined;
  let running: Source | undefined;
  let work: Promise<void> = Promise.resolve();
  let viewers = 0;
  let count = 0;
  let latest: ScreenFrame | undefined;
  let isClosed = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  /** A crashed page may never answer: nothing waits for it after the end. */
  const unlessEnded = (asked: Promise<void>): Promise<void> => Promise.race([asked, ended]).catch(ignoreGone);
  let sleeping: (() => void)[] = [];
  /** Images that were not yet acknowledged to the browser: with two of them it sends no more. */
  let owed: (() => void)[] = [];
  const rouse = (): void => {
    const woken = sleeping;
    sleeping = [];
    for (const wake of woken) wake();
  };

  /** Resolves with the next image, at the end, or after `ms`. */
  const woken = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = ms === undefined ? undefined : ambient.timer(ms, resolve);
      sleeping.push(() => {
        cancel?.();
        resolve();
      });
    });
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void ambient.timer(ms, resolve));
  const take = (): void => {
    const waiting = owed;
    owed = [];
    for (const tell of waiting) tell();
  };
  const arrived = (page: Page, cdp: CDPSession, { data, sessionId, metadata }: Arrived): void => {
    if (shown?.page !== page) return;
    count += 1;
    latest = { data, number: count, metadata: numbersOf(metadata), at: ambient.now(), url: page.url() };
    owed.push(() => void cdp.send('Page.screencastFrameAck', { sessionId }).catch(ignoreGone));
    rouse();
  };
  /** Starts or stops the browser's screencast according to the viewers, one change at a time. */
  const settle = (): Promise<void> => {
    work = work.then(async () => {
      const wanted = viewers > 0 ? shown : undefined;
      if (running === wanted) return;
      if (running) await unlessEnded(stop(running));
      owed = [];
      latest = undefined;
      running = wanted;
      if (wanted) await unlessEnded(start(wanted));
    });
    return work;
  };

  return {
    async show(page) {
      const cdp = await page.context().newCDPSession(page);
      shown = { page, cdp, hear: (frame) => arrived(page, cdp, frame) };
      await settle();
    },
    isWatched: () => viewers > 0,
    async *watch(signal) {
      viewers += 1;
      let seen = 0;
      let due = 0;
      signal.addEventListener('abort', rouse, { once: true });
      try {
        await settle();
        while (!isClosed && !signal.aborted) {
          const early = due - AHEAD_MS - ambient.monotonic();
          if (early > 0) {
            await pause(early);
            continue;
          }
          take();
          if (!latest || latest.number <= seen) {
            await woken();
            continue;
          }
          // An image that waited for its turn is outdated; if the page still changes, a newer one follows.
          if (ambient.now() - latest.at > STALE_MS) await woken(STALE_MS);
          const frame: ScreenFrame | undefined = latest;
          if (!frame) continue;
          seen = frame.number;
          due = Math.max(due, ambient.monotonic()) + FRAME_MS;
          yield frame;
        }
      } finally {
        signal.removeEventListener('abort', rouse);
        viewers -= 1;
        await settle();
      }
    },
    close() {
      isClosed = true;
      end();
      rouse();
    },
  };
}

async function start({ cdp, hear }: Source): Promise<void> {
  cdp.on('Page.screencastFrame', hear);
  await cdp.send('Page.startScreencast', {
    format: 'jpeg',
    quality: QUALITY,
    maxWidth: MAX_WIDTH,
    maxHeight: MAX_HEIGHT,
    everyNthFrame: 1,
  });
}

async function stop({ cdp, hear }: Source): Promise<void> {
  cdp.off('Page.screencastFrame', hear);
  await cdp.send('Page.stopScreencast');
}

function numbersOf(metadata: Arrived['metadata']): ScreenFrame['metadata'] {
  return Object.fromEntries(METADATA.map((name) => [name, metadata[name] ?? 0])) as ScreenFrame['metadata'];
}

/** The page was closed in the meantime: the tab notifies the viewers. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof Error)) throw error;
}
