import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Ambient, type Environment, systemCode } from '@fucina/shared';
import * as z from 'zod';
import {
  type DesktopWindow,
  type NotOpened,
  type OpenWindow,
  WindowNotOpened,
  type WindowRequest,
} from '../desktop-window.ts';
import { type ControlPipe, openControlPipe } from './control-pipe.ts';

export interface ChromiumNeeds {
  ambient: Ambient;
  environment: Environment;
  /** The browser. Absolute. */
  program: string;
  /** False where the system allows the browser no sandbox of its own: as root. */
  isSandboxed: boolean;
}

const CLOSE_MS = 3_000;
const START_MS = 20_000;
const TITLE_MS = 1_000;
/** Programs that it started may hold its standard error open. */
const LAST_LINES_MS = 1_000;
const KEPT_LINES = 10;
/**
 * The browser stores the size and place of the window under this address, and finds no address with a dot again. What
 * the window shows comes over the pipe: every user of the computer can see the arguments of a program.
 */
const FIRST_PAGE = 'data:text/html,%3Cmeta%20name=color-scheme%20content=%22light%20dark%22%3E%3Ctitle%3EFucina';
const ARGUMENTS = [
  `--app=${FIRST_PAGE}`,
  '--class=Fucina',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  // Nothing secret is stored in this profile, so nothing asks for the key store of the system.
  '--password-store=basic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-pings',
];

const targetInfo = z.object({ targetId: z.string(), type: z.string(), title: z.string(), url: z.string() });
const targetEvent = z.object({ targetInfo });
const destroyedEvent = z.object({ targetId: z.string() });
const attached = z.object({ sessionId: z.string() });

/** A window of an installed browser of the Chromium family, in its application mode and with a profile of its own. */
export function chromiumWindows(needs: ChromiumNeeds): OpenWindow {
  return async (request) => {
    await mkdir(request.profileDir, { recursive: true, mode: 0o700 });
    const child = await start(needs, request);
    const said = lastLinesOf(child);
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    const wasRead = new Promise<void>((resolve) => void child.once('close', () => resolve()));
    const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
    const pipe = openControlPipe(input, output);
    const pages = followPages(pipe, request);
    const parts = { ambient: needs.ambient, child, pipe, pages, ended, wasRead };
    if (!(await hasOpened(parts))) throw new WindowNotOpened(await reasonOf(parts), said);
    void followTitle(parts, request);
    return windowOf(parts);
  };
}

/** False when the browser ended, or showed no window within `START_MS`. */
async function hasOpened({ ambient, pipe, pages, ended }: Parts): Promise<boolean> {
  // A refusal shows in that no page comes.
  pipe.send('Target.setDiscoverTargets', { discover: true }).catch(ignoreEnd);
  const limit = new AbortController();
  const late = ambient.sleep(START_MS, limit.signal).catch(ignoreEnd);
  const isOpen = await Promise.race([pages.first.then(() => true), ended.then(() => false), late.then(() => false)]);
  limit.abort();
  return isOpen;
}

/** Why a started browser has no window. It is ended if it still ran. */
async function reasonOf({ ambient, child, ended, wasRead }: Parts): Promise<NotOpened> {
  const isRunning = child.exitCode === null && child.signalCode === null;
  if (isRunning) child.kill('SIGKILL');
  await ended;
  // Its last lines may come after its end.
  const limit = new AbortController();
  const late = ambient.sleep(LAST_LINES_MS, limit.signal).catch(ignoreEnd);
  await Promise.race([wasRead, late]);
  limit.abort();
  return isRunning ? { kind: 'no-window' } : { kind: 'ended', end: child.signalCode ?? `exit code ${child.exitCode}` };
}

/** The newest lines of its standard error. */
function lastLinesOf(child: ChildProcess): readonly string[] {
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
  };
  if (child.stderr) createInterface({ input: child.stderr }).on('line', keep);
  return lines;
}

/** Rejects with WindowNotOpened when the system refuses to start it. */
async function start(
  { program, environment, isSandboxed }: ChromiumNeeds,
  { profileDir }: WindowRequest,
): Promise<ChildProcess> {
  const args = [...ARGUMENTS, ...(isSandboxed ? [] : ['--no-sandbox']), `--user-data-dir=${profileDir}`];
  try {
    const child = spawn(program, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined) throw cause;
    throw new WindowNotOpened({ kind: 'not-started', code }, [], { cause });
  }
}

interface Pages {
  /** Resolves when the window has a page. */
  first: Promise<void>;
  /** Resolves when no page is left: the user closed the window. */
  none: Promise<void>;
  /** The page of the window. */
  current(): string;
}

/** Pages of other sites move to the user's own browser: the window has no address bar to tell where one is. */
function followPages(pipe: ControlPipe, { ownOrigin, openExternally }: WindowRequest): Pages {
  const open: string[] = [];
  let onFirst = (): void => undefined;
  let onNone = (): void => undefined;
  const first = new Promise<void>((resolve) => (onFirst = resolve));
  const none = new Promise<void>((resolve) => (onNone = resolve));
  const isForeign = (url: string) => /^https?:/.test(url) && ownOrigin() !== undefined && originOf(url) !== ownOrigin();

  pipe.onEvent((method, params) => {
    if (method === 'Target.targetDestroyed') {
      const at = open.indexOf(destroyedEvent.parse(params).targetId);
      if (at >= 0) open.splice(at, 1);
      if (at >= 0 && open.length === 0) onNone();
    } else if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') {
      const { targetId, type, url } = targetEvent.parse(params).targetInfo;
      if (type !== 'page') return;
      if (!open.includes(targetId)) open.push(targetId);
      onFirst();
      if (open[0] === targetId || !isForeign(url)) return;
      openExternally(url);
      pipe.send('Target.closeTarget', { targetId }).catch(ignoreEnd);
    }
  });
  return { first, none, current: () => open[0] ?? '' };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The browser reports no change of a title. */
async function followTitle({ ambient, pipe, pages, ended }: Parts, request: WindowRequest): Promise<void> {
  const ending = new AbortController();
  void ended.then(() => ending.abort());
  let last: string | undefined;
  while (!ending.signal.aborted) {
    const found = await pipe.send('Target.getTargetInfo', { targetId: pages.current() }).catch(ignoreEnd);
    const title = targetEvent.safeParse(found).data?.targetInfo.title;
    if (title !== undefined && title !== last) request.onTitle(title);
    last = title ?? last;
    await ambient.sleep(TITLE_MS, ending.signal).catch(ignoreEnd);
  }
}

interface Parts {
  ambient: Ambient;
  child: ChildProcess;
  pipe: ControlPipe;
  pages: Pages;
  ended: Promise<void>;
  /** Resolves when it has ended and what it wrote is read. */
  wasRead: Promise<void>;
}

function windowOf({ ambient, child, pipe, pages, ended }: Parts): DesktopWindow {
  async function close(): Promise<void> {
    // Only an orderly end stores the size and place of the window.
    pipe.send('Browser.close').catch(ignoreEnd);
    const limit = new AbortController();
    const late = ambient.sleep(CLOSE_MS, limit.signal).then(
      () => void child.kill('SIGKILL'),
      () => undefined,
    );
    await Promise.race([ended, late]);
    limit.abort();
    await ended;
  }
  return {
    async show(address) {
      const targetId = pages.current();
      const { sessionId } = attached.parse(await pipe.send('Target.attachToTarget', { targetId, flatten: true }));
      await pipe.send('Page.navigate', { url: address }, sessionId);
      await pipe.send('Page.bringToFront', {}, sessionId);
      await pipe.send('Target.detachFromTarget', { sessionId });
    },
    async allowNotifications(origin) {
      await pipe.send('Browser.setPermission', { permission: { name: 'notifications' }, setting: 'granted', origin });
    },
    close,
    closed: Promise.race([ended, pages.none.then(close)]),
  };
}

/** The browser ended before it answered, as asked. */
function ignoreEnd(): void {}
