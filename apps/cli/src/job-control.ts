type Who = 'process' | 'group';

/** Job control of the user's shell: Ctrl+Z, `fg`, `bg`. */
export interface JobControl {
  /**
   * Called instead of the stop when another program asks for it (SIGTSTP). The returned function removes the listener:
   * without one the system stops the process.
   */
  onStop(listener: () => void): () => void;
  /** Called when the process continues (SIGCONT), after any stop. */
  onContinue(listener: () => void): () => void;
  /**
   * Stops this process, or with it the programs that started it, until the shell continues it. Where no shell could,
   * the system does not stop it.
   */
  stop(who: Who): void;
  /** Continues with the current size of the terminal, whose changes do not reach a stopped process. */
  readSize(): void;
}

/** Undefined on a system without job control. */
export function createJobControl(): JobControl | undefined {
  if (process.platform === 'win32') return undefined;
  const listen =
    (signal: NodeJS.Signals) =>
    (listener: () => void): (() => void) => {
      // Signal handlers are given the signal.
      const heard = (): void => listener();
      process.on(signal, heard);
      return () => void process.off(signal, heard);
    };
  return {
    onStop: listen('SIGTSTP'),
    onContinue: listen('SIGCONT'),
    stop: (who) => void process.kill(who === 'group' ? 0 : process.pid, 'SIGTSTP'),
    readSize: () => void process.kill(process.pid, 'SIGWINCH'),
  };
}
