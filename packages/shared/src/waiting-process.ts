import type { Readable } from 'node:stream';
import {
  type LaterOptions,
  launchPrepared,
  type ProcessOptions,
  prepareProcess,
  type RunningProcess,
} from './child-process.ts';
import type { StartedChild } from './launch.ts';
import { endWithThisProcess, signalProcess } from './process-sweep.ts';
import { passGate } from './program-gate.ts';

/** A program started ahead: it reports that it is ready and waits for its input before it does anything. */
export interface WaitingProcess {
  readonly pid: number;
  /** Sends its input, once; from then on it counts as started now. Undefined if it ended in the meantime. */
  begin(later: LaterOptions & { input: string }): RunningProcess | undefined;
  /** Ends it if nothing has started; resolves when it has ended. */
  end(): Promise<void>;
}

/** Time limits to get ready, and to end after its input is closed. */
const READY_MS = 10_000;
const END_MS = 1_000;

/**
 * Starts a program that writes one byte to its standard output when it is ready and then reads its standard input.
 * Undefined if it does not get ready, or once `signal` is aborted.
 */
export async function launchWaiting(
  options: Omit<ProcessOptions, keyof LaterOptions> & { signal: AbortSignal },
): Promise<WaitingProcess | undefined> {
  const { ambient, signal } = options;
  const own: ProcessOptions = { ...options, keepsInputOpen: true };
  const prepared = prepareProcess(own);
  const { child } = await launchPrepared(own, prepared);
  if (child?.pid === undefined) {
    child?.once('error', () => undefined);
    return undefined;
  }
  const { pid } = child;
  const forget = endWithThisProcess(pid);
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  void gone.then(forget);
  // It may end at any moment.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  let hasBegun = false;
  const end = async (): Promise<void> => {
    if (hasBegun || !isLiving(child)) return;
    child.stdin?.end();
    const cancel = ambient.timer(END_MS, () => signalProcess(-pid, 'SIGKILL'));
    await gone;
    cancel();
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const ready = firstByte(child, { signal, gone, after: (act) => ambient.timer(READY_MS, act) });
  if (options.admit && (await Promise.race([passGate(child, own), ready])) === 'refused')
    signalProcess(-pid, 'SIGKILL');
  if (!(await ready)) {
    await end();
    return undefined;
  }
  return {
    pid,
    begin(later) {
      if (hasBegun || !isLiving(child)) return undefined;
      hasBegun = true;
      forget();
      return prepared.follow(child, { ...later, keepsInputOpen: false, admit: undefined });
    },
    end,
  };
}

const isLiving = ({ exitCode, signalCode }: StartedChild): boolean => exitCode === null && signalCode === null;

interface Wait {
  signal: AbortSignal;
  gone: Promise<void>;
  after(act: () => void): () => void;
}

/** Reads exactly one byte of its output; false if none arrives. */
async function firstByte(child: StartedChild, { signal, gone, after }: Wait): Promise<boolean> {
  const stdout = child.stdout as Readable;
  let settle: (isReady: boolean) => void = () => undefined;
  const read = (): void => {
    if (stdout.read(1) !== null) settle(true);
  };
  const stop = (): void => settle(false);
  const isReady = new Promise<boolean>((resolve) => (settle = resolve));
  const cancel = after(stop);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void gone.then(stop);
  stdout.on('readable', read);
  try {
    return await isReady;
  } finally {
    cancel();
    stdout.off('readable', read);
    signal.removeEventListener('abort', stop);
  }
}
