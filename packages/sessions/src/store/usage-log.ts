import type { SessionEvent, SqliteDatabase } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../state/custom-events.ts';
import type { SessionHeader, SessionSettings } from '../state/session.ts';

/** What model calls used and how long turns took, noted with the events that say so. */
export interface UsageLog {
  /** Inside the transaction that stored the event. */
  note(session: NotedSession, event: SessionEvent, when: When): void;
}

export interface NotedSession {
  key: number;
  rootKey: number;
  header: SessionHeader;
  settings: SessionSettings;
}

export interface When {
  /** Of the event, epoch ms. */
  at: number;
  /** Sequence of the RunStarted of its turn. */
  runStartSeq: number;
}

/** The value of a receipt. */
interface Receipt {
  modello?: string;
  usage?: { prompt_tokens?: number; completion_tokens?: number; cached_tokens?: number | null } | null;
  costoDichiarato?: number | null;
}

export function createUsageLog(db: SqliteDatabase): UsageLog {
  const sql = {
    call: db.prepare(
      `INSERT INTO usage_calls (at, session, root, folder, model, prompt, completion, cached, usd)
       VALUES (@at, @session, (SELECT id FROM sessions WHERE key = @root), @folder, @model, @prompt, @completion, @cached, @usd)`,
    ),
    // A copy has the events of its original from before its own start.
    turn: db.prepare(
      `INSERT INTO usage_turns (at, ms, session, folder, model)
       SELECT at, @at - at, @session, @folder, @model FROM events
       WHERE session = @key AND seq = @start AND at >= @since`,
    ),
  };
  return {
    note({ key, rootKey, header, settings }, event, { at, runStartSeq }) {
      const about = { at, session: header.sessionId, folder: header.folder };
      if (event.type === 'CUSTOM' && event.name === CUSTOM_EVENTS.receipt) {
        const { modello = '', usage, costoDichiarato = null } = event.value as Receipt;
        sql.call.run({
          ...about,
          root: rootKey,
          model: modello,
          prompt: usage?.prompt_tokens ?? 0,
          completion: usage?.completion_tokens ?? 0,
          cached: usage?.cached_tokens ?? 0,
          usd: costoDichiarato,
        });
      } else if ((event.type === 'RunFinished' || event.type === 'RunError') && key === rootKey) {
        sql.turn.run({ ...about, key, model: settings.model ?? '', start: runStartSeq, since: header.startedAt });
      }
    },
  };
}
