import type { WindowAddresses } from '@fucina/host';
import { AppError, compileFirstCalls, limitYoungGeneration } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import { EXIT } from '../exit-codes.ts';
import { asAppError } from '../failure.ts';
import type { Io } from '../io.ts';
import { createTerminal } from '../terminal.ts';

const STOP_LIMIT_MS = 5_000;
const NEW_TOKEN = '--new-token';
/** For logs that others may read. */
const HIDE_TOKEN = '--hide-token';

/** Runs the window's server in this process until a signal or a client stops it. */
export async function serve(
  args: readonly string[],
  io: Io,
  { opensWindow }: { opensWindow: boolean },
): Promise<number> {
  const terminal = createTerminal(io);
  try {
    return await serveUntilStopped(args, io, opensWindow);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    const { printFailure, factsOf } = await import('../failure.ts');
    printFailure(factsOf(known, terminal), terminal);
    return known.code === 'CONFIG_INVALID' ? EXIT.configuration : EXIT.busy;
  }
}

async function serveUntilStopped(args: readonly string[], io: Io, opensWindow: boolean): Promise<number> {
  const { readSettings, startServer } = await import('@fucina/server');
  const { isServed, noteRunningServer } = await import('@fucina/host');
  const { say, err, out } = createTerminal(io);
  const settings = readSettings(
    args.filter((arg) => arg !== NEW_TOKEN && arg !== HIDE_TOKEN),
    io.env,
  );
  const isNewToken = args.includes(NEW_TOKEN);
  if (isServed(settings.dataDir)) {
    if (opensWindow && !isNewToken && (await openRunning(settings.dataDir, io))) return EXIT.done;
    // Before anything changes: the server that runs keeps its token.
    throw new AppError('SESSION_STORE_BUSY', { reason: 'another-server' });
  }
  settings.token ??= await keptToken(settings.dataDir, isNewToken);
  const ambient = await io.ambient(settings.log);
  const asked = new Promise<void>((resolve) => io.onInterrupt(() => resolve()));
  const server = await startServer({ settings, ambient });
  const { url, port, isNamed } = server;
  const forget = await noteRunningServer(settings.dataDir, { url });
  if (!opensWindow) out(JSON.stringify({ event: 'ready', url, port, pid: process.pid, version: VERSION }));
  if (opensWindow || !args.includes(HIDE_TOKEN)) {
    const addresses = await addressesOf({ url, token: settings.token, isNamed }, settings.dataDir);
    if (opensWindow) await openWindow(addresses, settings.dataDir, io);
    else err(`fucina: ${say('serve.address', { address: addresses.shown })}`);
  }
  compileFirstCalls();
  limitYoungGeneration();
  await Promise.race([asked, server.shutdownAsked]);
  const limit = new Promise<void>((resolve) => ambient.timer(STOP_LIMIT_MS, resolve));
  await Promise.race([server.close().then(forget), limit]);
  return EXIT.done;
}

/** `isNamed`: of a server in this process. */
async function addressesOf(
  { token, ...server }: { url: string; token: string; isNamed?: boolean },
  folder: string,
): Promise<WindowAddresses> {
  const { windowAddresses } = await import('@fucina/host');
  return windowAddresses({ ...server, folder, query: `?token=${token}` });
}

async function openWindow(addresses: WindowAddresses, folder: string, io: Io): Promise<void> {
  const { say, out } = createTerminal(io);
  out(`\n  ${say('open.ready')}\n\n  ${addresses.shown}\n`);
  const { openInBrowser } = await import('./open-in-browser.ts');
  await openInBrowser(addresses, folder, io);
}

/** Opens the window of the server that runs on the folder already. False when none answers to the folder's token. */
async function openRunning(folder: string, io: Io): Promise<boolean> {
  const { answeringServer } = await import('@fucina/host');
  const running = await answeringServer(folder);
  if (!running) return false;
  await openWindow(await addressesOf(running, folder), folder, io);
  return true;
}

async function keptToken(folder: string, isNew: boolean): Promise<string> {
  const { launcherToken } = await import('@fucina/host');
  return launcherToken(folder, { isNew });
}
