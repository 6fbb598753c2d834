import { type StdioOptions, spawn } from 'node:child_process';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DesktopNeeds, NotOpened, WindowPath } from '@fucina/desktop';
import { isAppError, LOG_LEVELS } from '@fucina/shared';
import { cleanText } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { dataDirOf, placeOptions } from '../open-host.ts';
import { ownCommand, temporaryPlace } from '../own-command.ts';
import type { Terminal } from '../terminal.ts';
import type { Say } from '../words/index.ts';
import { hasDisplay } from './open-in-browser.ts';

/** Opens the desktop application, or hands the folder or link to the one that runs. */
export async function openApp(flags: CommonFlags, [target]: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  if (flags['startAtLogin'] !== undefined) return startAtLogin(flags, terminal);
  const { handOver, windowPath } = await import('@fucina/desktop');
  const path = windowPath(target, io.cwd);
  if (path === undefined) {
    err(`fucina: ${say('app.bad-link', { link: cleanText(target ?? '') })}`);
    return EXIT.usage;
  }
  if (target && !target.startsWith('fucina:') && !(await isFolder(resolve(io.cwd, target)))) {
    err(`fucina: ${say('app.no-folder', { path: cleanText(target) })}`);
    return EXIT.usage;
  }
  const dataDir = await dataDirOf(io, flags);
  if (await handOver(await io.ambient('error'), dataDir, path)) return EXIT.done;
  const program = await browserFor(terminal);
  if (program === undefined) return EXIT.configuration;
  const place = await placeOptions(io, flags);
  if (flags['foreground'] !== true)
    return startInBackground(dataDir, [...place, ...(target ? [target] : [])], terminal);
  return runApp({ dataDir, path, program, place }, terminal);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false, // for whatever reason, it cannot be opened
  );
}

/** Prints why there is none. */
async function browserFor({ io, say, err }: Terminal): Promise<string | undefined> {
  if (!hasDisplay(io.env)) {
    err(`fucina: ${say('app.no-display')}`);
    return undefined;
  }
  const { findBrowser } = await import('@fucina/browser');
  try {
    return (await findBrowser({ platform: process.platform, environment: io.env })).path;
  } catch (error) {
    if (!isAppError(error)) throw error;
    err(`fucina: ${say(error.code === 'BROWSER_VIVO_ASSENTE' ? 'app.no-browser' : 'app.browser-off')}`);
    return undefined;
  }
}

/** The terminal is free as soon as there is a window; the log goes to a file. */
async function startInBackground(dataDir: string, words: string[], { io, err }: Terminal): Promise<ExitCode> {
  await mkdir(join(dataDir, 'desktop'), { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'desktop', 'log.txt');
  const log = await open(path, 'w', 0o600);
  const [program, ...args] = ownCommand(['app', '--foreground', ...words]);
  const stdio: StdioOptions = ['ignore', log.fd, log.fd, 'ipc'];
  const child = spawn(program, args, { cwd: io.cwd, env: io.env, detached: true, stdio });
  const isOpen = await new Promise<boolean>((resolve) => {
    child.once('message', () => resolve(true)); // see sayOpen
    child.once('exit', (code) => resolve(code === EXIT.done)); // 0: another one took over
    child.once('error', () => resolve(false));
  });
  await log.close();
  if (!isOpen) {
    err(cleanText(await readFile(path, 'utf8')).trimEnd());
    return EXIT.failed;
  }
  if (child.connected) child.disconnect();
  child.unref();
  return EXIT.done;
}

/** Frees the terminal that started this process in the background. */
function sayOpen(): void {
  if (process.connected) process.send?.('open', () => undefined);
}

interface Start {
  dataDir: string;
  path: WindowPath;
  /** The browser. */
  program: string;
  /** The options that start a server on the same data folder and key store. */
  place: readonly string[];
}

async function runApp({ dataDir, path, program, place }: Start, terminal: Terminal): Promise<ExitCode> {
  const { io, say, err, language } = terminal;
  const { chromiumWindows, handOver, launcherBadge, runDesktop, WindowNotOpened } = await import('@fucina/desktop');
  const { hasSandbox } = await import('@fucina/browser');
  const ambient = await io.ambient(LOG_LEVELS.find((level) => level === io.env.FUCINA_LOG) ?? 'warn');
  const quitting = new AbortController();
  const forget = io.onInterrupt(() => quitting.abort());
  const openWindow = chromiumWindows({ ambient, environment: io.env, program, isSandboxed: hasSandbox() });
  const needs: DesktopNeeds = {
    ambient,
    environment: io.env,
    dataDir,
    language,
    serverCommand: ownCommand(['serve', '--hide-token', ...place]),
    openWindow: async (request) => {
      const window = await openWindow(request);
      sayOpen();
      return window;
    },
    badge: launcherBadge({ environment: io.env, uid: process.getuid?.() ?? 0 }),
    signal: quitting.signal,
  };
  try {
    if (await runDesktop(needs, path)) return EXIT.done;
    // Another one started at the same time.
    return (await handOver(ambient, dataDir, path)) ? EXIT.done : EXIT.busy;
  } catch (error) {
    if (!(error instanceof WindowNotOpened)) throw error;
    err(`fucina: ${notOpened(error.reason, program, say)}`);
    for (const line of error.lines) err(cleanText(line));
    return EXIT.failed;
  } finally {
    forget();
  }
}

function notOpened(reason: NotOpened, program: string, say: Say): string {
  switch (reason.kind) {
    case 'no-window':
      return say('app.no-window', { program });
    case 'ended':
      return say('app.ended', { program, end: reason.end });
    case 'not-started': {
      const { code } = reason;
      if (code === 'ENOENT') return say('app.program-missing', { program });
      return say(code === 'EACCES' ? 'app.program-denied' : 'app.not-started', { program, code });
    }
  }
}

/** At login, the application opens with the data folder and key store of this call. */
async function startAtLogin(flags: CommonFlags, { io, say, out, err }: Terminal): Promise<ExitCode> {
  const isOn = flags['startAtLogin'] === 'on';
  const temporary = isOn ? temporaryPlace() : undefined;
  if (temporary !== undefined) {
    err(`fucina: ${say('service.temporary', { path: cleanText(temporary) })}`);
    return EXIT.configuration;
  }
  const { setStartAtLogin } = await import('@fucina/desktop');
  const { platform } = process;
  const command = ownCommand(['app', ...(isOn ? await placeOptions(io, flags) : [])]);
  const needs = { platform, environment: io.env, home: io.home, command };
  const path = await setStartAtLogin(needs, isOn);
  out(isOn ? say('app.login-on', { path: cleanText(path) }) : say('app.login-off'));
  return EXIT.done;
}
