import type { Readable, Writable } from 'node:stream';
import type { Ambient, LogLevel, OutboundHttp } from '@fucina/shared';
import type { JobControl } from './job-control.ts';

export type Output = Writable & { isTTY?: boolean; columns?: number; rows?: number };
export type Input = Readable & { isTTY?: boolean };

/** The process's resources that a command may use, so that tests can run the whole program in-process. */
export interface Io {
  /** `serve` removes the server's secrets from it. */
  env: Record<string, string | undefined>;
  /** Absolute. */
  cwd: string;
  /** The user's home folder, absolute. */
  home: string;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /**
   * Called on Ctrl+C, SIGTERM, or when nothing reads the output any more. The returned function removes the listener.
   */
  onInterrupt(listener: (signal?: NodeJS.Signals) => void): () => void;
  /** Called whenever the process ends, except by SIGKILL. The returned function removes the listener. */
  onEnd(listener: () => void): () => void;
  /** Stops and continues by the user's shell; absent where the system has none. */
  jobs?: JobControl;
  ambient(level: LogLevel): Promise<Ambient>;
  /** Outbound HTTP, if not the default. */
  http?: OutboundHttp;
}

/** Whether a user reads the output and types. */
export function isInteractive({ stdin, stdout }: Io): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Whether output must be line by line: the terminal supports no more, or a screen reader reads it. */
export function isByLines({ env }: Io): boolean {
  return Boolean(env.FUCINA_PLAIN) || env.TERM === 'dumb';
}
