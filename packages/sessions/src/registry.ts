import { join } from 'node:path';
import { type Ambient, isAppError, isLocked, type SessionEvent } from '@fucina/shared';
import { createRepeats } from './calls/repeats.ts';
import { type Checkpoint, type Conversation, createConversation } from './context/conversation.ts';
import { sessionsError } from './errors.ts';
import type { LiveTurn, TurnMemory } from './live-turn.ts';
import { CUSTOM_EVENTS, customEvent } from './state/custom-events.ts';
import type { SessionHeader } from './state/session.ts';
import { nextSessionState } from './state/session-state.ts';
import { eventsOf, hiddenTurns } from './store/events.ts';
import type { Journal } from './store/journal.ts';
import type { AppendOptions, SessionRecord, SessionStore } from './store/store.ts';
import { closingEvents } from './turn/closing.ts';

/** Records in this process: one shared object per session while its turn runs, read from the store otherwise. */
export interface Registry {
  /** Throws NOT_FOUND. */
  get(sessionId: string): SessionRecord;
  /** Also SESSION_STORE_BUSY when another living process runs it. */
  writable(sessionId: string): SessionRecord;
  list(): readonly SessionRecord[];
  /** True when another living process runs its turn: only there can a card be answered. */
  runsElsewhere(record: SessionRecord): boolean;
  /** Its sub-agents' sessions, at any depth. */
  descendants(record: SessionRecord): SessionRecord[];
  /** The root session of its tree. */
  rootOf(record: SessionRecord): SessionRecord;
  /** Its id, then those of its ancestors and fork origins; for an unknown session only the id. */
  lineage(sessionId: string): string[];
  /** Whether an ancestor of a sub-agent found an address, or the user wrote it there. */
  ancestorKnows(record: SessionRecord, address: string): boolean;
  live: Map<string, LiveTurn>;
  /** The only way to write outside a turn: a running turn sees it in its conversation, too. */
  append(record: SessionRecord, events: readonly SessionEvent[], extras?: AppendOptions): void;
  memoryOf(record: SessionRecord): TurnMemory;
  forget(record: SessionRecord): void;
  /** The model's view, rebuilt from the journal. */
  reread(record: SessionRecord, checkpoint?: Checkpoint): Conversation;
  /** Sessions whose process ended during a turn become `interrupted`, and every open call is closed. */
  recover(): number;
}

interface RegistryNeeds {
  ambient: Ambient;
  store: SessionStore;
  journal: Journal;
  locksDir: string;
  lease: string;
}

export function createRegistry(needs: RegistryNeeds): Registry {
  const { store, journal } = needs;
  const live = new Map<string, LiveTurn>();
  const memories = new Map<number, TurnMemory>();

  const current = (record: SessionRecord): SessionRecord => {
    const own = live.get(record.header.sessionId)?.record;
    if (own) return own;
    return record.state === 'running' ? settleLost(needs, record) : record;
  };

  const get = (sessionId: string): SessionRecord => {
    const record = live.get(sessionId)?.record ?? store.read(sessionId);
    if (!record) throw sessionsError('NOT_FOUND');
    return current(record);
  };

  const descendantsOf = (record: SessionRecord): SessionRecord[] =>
    store.children(record).flatMap((child) => [current(child), ...descendantsOf(child)]);

  const memoryOf = (record: SessionRecord): TurnMemory => {
    const known = memories.get(record.key);
    // Another process may have run a turn since: the journal decides.
    const memory = known?.throughSeq === record.lastSeq ? known : rebuildMemory(store, record);
    memories.delete(record.key);
    memories.set(record.key, memory);
    for (const key of [...memories.keys()].slice(0, -MAX_CACHED_CONVERSATIONS)) memories.delete(key);
    return memory;
  };

  const runsElsewhere = (record: SessionRecord): boolean =>
    record.state === 'running' && !live.has(record.header.sessionId);

  return {
    live,
    get,
    runsElsewhere,
    writable(sessionId) {
      const record = get(sessionId);
      if (runsElsewhere(record)) throw sessionsError('SESSION_STORE_BUSY');
      return record;
    },
    list() {
      const records = store.list();
      const isAnyOpen = live.size > 0 || records.some(({ state }) => state === 'running');
      return isAnyOpen ? records.map(current) : records;
    },
    descendants: descendantsOf,
    rootOf(record) {
      let root = record;
      for (let id = root.header.parentId; id !== null; id = root.header.parentId) {
        const parent = store.read(id);
        if (!parent) return root;
        root = parent;
      }
      return root;
    },
    lineage(sessionId) {
      const ids: string[] = [];
      for (let id: string | null = sessionId; id !== null; ) {
        ids.push(id);
        const header: SessionHeader | undefined = (live.get(id)?.record ?? store.read(id))?.header;
        id = header?.parentId ?? header?.forkOf ?? null;
      }
      return ids;
    },
    ancestorKnows(record, address) {
      for (let id = record.header.parentId; id !== null; ) {
        const turn = live.get(id);
        const ancestor = turn?.record ?? store.read(id);
        if (!ancestor) return false;
        const { addresses } = turn ?? memoryOf(ancestor).conversation;
        const isRoot = ancestor.header.parentId === null;
        if (addresses.isFound(address) || (isRoot && addresses.isWritten(address))) return true;
        id = ancestor.header.parentId;
      }
      return false;
    },
    append(record, events, extras) {
      const turn = live.get(record.header.sessionId);
      if (turn) turn.append(events, extras);
      else journal.append(record, events, extras);
    },
    memoryOf,
    forget: (record) => void memories.delete(record.key),
    reread(record, checkpoint) {
      // A result may not be stored yet.
      journal.flush(record.key);
      return rebuildMemory(store, record, checkpoint).conversation;
    },
    recover() {
      const lost = store.listRunning().filter((record) => settleLost(needs, record).state === 'interrupted');
      for (const record of store.listWithOpenCommands()) closeLostCommands(needs, record);
      return lost.length;
    },
  };
}

/** A running record whose process has ended is marked interrupted; one owned by a living process is left alone. */
function settleLost({ ambient, store, journal, locksDir, lease }: RegistryNeeds, record: SessionRecord): SessionRecord {
  // Our own lease without a live turn: the turn's last event could not be stored.
  const isOwnedElsewhere = record.lease !== null && record.lease !== lease && isLocked(join(locksDir, record.lease));
  if (isOwnedElsewhere) return record;
  const lost: SessionEvent = {
    type: 'RunError',
    code: 'SESSION_INTERRUPTED',
    message: 'The program stopped in the middle of this turn.',
  };
  const closing = closingEvents(record, { ambient, journal }, 'lost');
  const to = nextSessionState(record.state, 'lose-process');
  try {
    const moved = journal.append(record, [...closing, lost], { move: { from: 'running', to, lease: null } });
    return moved ? record : (store.read(record.header.sessionId) ?? record);
  } catch (error) {
    if (!isAppError(error, 'SESSION_STORE_WRITE_FAILED')) throw error;
    // A full disk must not hide the session: it is shown in its real state, and closed later.
    ambient.log.warn('session.interruption-not-saved', { sessionId: record.header.sessionId, error });
    return { ...record, state: to };
  }
}

/** Commands that ran beside a turn ended with their process. */
function closeLostCommands({ ambient, journal }: RegistryNeeds, record: SessionRecord): void {
  const { openCommands, background } = record.fold;
  const errore = 'The program stopped before this command ended.';
  const closing: SessionEvent[] = [
    ...openCommands.map((comandoId): SessionEvent => ({ type: 'ComandoUtenteFinito', comandoId, errore })),
    ...background.map((toolCallId) =>
      customEvent(CUSTOM_EVENTS.background, { toolCallId, fase: 'fine', codice: null }),
    ),
  ];
  try {
    journal.append(record, closing);
  } catch (error) {
    if (!isAppError(error, 'SESSION_STORE_WRITE_FAILED')) throw error;
    ambient.log.warn('session.commands-not-closed', { sessionId: record.header.sessionId, error });
  }
}

/** Conversations cached for a next turn; older ones are read from the journal again. */
const MAX_CACHED_CONVERSATIONS = 8;

function rebuildMemory(
  store: SessionStore,
  record: SessionRecord,
  checkpoint: Checkpoint | undefined = store.compactions.current(record.key),
): TurnMemory {
  const hidden = hiddenTurns(record);
  const conversation = createConversation(store.vendorValues(record.key), checkpoint, hidden);
  const usedCallIds = new Set<string>();
  for (const { seq, json } of eventsOf(store, record)) {
    const event = JSON.parse(json) as SessionEvent;
    if (event.type === 'ToolCallStart') usedCallIds.add(event.toolCallId);
    conversation.apply(event, seq);
  }
  const repeats = createRepeats();
  return {
    runId: '',
    conversation,
    usedCallIds,
    repeats,
    askedReads: new Set(),
    brief: undefined,
    rules: undefined,
    pace: { answeredAt: undefined, isPausing: false },
    throughSeq: record.lastSeq,
  };
}
