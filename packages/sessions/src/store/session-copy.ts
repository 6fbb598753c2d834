import type { SessionEvent, SqliteDatabase, StoredEvent } from '@fucina/shared';
import { CUSTOM_EVENTS, type UndoValue } from '../state/custom-events.ts';
import { EMPTY_FOLD, foldEvent, type SessionFold } from '../state/fold.ts';
import type { SessionHeader, SessionSettings } from '../state/session.ts';
import type { CompactionTable } from './compaction-table.ts';
import type { TimelineTable } from './timeline-table.ts';

interface CopyNeeds {
  insert: { run(...values: unknown[]): { lastInsertRowid: number | bigint } };
  timeline: TimelineTable;
  compactions: CompactionTable;
}

interface CopySource {
  key: number;
  settings: SessionSettings;
  fold: SessionFold;
  lastSeq: number;
}

/** Most events of a journal, and none that the fold reads. */
const IS_DELTA = /^\{"type":"(?:Text|Reasoning)MessageContent"/;

/** Copies a session in one transaction and answers its key; with `before`, only the events below that sequence. */
export type CopySession = (source: CopySource, header: SessionHeader, before?: number) => number;

export function createSessionCopy(db: SqliteDatabase, { insert, timeline, compactions }: CopyNeeds): CopySession {
  const sql = {
    events: db.prepare(
      `INSERT INTO events (session, seq, at, json)
       SELECT @to, seq, at, json FROM events WHERE session = @from AND seq < @before`,
    ),
    vendorValues: db.prepare(
      `INSERT INTO vendor_values (session, part_id, provider, model, data)
       SELECT @to, part_id, provider, model, data FROM vendor_values WHERE session = @from`,
    ),
    event: db.prepare('INSERT INTO events (session, seq, at, json) VALUES (?, ?, ?, ?)'),
    journal: db.prepare<[number], StoredEvent>('SELECT seq, at, json FROM events WHERE session = ? ORDER BY seq'),
    at: db.prepare<[number, number], number>('SELECT at FROM events WHERE session = ? AND seq = ?').pluck(),
    fold: db.prepare('UPDATE sessions SET last_seq = ?, fold = ?, revision = revision + 1 WHERE key = ?'),
  };

  /** The fold of a journal up to `before`, and the later events that change what came earlier. */
  const readUpTo = (key: number, before: number): { fold: SessionFold; later: StampedEvent[] } => {
    let fold = EMPTY_FOLD;
    const later = createLaterChanges(before);
    for (const { seq, at, json } of sql.journal.iterate(key)) {
      if (IS_DELTA.test(json)) continue;
      const event = JSON.parse(json) as SessionEvent;
      if (seq < before) fold = foldEvent(fold, event, { seq, at });
      later.look(event, { seq, at });
    }
    return { fold, later: later.found() };
  };

  const copy = db.transaction((source: CopySource, header: SessionHeader, before?: number): number => {
    const { fold, later } = before === undefined ? { fold: source.fold, later: [] } : readUpTo(source.key, before);
    const cut = before ?? source.lastSeq + 1;
    const facts = [JSON.stringify(header), JSON.stringify(source.settings), JSON.stringify(EMPTY_FOLD)] as const;
    const { lastInsertRowid } = insert.run(header.sessionId, header.startedAt, ...facts, null, null, null);
    const key = Number(lastInsertRowid);
    const place = { from: source.key, to: key, before: cut };
    sql.events.run(place);
    sql.vendorValues.run({ from: source.key, to: key });
    timeline.copy(source.key, key, cut);
    compactions.copy(source.key, key, instantOf(sql.at.get(source.key, cut)));
    let seq = cut - 1;
    let changed = fold;
    for (const { event, at } of later) {
      seq += 1;
      changed = foldEvent(changed, event, { seq, at });
      sql.event.run(key, seq, at, JSON.stringify({ ...event, _sequenza: seq }));
    }
    sql.fold.run(seq, JSON.stringify(settled(changed)), key);
    return key;
  });
  return (source, header, before) => copy.immediate(source, header, before);
}

/** ISO 8601; later than any other where there is no event. */
function instantOf(at: number | undefined): string {
  return at === undefined ? '9999' : new Date(at).toISOString();
}

interface StampedEvent {
  event: SessionEvent;
  at: number;
}

/** Removals of messages and undone turns that were noted after a sequence and are about what came before it. */
function createLaterChanges(before: number) {
  const messages = new Set<string>();
  const found: StampedEvent[] = [];
  let isInUndo = false;
  const isAbout = (event: SessionEvent): boolean => {
    if (event.type === 'StateDelta') return isInUndo && event.delta.some(({ path }) => path.startsWith('/file/'));
    if (event.type !== 'CUSTOM') return false;
    if (event.name === CUSTOM_EVENTS.removedMessage) {
      const { riferimento } = event.value as { riferimento: string };
      const [, digits] = /^giro:(\d+)$/.exec(riferimento) ?? [];
      return digits ? Number(digits) < before : messages.has(riferimento);
    }
    if (event.name !== CUSTOM_EVENTS.undo) return false;
    const { giro, fase } = event.value as UndoValue;
    isInUndo = fase === 'inizio' && giro < before;
    return giro < before;
  };
  return {
    look(event: SessionEvent, { seq, at }: { seq: number; at: number }): void {
      if (seq < before) {
        if (event.type === 'TextMessageStart') messages.add(event.messageId);
      } else if (isAbout(event)) found.push({ event, at });
    },
    found: () => found,
  };
}

/** What belongs to processes of the original stays with it. */
function settled(fold: SessionFold): SessionFold {
  return { ...fold, openCommands: [], background: [] };
}
