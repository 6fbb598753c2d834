import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const hasTmux = existsSync('/usr/bin/tmux');

/** A real terminal of 100 columns with one command in it, driven through tmux. */
export interface Terminal extends AsyncDisposable {
  /** Everything on it, as a person reads it. */
  screen(): Promise<string>;
  /** Resolves with the screen once it shows the text. */
  shows(text: string): Promise<string>;
  /** Types; `Enter` and `C-c` are keys. */
  type(...keys: string[]): Promise<void>;
  /** As a person pastes it, marked as a paste where the program asked for that. */
  paste(text: string): Promise<void>;
}

const PATIENCE_MS = 15_000;

/** `command` is a shell line; when it ends the terminal shows `[exit N]` and stays. */
export async function openTerminal(
  command: string,
  { env, cwd }: { env: Record<string, string>; cwd: string },
): Promise<Terminal> {
  const socket = `fucina-test-${process.pid}-${performance.now()}`;
  const tmux = async (...args: string[]): Promise<string> =>
    (await run('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args], { env: { ...env, LC_ALL: 'C.UTF-8' }, cwd }))
      .stdout;
  const script = `${command}; echo "[exit $?]"; exec cat`;
  await tmux('new-session', '-d', '-x', '100', '-y', '50', 'bash', '-c', script);
  const screen = (): Promise<string> => tmux('capture-pane', '-p');
  return {
    screen,
    async shows(text) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const shown = await screen();
        if (shown.includes(text)) return shown;
        if (performance.now() > deadline) throw new Error(`the terminal never showed "${text}":\n${shown}`);
        await pause(20);
      }
    },
    type: async (...keys) => void (await tmux('send-keys', ...keys)),
    async paste(text) {
      await tmux('set-buffer', '--', text);
      await tmux('paste-buffer', '-p', '-d');
    },
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server')),
  };
}
