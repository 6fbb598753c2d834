import { useMemo, useSyncExternalStore } from 'react';
import { closed, gone, moved, NONE_OPEN, type OpenFiles, opened, reopenable } from './open-files.ts';

/** As long as the page, by session. */
const kept = new Map<string, OpenFiles>();
const listeners = new Set<() => void>();

function change(sessionId: string, files: OpenFiles): void {
  if (kept.get(sessionId) === files) return;
  kept.set(sessionId, files);
  for (const listener of listeners) listener();
}

export function openFile(sessionId: string, path: string): void {
  change(sessionId, opened(kept.get(sessionId) ?? NONE_OPEN, path));
}

export interface OpenFileActions {
  /** Answers what is to be looked at next. */
  close(path: string): string | undefined;
  /** The one that was closed last. */
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
    () => kept.get(sessionId) ?? NONE_OPEN,
  );
  return useMemo(() => {
    const now = () => kept.get(sessionId) ?? NONE_OPEN;
    return {
      ...files,
      close(path) {
        const { files: left, next } = closed(now(), path);
        change(sessionId, left);
        return next;
      },
      reopen: () => reopenable(now()),
      moved: (from, to) => change(sessionId, moved(now(), from, to)),
      gone: (path) => change(sessionId, gone(now(), path)),
    };
  }, [files, sessionId]);
}
