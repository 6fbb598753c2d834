import type { WriteReach } from '@fucina/shared';

/** Runs the user's own commands (tools, through host). */
export interface CommandRunner {
  runOwn(command: UserCommand): Promise<UserCommandOutcome>;
  /** Prepares what a command that may write there needs, because one may run soon. Never throws. */
  prepare(writes: WriteReach): void;
  /** Whether a sandbox enforces the level of the session; default: yes. */
  isSandboxed?(): Promise<boolean>;
  /** Stops the commands of a deleted session, and deletes their files. */
  forget(sessionId: string): Promise<void>;
}

export interface UserCommand {
  sessionId: string;
  commandId: string;
  command: string;
  /** The session's folder, and the starting directory. */
  folder: string;
  cwd: string;
  writes: WriteReach;
  signal: AbortSignal;
  onText(text: string): void;
}

export interface UserCommandOutcome {
  /** null when it was stopped by a signal or never started. */
  exitCode: number | null;
  /** The starting directory of the next command. */
  cwd: string;
  enforcement: string;
  /** Why it did not start. */
  problem?: string;
}
