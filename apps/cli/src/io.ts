import type { Readable, Writable } from 'node:stream';
import type { Ambient, LogLevel, OutboundHttp } from '@fucina/shared';

export type Output = Writable & { isTTY?: boolean; columns?: number; rows?: number };
export type Input = Readable & { isTTY?: boolean };

/** Everything of the process that a command may touch, so that tests can run the whole program inside themselves. */
export interface Io {
  /** Secrets of the server are removed from it by `serve`. */
  env: Record<string, string | undefined>;
  /** Absolute. */
  cwd: string;
  /** The user's home folder, absolute. */
  home: string;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** Ctrl+C, a polite end from outside, or nobody left to read the output. The answer takes the listener away. */
  onInterrupt(listener: (signal?: NodeJS.Signals) => void): () => void;
  /** Called when the process ends, however it does, short of being killed. The answer takes the listener away. */
  onEnd(listener: () => void): () => void;
  ambient(level: LogLevel): Promise<Ambient>;
  /** The way out of this computer, where it is not the plain one. */
  http?: OutboundHttp;
}

/** Whether someone reads the answer and types. */
export function isInteractive({ stdin, stdout }: Io): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Whether the terminal is to be written on line by line: it knows no more, or a screen reader reads it. */
export function isByLines({ env }: Io): boolean {
  return Boolean(env.FUCINA_PLAIN) || env.TERM === 'dumb';
}
