import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Io } from './io.ts';

/** A secret typed on the terminal without echo, or read from a standard input that is not a terminal. */
export async function readSecret(io: Io, prompt: string): Promise<string> {
  if (io.stdin.isTTY !== true) return (await text(io.stdin)).trim();
  // In terminal mode the line reader turns off the system's echo; its own echo is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: io.stdin, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => lines.close());
      lines.question('', (line) => resolve(line.trim()));
      // Only now: who sees it may type at once.
      io.stderr.write(prompt);
    });
  } finally {
    lines.close();
    io.stderr.write('\n');
  }
}
