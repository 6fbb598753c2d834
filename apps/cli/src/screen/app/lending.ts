import type { Ambient } from '@fucina/shared';
import type { Terminal } from '../../terminal.ts';
import type { InputSource } from '../input/source.ts';
import type { App } from './app.ts';
import type { FrameWriter } from './frame-writer.ts';
import type { ScreenMode } from './screen-mode.ts';

/** Who uses the terminal: the screen, a program that borrowed it, or, while the process is stopped, the shell. */
export interface Lending {
  isLent(): boolean;
  /** Runs what needs the whole terminal; one after the other. Nothing is painted or read meanwhile. */
  lend<Result>(use: () => Promise<Result>): Promise<Result>;
  /** Stops the process like Ctrl+Z in any other program. False: the system has no job control. */
  suspend(): boolean;
  close(): void;
}

interface Needs {
  terminal: { io: Pick<Terminal['io'], 'jobs'> };
  ambient: Pick<Ambient, 'sleep'>;
  app: Pick<App, 'changed'>;
  hold: Pick<ScreenMode, 'release' | 'take'>;
  input: Pick<InputSource, 'pause' | 'resume'>;
  writer: Pick<FrameWriter, 'close' | 'open'>;
}

/** A stop takes effect at once; one that has not after this time was refused by the system. */
const STOP_MS = 50;

export function createLending({ ambient, app, hold, input, terminal, writer }: Needs): Lending {
  const { jobs } = terminal.io;
  let isLent = false;
  let isStopping = false;
  /** How often the terminal was released or taken. */
  let changes = 0;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let forgetStop: () => void = () => undefined;

  const release = (): void => {
    changes += 1;
    isStopping = false;
    isLent = true;
    // A program that has the terminal, and its stop, are not the screen's.
    forgetStop();
    writer.close();
    input.pause();
    hold.release();
  };
  const take = (): void => {
    if (isClosed) return;
    changes += 1;
    isStopping = false;
    isLent = false;
    forgetStop();
    forgetStop = jobs?.onStop(() => stop('process')) ?? (() => undefined);
    input.resume();
    hold.take();
    jobs?.readSize();
    writer.open();
    app.changed();
  };
  const stop = (who: 'process' | 'group'): void => {
    release();
    isStopping = true;
    void returnUnlessContinued(changes);
    jobs?.stop(who);
  };
  const returnUnlessContinued = async (before: number): Promise<void> => {
    // Sleeps keep the process alive, which without the terminal has nothing left to wait for.
    await ambient.sleep(STOP_MS);
    // The signal of a process that was stopped comes first.
    await ambient.sleep(0);
    if (before === changes) take();
  };
  const continued = (): void => {
    if (isLent && !isStopping) return;
    // Also after a stop that left the screen no time (SIGSTOP): the shell has changed the terminal.
    if (!isLent) release();
    take();
  };
  const forgetContinue = jobs?.onContinue(continued);
  forgetStop = jobs?.onStop(() => stop('process')) ?? forgetStop;

  return {
    isLent: () => isLent,
    lend(use) {
      const borrowed = last.then(async () => {
        release();
        try {
          return await use();
        } finally {
          take();
        }
      });
      last = borrowed.catch(() => undefined);
      return borrowed;
    },
    suspend() {
      if (!jobs || isLent) return jobs !== undefined;
      stop('group');
      return true;
    },
    close() {
      isClosed = true;
      forgetStop();
      forgetContinue?.();
    },
  };
}
