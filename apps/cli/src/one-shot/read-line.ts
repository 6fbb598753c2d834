import { createInterface } from 'node:readline';
import type { Terminal } from '../terminal.ts';

/** One line of user input; undefined when the terminal was closed, or the signal aborts. */
export function readLine({ io }: Terminal, prompt: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    // Not in terminal mode: the system edits the line, and Ctrl+C stays a normal signal.
    const lines = createInterface({ input: io.stdin, output: io.stderr, terminal: false });
    const settle = (answer: string | undefined): void => {
      signal.removeEventListener('abort', close);
      resolve(answer);
      lines.close();
    };
    const close = (): void => settle(undefined);
    signal.addEventListener('abort', close, { once: true });
    lines.once('close', close);
    lines.question(prompt, settle);
  });
}
