import {
  type Ambient,
  type Environment,
  endWithThisProcess,
  findRun,
  RUN_MARKER,
  signalProcess,
  withoutSecrets,
} from '@fucina/shared';
import type { IPty, spawn } from 'node-pty';
import type { ShellChoice } from './shell-choice.ts';
import { createShellInput } from './shell-input.ts';

export interface ShellSize {
  cols: number;
  rows: number;
}

/** A running shell behind a pseudo-terminal. */
export interface Shell {
  write(bytes: Uint8Array): void;
  /** While true, no more input should be sent; `onDrain` reports the end of that. */
  isFull(): boolean;
  pause(): void;
  resume(): void;
  resize(size: ShellSize): void;
  /** Ends it and all its child processes; resolves when none is left. */
  stop(): Promise<void>;
}

export interface ShellStart {
  ambient: Ambient;
  choice: ShellChoice;
  folder: string;
  environment: Environment;
  size: ShellSize;
  onData(bytes: Buffer): void;
  onDrain(): void;
  /** Once, after the last of its output; 128 plus the signal's number when a signal ended it. */
  onExit(code: number): void;
}

export interface PtyModule {
  spawn: typeof spawn;
}

/**
 * Variables that connect to the user's other programs. None is a secret, and a terminal is not usable without them.
 */
const PERSONAL = [
  'SSH_AUTH_SOCK',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'EDITOR',
  'VISUAL',
  'PAGER',
];
const GRACE_MS = 500;
const MAX_SWEEPS = 200;

export function startShell(pty: PtyModule, start: ShellStart): Shell {
  const { ambient } = start;
  const marker = ambient.newId();
  const [program, ...args] = start.choice.argv;
  const child = pty.spawn(program, args, {
    ...start.size,
    name: 'xterm-256color',
    cwd: start.folder,
    env: shellEnvironment(start.environment, marker),
    encoding: null,
  });
  const forget = endWithThisProcess(child.pid);
  const input = createShellInput({ ambient, descriptor: descriptorOf(child), onDrain: start.onDrain });
  let isOver = false;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= endTree(ambient, { child, marker, isOver: () => isOver }));

  child.onData((data) => start.onData(data as unknown as Buffer)); // bytes, since `encoding` is null
  child.onExit(({ exitCode, signal }) => {
    isOver = true;
    input.end();
    forget();
    start.onExit(signal ? 128 + signal : exitCode);
    void stop();
  });

  return {
    write: (bytes) => (process.platform === 'win32' ? child.write(Buffer.from(bytes)) : input.push(bytes)),
    isFull: () => input.isFull(),
    pause: () => child.pause(),
    resume: () => child.resume(),
    resize({ cols, rows }) {
      if (!isOver) child.resize(cols, rows);
    },
    stop,
  };
}

function descriptorOf(child: IPty): number {
  return (child as unknown as { fd: number }).fd;
}

function shellEnvironment(environment: Environment, marker: string): Record<string, string> {
  const personal: Record<string, string | undefined> = {};
  for (const name of PERSONAL) if (environment[name]) personal[name] = environment[name];
  const kept = withoutSecrets(environment);
  return {
    ...(kept.LANG || kept.LC_ALL ? {} : { LANG: 'C.UTF-8' }),
    ...kept,
    ...(personal as Record<string, string>),
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'fucina',
    [RUN_MARKER]: marker,
  };
}

interface Ending {
  child: IPty;
  marker: string;
  isOver(): boolean;
}

/** SIGHUP, as when a terminal closes; processes that remain are killed later. */
async function endTree(ambient: Ambient, { child, marker, isOver }: Ending): Promise<void> {
  if (process.platform === 'win32') return void (isOver() || child.kill());
  const everyone = (): Promise<number[]> => findRun(marker, { roots: isOver() ? [] : [child.pid] });
  signalAll(child.pid, await everyone(), ['SIGHUP', 'SIGCONT']);
  const deadline = ambient.monotonic() + GRACE_MS;
  for (let pause = 5; ambient.monotonic() < deadline; pause = Math.min(pause * 2, 100)) {
    if (isOver() && (await everyone()).length === 0) return;
    await ambient.sleep(pause);
  }
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    const left = await everyone();
    if (left.length === 0 && isOver()) return;
    signalAll(isOver() ? undefined : child.pid, left, ['SIGKILL']);
    await ambient.sleep(sweep < 20 ? 1 : 20);
  }
}

function signalAll(leader: number | undefined, pids: readonly number[], signals: readonly NodeJS.Signals[]): void {
  for (const signal of signals) {
    if (leader !== undefined) signalProcess(-leader, signal);
    for (const pid of pids) signalProcess(pid, signal);
  }
}
