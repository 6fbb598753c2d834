import type { Ambient } from './ambient.ts';
import type { StartedChild } from './launch.ts';

/** Both null for a program that never started. */
export interface ExitStatus {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

interface Exit {
  exit: ExitStatus;
  error?: unknown;
  pipes: Pipes;
}

/** They are closed at the end of the last process that holds them. */
export interface Pipes {
  isClosed: boolean;
  closed: Promise<void>;
}

export const NO_EXIT: ExitStatus = { exitCode: null, signal: null };

/** How a child ended, or why it never started. */
export function exitOf(child: StartedChild): Promise<Exit> {
  const pipes = pipesOf(child);
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exit: { exitCode, signal }, pipes }));
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ exit: NO_EXIT, error, pipes });
    });
  });
}

function pipesOf(child: StartedChild): Pipes {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const pipes: Pipes = { isClosed: false, closed };
  child.once('close', () => (pipes.isClosed = true));
  return pipes;
}

/** Waits for at most `ms`. Most are closed already, and a timer costs more than the look. */
export async function closedWithin(ambient: Ambient, ms: number, { isClosed, closed }: Pipes): Promise<void> {
  if (isClosed) return;
  let cancel = (): void => undefined;
  await Promise.race([closed, new Promise<void>((resolve) => (cancel = ambient.timer(ms, resolve)))]);
  cancel();
}
