import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { answeringServer, windowAddresses } from '@fucina/host';
import type { Ambient, Environment } from '@fucina/shared';
import type { Language } from '@fucina/shared/sentences';
import { type Badge, waitingIn } from './badge.ts';
import type { DesktopWindow, OpenWindow } from './desktop-window.ts';
import { becomeInstance, type Instance } from './instance.ts';
import { type ServerState, superviseServer } from './server-supervisor.ts';
import { writeStartPage } from './start-page.ts';
import type { WindowPath } from './target.ts';

export interface DesktopNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Absolute. */
  dataDir: string;
  language: Language;
  /** Program and arguments that start a server on the data folder. */
  serverCommand: readonly [string, ...string[]];
  openWindow: OpenWindow;
  badge: Badge;
  /** Aborts to quit. */
  signal: AbortSignal;
}

/** Runs until the window is closed. False when another instance took over the request meanwhile. */
export async function runDesktop(needs: DesktopNeeds, first: WindowPath): Promise<boolean> {
  const instance = await becomeInstance(needs.dataDir);
  if (!instance) return false;
  try {
    await runInstance(needs, instance, first);
    return true;
  } finally {
    instance.release();
  }
}

async function runInstance(needs: DesktopNeeds, instance: Instance, first: WindowPath): Promise<void> {
  const { ambient, dataDir, language, signal } = needs;
  const folder = join(dataDir, 'desktop');
  let origin: string | undefined;
  const window = await needs.openWindow({
    profileDir: join(folder, 'profile'),
    ownOrigin: () => origin,
    onTitle: (title) => needs.badge.show(waitingIn(title)),
    openExternally: (address) => openExternally(address, needs),
  });
  const shown = createScreen(window, { folder, language, first });
  const ending = new AbortController();
  // One after the other, in the order in which they happened.
  let last = Promise.resolve();
  const next = (act: () => Promise<void>): void => {
    last = last.then(act).catch((error: unknown) => {
      if (!ending.signal.aborted) ambient.log.warn('desktop.not-shown', { error });
    });
  };
  const supervisor = superviseServer({
    ambient,
    environment: needs.environment,
    command: needs.serverCommand,
    findServer: () => namedServer(dataDir),
    onState(state) {
      origin = state.kind === 'ready' ? new URL(state.url).origin : origin;
      next(() => shown.state(state));
    },
  });
  const requests = serveRequests(instance, ending.signal, (path) => next(() => shown.path(path)));
  const quit = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([window.closed, signal.aborted ? undefined : quit]);
  ending.abort();
  await Promise.all([window.close(), supervisor.stop(), requests, needs.badge.close()]);
}

/** Under the name of the instance: the program that draws the window resolves it to this computer. */
async function namedServer(folder: string): Promise<{ url: string; token: string } | undefined> {
  const server = await answeringServer(folder);
  if (!server) return undefined;
  const { plain, named } = await windowAddresses({ url: server.url, folder });
  return { url: named ?? plain, token: server.token };
}

async function serveRequests(instance: Instance, signal: AbortSignal, show: (path: WindowPath) => void): Promise<void> {
  for await (const path of instance.requests(signal)) show(path);
}

interface Screen {
  state(state: ServerState): Promise<void>;
  path(path: WindowPath): Promise<void>;
}

/** What the window shows: pages of the server, or why there is none. */
function createScreen(window: DesktopWindow, given: { folder: string; language: Language; first: WindowPath }): Screen {
  let wanted: WindowPath | undefined = given.first;
  let url: string | undefined;
  let isSignedIn = false;

  async function showWanted(): Promise<void> {
    if (url === undefined || wanted === undefined) return;
    const path = wanted;
    wanted = undefined;
    if (path !== '/' || isSignedIn) await window.show(new URL(path, url).href);
    isSignedIn = true;
  }

  return {
    async state(state) {
      if (state.kind !== 'ready') {
        // A page that is open says itself that the server is away, and continues when it is back.
        if (url === undefined) await window.show(await writeStartPage(given.folder, state, given.language));
        return;
      }
      if (url === state.url) return;
      url = state.url;
      await window.allowNotifications(new URL(url).origin);
      await window.show(`${url}?token=${state.token}`);
      isSignedIn = false;
      await showWanted();
    },
    async path(path) {
      wanted = path;
      await showWanted();
    },
  };
}

function openExternally(address: string, { environment, ambient }: DesktopNeeds): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(opener, [address], { env: environment, stdio: 'ignore', detached: true })
    .on('error', (error) => ambient.log.warn('desktop.not-opened', { error }))
    .unref();
}
