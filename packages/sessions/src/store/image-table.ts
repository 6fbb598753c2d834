import type { SqliteDatabase } from '@fucina/shared';

/**
 * The images that journals refer to, found by searching the events themselves, so that no other code has to maintain
 * references.
 */
export interface ImageTable {
  /** Ids, and possibly other texts of the same shape. */
  referenced(): Set<string>;
}

/** Quotes inside a text are escaped in JSON, so only a field can match this. */
const SHOWS_PICTURES = `instr(json, '"immagini":') > 0`;
const ID = /"id":"([0-9a-f]{64})"/g;

export function createImageTable(db: SqliteDatabase): ImageTable {
  const events = db.prepare<[], string>(`SELECT json FROM events WHERE ${SHOWS_PICTURES}`).pluck();
  const queued = db.prepare<[], string>('SELECT message FROM queue').pluck();
  return {
    referenced() {
      const ids = new Set<string>();
      for (const json of events.iterate()) for (const [, id = ''] of json.matchAll(ID)) ids.add(id);
      for (const message of queued.iterate()) for (const [, id = ''] of message.matchAll(ID)) ids.add(id);
      return ids;
    },
  };
}
