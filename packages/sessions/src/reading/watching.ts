import type { Ambient } from '@fucina/shared';
import type { Processes } from '../commands/processes.ts';
import type { Registry } from '../registry.ts';
import type { FollowItem } from '../store/journal.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';
import type { FileChanges } from '../undo/file-changes.ts';
import type { FileHistory } from '../undo/file-history.ts';
import { createIdleCommands } from './idle-commands.ts';
import { createOutsideChanges, type WatchFolder } from './outside-changes.ts';
import { createOwnWrites } from './own-writes.ts';

/** Records as `WorkspaceChanged` what others change in a folder while a client follows its session. */
export interface Watching {
  during(record: SessionRecord, items: AsyncIterable<FollowItem>): AsyncGenerator<FollowItem>;
}

interface WatchingNeeds {
  ambient: Ambient;
  registry: Registry;
  store: Pick<SessionStore, 'eventsAfter'>;
  processes: Processes;
  changes: Pick<FileChanges, 'note' | 'isBeingWritten'>;
  fileHistory: Pick<FileHistory, 'look'>;
  /** Absent when folders are not watched. */
  watchFolder?: WatchFolder | undefined;
}

export function createWatching(needs: WatchingNeeds): Watching {
  const watches = new Map<string, { followers: number; end(): void }>();

  const begin = (record: SessionRecord): (() => void) => {
    const { sessionId } = record.header;
    if (!needs.watchFolder) return () => undefined;
    const watch = watches.get(sessionId) ?? { followers: 0, end: watchSession(needs, needs.watchFolder, record) };
    watches.set(sessionId, watch);
    watch.followers += 1;
    return () => {
      watch.followers -= 1;
      if (watch.followers > 0) return;
      watches.delete(sessionId);
      watch.end();
    };
  };

  return {
    async *during(record, items) {
      const end = begin(record);
      try {
        yield* items;
      } finally {
        end();
      }
    },
  };
}

function watchSession(needs: WatchingNeeds, watchFolder: WatchFolder, record: SessionRecord): () => void {
  const { ambient, processes, registry, store, changes, fileHistory } = needs;
  const { sessionId, folder } = record.header;
  const spans = () => processes.spans(sessionId);
  const idle = createIdleCommands({
    ambient,
    isAnyRunning: () => processes.isAnyRunning(sessionId),
    runningSince: () => spans().find(({ to }) => to === null)?.from ?? ambient.now(),
    onBegin: (listener) => processes.onBegin(sessionId, listener),
  });
  const outside = createOutsideChanges({
    ambient,
    folder,
    writes: createOwnWrites(store, record),
    history: fileHistory,
    isBeingWritten: (path) => changes.isBeingWritten(record, path),
    spans,
    wereIdle: idle.wereIdle,
    async report(percorsi) {
      const current = registry.get(sessionId);
      registry.append(current, [{ type: 'WorkspaceChanged', percorsi }]);
      // A change known to be someone else's is not the running command's.
      if (processes.isAnyRunning(sessionId)) for (const path of percorsi) await changes.note(current, path);
    },
  });
  const stop = watchFolder(folder, outside.hear);
  return () => {
    stop();
    idle.end();
  };
}
