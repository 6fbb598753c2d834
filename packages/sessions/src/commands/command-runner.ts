import type { WriteReach } from '@fucina/shared';

/** What runs a user's own command (tools, through host). */
export interface CommandRunner {
  runOwn(command: UserCommand): Promise<UserCommandOutcome>;
  /** A command may be run soon: what every one of them needs is looked for. Never throws. */
  prepare(): void;
  /** Whether a sandbox holds commands to the level of their session; default: yes. */
  isSandboxed?(): Promise<boolean>;
  /** Ends what a deleted session still runs, and deletes what its commands left. */
  forget(sessionId: string): Promise<void>;
}

export interface UserCommand {
  sessionId: string;
  commandId: string;
  command: string;
  /** The session's folder, and where the command starts. */
  folder: string;
  cwd: string;
  writes: WriteReach;
  signal: AbortSignal;
  onText(text: string): void;
}

export interface UserCommandOutcome {
  /** null when it was stopped by a signal or never started. */
  exitCode: number | null;
  /** Where the next command starts. */
  cwd: string;
  enforcement: string;
  /** Why it never started. */
  problem?: string;
}
