import {
  MAX_VENDOR_VALUE,
  type SessionEvent,
  type SqliteDatabase,
  type StoredEvent,
  systemCode,
  type VendorValue,
} from '@fucina/shared';
import { sessionsError } from '../errors.ts';
import { EMPTY_FOLD, foldEvent, type SessionFold } from '../state/fold.ts';
import type { SessionHeader, SessionSettings, SessionState } from '../state/session.ts';
import { type Compaction, type CompactionTable, createCompactionTable } from './compaction-table.ts';
import { MIGRATIONS } from './migrations.ts';
import { createQueueTable, type QueueTable } from './queue-table.ts';
import { createSessionCopy } from './session-copy.ts';
import { createSessionList } from './session-list.ts';
import { createTimelineTable, type TimelineTable } from './timeline-table.ts';
import { createUsageLog } from './usage-log.ts';

export { MIGRATIONS };

export interface SessionRecord {
  key: number;
  header: SessionHeader;
  settings: SessionSettings;
  /** The name given by the user, or null. */
  name: string | null;
  state: SessionState;
  fold: SessionFold;
  lastSeq: number;
  /** Increases with every change in the database; an outdated record is refreshed before it is written. */
  revision: number;
  /** Key of the root session: its own, unless an agent started it. */
  rootKey: number;
  /** Name of the lock of the process that runs the turn, or null. */
  lease: string | null;
}

/**
 * What a vendor added to a part of an answer: stored separately from the events, which are exactly what clients see.
 */
export interface StoredVendorValue extends VendorValue {
  /** The id of its message or call. */
  partId: string;
}

export interface AppendOptions {
  /** Moves the session's state in the same transaction, guarded by the state it must come from. */
  move?: { from: SessionState; to: SessionState; lease: string | null };
  vendorValues?: readonly StoredVendorValue[];
  /** Stored in the same transaction as their events. */
  settings?: SessionSettings;
  /** Removed from the queue by the event that delivers it. */
  takesQueued?: string;
  compacts?: Compaction;
  /** `at` of the compaction that was undone. */
  undoesCompaction?: string;
}

export interface SessionStore {
  create(
    header: SessionHeader,
    settings: SessionSettings,
    origin: { lease: string; parent?: SessionRecord },
  ): SessionRecord;
  /**
   * A concluded copy of everything said and done in `source`, under a new header; with `before`, of the events below that
   * sequence, and of what was removed or undone in them later.
   */
  copy(source: SessionRecord, header: SessionHeader, before?: number): SessionRecord;
  read(sessionId: string): SessionRecord | undefined;
  /**
   * Newest first: the same array while nothing changed, and the same record for an unchanged session. Do not modify
   * records.
   */
  list(): readonly SessionRecord[];
  /** Live sessions, in any process. */
  listRunning(): SessionRecord[];
  /** Sessions with a running command, of the user or in the background. */
  listWithOpenCommands(): SessionRecord[];
  children(record: SessionRecord): SessionRecord[];
  queue: QueueTable;
  timeline: TimelineTable;
  compactions: Pick<CompactionTable, 'current'>;
  /**
   * The only write path of events: numbers, folds and stores them, and commits. Returns undefined, without writing,
   * when `move` did not find the session in the required state, or the session was deleted.
   */
  append(record: SessionRecord, events: readonly SessionEvent[], extras?: AppendOptions): StoredEvent[] | undefined;
  writeSettings(record: SessionRecord, settings: SessionSettings): void;
  rename(record: SessionRecord, name: string): void;
  remove(record: SessionRecord): void;
  /** At most `limit` events with a sequence above `after`, in order. */
  eventsAfter(key: number, after: number, limit: number): StoredEvent[];
  /** Whether any event's text starts with this; reads the whole journal at worst. */
  hasEvent(key: number, prefix: string): boolean;
  vendorValues(key: number): StoredVendorValue[];
  lastSeq(key: number): number;
  /** Changes when another process commits. */
  dataVersion(): number;
  close(): void;
}

/** A session row of the table. */
interface Row {
  key: number;
  header: string;
  settings: string;
  name: string | null;
  state: SessionState;
  fold: string;
  last_seq: number;
  lease: string | null;
  revision: number;
  root: number | null;
}

const COLUMNS = 'key, header, settings, name, state, fold, last_seq, lease, revision, root';

export function createSessionStore(db: SqliteDatabase, now: () => number): SessionStore {
  const sql = prepareStatements(db);

  const queue = createQueueTable(db);
  const timeline = createTimelineTable(db);
  const compactions = createCompactionTable(db);
  const usage = createUsageLog(db);
  const recordOf = (key: number): SessionRecord | undefined => {
    const row = sql.byKey.get(key);
    return row && fromRow(row);
  };
  const listed = createSessionList(db, recordOf);
  const copy = createSessionCopy(db, { insert: sql.insert, timeline, compactions });
  const created = (key: number): SessionRecord => {
    const record = fromRow(sql.byKey.get(key) as Row);
    listed.created(record);
    return record;
  };

  /** Of a record that is current: false when another process changed the session since it was read. */
  const writeRow = (record: SessionRecord, { fold, lastSeq }: Advanced, move: AppendOptions['move']): boolean => {
    const { key, revision } = record;
    const write = () => {
      if (move) return sql.move.run(lastSeq, JSON.stringify(fold), move.to, move.lease, key, revision);
      if (fold === record.fold) return sql.advance.run(lastSeq, key, revision);
      return sql.fold.run(lastSeq, JSON.stringify(fold), key, revision);
    };
    return write().changes === 1;
  };

  const advance = (record: SessionRecord, events: readonly SessionEvent[], { move }: AppendOptions) => {
    if (move && record.state !== move.from) return undefined;
    const next = advanced(record, events, now());
    return writeRow(record, next, move) ? next : undefined;
  };

  const append = db.transaction((record: SessionRecord, events: readonly SessionEvent[], extras: AppendOptions) => {
    const { vendorValues = [], settings, takesQueued, compacts, undoesCompaction } = extras;
    let next = advance(record, events, extras);
    if (!next) {
      const current = recordOf(record.key);
      if (current) Object.assign(record, current);
      next = current && advance(record, events, extras);
    }
    if (!next) return undefined;
    for (const { event, stored, runStartSeq } of next.entries) {
      const { seq, at, json } = stored;
      sql.event.run(record.key, seq, at, json);
      timeline.note(record, event, seq);
      usage.note(record, event, { at, runStartSeq });
    }
    for (const value of vendorValues) sql.vendorValue.run({ session: record.key, ...value });
    if (settings) sql.settings.run(JSON.stringify(settings), record.key);
    if (takesQueued) queue.remove(record.key, takesQueued);
    if (compacts) compactions.add(record.key, compacts);
    if (undoesCompaction) compactions.undo(record.key, undoesCompaction);
    return next;
  });

  return {
    queue,
    timeline,
    compactions,
    create(header, settings, { lease, parent }) {
      const facts = [JSON.stringify(header), JSON.stringify(settings), JSON.stringify(EMPTY_FOLD)] as const;
      const { lastInsertRowid } = writing('SESSION_STORE_HEADER_FAILED', () =>
        sql.insert.run(
          header.sessionId,
          header.startedAt,
          ...facts,
          lease,
          parent?.key ?? null,
          parent?.rootKey ?? null,
        ),
      );
      return created(Number(lastInsertRowid));
    },
    copy: (source, header, before) =>
      writing('SESSION_STORE_HEADER_FAILED', () => created(copy(source, header, before))),
    read: (sessionId) => {
      const row = sql.read.get(sessionId);
      return row && fromRow(row);
    },
    list: () => listed.all(),
    listRunning: () => sql.running.all().map(fromRow),
    listWithOpenCommands: () => sql.openCommands.all().map(fromRow),
    children: ({ key }) => sql.children.all(key).map(fromRow),
    append(record, events, extras = {}) {
      listed.changed(record.key);
      const next = writing('SESSION_STORE_WRITE_FAILED', () => append.immediate(record, events, extras));
      if (!next) return undefined;
      // The caller's record is updated only now: a write that fails leaves it as the database is.
      const { move, settings } = extras;
      record.revision += settings ? 2 : 1;
      if (settings) record.settings = settings;
      record.fold = next.fold;
      record.lastSeq = next.lastSeq;
      if (move) {
        record.state = move.to;
        record.lease = move.lease;
      }
      return next.entries.map(({ stored }) => stored);
    },
    writeSettings(record, settings) {
      listed.changed(record.key);
      writing('SESSION_STORE_WRITE_FAILED', () => sql.settings.run(JSON.stringify(settings), record.key));
      record.settings = settings;
      record.revision += 1;
    },
    rename(record, name) {
      listed.changed(record.key);
      writing('SESSION_STORE_WRITE_FAILED', () => sql.name.run(name, record.key));
      record.name = name;
      record.revision += 1;
    },
    remove(record) {
      listed.removed();
      writing('SESSION_STORE_DELETE_FAILED', () => sql.remove.run(record.key));
    },
    eventsAfter: (key, after, limit) => sql.after.all(key, after, limit),
    hasEvent: (key, prefix) => sql.beginning.get(key, prefix.length, prefix) !== undefined,
    vendorValues: (key) => sql.vendorValues.all(key).filter(({ data }) => data.length <= MAX_VENDOR_VALUE),
    lastSeq: (key) => sql.lastSeq.get(key) ?? 0,
    dataVersion: () => db.pragma('data_version', { simple: true }) as number,
    close: () => db.close(),
  };
}

/** A session after some events. */
interface Advanced {
  fold: SessionFold;
  lastSeq: number;
  entries: { event: SessionEvent; stored: StoredEvent; runStartSeq: number }[];
}

/** Pure: numbers the events and folds them. */
function advanced({ fold, lastSeq }: SessionRecord, events: readonly SessionEvent[], at: number): Advanced {
  let seq = lastSeq;
  let folded = fold;
  const entries = events.map((event) => {
    seq += 1;
    folded = foldEvent(folded, event, { seq, at });
    const json = JSON.stringify({ ...event, _sequenza: seq });
    return { event, stored: { seq, at, json }, runStartSeq: folded.runStartSeq };
  });
  return { fold: folded, lastSeq: seq, entries };
}

type WriteFailure = 'SESSION_STORE_HEADER_FAILED' | 'SESSION_STORE_WRITE_FAILED' | 'SESSION_STORE_DELETE_FAILED';

/** A failed write becomes its declared code: nothing was committed, and the operation must not be reported as done. */
function writing<Result>(code: WriteFailure, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (!systemCode(error)?.startsWith('SQLITE_')) throw error;
    throw sessionsError(code, { cause: error });
  }
}

function fromRow(row: Row): SessionRecord {
  const { key, name, state, lease, revision } = row;
  return {
    key,
    revision,
    rootKey: row.root ?? key,
    name,
    state,
    lease,
    lastSeq: row.last_seq,
    // A header written before there were branches does not name them.
    header: { branchTurn: null, ...(JSON.parse(row.header) as Omit<SessionHeader, 'branchTurn'>) },
    settings: JSON.parse(row.settings) as SessionSettings,
    // A fold stored before a field existed lacks that field.
    fold: { ...EMPTY_FOLD, ...(JSON.parse(row.fold) as Partial<SessionFold>) },
  };
}

function prepareStatements(db: SqliteDatabase) {
  return {
    insert: db.prepare(
      `INSERT INTO sessions (id, started_at, header, settings, state, fold, last_seq, lease, parent, root)
       VALUES (?, ?, ?, ?, 'concluded', ?, 0, ?, ?, ?)`,
    ),
    read: db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`),
    byKey: db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM sessions WHERE key = ?`),
    running: db.prepare<[], Row>(`SELECT ${COLUMNS} FROM sessions WHERE state = 'running'`),
    openCommands: db.prepare<[], Row>(
      `SELECT ${COLUMNS} FROM sessions
       WHERE json_array_length(fold, '$.openCommands') > 0 OR json_array_length(fold, '$.background') > 0`,
    ),
    children: db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM sessions WHERE parent = ? ORDER BY key`),
    lastSeq: db.prepare<[number], number>('SELECT last_seq FROM sessions WHERE key = ?').pluck(),
    event: db.prepare('INSERT INTO events (session, seq, at, json) VALUES (?, ?, ?, ?)'),
    advance: db.prepare('UPDATE sessions SET last_seq = ?, revision = revision + 1 WHERE key = ? AND revision = ?'),
    fold: db.prepare(
      'UPDATE sessions SET last_seq = ?, fold = ?, revision = revision + 1 WHERE key = ? AND revision = ?',
    ),
    move: db.prepare(
      `UPDATE sessions SET last_seq = ?, fold = ?, state = ?, lease = ?, revision = revision + 1
       WHERE key = ? AND revision = ?`,
    ),
    settings: db.prepare('UPDATE sessions SET settings = ?, revision = revision + 1 WHERE key = ?'),
    name: db.prepare('UPDATE sessions SET name = ?, revision = revision + 1 WHERE key = ?'),
    remove: db.prepare('DELETE FROM sessions WHERE key = ?'),
    after: db.prepare<[number, number, number], StoredEvent>(
      'SELECT seq, at, json FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?',
    ),
    beginning: db.prepare<[number, number, string], number>(
      'SELECT 1 FROM events WHERE session = ? AND substr(json, 1, ?) = ? LIMIT 1',
    ),
    vendorValue: db.prepare(
      `INSERT OR REPLACE INTO vendor_values (session, part_id, provider, model, data)
       VALUES (@session, @partId, @provider, @model, @data)`,
    ),
    vendorValues: db.prepare<[number], StoredVendorValue>(
      'SELECT part_id AS partId, provider, model, data FROM vendor_values WHERE session = ?',
    ),
  };
}
