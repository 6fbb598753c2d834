import type { Ambient } from '@fucina/shared';
import type { FromWatching } from './watch-messages.ts';
import { startWatchProcess, type WatchProcess } from './watch-process.ts';

/** Where watches send what they ask for, and hear what it found. */
export interface WatchChannel {
  /** `hear` also gets `failed` when the process ends. */
  open(hear: (message: FromWatching) => void): number;
  send(message: Parameters<WatchProcess['send']>[0]): void;
  close(id: number): void;
  /** Ends the process: each watch hears that it failed, and why. */
  restart(reason: string): void;
  /** The system's limit is reported once. */
  warnOfLimit(folder: string): void;
  end(): void;
}

export function createWatchChannel(ambient: Ambient): WatchChannel {
  const hearing = new Map<number, (message: FromWatching) => void>();
  let current: WatchProcess | undefined;
  let lastId = 0;
  let hasWarned = false;

  const lose = (reason: string): void => {
    current = undefined;
    for (const [id, hear] of hearing) hear({ kind: 'failed', id, reason });
  };
  return {
    open(hear) {
      hearing.set(++lastId, hear);
      return lastId;
    },
    send(message) {
      current ??= startWatchProcess(
        ({ id, ...message }) => hearing.get(id)?.({ id, ...message } as FromWatching),
        lose,
      );
      current.send(message);
    },
    close(id) {
      if (!hearing.delete(id)) return;
      if (hearing.size > 0) return current?.send({ kind: 'end', id });
      current?.end();
      current = undefined;
    },
    restart(reason) {
      current?.end();
      lose(reason);
    },
    warnOfLimit(folder) {
      if (!hasWarned) ambient.log.warn('folder.watch-limit', { folder });
      hasWarned = true;
    },
    end() {
      hearing.clear();
      current?.end();
      current = undefined;
    },
  };
}
