import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** Ctrl+C: the first ends the turn, the second the program. */
export interface InterruptHandler {
  /** Called at the first interruption; at once when it already happened. */
  onStop(act: () => void): void;
  /** Resolves at the first interruption. */
  asked(): Promise<void>;
  /** Resolves at the second. */
  abandoned: Promise<ExitCode>;
  isStopped(): boolean;
  isAbandoned(): boolean;
  /** The stopped turn has ended: the next interruption counts as a first one. */
  rearm(): void;
  forget(): void;
}

export function createInterruptHandler({ io, say, err }: Terminal): InterruptHandler {
  let count = 0;
  let act: (() => void) | undefined;
  let abandon: (code: ExitCode) => void = () => undefined;
  const abandoned = new Promise<ExitCode>((resolve) => (abandon = resolve));
  let ask: () => void = () => undefined;
  const arm = (): Promise<void> => new Promise((resolve) => (ask = resolve));
  let asked = arm();
  const forget = io.onInterrupt(() => {
    count += 1;
    if (count > 1) return abandon(EXIT.interrupted);
    if (io.stderr.isTTY && act) err(`\n${say('turn.stopping')}`);
    ask();
    act?.();
  });
  return {
    onStop(stop) {
      act = stop;
      if (count) stop();
    },
    asked: () => asked,
    abandoned,
    isStopped: () => count > 0,
    isAbandoned: () => count > 1,
    rearm() {
      if (count === 1) asked = arm();
      count = Math.max(0, count - 1);
      act = undefined;
    },
    forget,
  };
}
