import { useMemo, useSyncExternalStore } from 'react';
import {
  lastClosedFile,
  NO_OPEN_FILES,
  type OpenFiles,
  withEntryMoved,
  withEntryRemoved,
  withFileClosed,
  withFileOpened,
} from './open-files.ts';

/** Until the page is closed, by session. */
const kept = new Map<string, OpenFiles>();
const listeners = new Set<() => void>();

function change(sessionId: string, files: OpenFiles): void {
  if (kept.get(sessionId) === files) return;
  kept.set(sessionId, files);
  for (const listener of listeners) listener();
}

export function openFile(sessionId: string, path: string): void {
  change(sessionId, withFileOpened(kept.get(sessionId) ?? NO_OPEN_FILES, path));
}

export interface OpenFileActions {
  /** Returns the next current file. */
  close(path: string): string | undefined;
  /** The file that was closed last. */
  reopen(): string | undefined;
  moved(from: string, to: string): void;
  gone(path: string): void;
}

export function useOpenFiles(sessionId: string): OpenFiles & OpenFileActions {
  const files = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => kept.get(sessionId) ?? NO_OPEN_FILES,
  );
  return useMemo(() => {
    const now = () => kept.get(sessionId) ?? NO_OPEN_FILES;
    return {
      ...files,
      close(path) {
        const { files: left, next } = withFileClosed(now(), path);
        change(sessionId, left);
        return next;
      },
      reopen: () => lastClosedFile(now()),
      moved: (from, to) => change(sessionId, withEntryMoved(now(), from, to)),
      gone: (path) => change(sessionId, withEntryRemoved(now(), path)),
    };
  }, [files, sessionId]);
}
