import { homedir } from 'node:os';
import type { Io, Output } from './io.ts';
import { createJobControl } from './job-control.ts';
import { run } from './run.ts';

const EXIT_BUG = 70;
const EXIT_INTERRUPTED = 130;

const listeners = new Set<(signal?: NodeJS.Signals) => void>();

function interrupt(signal?: NodeJS.Signals): void {
  if (!listeners.size) process.exit(EXIT_INTERRUPTED);
  for (const listener of listeners) listener(signal);
}

/** The reader of the output has gone: the rest is dropped. */
function watchReader(output: Output): void {
  let hasLeft = false;
  output.on('error', (error: Error & { code?: string }) => {
    // EIO: the terminal itself is gone.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    if (!hasLeft) interrupt();
    hasLeft = true;
  });
}

const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  onEnd(listener) {
    const events = ['exit', 'uncaughtExceptionMonitor'] as const;
    for (const event of events) process.once(event, listener);
    return () => {
      for (const event of events) process.off(event, listener);
    };
  },
  jobs: createJobControl(),
  ambient: async (level) => (await import('@fucina/shared')).systemAmbient(level),
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt(signal));
watchReader(process.stdout);
watchReader(process.stderr);

async function main(): Promise<void> {
  let code: number;
  try {
    code = await run(process.argv.slice(2), io);
  } catch (error) {
    process.stderr.write(`fucina: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    code = EXIT_BUG;
  }
  // Explicitly: an open keep-alive connection would delay the exit for seconds.
  await Promise.all([process.stdout, process.stderr].map((output) => new Promise((done) => output.write('', done))));
  process.exit(code);
}

void main();
