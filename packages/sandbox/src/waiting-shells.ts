import {
  type Ambient,
  type Environment,
  type LaterOptions,
  launchWaiting,
  type RunningProcess,
  statsAt,
  type WaitingProcess,
} from '@fucina/shared';
import type { ContainedJob } from './sandbox.ts';
import { mountsOf, type Shown, shownBy, sourcesOf } from './view/shown-mounts.ts';

/** A shell, in a sandbox or without. Its last argument, the command line, differs for each command. */
export interface ShellProgram {
  contained: ContainedJob;
  extraEnvironment: Environment;
}

/**
 * Shells started ahead of time, with their sandbox if they have one: starting one takes several times as long as a
 * short command. One waits for each session that ran a command, runs one command and ends with it. It is used only if
 * it equals what would be started now.
 */
export interface WaitingShells {
  /**
   * Starts one in the background, unless there is one: PAUSE_MS later, because it takes this process as long as a short
   * command, whose result would wait for it.
   */
  prepare(sessionId: string, make: () => Promise<ShellProgram>): void;
  /** Runs a command in the waiting one; undefined if there is no equal one. A different one is ended. */
  start(sessionId: string, wanted: ShellProgram, later: LaterOptions): Promise<RunningProcess | undefined>;
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
 * Reports that it is ready, reads the number of lines and the lines of a command, and runs it as its own. Shells read
 * byte by byte here, so that they consume nothing else. One line, for the line numbers in the command's messages; `$1`
 * is a line feed. The space before the command keeps `eval` from reading options in it.
 */
const WAIT = [
  'printf .; IFS= read -r fucina_count || exit; fucina_text=',
  'while [ "$fucina_count" -gt 0 ]; do IFS= read -r fucina_line || exit',
  'fucina_text=$fucina_text$fucina_line$1; fucina_count=$((fucina_count-1)); done',
  'shift; unset fucina_count fucina_line; exec </dev/null; eval " ${fucina_text%?}"',
].join('; ');

export function createWaitingShells({
  ambient,
  environment,
}: {
  ambient: Ambient;
  environment: Environment;
}): WaitingShells {
  const sessions = new Map<string, Waiting>();
  /** Pending ends, for shutdown. */
  const ending = new Set<Promise<void>>();
  const drop = (waiting: Waiting): Promise<void> => {
    const over = waiting.end().finally(() => ending.delete(over));
    ending.add(over);
    return over;
  };
  const make = async (program: ShellProgram, signal: AbortSignal): Promise<Made | undefined> => {
    if (signal.aborted) return undefined;
    const sources = placesOf(program.contained);
    const ready = open(program, signal).catch((error: unknown) => {
      ambient.log.warn('shell.not-prepared', { error });
      return undefined;
    });
    return { configuration: configurationOf(program), sources, ready };
  };
  const open = async (
    { contained, extraEnvironment }: ShellProgram,
    signal: AbortSignal,
  ): Promise<Ready | undefined> => {
    const { argv, ownAt, cwd, files, isContainer } = contained;
    const [first, ...rest] = argv;
    let shown: Shown | undefined;
    const admit = (pid: number): boolean => {
      shown = shownBy(pid, contained.mounts);
      return shown !== undefined;
    };
    const process = await launchWaiting({
      ambient,
      environment,
      extraEnvironment,
      argv: [first, ...rest.slice(0, -1), WAIT, argv[ownAt] ?? '', '\n'],
      cwd,
      files,
      isContainer,
      signal,
      ...(contained.admit && { admit }),
    });
    return process && { process, ...(shown ?? { pid: process.pid, mounts: '' }) };
  };

  return {
    prepare(sessionId, program) {
      if (sessions.has(sessionId) || process.platform !== 'linux') return;
      const controller = new AbortController();
      const pause = createPause(ambient, PAUSE_MS);
      const begin = async (): Promise<Made | undefined> => {
        if (!(await pause.over)) return undefined;
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
          pause.cancel();
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
      const isSame = made?.configuration === configurationOf(wanted) && canBeRead(text);
      const ready = isSame ? await made.ready : undefined;
      const isFresh = ready && placesOf(wanted.contained) === made?.sources && isUnchanged(ready);
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

/** `over` is false once it was cancelled. Begins while a command runs, where `Ambient.sleep` would cost ten times as much. */
function createPause(ambient: Ambient, ms: number): { over: Promise<boolean>; cancel(): void } {
  let end: (isOver: boolean) => void = () => undefined;
  const over = new Promise<boolean>((resolve) => (end = resolve));
  const stop = ambient.timer(ms, () => end(true));
  const cancel = (): void => {
    stop();
    end(false);
  };
  return { over, cancel };
}

const canBeRead = (text: string): boolean => Buffer.byteLength(text) <= MAX_COMMAND_BYTES && !text.includes('\0');

const isUnchanged = ({ pid, mounts }: Shown): boolean => mounts === '' || mountsOf(pid) === mounts;

/** Its folder and what is mounted: under the same names there may be others now. */
function placesOf({ cwd, mounts }: ContainedJob): string {
  const found = statsAt(cwd);
  return `${found?.dev}:${found?.ino} ${sourcesOf(mounts)}`;
}

/** Everything that determines it, except the command line. */
function configurationOf({ contained, extraEnvironment }: ShellProgram): string {
  const { argv, ownAt, cwd, files } = contained;
  return JSON.stringify([argv.slice(0, -1), ownAt, cwd, files, extraEnvironment]);
}
