import type { SessionEvent, SqliteDatabase } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../state/custom-events.ts';

/** What model calls used and how long turns took, noted with the events that say so. */
export interface UsageLog {
  /** Inside the transaction that stored the event. */
  note(key: number, event: SessionEvent, seq: number): void;
}

export function createUsageLog(db: SqliteDatabase): UsageLog {
  const sql = {
    call: db.prepare<[number, number]>(
      `INSERT INTO usage_calls SELECT at, session, root, folder, model, prompt, completion, cached, usd
       FROM usage_receipts WHERE key = ? AND seq = ?`,
    ),
    turn: db.prepare<[number, number]>(
      'INSERT INTO usage_turns SELECT at, ms, session, folder, model FROM usage_endings WHERE key = ? AND seq = ?',
    ),
  };
  return {
    note(key, event, seq) {
      if (event.type === 'CUSTOM' && event.name === CUSTOM_EVENTS.receipt) sql.call.run(key, seq);
      else if (event.type === 'RunFinished' || event.type === 'RunError') sql.turn.run(key, seq);
    },
  };
}
