import type { SqliteDatabase } from '@fucina/shared';
import type { TurnInput } from '../state/session.ts';

/** A message that waits for the running turn to end. */
export interface QueuedMessage {
  id: string;
  input: TurnInput;
  /** Who queued it, if not the user. */
  origin?: string;
  childId?: string;
}

export interface MessageQueue {
  messages: QueuedMessage[];
  isPaused: boolean;
}

/** The queue of a session, in insertion order. Every call is one transaction. */
export interface QueueTable {
  read(key: number): MessageQueue;
  /** Appends a message and unpauses the queue; returns its position, from 1. */
  add(key: number, message: QueuedMessage): number;
  /** Undefined when it is missing. An emptied queue is no longer paused. */
  remove(key: number, id: string): QueuedMessage | undefined;
  /** No effect on an empty queue. */
  pause(key: number): void;
}

interface QueueRow {
  isPaused: 0 | 1;
  id: string | null;
  message: string;
}

export function createQueueTable(db: SqliteDatabase): QueueTable {
  const sql = {
    /** One row at least, of a session that exists: without an id when its queue is empty. */
    all: db.prepare<[number], QueueRow>(
      `SELECT queue_paused AS isPaused, queue.id AS id, message
       FROM sessions LEFT JOIN queue ON queue.session = sessions.key WHERE sessions.key = ? ORDER BY position`,
    ),
    add: db.prepare(
      `INSERT INTO queue (session, position, id, message)
       SELECT @key, coalesce(max(position), 0) + 1, @id, @message FROM queue WHERE session = @key`,
    ),
    remove: db.prepare('DELETE FROM queue WHERE session = ? AND id = ?'),
    count: db.prepare<[number], number>('SELECT count(*) FROM queue WHERE session = ?').pluck(),
    setPaused: db.prepare('UPDATE sessions SET queue_paused = ? WHERE key = ?'),
  };
  const read = (key: number): MessageQueue => {
    const rows = sql.all.all(key);
    return { messages: rows.flatMap(messagesOf), isPaused: rows[0]?.isPaused === 1 };
  };

  const add = db.transaction((key: number, { id, ...message }: QueuedMessage): number => {
    sql.add.run({ key, id, message: JSON.stringify(message) });
    sql.setPaused.run(0, key);
    return sql.count.get(key) ?? 0;
  });
  const remove = db.transaction((key: number, id: string): QueuedMessage | undefined => {
    const message = read(key).messages.find((one) => one.id === id);
    sql.remove.run(key, id);
    if (sql.count.get(key) === 0) sql.setPaused.run(0, key);
    return message;
  });

  return {
    add,
    remove,
    read,
    pause(key) {
      if (sql.count.get(key)) sql.setPaused.run(1, key);
    },
  };
}

function messagesOf({ id, message }: QueueRow): QueuedMessage[] {
  return id === null ? [] : [{ ...(JSON.parse(message) as Omit<QueuedMessage, 'id'>), id }];
}
