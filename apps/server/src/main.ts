import type { Log } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import type { Settings } from './settings.ts';

/** sysexits: a configuration error, and a temporary failure worth trying again. */
const EXIT_CONFIG = 78;
const EXIT_BUSY = 75;
const STOP_LIMIT_MS = 5_000;

async function main(): Promise<void> {
  const [{ startServer }, { readSettings, requestedText }, { compileFirstCalls, limitYoungGeneration, systemAmbient }] =
    await Promise.all([import('./server.ts'), import('./settings.ts'), import('@fucina/shared')]);
  const args = process.argv.slice(2);
  const text = requestedText(args);
  if (text !== undefined) return void process.stdout.write(text);
  const settings = readSettings(args, process.env);
  const ambient = systemAmbient(settings.log);
  process.on('uncaughtException', (error) => {
    ambient.log.error('process.uncaught', { error });
    process.exit(1);
  });
  if (settings.savesToken) settings.token ??= await savedToken(settings.dataDir);
  const server = await startServer({ settings, ambient });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    // It keeps the process alive: closing may wait for something that does not.
    setTimeout(() => process.exit(0), STOP_LIMIT_MS);
    void server.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  void server.shutdownAsked.then(stop);
  const { url, port } = server;
  process.stdout.write(`${JSON.stringify({ event: 'ready', url, port, pid: process.pid, version: VERSION })}\n`);
  warnWithoutToken(settings, ambient.log);
  compileFirstCalls();
  limitYoungGeneration();
}

async function savedToken(folder: string): Promise<string> {
  const { launcherToken } = await import('@fucina/host');
  return launcherToken(folder, { isNew: false });
}

function warnWithoutToken({ token }: Settings, log: Log): void {
  if (token) return;
  log.warn('server.without-token');
  process.stderr.write('fucina: FUCINA_TOKEN is not set: any program on this computer can use the server.\n');
}

async function reportFailure(error: unknown): Promise<void> {
  const { isAppError } = await import('@fucina/shared');
  if (!isAppError(error)) throw error;
  const { sentencesFor } = await import('@fucina/shared/sentences');
  const { message, action } = sentencesFor(error.code, 'en', error.reason);
  const { setting, backup } = error.params ?? {};
  const where = backup === undefined ? '' : `\n        The newest scheduled backup: ${backup}`;
  process.stderr.write(
    `fucina: ${message}${setting ? ` (${setting})` : ''} [${error.code}]\n        ${action}${where}\n`,
  );
  process.exitCode = error.code === 'CONFIG_INVALID' ? EXIT_CONFIG : EXIT_BUSY;
}

void main().catch(reportFailure);
