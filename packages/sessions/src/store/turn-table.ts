import type { RunStarted, SessionEvent, SqliteDatabase, StatePatch } from '@fucina/shared';
import type { Unrecorded } from '../state/unrecorded.ts';

/** A turn that called the model, not one that the server answered itself. */
export interface TurnMark {
  /** Sequence of its RunStarted. */
  seq: number;
  /** Number in the conversation, from 1. */
  number: number;
  /** Epoch ms, and the start of the next one. */
  at: number;
  until: number;
}

/** The turns of a session and their changes, read from the journal through an index. */
export interface TurnTable {
  /** Oldest first. */
  turns(key: number): TurnMark[];
  /** Sequences of the turns that changed files. */
  changed(key: number): ReadonlySet<number>;
  deltas(key: number, turn: number): StampedDelta[];
  /** For all turns. */
  deltasBetween(key: number, from: number, until: number): StampedDelta[];
  /** SHA-256 of the contents that the journals refer to. */
  referencedContents(): Set<string>;
}

export interface StampedDelta extends Unrecorded {
  at: number;
  delta: readonly StatePatch[];
}

/** Identical to the expression in the migration: otherwise SQLite does not use the index. */
const IS_MARK = `substr(json, 1, 20) IN ('{"type":"RunStarted"', '{"type":"StateDelta"')`;
const CONTENT = /"(?:prima|dopo)Blob":"([0-9a-f]{64})"/g;

export function createTurnTable(db: SqliteDatabase): TurnTable {
  const sql = {
    starts: db.prepare<[number], { seq: number; at: number; json: string }>(
      `SELECT seq, at, json FROM events WHERE session = ? AND ${IS_MARK} AND json LIKE '{"type":"RunStarted"%' ORDER BY seq`,
    ),
    changed: db
      .prepare<[number], number>(
        `SELECT DISTINCT json_extract(json, '$.giro') FROM events
         WHERE session = ? AND ${IS_MARK} AND json LIKE '{"type":"StateDelta"%' AND json_extract(json, '$.giro') IS NOT NULL
         AND json_extract(json, '$.delta[0]') IS NOT NULL`,
      )
      .pluck(),
    deltas: db.prepare<[number, number], { at: number; json: string }>(
      `SELECT at, json FROM events WHERE session = ? AND ${IS_MARK} AND json_extract(json, '$.giro') = ? ORDER BY seq`,
    ),
    between: db.prepare<[number, number, number], { at: number; json: string }>(
      `SELECT at, json FROM events
       WHERE session = ? AND ${IS_MARK} AND json_extract(json, '$.giro') IS NOT NULL AND at >= ? AND at < ? ORDER BY seq`,
    ),
    contents: db.prepare<[], string>(`SELECT json FROM events WHERE ${IS_MARK} AND instr(json, 'Blob":"') > 0`).pluck(),
  };
  const stamped = ({ at, json }: { at: number; json: string }): StampedDelta => {
    const event = JSON.parse(json) as Extract<SessionEvent, { type: 'StateDelta' }>;
    const { delta, altri = 0, parziale = false, contesi = [] } = event;
    return { at, delta, omitted: altri, isPartial: parziale, contested: contesi };
  };

  return {
    turns(key) {
      const starts = sql.starts.all(key).filter(({ json }) => !(JSON.parse(json) as RunStarted).input?.comando);
      return starts.map(({ seq, at }, index) => {
        const until = starts[index + 1]?.at ?? Number.MAX_SAFE_INTEGER;
        return { seq, number: index + 1, at, until };
      });
    },
    changed: (key) => new Set(sql.changed.all(key)),
    deltas: (key, turn) => sql.deltas.all(key, turn).map(stamped),
    deltasBetween: (key, from, until) => sql.between.all(key, from, until).map(stamped),
    referencedContents() {
      const found = new Set<string>();
      for (const json of sql.contents.iterate()) for (const [, id = ''] of json.matchAll(CONTENT)) found.add(id);
      return found;
    },
  };
}
