import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const MAIN = join(import.meta.dirname, '../dist/main.js');

/** The built program as a separate process. */
export interface Running extends AsyncDisposable {
  child: ChildProcess;
  /** The output so far. */
  seen: { stdout: string; stderr: string };
  /** Resolves once the text was written. */
  wrote(stream: 'stdout' | 'stderr', text: string): Promise<void>;
  ended: Promise<{ code: number | null; afterMs: number }>;
}

export interface StartOptions {
  env: Record<string, string>;
  cwd: string;
  /** `pipe`: it stays open without data. */
  stdin?: 'ignore' | 'pipe';
}

export function start(args: readonly string[], { env, cwd, stdin = 'ignore' }: StartOptions): Running {
  if (!existsSync(MAIN)) throw new Error('apps/cli/dist/main.js is missing: `npm run build` makes it');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd, stdio: [stdin, 'pipe', 'pipe'] });
  const seen = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
      for (const look of waiting) look();
    });
  }
  const ended = new Promise<{ code: number | null; afterMs: number }>((resolve) => {
    child.once('close', (code) => resolve({ code, afterMs: performance.now() - startedAt }));
  });
  return {
    child,
    seen,
    ended,
    wrote: (stream, text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!seen[stream].includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then(({ code }) => reject(new Error(`ended with ${code} before "${text}": ${seen.stderr}`)));
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
