import type { Ambient, SessionEvent } from '@fucina/shared';
import type { Processes } from '../commands/processes.ts';
import type { FollowItem } from '../store/journal.ts';
import type { Registry } from '../store/registry.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';

/** What changes in a folder while somebody follows its session, told as `WorkspaceChanged` where it was not the session's own doing. */
export interface Watching {
  during(record: SessionRecord, items: AsyncIterable<FollowItem>): AsyncGenerator<FollowItem>;
}

interface WatchingNeeds {
  ambient: Ambient;
  registry: Registry;
  store: Pick<SessionStore, 'eventsAfter'>;
  processes: Processes;
  /** Absent where nobody watches folders. The answer ends it. */
  watchFolder?: ((folder: string, onChange: (paths: readonly string[]) => void) => () => void) | undefined;
}

/** An agent's own write reaches the watcher a moment after it was noted. */
const OWN_MS = 3_000;
const LOOK_BACK = 64;

export function createWatching({ ambient, registry, store, processes, watchFolder }: WatchingNeeds): Watching {
  const watches = new Map<string, { followers: number; end(): void }>();

  /** A command may change anything: while one runs, and for a moment after, nothing is somebody else's. */
  const note = (sessionId: string, paths: readonly string[]): void => {
    try {
      if (processes.isAnyRunning(sessionId)) return;
      const record = registry.get(sessionId);
      const own = ownWrites(record);
      const percorsi = own === 'all' ? [] : paths.filter((path) => !own.has(path));
      if (percorsi.length) registry.append(record, [{ type: 'WorkspaceChanged', percorsi }]);
    } catch (error) {
      ambient.log.warn('folder.change-not-noted', { sessionId, error });
    }
  };
  const ownWrites = (record: SessionRecord): ReadonlySet<string> | 'all' => {
    const since = ambient.now() - OWN_MS;
    const own = new Set<string>();
    for (const { at, json } of store.eventsAfter(record.key, Math.max(0, record.lastSeq - LOOK_BACK), LOOK_BACK)) {
      if (at < since) continue;
      const event = JSON.parse(json) as SessionEvent;
      if (event.type === 'ToolCallResult' && event.comando !== undefined) return 'all';
      if (event.type === 'ComandoUtenteFinito') return 'all';
      if (event.type === 'StateDelta') for (const { path } of event.delta) own.add(path.replace(/^\/file\//, ''));
    }
    return own;
  };

  const begin = ({ header: { sessionId, folder } }: SessionRecord): (() => void) => {
    if (!watchFolder) return () => undefined;
    const watch = watches.get(sessionId) ?? {
      followers: 0,
      end: watchFolder(folder, (paths) => note(sessionId, paths)),
    };
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
