import type { SqliteDatabase, StoredEvent } from '@fucina/shared';
import type { SessionState } from './session.ts';
import type { ReasoningProof } from './store.ts';

/** A session as its table has it. */
export interface Row {
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

export function prepareStatements(db: SqliteDatabase) {
  return {
    insert: db.prepare(
      `INSERT INTO sessions (id, started_at, header, settings, state, fold, last_seq, lease, parent, root)
       VALUES (?, ?, ?, ?, 'concluded', ?, 0, ?, ?, ?)`,
    ),
    read: db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`),
    list: db.prepare<[], { key: number; revision: number }>(
      'SELECT key, revision FROM sessions ORDER BY started_at DESC, key DESC',
    ),
    byKey: db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM sessions WHERE key = ?`),
    running: db.prepare<[], Row>(`SELECT ${COLUMNS} FROM sessions WHERE state = 'running'`),
    openCommands: db.prepare<[], Row>(
      `SELECT ${COLUMNS} FROM sessions
       WHERE json_array_length(fold, '$.openCommands') > 0 OR json_array_length(fold, '$.background') > 0`,
    ),
    children: db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM sessions WHERE parent = ? ORDER BY key`),
    head: db.prepare<[number], { last_seq: number; revision: number }>(
      'SELECT last_seq, revision FROM sessions WHERE key = ?',
    ),
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
    beginning: db.prepare<[number, number, string], number>(
      'SELECT 1 FROM events WHERE session = ? AND substr(json, 1, ?) = ? LIMIT 1',
    ),
    copyEvents: db.prepare(
      'INSERT INTO events (session, seq, at, json) SELECT ?, seq, at, json FROM events WHERE session = ?',
    ),
    copyProofs: db.prepare(
      `INSERT INTO proofs (session, message_id, provider, data)
       SELECT ?, message_id, provider, data FROM proofs WHERE session = ?`,
    ),
    proof: db.prepare('INSERT OR REPLACE INTO proofs (session, message_id, provider, data) VALUES (?, ?, ?, ?)'),
    proofs: db.prepare<[number], ReasoningProof>(
      'SELECT message_id AS messageId, provider, data FROM proofs WHERE session = ?',
    ),
  };
}
