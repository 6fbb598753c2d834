import type { Ambient } from '@fucina/shared';
import type { CommandRunner } from '../commands/command-runner.ts';
import type { Registry } from '../registry.ts';
import type { SessionRecord } from '../store/store.ts';
import { changeEvents, foundPatches } from './change-events.ts';
import type { FileHistory, FileVersion } from './file-history.ts';

/** Notes what turns do to files, so that it can be shown and taken back. Looking never holds up the model. */
export interface FileChanges {
  /** A turn begins. Its folder is looked at once, when a tool is about to be called: a turn of words starts no program. */
  begin(record: SessionRecord): void;
  /** The model begins a call: the folder is looked at while the rest of the call is on its way. */
  expect(record: SessionRecord): void;
  /** Before a command: settles when the folder is known, or has been waited for long enough. */
  ready(record: SessionRecord): Promise<void>;
  /** A command of the agent begins. */
  command(record: SessionRecord): WatchedCommand;
  /** A command of the user begins: what it changes is theirs. The answer ends it. */
  own(record: SessionRecord): () => void;
  /** One file as it is now, its content kept. */
  note(record: SessionRecord, path: string): Promise<FileVersion | null | undefined>;
  /** Settles when nothing is being looked at for this session, or after `limitMs`. */
  settled(sessionId: string, limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface WatchedCommand {
  /** Its call is answered: what it changed so far is told soon. */
  answered(): void;
  /** It runs no more, and its last changes are told soon. */
  ended(): void;
}

const PATIENCE_MS = 1_000;
const CLOSE_MS = 2_000;

interface FileChangesNeeds {
  ambient: Ambient;
  history: FileHistory;
  registry: Pick<Registry, 'append'>;
  /** They get ready while the folder is looked at. */
  commands: Pick<CommandRunner, 'prepare'>;
}

export function createFileChanges({ ambient, history, registry, commands }: FileChangesNeeds): FileChanges {
  const looking = new Map<string, Set<Promise<void>>>();
  /** The look at the folder that each turn begins with, begun at most once. */
  const first = new WeakMap<SessionRecord, () => Promise<void>>();
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
        if (!capturing && !isClosed) commands.prepare();
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
        const { changes, omitted } = await command.look();
        const patches = await foundPatches(changes, history);
        if (patches.length) registry.append(record, changeEvents(patches, turn, omitted));
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
