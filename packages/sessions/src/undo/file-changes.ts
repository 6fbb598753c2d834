import type { Ambient } from '@fucina/shared';
import type { CommandRunner } from '../commands/command-runner.ts';
import { writeReach } from '../commands/write-reach.ts';
import type { Registry } from '../registry.ts';
import type { SessionRecord } from '../store/store.ts';
import { changeEvents, foundPatches } from './change-events.ts';
import type { FileHistory, FileVersion } from './file-history.ts';
import { createPendingWrites } from './pending-writes.ts';

/** Records file changes of turns, so that they can be shown and reverted. Scans never delay the model. */
export interface FileChanges {
  /** A turn starts. Its folder is scanned once, before the first tool call: a turn without tools starts no process. */
  begin(record: SessionRecord): void;
  /** The model starts a call: the folder is scanned while the rest of the call streams. */
  expect(record: SessionRecord): void;
  /** Before a command: resolves when the scan is done, or after a time limit. */
  ready(record: SessionRecord): Promise<void>;
  /** A command of the agent begins. */
  command(record: SessionRecord): WatchedCommand;
  /** A command of the user starts: its changes are the user's. The returned function ends it. */
  own(record: SessionRecord): () => void;
  /**
   * Files that the session itself is about to write, until the returned function is called: by then the journal
   * contains what was written.
   */
  writing(record: SessionRecord, paths: readonly string[]): () => void;
  /** Whether it is such a file, or a folder that contains one. */
  isBeingWritten(record: SessionRecord, path: string): boolean;
  /** The current file, its content stored. */
  note(record: SessionRecord, path: string): Promise<FileVersion | null | undefined>;
  /** Resolves when no scan of this session is running, or after `limitMs`. */
  settled(sessionId: string, limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface WatchedCommand {
  /** Its call returned: its changes so far are recorded soon. */
  answered(): void;
  /** It has ended, and its last changes are recorded soon. */
  ended(): void;
}

const PATIENCE_MS = 1_000;
const CLOSE_MS = 2_000;

interface FileChangesNeeds {
  ambient: Ambient;
  history: FileHistory;
  registry: Pick<Registry, 'append'>;
  /** Prepared while the folder is scanned. */
  commands: Pick<CommandRunner, 'prepare'>;
}

export function createFileChanges({ ambient, history, registry, commands }: FileChangesNeeds): FileChanges {
  const looking = new Map<string, Set<Promise<void>>>();
  /** The scan at the start of each turn, started at most once. */
  const first = new WeakMap<SessionRecord, () => Promise<void>>();
  const pending = createPendingWrites();
  /** The last turn of which was recorded that changes may be missing. */
  const partial = new WeakMap<SessionRecord, number>();
  let isClosed = false;

  const settleAll = async (sets: () => readonly Promise<void>[], limitMs: number): Promise<void> => {
    let isLate = false;
    let cancel = (): void => undefined;
    const limit = new Promise<void>((resolve) => (cancel = ambient.timer(limitMs, resolve))).then(() => {
      isLate = true;
    });
    while (!isLate && sets().length > 0) await Promise.race([Promise.all(sets()), limit]);
    cancel();
  };
  const look = (record: SessionRecord, act: () => Promise<void>): void => {
    const { sessionId } = record.header;
    const own = looking.get(sessionId) ?? new Set<Promise<void>>();
    looking.set(sessionId, own);
    const one = act()
      .catch((error: unknown) => ambient.log.error('changes.not-told', { sessionId, error }))
      .finally(() => {
        own.delete(one);
        if (!own.size && looking.get(sessionId) === own) looking.delete(sessionId);
      });
    own.add(one);
  };

  return {
    begin(record) {
      let capturing: Promise<void> | undefined;
      first.set(record, () => {
        if (!capturing && !isClosed) commands.prepare(writeReach(record.settings));
        capturing ??= isClosed ? Promise.resolve() : history.capture(record.header.folder);
        return capturing;
      });
    },
    expect: (record) => void first.get(record)?.(),
    async ready(record) {
      let cancel = (): void => undefined;
      const patience = new Promise<void>((resolve) => (cancel = ambient.timer(PATIENCE_MS, resolve)));
      await Promise.race([first.get(record)?.(), patience]);
      cancel();
    },
    command(record) {
      const turn = record.fold.runStartSeq;
      const command = history.command(record.header.folder);
      const tell = async (): Promise<void> => {
        const { changes, isPartial, ...unrecorded } = await command.look();
        const patches = await foundPatches(changes, history);
        // Once per turn: most commands change nothing.
        const isNews = isPartial && partial.get(record) !== turn;
        if (isNews) partial.set(record, turn);
        const events = changeEvents(patches, turn, { ...unrecorded, isPartial: isNews });
        if (events.length) registry.append(record, events);
      };
      return {
        answered: () => look(record, tell),
        ended: () => look(record, () => tell().finally(command.end)),
      };
    },
    own(record) {
      const command = history.command(record.header.folder);
      return () => look(record, async () => void (await command.look().finally(command.end)));
    },
    writing: ({ header: { sessionId } }, paths) => pending.add(sessionId, paths),
    isBeingWritten: ({ header: { sessionId } }, path) => pending.has(sessionId, path),
    note: (record, path) => history.note(record.header.folder, path),
    settled: (sessionId, limitMs = Number.POSITIVE_INFINITY) =>
      settleAll(() => [...(looking.get(sessionId) ?? [])], Math.min(limitMs, MAX_TIMER_MS)),
    async close() {
      isClosed = true;
      await settleAll(() => [...looking.values()].flatMap((set) => [...set]), CLOSE_MS);
    },
  };
}

const MAX_TIMER_MS = 600_000;
