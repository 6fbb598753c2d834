import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';

const BUS = ['/usr/bin/dbus-daemon', '/usr/bin/dbus-monitor'];
const BROWSER = process.env.FUCINA_BROWSER ?? '/usr/bin/chromium';
const PROGRAMS = ['/usr/bin/Xvfb', '/usr/bin/xdotool', BROWSER, ...BUS];
const missing = PROGRAMS.filter((path) => !existsSync(path));
const isPossible = missing.length === 0 || process.env.FUCINA_TEST_REQUIRE === '1';
if (!isPossible) process.stderr.write(`desktop tests skipped: no ${missing.join(', ')}\n`);

/** A test that needs a display and a browser with a window. */
export const onDisplay = isPossible ? test : test.skip;

export interface Geometry {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A display in memory, without a window manager. */
export interface Display extends AsyncDisposable {
  /** Value of `DISPLAY`. */
  name: string;
  /** The application's window; undefined while there is none. */
  windowId(): string | undefined;
  title(): string;
  geometry(): Geometry;
  place(geometry: Geometry): void;
  /** Closes the window as its user does. */
  closeWindow(): void;
  /** Saves a screenshot if FUCINA_SHOTS names a folder. */
  shot(name: string): void;
}

export async function openDisplay(): Promise<Display> {
  // Without -noreset, the end of its last program, an xdotool, also ends a browser that is just connecting.
  const args = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-noreset'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  const name = `:${number.toString().trim()}`;
  const run = (program: string, ...words: string[]): string => {
    try {
      return execFileSync(program, words, {
        env: { ...process.env, DISPLAY: name },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return ''; // the window is not there (any more)
    }
  };
  const xdotool = (...words: string[]) => run('xdotool', ...words);
  const windowId = () => xdotool('search', '--onlyvisible', '--class', 'Fucina').split('\n')[0] || undefined;
  const id = () => windowId() ?? '';
  return {
    name,
    windowId,
    title: () => xdotool('getwindowname', id()),
    geometry: () => {
      const read = (key: string) => Number(new RegExp(`^${key}=(\\d+)`, 'm').exec(facts)?.[1]);
      const facts = xdotool('getwindowgeometry', '--shell', id());
      return { x: read('X'), y: read('Y'), width: read('WIDTH'), height: read('HEIGHT') };
    },
    place({ x, y, width, height }) {
      xdotool('windowsize', id(), `${width}`, `${height}`);
      xdotool('windowmove', id(), `${x}`, `${y}`);
    },
    closeWindow: () => void xdotool('windowfocus', id(), 'key', '--window', id(), 'ctrl+w'),
    shot(name_) {
      const folder = process.env.FUCINA_SHOTS;
      if (folder) run('import', '-window', 'root', join(folder, `${name_}.png`));
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}
