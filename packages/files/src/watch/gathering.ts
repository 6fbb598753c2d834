import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ambient } from '@fucina/shared';
import { addPath } from './skipped.ts';

export interface FolderChange {
  /** Relative, `/`-separated. */
  path: string;
  kind: 'file' | 'folder' | 'gone';
  /** Epoch ms: the last change of the entry itself; for a deleted one, the last change of its folder. */
  changedAt: number;
}

export type Listener = (changes: readonly FolderChange[]) => void;

/** Batches paths for a moment, then reports them with their change times. */
export interface Gathering {
  note(path: string): void;
  /** Reports the pending batch. */
  flush(): void;
  end(): void;
}

const GATHER_MS = 250;

export function createGathering(ambient: Ambient, folder: string, listeners: ReadonlySet<Listener>): Gathering {
  let pending = new Set<string>();
  let cancel: (() => void) | undefined;
  let isOver = false;
  const report = async (to: readonly Listener[]): Promise<void> => {
    cancel = undefined;
    const paths = [...pending].sort();
    pending = new Set();
    const changes = await Promise.all(paths.map((path) => changeOf(folder, path)));
    for (const listener of to) listener(changes);
  };
  return {
    note(path) {
      if (isOver || listeners.size === 0) return;
      addPath(pending, path);
      cancel ??= ambient.timer(GATHER_MS, () => void report([...listeners]));
    },
    flush() {
      cancel?.();
      if (pending.size > 0) void report([...listeners]);
    },
    end() {
      isOver = true;
      cancel?.();
    },
  };
}

async function changeOf(folder: string, path: string): Promise<FolderChange> {
  const stats = await lstat(join(folder, path)).catch(() => undefined); // deleted, or not accessible
  if (stats) return { path, kind: stats.isDirectory() ? 'folder' : 'file', changedAt: stats.ctimeMs };
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const held = await lstat(join(folder, parent)).catch(() => undefined); // deleted with it
    if (held || parent === '.') return { path, kind: 'gone', changedAt: held?.mtimeMs ?? 0 };
  }
}
