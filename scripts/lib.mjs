// Shared by the commands for newcomers: paths, quiet builds, and a server that reports when it is ready.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const binaries = join(root, 'node_modules', '.bin');
export const quietEnv = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  PATH: `${binaries}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
};

/** Builds what changed; prints only errors. */
export function build(...filters) {
  const args = ['run', 'build', '--output-logs=errors-only', ...filters.map((name) => `--filter=${name}`)];
  const { status, stdout, stderr } = spawnSync(join(binaries, 'turbo'), args, {
    cwd: root,
    env: quietEnv,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(status ?? 1);
}

const started = new Set();

/**
 * Starts a Node program that prints one JSON line when it is ready; returns the line and the process. A program that
 * ends before has printed the reason: this program and its other children then end with the same code.
 */
export async function startReady(file, { args = [], env = {} } = {}) {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.add(child);
  const giveUp = (code) => {
    for (const other of started) other.kill('SIGTERM');
    process.exit(code ?? 1);
  };
  child.once('exit', giveUp);
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise((done) => lines.once('line', done));
  child.off('exit', giveUp);
  return { child, ready: JSON.parse(line) };
}

/** Ends the children with this program, and this program with any of them. */
export function liveTogether(children) {
  const end = () => {
    for (const child of children) child.kill('SIGTERM');
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  // npm does not forward the signal when it ends: detects that the parent process is gone.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && end(), 1000).unref();
  for (const child of children) {
    child.once('exit', (code) => {
      end();
      process.exitCode ||= code ?? 0;
    });
  }
}

/** The server's data folder, from a flag or the environment. */
export function dataFolderIn(args, env) {
  const flag = args.findLastIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='));
  if (flag < 0) return env.FUCINA_DATA_DIR || undefined;
  return args[flag].includes('=') ? args[flag].slice('--data-dir='.length) : args[flag + 1];
}

/** The addresses of a server's window, with its token. Not through the entry point of host, which loads every domain. */
export async function addressesOf(url, { token, folder }) {
  const { windowAddresses } = await import('../packages/host/dist/data-folder/window-addresses.js');
  return windowAddresses({ url, folder, query: `?token=${token}` });
}

/**
 * Opens the window in the user's browser if there is a display; prints nothing otherwise. `folder` gets a page that
 * redirects to the address, because every user of the computer can see a program's arguments.
 */
export async function openInBrowser(addresses, folder) {
  if (process.env.CI || !process.stdout.isTTY) return;
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const { writeOpeningPage } = await import('../packages/shared/dist/opening-page.js');
  const page = pathToFileURL(await writeOpeningPage(folder, addresses)).href;
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', page]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', page]
        : ['xdg-open', page];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
