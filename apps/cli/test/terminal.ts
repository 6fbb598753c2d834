import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const hasTmux = existsSync('/usr/bin/tmux');

/** A real terminal with one command in it, driven through tmux. */
export interface Terminal extends AsyncDisposable {
  /** The visible text. */
  screen(): Promise<string>;
  /** The same with its color codes. */
  painted(): Promise<string>;
  /** Resolves with the screen once it shows the text. */
  shows(text: string): Promise<string>;
  /** Resolves with the screen once it no longer shows the text. */
  hides(text: string): Promise<string>;
  /** Types; `Enter` and `C-c` are keys. */
  type(...keys: string[]): Promise<void>;
  /** A paste, bracketed if the program enabled that. */
  paste(text: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  title(): Promise<string>;
  /** Whether the alternate screen, the mouse, the cursor and line wrap are enabled. */
  state(): Promise<{ isAlternate: boolean; hasMouse: boolean; hasCursor: boolean; wraps: boolean }>;
}

/** For what hangs, not for what is slow. */
const PATIENCE_MS = 60_000;

export interface TerminalOptions {
  env: Record<string, string>;
  cwd: string;
  width?: number;
  height?: number;
}

/** `command` is a shell line; when it ends the terminal shows `[exit N]` and stays. */
export async function openTerminal(
  command: string,
  { env, cwd, width = 100, height = 50 }: TerminalOptions,
): Promise<Terminal> {
  const socket = `fucina-test-${process.pid}-${performance.now()}`;
  const tmux = async (...args: string[]): Promise<string> =>
    (await run('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args], { env: { ...env, LC_ALL: 'C.UTF-8' }, cwd }))
      .stdout;
  const script = `${command}; echo "[exit $?]"; exec cat`;
  await tmux('new-session', '-d', '-x', String(width), '-y', String(height), 'bash', '-c', script);
  const screen = (): Promise<string> => tmux('capture-pane', '-p');
  const until = async (what: string, isSo: (shown: string) => boolean): Promise<string> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const shown = await screen();
      if (isSo(shown)) return shown;
      if (performance.now() > deadline) throw new Error(`the terminal never ${what}:\n${shown}`);
      await pause(20);
    }
  };
  return {
    screen,
    painted: () => tmux('capture-pane', '-p', '-e'),
    shows: (text) => until(`showed "${text}"`, (shown) => shown.includes(text)),
    hides: (text) => until(`hid "${text}"`, (shown) => !shown.includes(text)),
    type: async (...keys) => void (await tmux('send-keys', ...keys)),
    async paste(text) {
      await tmux('set-buffer', '--', text);
      await tmux('paste-buffer', '-p', '-d');
    },
    resize: async (columns, rows) => void (await tmux('resize-window', '-x', String(columns), '-y', String(rows))),
    title: async () => (await tmux('display-message', '-p', '#{pane_title}')).trim(),
    async state() {
      const flags = '#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{wrap_flag}';
      const [isAlternate, hasMouse, hasCursor, wraps] = (await tmux('display-message', '-p', flags)).trim().split(' ');
      return {
        isAlternate: isAlternate === '1',
        hasMouse: hasMouse === '1',
        hasCursor: hasCursor === '1',
        wraps: wraps === '1',
      };
    },
    // It may already have ended.
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server').catch(() => undefined)),
  };
}
