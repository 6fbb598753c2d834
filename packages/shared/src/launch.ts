import type { ChildProcess } from 'node:child_process';

/** What is followed of a program, whoever started it. */
export type StartedChild = Pick<
  ChildProcess,
  'pid' | 'stdin' | 'stdout' | 'stderr' | 'stdio' | 'exitCode' | 'signalCode' | 'once'
>;

export interface LaunchRequest {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: Readonly<Record<string, string>>;
  isDetached: boolean;
  /** Which of the descriptors from 0 on are streams of this process. */
  isPiped: readonly boolean[];
  files: readonly string[];
}

export type Launched = { child: StartedChild } | { problem: string };

/**
 * Starts programs by a small process of its own, started behind the scenes after the first request: what starts a program
 * copies its own page tables, which takes a server of 100 MB ten times as long and keeps everything else waiting.
 */
export interface ProcessLauncher extends AsyncDisposable {
  /** Undefined while there is no launcher, and where the system has none (all but Linux): the caller starts it then. */
  launch(request: LaunchRequest): Promise<Launched> | undefined;
}

/** What a server and the launcher of its programs tell each other, over the channel of `node:child_process`. */
export type ToLauncher =
  | { kind: 'begin'; address: string; word: string }
  | {
      kind: 'launch';
      id: number;
      argv: readonly [string, ...string[]];
      cwd: string;
      env: Readonly<Record<string, string>>;
      isDetached: boolean;
      /** The lines that become descriptors 0, 1, 2 and so on; null: `/dev/null`, or nothing from 3 on. */
      lines: readonly (number | null)[];
      /** Opened for reading, as the descriptors after those. */
      files: readonly string[];
    };

export type FromLauncher =
  | { kind: 'started'; id: number; pid: number }
  /** The system's code. */
  | { kind: 'not-started'; id: number; problem: string }
  | { kind: 'ended'; id: number; exitCode: number | null; signal: NodeJS.Signals | null };
