import type { Ambient, RunStarted, SessionEvent } from '@fucina/shared';
import { type BranchPoint, branchPoints } from './branch-points.ts';
import { userReference } from './context/conversation.ts';
import type { ChatImages } from './context/images.ts';
import { sessionsError } from './errors.ts';
import type { Registry } from './registry.ts';
import type { SlashCommands } from './slash/slash.ts';
import { CUSTOM_EVENTS, type UndoValue } from './state/custom-events.ts';
import type { MessageRequest, SessionHeader } from './state/session.ts';
import { eventsOf } from './store/events.ts';
import type { Journal } from './store/journal.ts';
import type { SessionRecord, SessionStore } from './store/store.ts';
import type { TurnMark } from './store/turn-table.ts';
import type { Turns } from './turn/turns.ts';
import type { TurnChanges } from './undo/turn-changes.ts';
import type { RestorePreview, Undo, Unknown } from './undo/undo.ts';

/**
 * Other continuations of a conversation, and its files as they were before a turn. A reference, `giro:<seq>`, names the
 * user message that began a turn.
 */
export interface Branches {
  /**
   * A new session with the conversation before a message, which continues with another message; or up to the end of the
   * turn that a message started. The original stays as it is. NOT_FOUND unless the message began a turn;
   * SESSION_NOT_READY while a turn runs.
   */
  create(sessionId: string, order: BranchOrder): Promise<Branch>;
  /** A new session with the whole conversation, apart from the original. SESSION_NOT_READY before its last turn is over. */
  fork(sessionId: string): Promise<{ sessionId: string }>;
  /** The turns of a session that have alternatives in other sessions, oldest first. */
  list(sessionId: string): Promise<BranchPoint[]>;
  /** The messages that began a turn, oldest first. */
  messages(sessionId: string): Promise<{ reference: string; text: string }[]>;
  /** What `restore` would do to the files. */
  preview(sessionId: string, reference: string): Promise<RestorePreview>;
  /**
   * Undoes the file changes of the turn that a message began and of all turns after it, as `/undo` does. Answers what
   * could not be restored. SESSION_NOT_READY while a turn or a sub-agent runs.
   */
  restore(sessionId: string, reference: string): Promise<NotRestored>;
}

export type BranchOrder = Continuation | { after: string };

interface Continuation extends MessageRequest {
  before: string;
  restoresFiles?: boolean | undefined;
}

/** What a restore left as it is. */
export interface NotRestored extends Unknown {
  skipped: string[];
}

export interface Branch extends NotRestored {
  sessionId: string;
}

interface BranchesNeeds {
  ambient: Ambient;
  lease: string;
  branchOf(folder: string): Promise<string | null>;
  registry: Registry;
  store: SessionStore;
  journal: Journal;
  turns: Turns;
  turnChanges: TurnChanges;
  undo: Undo;
  images: ChatImages;
  slash: SlashCommands;
}

export function createBranches(needs: BranchesNeeds): Branches {
  const { ambient, registry, store, journal, turns, turnChanges, undo, images, slash } = needs;

  const resting = (sessionId: string): SessionRecord => {
    turns.assertOpen();
    const record = registry.writable(sessionId);
    if (record.state === 'running') throw sessionsError('SESSION_NOT_READY', { reason: 'turn-in-progress' });
    return record;
  };

  const turnOf = (record: SessionRecord, reference: string): TurnMark => {
    const turn = turnChanges.turns(record).find(({ seq }) => userReference(seq) === reference);
    const started = turn && journal.read(record, turn.seq);
    if (!turn || started?.type !== 'RunStarted' || !started.input) {
      throw sessionsError('NOT_FOUND', { reason: 'message-unknown' });
    }
    return turn;
  };

  const headerOf = (source: SessionRecord, more: Partial<SessionHeader>): SessionHeader => ({
    ...source.header,
    sessionId: ambient.newId(),
    startedAt: ambient.now(),
    forkOf: source.header.sessionId,
    parentId: null,
    delegationDepth: 0,
    delegationStart: null,
    delegatedTask: null,
    ...more,
  });

  const checkRestorable = (record: SessionRecord): void => {
    if (undo.isBusy(record)) throw sessionsError('SESSION_NOT_READY', { reason: 'agent-in-progress' });
  };

  const restore = async (record: SessionRecord, turn: TurnMark): Promise<NotRestored> => {
    const { sessionId } = record.header;
    checkRestorable(record);
    const unknown = await undo.unrecorded(record, turn);
    const from = record.lastSeq;
    await turns.resume(sessionId, { message: `/undo ${turn.number}` });
    await turns.settled(sessionId);
    return { skipped: skippedAfter(store, registry.get(sessionId), from), ...unknown };
  };

  const continueFrom = async (
    sessionId: string,
    { before, restoresFiles = false, ...message }: Continuation,
  ): Promise<Branch> => {
    const turn = turnOf(resting(sessionId), before);
    const composed = await images.compose(message);
    const left = restoresFiles ? await restore(resting(sessionId), turn) : NOTHING_LEFT;
    const source = resting(sessionId);
    const { folder } = source.header;
    const command = await slash.resolve(folder, composed.message);
    const header = headerOf(source, { assignment: composed.message, branchTurn: turn.number });
    const [input, branch] = await Promise.all([
      command ? composed : turns.withMentions(header, composed),
      needs.branchOf(folder),
    ]);
    const record = store.copy(source, header, turn.seq);
    try {
      turns.begin(record, { input, branch, slash: command });
    } catch (error) {
      store.remove(record);
      throw error;
    }
    return { sessionId: record.header.sessionId, ...left };
  };

  return {
    async create(sessionId, order) {
      if ('before' in order) return continueFrom(sessionId, order);
      const source = resting(sessionId);
      const { number, seq } = turnOf(source, order.after);
      journal.flush(source.key);
      const record = store.copy(source, headerOf(source, { branchTurn: number + 1 }), nextStart(store, source, seq));
      return { sessionId: record.header.sessionId, ...NOTHING_LEFT };
    },

    async fork(sessionId) {
      turns.assertOpen();
      const source = registry.get(sessionId);
      if (source.state !== 'concluded') throw sessionsError('SESSION_NOT_READY', { reason: 'turn-not-over' });
      journal.flush(source.key);
      return { sessionId: store.copy(source, headerOf(source, { branchTurn: null })).header.sessionId };
    },

    list: async (sessionId) => branchPoints(registry.get(sessionId), registry.list(), turnChanges.turns),

    async messages(sessionId) {
      const record = registry.get(sessionId);
      return turnChanges.turns(record).flatMap(({ seq }) => {
        const started = journal.read(record, seq);
        const text = started?.type === 'RunStarted' ? started.input?.consegna : undefined;
        return text === undefined ? [] : [{ reference: userReference(seq), text }];
      });
    },

    async preview(sessionId, reference) {
      const record = registry.get(sessionId);
      return undo.preview(record, turnOf(record, reference));
    },

    async restore(sessionId, reference) {
      const record = resting(sessionId);
      return restore(record, turnOf(record, reference));
    },
  };
}

const NOTHING_LEFT: NotRestored = { skipped: [] };

/** Sequence of the next RunStarted with a message of the user after `start`; undefined when there is none. */
function nextStart(store: SessionStore, record: SessionRecord, start: number): number | undefined {
  for (const { seq, json } of eventsOf(store, record, start)) {
    if (json.startsWith('{"type":"RunStarted"') && (JSON.parse(json) as RunStarted).input) return seq;
  }
  return undefined;
}

function skippedAfter(store: SessionStore, record: SessionRecord, after: number): string[] {
  const skipped = new Set<string>();
  for (const { json } of eventsOf(store, record, after)) {
    const event = JSON.parse(json) as SessionEvent;
    if (event.type !== 'CUSTOM' || event.name !== CUSTOM_EVENTS.undo) continue;
    const { fase, saltati } = event.value as UndoValue;
    if (fase === 'fine') for (const { percorso } of saltati) skipped.add(percorso);
  }
  return [...skipped].sort();
}
