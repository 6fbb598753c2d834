import { access, constants } from 'node:fs/promises';
import type { ContainedJob, Enforcement, Sandbox, ShellProgram, WaitingShells } from '@fucina/sandbox';
import {
  type ControlWrite,
  type EditorTerminals,
  launchProcess,
  type ProcessOutcome,
  type RunningProcess,
  type WriteReach,
} from '@fucina/shared';
import type { ToolsNeeds } from '../needs.ts';
import { startInEditor } from './editor-command.ts';
import type { OutputRecorder } from './output-recorder.ts';
import type { OutputStore } from './output-store.ts';

export interface CommandJob {
  sessionId: string;
  /** Id of its stored output and its list entry: unique within the session. */
  commandId: string;
  command: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Absolute working directory, as commands of this session see it. */
  cwd: string;
  writes: WriteReach;
  /** Further absolute real paths that it reads. */
  reads?: readonly string[] | undefined;
  /** Asks the shell for its final working directory. */
  reportsPlace?: boolean;
  /** Runs the command in the editor, if no sandbox would limit it. */
  terminals?: EditorTerminals | undefined;
  /** The trace context of the call; the command finds it in its environment. */
  traceparent?: string | undefined;
  onText(text: string): void;
}

type Place = Pick<CommandJob, 'sessionId' | 'folder' | 'writes'>;

export interface RunningCommand {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly enforcement: Enforcement;
  /** Control files that commands of the session wrote and the sandbox removed; returned once. */
  takeControlWrites(): readonly ControlWrite[];
  /** For its result, as sentences: see `ContainedJob`. */
  notices(): readonly string[];
  /** By the monotonic clock. */
  readonly startedAt: number;
  /** Set while it continues after its call returned. */
  isBackground: boolean;
  /** Set when it has ended. */
  outcome: ProcessOutcome | undefined;
  /** Resolves when all of its processes have ended and its output is stored; never rejects. */
  readonly done: Promise<ProcessOutcome>;
  seen(): Pick<ProcessOutcome, 'stdout' | 'stderr'>;
  stop(): Promise<void>;
}

/** Runs command lines of a session, sandboxed and with stored output, and lists them. */
export interface CommandRunner {
  /** With an aborted `signal` it starts nothing and ends at once. */
  start(job: CommandJob, signal?: AbortSignal): Promise<RunningCommand>;
  /** Running commands, and the last background commands that ended; oldest first. */
  list(sessionId: string): readonly RunningCommand[];
  /** A session that ran a command may run another soon: prepares its shell. */
  expectMore(session: Place): void;
  /** Ends all running commands of one session or of all. */
  stopAll(sessionId?: string): Promise<void>;
  /** Ends a session's commands and drops its list. */
  forget(sessionId: string): Promise<void>;
}

const MAX_ENDED = 16;

export interface RunnerNeeds extends ToolsNeeds {
  sandbox: Sandbox;
  outputs: OutputStore;
  waiting: WaitingShells;
}

export function createCommandRunner(needs: RunnerNeeds): CommandRunner {
  const { ambient, sandbox, outputs, waiting } = needs;
  const sessions = new Map<string, RunningCommand[]>();
  // Notes about a background command, whose end may never be queried, are returned with the next command.
  const controlWrites = new Map<string, readonly ControlWrite[]>();
  const keepWrites = (sessionId: string, writes: readonly ControlWrite[]): void => {
    if (writes.length === 0) return;
    const all = [...(controlWrites.get(sessionId) ?? []), ...writes];
    controlWrites.set(sessionId, [...new Map(all.map((write) => [write.path, write])).values()]);
  };

  /** Sessions whose agent ran a command here, not in an editor. */
  const active = new Set<string>();
  const expectMore = ({ sessionId, folder, writes }: Place): void => {
    if (!active.has(sessionId)) return;
    const make = async (): Promise<ShellProgram> => {
      const argv = await shellOf('', false);
      return programOf(await sandbox.contain({ argv, sessionId, folder, cwd: folder, writes }));
    };
    waiting.prepare(sessionId, make);
  };

  const note = (sessionId: string, running: RunningCommand): void => {
    sessions.set(sessionId, [...(sessions.get(sessionId) ?? []), running]);
    void running.done.then(() => {
      const left = sessions.get(sessionId)?.filter((one) => one !== running || one.isBackground) ?? [];
      const ended = left.filter(({ outcome }) => outcome !== undefined);
      const dropped = new Set(ended.slice(0, Math.max(0, ended.length - MAX_ENDED)));
      if (left.length === 0) sessions.delete(sessionId);
      else
        sessions.set(
          sessionId,
          left.filter((one) => !dropped.has(one)),
        );
    });
  };

  const stopAll = async (sessionId?: string): Promise<void> => {
    const those = sessionId === undefined ? [...sessions.values()].flat() : (sessions.get(sessionId) ?? []);
    if (sessionId === undefined) active.clear();
    else active.delete(sessionId);
    await Promise.all([waiting.end(sessionId), ...those.map((one) => one.stop())]);
  };

  return {
    async start(job, signal) {
      const { sessionId, commandId, command, folder, cwd, writes, reads, reportsPlace } = job;
      const argv = await shellOf(withTraceparent(job), reportsPlace ?? false);
      const recorder = outputs.begin(sessionId, commandId);
      const begin = async (): Promise<{ contained: ContainedJob; started: Started; isOurs: boolean }> => {
        const contained = await sandbox.contain({ argv, sessionId, folder, cwd, writes, reads });
        const prepared = { contained, recorder, signal };
        const there = await inEditor(needs, job, prepared);
        const started = there ?? (await inWaiting(needs, job, prepared)) ?? (await inProcess(needs, job, prepared));
        return { contained, started, isOurs: !there && !reportsPlace };
      };
      const { contained, started, isOurs } = await begin().catch(async (error: unknown) => {
        await recorder.end();
        throw error;
      });
      // From the second command on, more are to be expected: the next shell is started while this one is used.
      expectMore(job);
      if (isOurs) active.add(sessionId);
      // Commands typed by the user are the user's own.
      const watched = job.reportsPlace ? undefined : contained.begin((writes) => keepWrites(sessionId, writes));
      let isBackground = false;
      const done = started.done.then(async (outcome) => {
        await recorder.end();
        if (!job.reportsPlace) keepWrites(sessionId, await contained.settle());
        running.outcome = contained.isContainer ? withoutContainer(outcome) : outcome;
        expectMore(job);
        return running.outcome;
      });
      const running: RunningCommand = {
        id: commandId,
        command,
        cwd,
        enforcement: contained.enforcement,
        takeControlWrites() {
          const taken = controlWrites.get(sessionId) ?? [];
          controlWrites.delete(sessionId);
          return taken;
        },
        notices: contained.notices,
        startedAt: ambient.monotonic(),
        get isBackground() {
          return isBackground;
        },
        set isBackground(is) {
          isBackground = is;
          if (is) watched?.lookSoon();
        },
        outcome: undefined,
        done,
        seen: started.seen,
        stop: started.stop,
      };
      note(sessionId, running);
      return running;
    },
    list: (sessionId) => sessions.get(sessionId) ?? [],
    expectMore,
    stopAll,
    async forget(sessionId) {
      await stopAll(sessionId);
      sessions.delete(sessionId);
      controlWrites.delete(sessionId);
    },
  };
}

interface Prepared {
  contained: ContainedJob;
  recorder: OutputRecorder;
  signal: AbortSignal | undefined;
}

type Started = Pick<RunningProcess, 'done' | 'seen' | 'stop'>;

const programOf = (contained: ContainedJob): ShellProgram => ({
  contained,
  extraEnvironment: { ...NO_TERMINAL, ...contained.extraEnvironment },
});

/** In the prepared shell, if there is one. */
async function inWaiting({ waiting }: RunnerNeeds, job: CommandJob, prepared: Prepared): Promise<Started | undefined> {
  const { contained, recorder, signal } = prepared;
  if (job.reportsPlace) return undefined;
  const later = { onBytes: recorder.write, onText: job.onText, ...(signal && { signal }) };
  return waiting.start(job.sessionId, programOf(contained), later);
}

function inProcess({ ambient, environment }: ToolsNeeds, job: CommandJob, prepared: Prepared): Promise<Started> {
  const { contained, recorder, signal } = prepared;
  return launchProcess({
    ambient,
    environment,
    extraEnvironment: programOf(contained).extraEnvironment,
    argv: contained.argv,
    cwd: contained.cwd,
    isContainer: contained.isContainer,
    files: contained.files,
    admit: contained.admit,
    onBytes: recorder.write,
    onText: job.onText,
    ...(signal && { signal }),
    ...(job.reportsPlace && { takesReport: true }),
  });
}

/** Undefined without an editor, when it refuses, or when a sandbox must limit the command. */
async function inEditor({ ambient }: ToolsNeeds, job: CommandJob, prepared: Prepared): Promise<Started | undefined> {
  const { terminals, writes, sessionId, commandId, onText } = job;
  const { contained, recorder, signal } = prepared;
  if (!terminals || writes !== 'anything' || contained.enforcement !== 'none') return undefined;
  const { argv, cwd } = contained;
  const command = { sessionId, toolCallId: commandId, argv, cwd, environment: NO_TERMINAL };
  return startInEditor(ambient, { terminals, command, recorder, onText, signal });
}

/** A container reports a death by signal as a shell does: 128 plus the signal's number. */
function withoutContainer(outcome: ProcessOutcome): ProcessOutcome {
  const isOurs = outcome.ending === 'stopped' && (outcome.exitCode === 143 || outcome.exitCode === 137);
  return isOurs ? { ...outcome, exitCode: null, signal: outcome.exitCode === 143 ? 'SIGTERM' : 'SIGKILL' } : outcome;
}

/** Makes programs print plain text and not wait for input. */
const NO_TERMINAL = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

/** Reports the working directory at the end, even after `exit`; not with an EXIT trap of the command, or `exec`. */
const WITH_PLACE = `trap '{ command pwd -P; printf "\\0"; } >&3' EXIT
__line=$1; shift; eval "$__line"`;

/** Looked up once. */
let bash: Promise<boolean> | undefined;

/** In the command line: a prepared shell already has its environment. */
function withTraceparent({ command, traceparent }: CommandJob): string {
  if (!traceparent) return command;
  const set = `TRACEPARENT=${traceparent}`;
  return process.platform === 'win32' ? `set ${set}&& ${command}` : `export ${set}; ${command}`;
}

async function shellOf(command: string, reportsPlace: boolean): Promise<readonly [string, ...string[]]> {
  if (process.platform === 'win32') return ['cmd.exe', '/d', '/s', '/c', command];
  bash ??= access('/bin/bash', constants.X_OK).then(
    () => true,
    () => false,
  );
  const hasBash = await bash;
  const [program, ...first]: [string, ...string[]] = hasBash ? ['/bin/bash', '--noprofile', '--norc'] : ['/bin/sh'];
  return [program, ...first, '-c', ...(reportsPlace ? [WITH_PLACE, program, command] : [command])];
}
