import { homedir } from 'node:os';
import type { Io, Output } from './io.ts';
import { createJobControl } from './job-control.ts';
import { run } from './run.ts';
import type { Say } from './words/index.ts';

const EXIT_FAILED = 1;
const EXIT_BUG = 70;
const EXIT_INTERRUPTED = 130;

const listeners = new Set<(signal?: NodeJS.Signals) => void>();

function interrupt(signal?: NodeJS.Signals): void {
  if (!listeners.size) process.exit(EXIT_INTERRUPTED);
  for (const listener of listeners) listener(signal);
}

/** Set while the program ends because of its output. */
let ending: Promise<void> | undefined;

/** The reader of the output has gone: the rest is dropped. Any other failure to write, a full disk, ends the program. */
function watchReader(output: Output): void {
  let hasLeft = false;
  output.on('error', (error: Error & { code?: string }) => {
    // EIO: the terminal itself is gone.
    const isGone = error.code === 'EPIPE' || error.code === 'EIO';
    if (!hasLeft && isGone) interrupt();
    else if (!hasLeft) ending = endWith(output, (say) => say('output.not-written', { why: error.message }));
    hasLeft = true;
  });
}

/** Exit with a sentence on standard error, unless that is what cannot be written. */
async function endWith(failed: Output | undefined, sentence: (say: Say) => string): Promise<void> {
  const { languageOf, translatorFor } = await import('./words/index.ts');
  if (failed !== process.stderr) process.stderr.write(`fucina: ${sentence(translatorFor(languageOf(process.env)))}\n`);
  process.exit(EXIT_FAILED);
}

/** Undefined when the folder of the shell was deleted. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const folder = currentFolder();

const io: Io = {
  env: process.env,
  cwd: folder ?? '/',
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
  if (folder === undefined) return endWith(undefined, (say) => say('folder.gone'));
  let code: number;
  try {
    code = await run(process.argv.slice(2), io);
  } catch (error) {
    process.stderr.write(`fucina: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    code = EXIT_BUG;
  }
  // Explicitly: an open keep-alive connection would delay the exit for seconds.
  await Promise.all([process.stdout, process.stderr].map((output) => new Promise((done) => output.write('', done))));
  await ending;
  process.exit(code);
}

void main();
