import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, moduleBeside, startThread } from '@fucina/shared';
import { OWN_ID } from '../own-folder.ts';
import type { ItemChanges, WatchAnswer, WatchInput } from './item-watch-messages.ts';

export interface ItemWatch {
  /**
   * The changes since the last call, all of those made before this call included. Undefined when they are not known and
   * everything must be read: before the watch has begun, the first time after that, every ten minutes, and after its end.
   */
  changes(): Promise<ItemChanges | undefined>;
  end(): Promise<void>;
}

export interface WatchedFolder {
  project: string;
  /** Relative to the project. */
  folder: string;
  /** In each subfolder. */
  file: string;
}

export interface WatchLimits {
  /** Files that may be watched without taking too many watches from other programs. */
  mostFiles: number;
  mostEvents: number;
}

interface Started extends WatchedFolder {
  mostEvents: number;
}

const entry = moduleBeside(import.meta.url, 'item-watch-worker');
const MEMORY_MIB = 64;
/** For the few changes that the kernel does not report: those through mapped memory. */
const READ_ALL_MS = 10 * 60_000;

/** `onEnd`: it ended by itself, and changes may have been missed. */
export function startItemWatch(ambient: Ambient, watched: Started, onEnd: (reason: string) => void): ItemWatch {
  const worker = startThread(entry, { input: inputOf(watched), memoryMiB: MEMORY_MIB });
  worker.unref();
  const waiting: ((changes: ItemChanges | undefined) => void)[] = [];
  let isWatching = false;
  let isOver = false;
  let readAllAt = Number.NEGATIVE_INFINITY;

  const answer = (changes: ItemChanges | undefined): void => {
    waiting.shift()?.(changes);
    if (waiting.length === 0) worker.unref();
  };
  const finish = (reason?: string): void => {
    if (isOver) return;
    isOver = true;
    while (waiting.length > 0) answer(undefined);
    if (reason !== undefined) onEnd(reason);
  };
  const end = async (): Promise<void> => {
    finish();
    await worker.terminate();
  };
  worker.on('message', (message: WatchAnswer) => {
    if (message === 'watching') isWatching = true;
    else if ('changes' in message) answer(message.changes);
    else {
      finish(message.lost);
      void worker.terminate();
    }
  });
  worker.once('error', (error) => finish(error.message));
  worker.once('exit', () => finish('exit'));

  return {
    async changes() {
      if (!isWatching || isOver) return undefined;
      if (ambient.monotonic() - readAllAt >= READ_ALL_MS) {
        readAllAt = ambient.monotonic();
        return undefined;
      }
      worker.ref();
      return new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage('changes');
      });
    },
    end,
  };
}

function inputOf({ project, folder, file, mostEvents }: Started): WatchInput {
  const names = folder.split('/');
  const folders = names.map((_name, at) => join(project, ...names.slice(0, at + 1)));
  return { folders, isId: OWN_ID, file, mostEvents };
}

/** ext2 to ext4, tmpfs, btrfs, xfs, f2fs, zfs, bcachefs. Others may be changed by another computer without an event. */
const LOCAL_FILE_SYSTEMS = new Set([0xef53, 0x01021994, 0x9123683e, 0x58465342, 0xf2f52010, 0x2fc12fc1, 0xca451a4e]);

const LIMITS = '/proc/sys/fs/inotify';

/**
 * Undefined where changes are not reported. Node hides that the kernel dropped events. The kernel drops them when the
 * queue is full, and Node empties the queue in one turn of the event loop: so many events in one turn are the sign. Half
 * of the queue, since events of files that are no longer watched are in it, too, and Node hides them.
 */
export async function watchLimits({ project, folder }: WatchedFolder): Promise<WatchLimits | undefined> {
  if (process.platform !== 'linux') return undefined;
  const numberIn = async (name: string): Promise<number> => Number(await readFile(`${LIMITS}/${name}`, 'utf8'));
  try {
    const { type } = await statfs(join(project, folder));
    if (!LOCAL_FILE_SYSTEMS.has(type)) return undefined;
    const mostFiles = Math.floor((await numberIn('max_user_watches')) / 4);
    return { mostFiles, mostEvents: Math.floor((await numberIn('max_queued_events')) / 2) };
  } catch {
    return undefined; // Reading the folder reports the error.
  }
}
