import type { Ambient, SqliteDatabase } from '@fucina/shared';
import type { ChatImages } from '../context/images.ts';

/** Which pictures the journals show, read from the events themselves: whoever adds, copies or deletes events says nothing. */
export interface ImageTable {
  /** Ids, and perhaps a few more texts of the same shape. */
  referenced(): Set<string>;
}

/** Nobody waits for it: once, when the start is over. */
const FIRST_SWEEP_MS = 60_000;
/** An upload that no message shows yet may still be on its way into one. */
const KEEP_MS = 24 * 3_600_000;

/** Deletes, once and later, the pictures no conversation shows; the answer calls it off. */
export function sweepLater(ambient: Ambient, images: Pick<ChatImages, 'sweep'>, table: ImageTable): () => void {
  return ambient.timer(FIRST_SWEEP_MS, () => {
    const used = table.referenced();
    images
      .sweep((id) => used.has(id), ambient.now() - KEEP_MS)
      .then(
        (swept) => swept && ambient.log.info('images.swept', { swept }),
        (error: unknown) => ambient.log.warn('images.sweep-failed', { error }),
      );
  });
}

/** Quotes inside a text are escaped in JSON, so only a field has this name. */
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
