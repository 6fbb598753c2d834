import { type SessionEvent, type SqliteDatabase, type StoredEvent, systemCode } from '@fucina/shared';
import { sessionsError } from './errors.ts';
import { EMPTY_FOLD, foldEvent, type SessionFold } from './fold.ts';
import { MIGRATIONS } from './migrations.ts';
import type { SessionHeader, SessionSettings, SessionState } from './session.ts';

export { MIGRATIONS };

export interface SessionRecord {
  key: number;
  header: SessionHeader;
  settings: SessionSettings;
  /** The name a person gave, or null. */
  name: string | null;
  state: SessionState;
  fold: SessionFold;
  lastSeq: number;
  /** Name of the process lock that runs the turn, or null. */
  lease: string | null;
}

/** A provider's opaque proof of a reasoning block: kept apart from the events, which are exactly what clients see. */
export interface ReasoningProof {
  messageId: string;
  provider: string;
  data: string;
}

export interface AppendExtras {
  /** Moves the session's state in the same transaction, guarded by the state it must come from. */
  move?: { from: SessionState; to: SessionState; lease: string | null };
  proofs?: readonly ReasoningProof[];
}

export interface SessionStore {
  create(header: SessionHeader, settings: SessionSettings, lease: string): SessionRecord;
  read(sessionId: string): SessionRecord | undefined;
  /** Newest first. The same object as last time for a session that nobody changed since: treat records as read only. */
  list(): SessionRecord[];
  /** Live sessions, whoever runs them. */
  listRunning(): SessionRecord[];
  /**
   * The one write path of events: numbers them, folds them, stores them and commits. Answers undefined when `move`
   * did not find the session in the state it must come from; nothing is written then.
   */
  append(record: SessionRecord, events: readonly SessionEvent[], extras?: AppendExtras): StoredEvent[] | undefined;
  writeSettings(record: SessionRecord, settings: SessionSettings): void;
  rename(record: SessionRecord, name: string): void;
  remove(record: SessionRecord): void;
  /** At most `limit` events with a sequence above `after`, in order. */
  eventsAfter(key: number, after: number, limit: number): StoredEvent[];
  proofs(key: number): ReasoningProof[];
  lastSeq(key: number): number;
  /** Changes when another process commits. */
  dataVersion(): number;
  close(): void;
}

interface Row {
  key: number;
  header: string;
  settings: string;
  name: string | null;
  state: SessionState;
  fold: string;
  last_seq: number;
  lease: string | null;
}

const COLUMNS = 'key, header, settings, name, state, fold, last_seq, lease';

export function createSessionStore(db: SqliteDatabase, now: () => number): SessionStore {
  const sql = {
    insert: db.prepare(
      `INSERT INTO sessions (id, started_at, header, settings, state, fold, last_seq, lease) VALUES (?, ?, ?, ?, 'concluded', ?, 0, ?)`,
    ),
    read: db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`),
    list: db.prepare<[], { key: number; revision: number }>(
      'SELECT key, revision FROM sessions ORDER BY started_at DESC, key DESC',
    ),
    byKey: db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM sessions WHERE key = ?`),
    running: db.prepare<[], Row>(`SELECT ${COLUMNS} FROM sessions WHERE state = 'running'`),
    seq: db.prepare<[number], number>('SELECT last_seq FROM sessions WHERE key = ?').pluck(),
    event: db.prepare('INSERT INTO events (session, seq, at, json) VALUES (?, ?, ?, ?)'),
    advance: db.prepare('UPDATE sessions SET last_seq = ?, revision = revision + 1 WHERE key = ?'),
    fold: db.prepare('UPDATE sessions SET last_seq = ?, fold = ?, revision = revision + 1 WHERE key = ?'),
    move: db.prepare('UPDATE sessions SET state = ?, lease = ? WHERE key = ? AND state = ?'),
    settings: db.prepare('UPDATE sessions SET settings = ?, revision = revision + 1 WHERE key = ?'),
    name: db.prepare('UPDATE sessions SET name = ?, revision = revision + 1 WHERE key = ?'),
    remove: db.prepare('DELETE FROM sessions WHERE key = ?'),
    after: db.prepare<[number, number, number], StoredEvent>(
      'SELECT seq, at, json FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?',
    ),
    proof: db.prepare('INSERT OR REPLACE INTO proofs (session, message_id, provider, data) VALUES (?, ?, ?, ?)'),
    proofs: db.prepare<[number], ReasoningProof>(
      'SELECT message_id AS messageId, provider, data FROM proofs WHERE session = ?',
    ),
  };

  let listed = new Map<number, { revision: number; record: SessionRecord }>();

  const append = db.transaction(
    (record: SessionRecord, events: readonly SessionEvent[], extras: AppendExtras): StoredEvent[] | undefined => {
      const { move, proofs = [] } = extras;
      if (move && sql.move.run(move.to, move.lease, record.key, move.from).changes === 0) return undefined;
      const at = now();
      let seq = sql.seq.get(record.key) ?? 0;
      let fold = record.fold;
      const stored = events.map((event) => {
        seq += 1;
        fold = foldEvent(fold, event, { seq, at });
        const json = JSON.stringify({ ...event, _sequenza: seq });
        sql.event.run(record.key, seq, at, json);
        return { seq, at, json };
      });
      for (const proof of proofs) sql.proof.run(record.key, proof.messageId, proof.provider, proof.data);
      if (fold === record.fold) sql.advance.run(seq, record.key);
      else sql.fold.run(seq, JSON.stringify(fold), record.key);
      // Applied to the caller's record only now: a statement that throws leaves it as it was.
      record.fold = fold;
      record.lastSeq = seq;
      if (move) {
        record.state = move.to;
        record.lease = move.lease;
      }
      return stored;
    },
  );

  return {
    create(header, settings, lease) {
      const fold = JSON.stringify(EMPTY_FOLD);
      const texts = [JSON.stringify(header), JSON.stringify(settings)] as const;
      const { lastInsertRowid } = writing('SESSION_STORE_HEADER_FAILED', () =>
        sql.insert.run(header.sessionId, header.startedAt, ...texts, fold, lease),
      );
      return {
        key: Number(lastInsertRowid),
        header,
        settings,
        name: null,
        state: 'concluded',
        fold: EMPTY_FOLD,
        lastSeq: 0,
        lease,
      };
    },
    read: (sessionId) => {
      const row = sql.read.get(sessionId);
      return row && fromRow(row);
    },
    list() {
      const present = new Map<number, { revision: number; record: SessionRecord }>();
      for (const { key, revision } of sql.list.all()) {
        const known = listed.get(key);
        const record = known?.revision === revision ? known.record : fromRow(sql.byKey.get(key) as Row);
        present.set(key, { revision, record });
      }
      listed = present;
      return [...present.values()].map(({ record }) => record);
    },
    listRunning: () => sql.running.all().map(fromRow),
    append: (record, events, extras = {}) =>
      writing('SESSION_STORE_WRITE_FAILED', () => append.immediate(record, events, extras)),
    writeSettings(record, settings) {
      writing('SESSION_STORE_WRITE_FAILED', () => sql.settings.run(JSON.stringify(settings), record.key));
      record.settings = settings;
    },
    rename(record, name) {
      writing('SESSION_STORE_WRITE_FAILED', () => sql.name.run(name, record.key));
      record.name = name;
    },
    remove: (record) => void writing('SESSION_STORE_DELETE_FAILED', () => sql.remove.run(record.key)),
    eventsAfter: (key, after, limit) => sql.after.all(key, after, limit),
    proofs: (key) => sql.proofs.all(key),
    lastSeq: (key) => sql.seq.get(key) ?? 0,
    dataVersion: () => db.pragma('data_version', { simple: true }) as number,
    close: () => db.close(),
  };
}

type WriteFailure = 'SESSION_STORE_HEADER_FAILED' | 'SESSION_STORE_WRITE_FAILED' | 'SESSION_STORE_DELETE_FAILED';

/** A write the disk refused becomes its declared code: nothing was committed and nothing may be answered as done. */
function writing<Result>(code: WriteFailure, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (!systemCode(error)?.startsWith('SQLITE_')) throw error;
    throw sessionsError(code, { cause: error });
  }
}

function fromRow(row: Row): SessionRecord {
  const { key, name, state, lease } = row;
  return {
    key,
    name,
    state,
    lease,
    lastSeq: row.last_seq,
    header: JSON.parse(row.header) as SessionHeader,
    settings: JSON.parse(row.settings) as SessionSettings,
    fold: JSON.parse(row.fold) as SessionFold,
  };
}
