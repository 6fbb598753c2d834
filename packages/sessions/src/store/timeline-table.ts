import type { SessionEvent, SqliteDatabase } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../state/custom-events.ts';

/** Events of all agents of one conversation in one order: numbers from 1, rising by 1, never renumbered. */
export interface TimelineTable {
  /** Inside the transaction that stores the event. */
  note(session: { key: number; rootKey: number }, event: SessionEvent, sourceSeq: number): void;
  /** What the original itself did below a sequence of its own, as the beginning of its copy. */
  copy(from: number, to: number, before: number): void;
  last(rootKey: number): number;
  page(rootKey: number, range: { after: number; through: number; limit: number }): TimelineEntry[];
  /** When the turns of one session started and ended, oldest first; `end` is null for one that runs. */
  turnTimes(session: { key: number; rootKey: number }): TurnTimes[];
}

/** Epoch ms. */
export interface TurnTimes {
  /** Sequence of the turn's first event. */
  seq: number;
  start: number;
  end: number | null;
}

export interface TimelineEntry {
  seq: number;
  /** Epoch ms. */
  at: number;
  sessionId: string;
  sourceSeq: number;
  /** The event as stored. */
  json: string;
}

/** Milestones only: streamed events and details stay in the session's own journal. */
const MILESTONES: ReadonlySet<string> = new Set<SessionEvent['type']>([
  'RunStarted',
  'RunFinished',
  'RunError',
  'RunRedirectApplied',
  'QueuedMessageDelivered',
  'ToolCallStart',
  'ToolCallResult',
  'ApprovalRequested',
  'ApprovalResolved',
  'UserQuestionRequested',
  'UserQuestionResolved',
]);

export function createTimelineTable(db: SqliteDatabase): TimelineTable {
  const sql = {
    add: db.prepare(
      `INSERT INTO timeline (root, seq, session, source_seq)
       VALUES (@root, (SELECT coalesce(max(seq), 0) + 1 FROM timeline WHERE root = @root), @session, @source)`,
    ),
    copy: db.prepare(
      `INSERT INTO timeline (root, seq, session, source_seq)
       SELECT @to, row_number() OVER (ORDER BY seq), @to, source_seq FROM timeline
       WHERE session = @from AND source_seq < @before`,
    ),
    last: db.prepare<[number], number>('SELECT coalesce(max(seq), 0) FROM timeline WHERE root = ?').pluck(),
    turns: db.prepare<[number, number], { seq: number; at: number; isStart: 0 | 1 }>(
      `SELECT source_seq AS seq, events.at AS at, json LIKE '{"type":"RunStarted"%' AS isStart
       FROM timeline
       JOIN events ON events.session = timeline.session AND events.seq = source_seq
       WHERE timeline.root = ? AND timeline.session = ?
         AND (json LIKE '{"type":"RunStarted"%' OR json LIKE '{"type":"RunFinished"%' OR json LIKE '{"type":"RunError"%')
       ORDER BY source_seq`,
    ),
    page: db.prepare<[number, number, number, number], TimelineEntry>(
      `SELECT timeline.seq AS seq, events.at AS at, sessions.id AS sessionId, source_seq AS sourceSeq, json
       FROM timeline
       JOIN events ON events.session = timeline.session AND events.seq = source_seq
       JOIN sessions ON sessions.key = timeline.session
       WHERE timeline.root = ? AND timeline.seq > ? AND timeline.seq <= ? ORDER BY timeline.seq LIMIT ?`,
    ),
  };
  return {
    note({ key, rootKey }, event, sourceSeq) {
      const isPlan = event.type === 'CUSTOM' && event.name === CUSTOM_EVENTS.plan;
      if (isPlan || MILESTONES.has(event.type)) sql.add.run({ root: rootKey, session: key, source: sourceSeq });
    },
    copy: (from, to, before) => void sql.copy.run({ from, to, before }),
    last: (rootKey) => sql.last.get(rootKey) ?? 0,
    page: (rootKey, { after, through, limit }) => sql.page.all(rootKey, after, through, limit),
    turnTimes({ key, rootKey }) {
      const turns: TurnTimes[] = [];
      for (const { seq, at, isStart } of sql.turns.iterate(rootKey, key)) {
        const last = turns.at(-1);
        if (isStart) turns.push({ seq, start: at, end: null });
        else if (last) last.end ??= at;
      }
      return turns;
    },
  };
}
