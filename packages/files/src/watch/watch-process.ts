import { type ChildProcess, fork } from 'node:child_process';
import { leaveOutOfActivity, moduleArgv, moduleBeside } from '@fucina/shared';
import type { FromWatching, ToWatching } from './watch-messages.ts';

export interface WatchProcess {
  send(message: ToWatching): void;
  /** For good; `onEnd` is not called. */
  end(): void;
}

const entry = moduleBeside(import.meta.url, 'watch-main');
/** Names of a million files. */
const MEMORY_MIB = 512;

/** Does not keep this process alive, and ends with it. `onEnd`: it ended by itself. */
export function startWatchProcess(
  onMessage: (message: FromWatching) => void,
  onEnd: (reason: string) => void,
): WatchProcess {
  const [, ...module] = moduleArgv(entry);
  const child = fork(module.at(-1) ?? '', [], {
    env: {},
    execArgv: [...module.slice(0, -1), `--max-old-space-size=${MEMORY_MIB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // It wakes twice a second.
  const count = child.pid === undefined ? undefined : leaveOutOfActivity(child.pid);
  let isOver = false;
  const over = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    onEnd(reason);
  };
  child.on('message', (message: FromWatching) => {
    if (!isOver) onMessage(message);
  });
  child.once('error', (error) => over(error.message));
  child.once('exit', (code, signal) => {
    count?.();
    over(`ended with ${signal ?? code}`);
  });
  loosen(child);
  return {
    send: (message) => void child.send(message, () => undefined), // it has ended: `exit` says so
    end() {
      isOver = true;
      child.kill('SIGKILL');
    },
  };
}

function loosen(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
