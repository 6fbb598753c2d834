import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, caller, TOKEN } from './harness.ts';
import { watchProcessorWait } from './processor-wait.ts';

const MAIN = join(import.meta.dirname, '../dist/main.js');

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The age of the process at its end. */
  afterMs: number;
}

/** The built server as a separate process. */
export interface ChildServer extends AsyncDisposable {
  url: string;
  pid: number;
  /** Since its start, in ms, without the time that it waited for a processor: others make a busy machine slow. */
  ageMs(): number;
  /** Its age at its `ready` line. */
  readyMs: number;
  call: Call;
  stderr(): string;
  exited: Promise<Exit>;
  /** Resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
}

export interface ChildOptions {
  dataDir: string;
  /** With its own small environment, never the caller's. */
  env?: Record<string, string>;
}

/** Resolves at the `ready` line; rejects with the process's output if it ends before. */
export async function startChild(options: ChildOptions): Promise<ChildServer> {
  const started = launch(options);
  const line = await Promise.race([firstLine(started.child), started.exited]);
  if (typeof line !== 'string') throw new Error(`the server ended with ${line.code}: ${started.stderr()}`);
  const readyMs = started.ageMs();
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  const kill = (signal: NodeJS.Signals): Promise<Exit> => {
    started.child.kill(signal);
    return started.exited;
  };
  return {
    url,
    pid,
    ageMs: started.ageMs,
    readyMs,
    call: caller(url),
    stderr: started.stderr,
    exited: started.exited,
    kill,
    [Symbol.asyncDispose]: async () => void (await kill('SIGKILL')),
  };
}

/** A start that is expected to fail. */
export async function failToStart(options: ChildOptions): Promise<Exit & { stderr: string }> {
  const { exited, stderr } = launch(options);
  return { ...(await exited), stderr: stderr() };
}

interface Launched {
  child: ChildProcess;
  ageMs(): number;
  exited: Promise<Exit>;
  stderr(): string;
}

function launch({ dataDir, env = {} }: ChildOptions): Launched {
  if (!existsSync(MAIN)) throw new Error('apps/server/dist/main.js is missing: `npm run build` makes it');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dataDir,
      FUCINA_DATA_DIR: dataDir,
      FUCINA_KEY_STORE: 'memory',
      FUCINA_PUBLIC_CATALOG: '0',
      FUCINA_PORT: '0',
      FUCINA_TOKEN: TOKEN,
      FUCINA_LOG: 'debug',
      ...env,
    },
  });
  const waiting = watchProcessorWait(child.pid ?? 0);
  const ageMs = (): number => performance.now() - startedAt - waiting.ms();
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exited = new Promise<Exit>((resolve) => {
    // `close` comes after the last output, `exit` may come before.
    child.once('close', (code, signal) => {
      resolve({ code, signal, afterMs: ageMs() });
      waiting.end();
    });
  });
  return { child, ageMs, exited, stderr: () => errors };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
  });
}
