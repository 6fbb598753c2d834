import { type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Ambient } from './ambient.ts';
import { type CapturedOutput, captureOutput, type OutputCapture } from './captured-output.ts';
import { type Environment, withoutSecrets } from './child-environment.ts';
import { closedWithin, type ExitStatus, exitOf, NO_EXIT, type Pipes } from './child-exit.ts';
import { feed } from './child-input.ts';
import { systemCode } from './errors.ts';
import { withoutInherited } from './inherited-descriptors.ts';
import type { Launched, StartedChild } from './launch.ts';
import { guardGroup } from './process-guard.ts';
import { endWithThisProcess, findRun, RUN_MARKER, signalProcess, systemUpMs } from './process-sweep.ts';
import { type GateOptions, passGate } from './program-gate.ts';

export interface ProcessOptions {
  ambient: Ambient;
  /** Program and arguments, never a command line. */
  argv: readonly [string, ...string[]];
  /** Absolute folder. */
  cwd: string;
  /** The server's own variables: only safe ones are passed on (see `withoutSecrets`). */
  environment: Environment;
  /** Variables of this child only, passed unchanged. */
  extraEnvironment?: Environment;
  /** Written to its standard input, which is then closed; without it the input is empty. */
  input?: string | Uint8Array;
  /** Leaves the standard input open, for `RunningProcess.input`; requires `input` to be absent. */
  keepsInputOpen?: boolean;
  /** Stops it after this time. Without a limit if absent. */
  timeoutMs?: number;
  /** Stops it; if already aborted, nothing starts. */
  signal?: AbortSignal;
  /** Captured per stream, 1 MiB by default: the beginning and the end; dropped bytes in the middle are counted. */
  keepBytes?: number;
  /** Stops the process when a stream exceeds `keepBytes`. */
  isStoppedAtLimit?: boolean;
  /** Every piece of text as it arrives, whole characters only. */
  onText?(text: string, stream: 'stdout' | 'stderr'): void;
  /** Every chunk as it arrives. The stream is paused until the returned promise resolves; it must not reject. */
  onBytes?(chunk: Buffer, stream: 'stdout' | 'stderr'): Promise<void> | undefined;
  /** Opens descriptor 3 for a short report beside the output: see `report` of the outcome. */
  takesReport?: boolean;
  /** It starts nothing outside its process group: skips the search for leftovers, slower than a short command. */
  leavesNothing?: boolean;
  /** Its process group ends also when this process is killed; for programs that may ignore the end of their input. */
  isGuarded?: boolean;
  /** The program contains another one and would end before it on TERM: only the inner one gets the signal. */
  isContainer?: boolean;
  /** Absolute paths, opened for reading and given to the child as descriptors 4, 5 and so on. */
  files?: readonly string[];
  /**
   * The program waits at a gate (see `GATE_SCRIPT`) until this accepts it, with the process id of what was started. If
   * it does not, nothing runs: `not-started`, with the problem `NOT_ADMITTED`.
   */
  admit?: GateOptions['admit'];
}

export const NOT_ADMITTED = 'ESTALE';

export interface ProcessOutcome {
  /** null when a signal ended it or it never started. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: CapturedOutput;
  stderr: CapturedOutput;
  durationMs: number;
  /** What ended it: itself, the time limit, our signal or `stop`, too much output, or a failed start (`problem`). */
  ending: 'exit' | 'timeout' | 'stopped' | 'output-limit' | 'not-started';
  /** The system's error code of a failed start (`ENOENT` …). */
  problem?: string;
  /** What it wrote to descriptor 3, at most its first 64 KiB. */
  report?: Buffer;
  /** Of one with input: whether the system took it all, which it does of some 200 KiB also if nobody reads them. */
  isInputTaken?: boolean;
}

export interface RunningProcess {
  /** undefined when the start failed. */
  readonly pid: number | undefined;
  /** Its standard input, if left open. Writing after its end is not an error. */
  readonly input: Writable | null;
  /** Resolves once the process and all its children have ended; never rejects. */
  readonly done: Promise<ProcessOutcome>;
  /** Its output so far, truncated like the final one. */
  seen(): Pick<ProcessOutcome, 'stdout' | 'stderr'>;
  /** TERM to all of its processes, 2 s, KILL; resolves when all have ended. */
  stop(): Promise<void>;
}

const KEEP_BYTES = 1024 * 1024;
const TERM_MS = 2000;
/** How long the pipes of an ended process may stay open before the processes that hold them are ended. */
const LEFTOVER_MS = 100;
/** How long to wait after that: a process of another user may hold them forever. */
const PIPE_MS = 2000;
const MAX_SWEEPS = 200;
/** After this many bytes, yields to other work of this process. */
const YIELD_BYTES = 512 * 1024;
const REPORT_BYTES = 64 * 1024;

export async function runProcess(options: ProcessOptions): Promise<ProcessOutcome> {
  return (await launchProcess(options)).done;
}

/** For a program that waits for its input: set only then. */
export type LaterOptions = Pick<ProcessOptions, 'input' | 'keepsInputOpen' | 'signal' | 'onText' | 'onBytes'>;

/** `gate`, of a program with one: resolves once it was passed or not; its input must not be written before. */
type FollowedProcess = RunningProcess & { readonly gate?: Promise<void> | undefined };

/** A process that other code starts with `node:child_process`, followed here. */
export interface PreparedProcess {
  /** Required options for the start. */
  readonly spawnOptions: SpawnOptions;
  /** Call it right after the start, even a failed one; then as `startProcess`. `later` overrides the first options. */
  follow(child: StartedChild, later?: Partial<LaterOptions> & { admit?: undefined }): FollowedProcess;
  /** The outcome when there was no start at all. */
  unstarted(problem?: string): ProcessOutcome;
}

/**
 * Starts a program in its own process group. When it ends, for any reason, its remaining children are ended too, even
 * those that changed group or session (Linux).
 */
export function startProcess(options: ProcessOptions): RunningProcess {
  const prepared = prepareProcess(options);
  const started = options.signal?.aborted ? {} : launchWithFiles(options, prepared.spawnOptions);
  return started.child ? prepared.follow(started.child) : unstarted(prepared, started.problem);
}

/** Like `startProcess`, through the process launcher if there is one; resolves once the program runs. */
export async function launchProcess(options: ProcessOptions): Promise<RunningProcess> {
  const prepared = prepareProcess(options);
  const started = await launchPrepared(options, prepared);
  if (!started.child) return unstarted(prepared, started.problem);
  const running = prepared.follow(started.child);
  await running.gate;
  return running;
}

/** Neither child nor problem if the signal was aborted. */
export async function launchPrepared(options: ProcessOptions, { spawnOptions }: PreparedProcess): Promise<Start> {
  if (options.signal?.aborted) return {};
  return (await handOver(options, spawnOptions)) ?? launchWithFiles(options, spawnOptions);
}

/** Starts it through the process launcher; undefined while there is none. */
export function handOver(
  { argv, cwd, files = [], ambient }: ProcessOptions,
  { env = {}, detached: isDetached = false, stdio }: SpawnOptions,
): Promise<Launched> | undefined {
  const isPiped = (stdio as StdioOptions[]).map((kind) => kind === 'pipe');
  // Files start at descriptor 4.
  if (files.length > 0 && isPiped.length === 3) isPiped.push(false);
  const request = { argv, cwd, env: env as Record<string, string>, isDetached, isPiped, files };
  return ambient.launcher?.launch(request);
}

type Start = { child?: StartedChild; problem?: string };

function unstarted(prepared: PreparedProcess, problem: string | undefined): RunningProcess {
  const done = Promise.resolve(prepared.unstarted(problem));
  return { pid: undefined, input: null, done, seen: noOutput, stop: () => Promise.resolve() };
}

export function prepareProcess(options: Omit<ProcessOptions, 'argv'>): PreparedProcess {
  const marker = options.ambient.newId();
  const upMs = options.leavesNothing ? 0 : systemUpMs();
  return {
    spawnOptions: {
      cwd: options.cwd,
      env: { ...withoutSecrets(options.environment), ...options.extraEnvironment, [RUN_MARKER]: marker },
      stdio: [
        options.input === undefined && !options.keepsInputOpen && !options.admit ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(options.takesReport || options.admit ? ['pipe' as const] : []),
      ],
      detached: process.platform !== 'win32',
      windowsHide: true,
    },
    follow: (child, later) => followProcess(child, { ...options, ...later }, { marker, upMs }),
    unstarted: (problem) => ({
      ...NO_EXIT,
      ...noOutput(),
      durationMs: 0,
      ending: problem === undefined ? 'stopped' : 'not-started',
      ...(problem === undefined ? {} : { problem }),
      ...(options.takesReport && { report: Buffer.alloc(0) }),
    }),
  };
}

type Following = Omit<ProcessOptions, 'argv'>;

const noOutput = (): Pick<ProcessOutcome, 'stdout' | 'stderr'> => ({
  stdout: captureOutput(0).result(),
  stderr: captureOutput(0).result(),
});

/** The variable that all of its processes carry, and a time just before its start. */
interface Run {
  marker: string;
  upMs: number;
}

function followProcess(child: StartedChild, options: Following, run: Run): FollowedProcess {
  const { ambient, signal, timeoutMs } = options;
  const startedAt = ambient.monotonic();
  const keepBytes = options.keepBytes ?? KEEP_BYTES;
  const captures = { stdout: captureOutput(keepBytes), stderr: captureOutput(keepBytes) };
  const reported: Buffer[] = [];
  const fed = { isTaken: false };
  const seen = (): Pick<ProcessOutcome, 'stdout' | 'stderr'> => ({
    stdout: captures.stdout.result(),
    stderr: captures.stderr.result(),
  });
  const report = (exit: ExitStatus, ending: ProcessOutcome['ending'], problem?: string): ProcessOutcome => ({
    ...exit,
    ...seen(),
    durationMs: Math.round(ambient.monotonic() - startedAt),
    ending,
    ...(problem === undefined ? {} : { problem }),
    ...(options.takesReport && { report: Buffer.concat(reported).subarray(0, REPORT_BYTES) }),
    ...(options.input !== undefined && { isInputTaken: fed.isTaken }),
  });

  const forget = child.pid === undefined ? undefined : (options.isGuarded ? guardGroup : endWithThisProcess)(child.pid);
  let cause: ProcessOutcome['ending'] | undefined;
  let stopping: Promise<void> | undefined;
  let isOver = false;
  const end = (because: ProcessOutcome['ending']): void => {
    if (isOver || stopping || child.pid === undefined) return;
    cause = because;
    stopping = endTree(ambient, child, { marker: run.marker, isContainer: options.isContainer ?? false });
  };
  const onAbort = (): void => end('stopped');
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const cancelTimer = timeoutMs === undefined ? undefined : ambient.timer(timeoutMs, () => end('timeout'));
  child.stdin?.on('error', () => undefined); // a program that ends without reading its input is not an error
  listen(child, options, { captures, onLimit: () => end('output-limit') });
  let problem: string | undefined;
  const refuse = (): void => {
    if (isOver || stopping) return;
    problem = NOT_ADMITTED;
    end('not-started');
  };
  const supply = (): void => {
    feed(child, options, fed);
    listenForReport(child, reported);
  };
  const gate = options.admit && passGate(child, options).then((answer) => (answer === 'refused' ? refuse() : supply()));
  if (!gate) supply();

  const done = exitOf(child).then(async ({ exit, error, pipes }) => {
    isOver = true;
    cancelTimer?.();
    signal?.removeEventListener('abort', onAbort);
    if (error) return report(NO_EXIT, 'not-started', systemCode(error) ?? 'UNKNOWN');
    await (stopping ?? endLeftovers(options, child, { ...run, pipes }));
    forget?.();
    await closedWithin(ambient, PIPE_MS, pipes);
    for (const stream of [child.stdout, child.stderr, child.stdio[3]]) stream?.destroy();
    // A refused program ends by itself or by our signal, whichever comes first: it never started.
    return report(problem === undefined ? exit : NO_EXIT, cause ?? 'exit', problem);
  });
  const stop = async (): Promise<void> => {
    end('stopped');
    await done;
  };
  return { pid: child.pid, input: options.keepsInputOpen ? child.stdin : null, done, seen, stop, gate };
}

/** After the start, the child has its own copies of the descriptors. */
function launchWithFiles({ argv, files = [] }: ProcessOptions, options: SpawnOptions): ReturnType<typeof launch> {
  if (files.length === 0) return launch(argv, options);
  const opened: number[] = [];
  try {
    for (const file of files) opened.push(openSync(file, 'r'));
    const stdio = [...(options.stdio as StdioOptions[]), ...(options.stdio?.length === 3 ? ['ignore'] : []), ...opened];
    return launch(argv, { ...options, stdio: stdio as StdioOptions });
  } catch (error) {
    const problem = systemCode(error);
    if (problem === undefined) throw error;
    return { problem };
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Node throws some start errors and emits others; both become a result here. */
function launch([program, ...args]: ProcessOptions['argv'], options: SpawnOptions): Start {
  try {
    const child = withoutInherited(options.stdio as StdioOptions[], (stdio) =>
      spawn(program, args, { ...options, stdio: stdio as StdioOptions }),
    );
    return { child };
  } catch (error) {
    const problem = systemCode(error);
    if (problem === undefined) throw error;
    return { problem };
  }
}

function listen(
  child: StartedChild,
  { onText, onBytes, keepBytes = KEEP_BYTES, isStoppedAtLimit }: Following,
  { captures, onLimit }: { captures: Record<'stdout' | 'stderr', OutputCapture>; onLimit(): void },
): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    const decoder = onText && new StringDecoder('utf8');
    let sinceYield = 0;
    stream?.on('data', (chunk: Buffer) => {
      captures[name].push(chunk);
      if (decoder) emit(decoder.write(chunk));
      if (isStoppedAtLimit && captures[name].totalBytes > keepBytes) onLimit();
      const taken = onBytes?.(chunk, name);
      sinceYield += chunk.length;
      if (!taken && sinceYield < YIELD_BYTES) return;
      if (!taken) sinceYield = 0;
      stream.pause();
      if (taken) void taken.then(() => stream.resume());
      else setImmediate(() => stream.resume());
    });
    stream?.on('error', () => undefined); // reset by a killed child; its exit is reported separately
    stream?.on('end', () => decoder && emit(decoder.end()));
    const emit = (text: string): void => {
      if (text !== '') onText?.(text, name);
    };
  }
}

function listenForReport(child: StartedChild, reported: Buffer[]): void {
  const stream = child.stdio[3] as Readable | undefined;
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (length < REPORT_BYTES) reported.push(chunk);
    length += chunk.length;
  });
  stream?.on('error', () => undefined); // as for the other streams
}

/** After a normal end: also ends what is left in the group, and what left it. */
async function endLeftovers(
  { ambient, leavesNothing }: Following,
  child: StartedChild,
  { marker, pipes, upMs }: Run & { pipes: Pipes },
): Promise<void> {
  const pid = child.pid;
  if (pid === undefined || process.platform === 'win32') return;
  await closedWithin(ambient, LEFTOVER_MS, pipes); // the last command of a pipeline may still be writing
  signalProcess(-pid, 'SIGKILL');
  for (let sweep = 0; sweep < MAX_SWEEPS && !leavesNothing; sweep++) {
    const left = await findRun(marker, { roots: [], since: { pid, upMs } });
    if (left.length === 0) return;
    for (const one of left) signalProcess(one, 'SIGKILL');
  }
}

async function endTree(
  ambient: Ambient,
  child: StartedChild,
  { marker, isContainer }: { marker: string; isContainer: boolean },
): Promise<void> {
  const pid = child.pid as number;
  if (process.platform === 'win32') return endWindowsTree(pid);
  // After it is reaped, its process id may be reused.
  const everyone = (): Promise<number[]> => findRun(marker, { roots: isAlive(child) ? [pid] : [] });
  const asked = await everyone();
  if (!isContainer) signalProcess(-pid, 'SIGTERM');
  for (const one of asked) if (!isContainer || one !== pid) signalProcess(one, 'SIGTERM');
  const deadline = ambient.monotonic() + TERM_MS;
  for (let pause = 5; ambient.monotonic() < deadline; pause = Math.min(pause * 2, 200)) {
    await ambient.sleep(pause);
    if (!isAlive(child) && (await everyone()).length === 0) break;
  }
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    signalProcess(-pid, 'SIGKILL');
    const left = await everyone();
    if (left.length === 0 && !isAlive(child)) return;
    for (const one of left) signalProcess(one, 'SIGKILL');
    await ambient.sleep(sweep < 20 ? 1 : 20);
  }
}

function isAlive(child: StartedChild): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function endWindowsTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    killer.once('close', () => resolve());
    killer.once('error', () => resolve());
  });
}
