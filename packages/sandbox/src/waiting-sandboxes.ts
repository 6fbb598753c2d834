import {
  type Ambient,
  type Environment,
  type LaterOptions,
  launchWaiting,
  type RunningProcess,
  type WaitingProcess,
} from '@fucina/shared';
import type { ContainedJob } from './sandbox.ts';
import { mountsOf, type Shown, shownBy, sourcesOf } from './view/shown-mounts.ts';

/** A program in a sandbox. Its last argument, the command line, differs for each command. */
export interface SandboxedProgram {
  contained: ContainedJob;
  extraEnvironment: Environment;
}

/**
 * Sandboxes created ahead of time: creating one takes several times as long as a short command. One waits for each
 * session that ran a command, runs one command and ends with it. It is used only if it equals what would be created
 * now.
 */
export interface WaitingSandboxes {
  /**
   * Creates one in the background, unless there is one: PAUSE_MS later, because it takes this process as long as a short
   * command, whose result would wait for it.
   */
  prepare(sessionId: string, make: () => Promise<SandboxedProgram>): void;
  /** Starts a command in the waiting one; undefined if there is no equal one. A different one is ended. */
  start(sessionId: string, wanted: SandboxedProgram, later: LaterOptions): Promise<RunningProcess | undefined>;
  /** Resolves when those of a session, or all, have ended. */
  end(sessionId?: string): Promise<void>;
}

interface Ready extends Shown {
  process: WaitingProcess;
}

interface Made {
  configuration: string;
  sources: string;
  ready: Promise<Ready | undefined>;
}

interface Waiting {
  /** Not started yet. */
  isPlanned: boolean;
  made: Promise<Made | undefined>;
  /** It is running a command. */
  release(): void;
  end(): Promise<void>;
}

/** One that no command has requested. */
const IDLE_MS = 30_000;
/** For a short command and what follows its end. */
const PAUSE_MS = 25;
/** A longer command line is read too slowly. */
const MAX_COMMAND_BYTES = 4096;

/**
 * Reports that it is ready, reads the number of lines and the lines of a command, and executes the program with that
 * command as its last argument. Shells read byte by byte here, so that they consume nothing else.
 */
const WAIT = `printf .
IFS= read -r fucina_count || exit
fucina_text=
while [ "$fucina_count" -gt 0 ]; do
IFS= read -r fucina_line || exit
fucina_text="$fucina_text$fucina_line
"
fucina_count=$((fucina_count-1))
done
exec "$@" "\${fucina_text%?}" </dev/null`;

export function createWaitingSandboxes({
  ambient,
  environment,
}: {
  ambient: Ambient;
  environment: Environment;
}): WaitingSandboxes {
  const sessions = new Map<string, Waiting>();
  /** Pending ends, for shutdown. */
  const ending = new Set<Promise<void>>();
  /** Cleared if the system does not let this process check the created mounts. */
  let canCheck = process.platform === 'linux';

  const drop = (waiting: Waiting): Promise<void> => {
    const over = waiting.end().finally(() => ending.delete(over));
    ending.add(over);
    return over;
  };
  const make = async (program: SandboxedProgram, signal: AbortSignal): Promise<Made | undefined> => {
    const { contained } = program;
    if (contained.enforcement !== 'bubblewrap' || signal.aborted) return undefined;
    const sources = sourcesOf(contained.mounts);
    const ready = open(program, signal).catch((error: unknown) => {
      ambient.log.warn('sandbox.not-prepared', { error });
      return undefined;
    });
    return { configuration: configurationOf(program), sources, ready };
  };
  const shownIn = ({ pid }: WaitingProcess, { mounts }: ContainedJob): Shown | undefined => {
    try {
      return shownBy(pid, mounts);
    } catch (error) {
      canCheck = false;
      ambient.log.warn('sandbox.not-checked', { error });
      return undefined;
    }
  };
  const open = async (
    { contained, extraEnvironment }: SandboxedProgram,
    signal: AbortSignal,
  ): Promise<Ready | undefined> => {
    const { argv, ownAt, cwd, files } = contained;
    const [first = '', ...rest] = [...argv.slice(0, ownAt), '/bin/sh', '-c', WAIT, 'sh', ...argv.slice(ownAt, -1)];
    const process = await launchWaiting({
      ambient,
      environment,
      extraEnvironment,
      argv: [first, ...rest],
      cwd,
      files,
      isContainer: true,
      signal,
    });
    if (!process) return undefined;
    const shown = shownIn(process, contained);
    if (shown) return { process, ...shown };
    await process.end();
    return undefined;
  };

  return {
    prepare(sessionId, program) {
      if (sessions.has(sessionId) || !canCheck) return;
      const controller = new AbortController();
      const begin = async (): Promise<Made | undefined> => {
        await ambient.sleep(PAUSE_MS, controller.signal);
        waiting.isPlanned = false;
        return make(await program(), controller.signal);
      };
      const made = begin().catch(() => undefined); // reported to the command that needs it
      const cancel = ambient.timer(IDLE_MS, () => {
        if (sessions.get(sessionId) === waiting) sessions.delete(sessionId);
        void drop(waiting);
      });
      const waiting: Waiting = {
        isPlanned: true,
        made,
        release: cancel,
        async end() {
          cancel();
          controller.abort();
          await (await (await made)?.ready)?.process.end();
        },
      };
      sessions.set(sessionId, waiting);
    },
    async start(sessionId, wanted, later) {
      const waiting = sessions.get(sessionId);
      sessions.delete(sessionId);
      if (!waiting || waiting.isPlanned) {
        if (waiting) void drop(waiting);
        return undefined;
      }
      const text = wanted.contained.argv.at(-1) ?? '';
      const made = await waiting.made;
      const isSame = made?.configuration === configurationOf(wanted) && Buffer.byteLength(text) <= MAX_COMMAND_BYTES;
      const ready = isSame ? await made.ready : undefined;
      const isFresh =
        ready && sourcesOf(wanted.contained.mounts) === made?.sources && mountsOf(ready.pid) === ready.mounts;
      const input = `${text.split('\n').length}\n${text}\n`;
      const running = isFresh && !later.signal?.aborted ? ready.process.begin({ ...later, input }) : undefined;
      if (running) waiting.release();
      else void drop(waiting);
      return running;
    },
    async end(sessionId) {
      const those = sessionId === undefined ? [...sessions.keys()] : [sessionId];
      for (const id of those) {
        const waiting = sessions.get(id);
        sessions.delete(id);
        if (waiting) void drop(waiting);
      }
      await Promise.all(ending);
    },
  };
}

/** Everything that determines it, except the command line. */
function configurationOf({ contained, extraEnvironment }: SandboxedProgram): string {
  const { argv, ownAt, cwd, files } = contained;
  return JSON.stringify([argv.slice(0, -1), ownAt, cwd, files, extraEnvironment]);
}
