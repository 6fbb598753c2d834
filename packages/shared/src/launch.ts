import type { ChildProcess } from 'node:child_process';

/** The parts of a started program that its follower needs, whoever started it. */
export type StartedChild = Pick<
  ChildProcess,
  'pid' | 'stdin' | 'stdout' | 'stderr' | 'stdio' | 'exitCode' | 'signalCode' | 'once'
>;

export interface LaunchRequest {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: Readonly<Record<string, string>>;
  isDetached: boolean;
  /** Which descriptors, from 0 on, are streams of this process. */
  isPiped: readonly boolean[];
  files: readonly string[];
}

export type Launched = { child: StartedChild } | { problem: string };

/**
 * Starts programs through a small helper process, created in the background after the first request: a fork copies the
 * page tables of the parent, which takes a 100 MB server ten times as long and blocks everything else.
 */
export interface ProcessLauncher extends AsyncDisposable {
  /**
   * Undefined while there is no launcher, and on systems without one (all but Linux): the caller then starts the
   * program itself.
   */
  launch(request: LaunchRequest): Promise<Launched> | undefined;
}

/** Messages between a server and its launcher, over the channel of `node:child_process`. */
export type ToLauncher =
  | { kind: 'begin'; address: string; word: string }
  | {
      kind: 'launch';
      id: number;
      argv: readonly [string, ...string[]];
      cwd: string;
      env: Readonly<Record<string, string>>;
      isDetached: boolean;
      /** The connections for descriptors 0, 1, 2 and so on; null: `/dev/null`, or none from 3 on. */
      lines: readonly (number | null)[];
      /** Files opened for reading, as the following descriptors. */
      files: readonly string[];
    };

export type FromLauncher =
  | { kind: 'started'; id: number; pid: number }
  /** The system's error code. */
  | { kind: 'not-started'; id: number; problem: string }
  | { kind: 'ended'; id: number; exitCode: number | null; signal: NodeJS.Signals | null };
