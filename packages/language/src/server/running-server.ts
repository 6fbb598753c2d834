import type { Ambient, Environment } from '@fucina/shared';
import type { FoundServer } from '../found-servers.ts';
import type { Documents } from './documents.ts';
import type { SandboxedProgram, ServerProcess } from './server-process.ts';

/**
 * `stopped`: starts at its next use. `untrusted`: it belongs to the project, and the user has not trusted it.
 * `unsandboxed`: no sandbox works here, so it does not start.
 */
export type ServerState = 'stopped' | 'untrusted' | 'unsandboxed' | 'starting' | 'ready' | 'failed';

/** A server that answers. */
export interface ReadyServer extends Pick<ServerProcess, 'connection' | 'capabilities'> {
  documents: Documents;
  /** Language ids by extension of the files that it reads. */
  languages: Readonly<Record<string, string>>;
  /** Wall time. */
  startedAt: number;
}

export interface RunningServer {
  readonly state: ServerState;
  /** Why it failed, as the program printed it. */
  readonly problem: string | null;
  /** The server if it answers; otherwise starts it, unless it failed a moment ago. Never waits for the start. */
  use(): ReadyServer | undefined;
  /** Waits for the start; undefined if it did not start. */
  ready(): Promise<ReadyServer | undefined>;
  /** The next use starts it, failed or not. */
  stop(): Promise<void>;
}

export interface RunningServerNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Of this server only. */
  variables: Environment;
  folder: string;
  found: FoundServer;
  /** Undefined where no sandbox works. */
  contain(found: FoundServer): Promise<SandboxedProgram | undefined>;
  isTrusted(found: FoundServer): Promise<boolean>;
  /** Ends it after this time without use. */
  idleMs: number;
  /** It answers; called once for each start. */
  onReady?(): void;
  /** It no longer answers, for whatever reason. */
  onEnded?(): void;
}

const BACK_OFF_MS = 2_000;
const MAX_BACK_OFF_MS = 5 * 60_000;
/** After this time without a crash, earlier ones do not count. */
const STEADY_MS = 60_000;

type Started = { server: ReadyServer; process: ServerProcess };

export function createRunningServer(needs: RunningServerNeeds): RunningServer {
  const { ambient, idleMs } = needs;
  let state: ServerState = 'stopped';
  let problem: string | null = null;
  let starting: Promise<Started | undefined> | undefined;
  let current: Started | undefined;
  let failures = 0;
  let retryAt = 0;
  let cancelIdle = (): void => undefined;
  let cancelStart = new AbortController();

  const stop = async (): Promise<void> => {
    cancelIdle();
    cancelStart.abort();
    const made = (await starting) ?? current;
    starting = undefined;
    current = undefined;
    failures = 0;
    retryAt = 0;
    state = 'stopped';
    problem = null;
    if (made) needs.onEnded?.();
    await made?.process.stop();
  };
  const touch = (): void => {
    cancelIdle();
    cancelIdle = ambient.timer(idleMs, () => void stop());
  };
  const fail = (why: string): void => {
    state = 'failed';
    problem = why || null;
    current = undefined;
    retryAt = ambient.monotonic() + Math.min(BACK_OFF_MS * 2 ** failures, MAX_BACK_OFF_MS);
    failures++;
    ambient.log.warn('language-server.failed', { server: needs.found.kind.id, problem: why });
  };
  const follow = (started: Started): void => {
    const readyAt = ambient.monotonic();
    void started.process.ended.then((printed) => {
      if (current !== started) return;
      cancelIdle();
      if (ambient.monotonic() - readyAt > STEADY_MS) failures = 0;
      fail(printed || 'it ended by itself');
      needs.onEnded?.();
    });
  };
  const start = async (): Promise<Started | undefined> => {
    cancelStart = new AbortController();
    const { signal } = cancelStart;
    try {
      const made = await startServer(needs, signal, (now) => (state = now));
      if (!made) return undefined;
      current = made;
      state = 'ready';
      problem = null;
      follow(made);
      touch();
      needs.onReady?.();
      return made;
    } catch (error) {
      if (signal.aborted) return undefined;
      fail(error instanceof Error ? error.message : 'unknown error');
      return undefined;
    }
  };
  const begin = (): Promise<Started | undefined> => {
    if (!starting && ambient.monotonic() >= retryAt) {
      const made = start().finally(() => {
        if (starting === made) starting = undefined;
      });
      starting = made;
    }
    return starting ?? Promise.resolve(undefined);
  };

  return {
    get state() {
      return state;
    },
    get problem() {
      return problem;
    },
    use() {
      if (current) touch();
      else void begin();
      return current?.server;
    },
    async ready() {
      if (current) touch();
      return (current ?? (await begin()))?.server;
    },
    stop,
  };
}

async function startServer(
  needs: RunningServerNeeds,
  signal: AbortSignal,
  report: (state: ServerState) => void,
): Promise<Started | undefined> {
  const { found } = needs;
  if (found.isOfProject && !(await needs.isTrusted(found))) {
    report('untrusted');
    return undefined;
  }
  report('starting');
  const startedAt = needs.ambient.now();
  // Loaded with the first server only.
  const [{ startServerProcess }, { createDocuments }] = await Promise.all([
    import('./server-process.ts'),
    import('./documents.ts'),
  ]);
  const program = await needs.contain(found);
  if (!program) {
    report('unsandboxed');
    return undefined;
  }
  const process = await startServerProcess({ ...needs, program, signal, options: found.kind.options });
  const { connection, capabilities } = process;
  const facts = { languages: found.kind.languages, startedAt };
  return {
    process,
    server: { connection, capabilities, ...facts, documents: createDocuments(needs.ambient, needs.folder, process) },
  };
}
