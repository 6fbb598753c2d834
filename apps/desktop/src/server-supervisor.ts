import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Ambient, Environment } from '@fucina/shared';
import * as z from 'zod';

export type ServerState =
  | { kind: 'starting' }
  | { kind: 'ready'; url: string; token: string }
  /** It ended, or did not start. `isFinal`: it is not started again, because that would not help. */
  | { kind: 'down'; log: readonly string[]; isFinal: boolean };

export interface SupervisorNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Program and arguments that start a server on the data folder. Options may follow. */
  command: readonly [string, ...string[]];
  /** The server that runs on the data folder already, and accepts its token. */
  findServer(): Promise<{ url: string; token: string } | undefined>;
  onState(state: ServerState): void;
}

export interface Supervisor {
  /** Resolves when the own server has ended: SIGTERM, 5 s, SIGKILL. A server that ran before keeps running. */
  stop(): Promise<void>;
}

const STOP_MS = 5_000;
const LOOK_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A server that ran this long was fine: the next pause is the first one again. */
const FINE_MS = 30_000;
const KEPT_LINES = 40;
/** A setting is invalid: the same start fails in the same way. */
const EXIT_CONFIGURATION = 78;

const readyLine = z.object({ event: z.literal('ready'), url: z.string() });

/** Keeps a server running on the data folder: the one that is there, or its own, started again when it ends. */
export function superviseServer(needs: SupervisorNeeds): Supervisor {
  const { ambient, findServer, onState } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  let port = '';

  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    onState({ kind: 'starting' });
    while (!signal.aborted) {
      const server = await findServer();
      if (server) {
        onState({ kind: 'ready', ...server });
        await untilGone();
        continue;
      }
      const startedAt = ambient.monotonic();
      const { code, log } = await runOwn();
      if (signal.aborted) return;
      const isFinal = code === EXIT_CONFIGURATION;
      onState({ kind: 'down', log, isFinal });
      if (isFinal) return;
      pauseMs = ambient.monotonic() - startedAt > FINE_MS ? FIRST_PAUSE_MS : pauseMs;
      await ambient.sleep(pauseMs, signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Another program's server: all that shows its end is that it does not answer. */
  async function untilGone(): Promise<void> {
    do await ambient.sleep(LOOK_MS, signal).catch(() => undefined);
    while (!signal.aborted && (await findServer()));
  }

  /** The pages of the window belong to an address: a server that is started again takes the same port. */
  async function runOwn(): Promise<Ended> {
    const [program, ...args] = needs.command;
    const child = spawn(program, [...args, ...(port && ['--port', port])], {
      env: needs.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let hasEnded = false;
    const end = await followServer(ambient, child, {
      signal,
      async onReady(url) {
        ({ port } = new URL(url));
        const server = await findServer();
        if (server && !hasEnded) onState({ kind: 'ready', ...server });
      },
    });
    hasEnded = true;
    return end;
  }

  const ended = run();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

interface Ended {
  code: number | null;
  log: readonly string[];
}

interface Following {
  /** Stops it. */
  signal: AbortSignal;
  onReady(url: string): Promise<void>;
}

function followServer(ambient: Ambient, child: ChildProcess, { signal, onReady }: Following): Promise<Ended> {
  const log: string[] = [];
  const keep = (line: string): void => {
    log.push(withoutToken(line));
    if (log.length > KEPT_LINES) log.shift();
  };
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = readyLine.safeParse(parsed(line));
      if (ready.success) void onReady(ready.data.url);
    });
  if (child.stderr) createInterface({ input: child.stderr }).on('line', keep);

  const limit = new AbortController();
  const stop = (): void => {
    child.kill('SIGTERM');
    ambient.sleep(STOP_MS, limit.signal).then(
      () => void child.kill('SIGKILL'),
      () => undefined,
    );
  };
  signal.addEventListener('abort', stop);
  return new Promise((resolve) => {
    const end = (code: number | null): void => {
      limit.abort();
      signal.removeEventListener('abort', stop);
      resolve({ code, log });
    };
    child.once('error', (error) => {
      keep(error.message);
      end(null);
    });
    child.once('close', end);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // a line of another kind
  }
}

/** The command line prints the address that signs in. */
function withoutToken(line: string): string {
  return line.replaceAll(/\btoken=[^\s&]+/g, 'token=…');
}
