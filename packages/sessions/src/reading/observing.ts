import type { Parts, SessionsNeeds } from '../parts.ts';
import { eventsOf } from '../store/events.ts';
import type { FollowItem } from '../store/journal.ts';
import type { SearchHit } from '../store/search-table.ts';
import type { TurnTimes } from '../store/timeline-table.ts';
import { type Ledger, readLedger } from './ledger.ts';
import { type SessionMetrics, sessionMetrics } from './metrics.ts';
import { listRows, rowOf, type SessionRow } from './row.ts';
import { type SessionCost, sessionCost } from './session-cost.ts';
import { createTurnTraces, type TracedTurn } from './turn-traces.ts';

export interface SessionExport {
  record: SessionRow;
  events: unknown[];
}

export type FoundSession = SessionRow & { hits?: readonly SearchHit[] };

const MAX_HITS = 100;

/** Read access to sessions; nothing here changes one. */
export interface Observing {
  list(): Promise<readonly SessionRow[]>;
  read(sessionId: string): Promise<SessionRow>;
  export(sessionId: string): Promise<SessionExport>;
  metrics(sessionId: string, ageOf?: number): Promise<SessionMetrics>;
  ledger(sessionId: string): Promise<Ledger>;
  /** When its turns started and ended, oldest first. */
  turnTimes(sessionId: string): Promise<readonly TurnTimes[]>;
  /** What a turn spent its time on; without a reference the latest. NOT_FOUND for an unknown turn. */
  turnTrace(sessionId: string, reference?: string): Promise<TracedTurn>;
  cost(sessionId: string): Promise<SessionCost>;
  follow(sessionId: string, after: number, signal: AbortSignal): AsyncIterable<FollowItem>;
  folderOf(sessionId: string): Promise<string>;
  /** Sessions that match the text, best first, with the location; all sessions without a text. */
  search(text: string | undefined): Promise<readonly FoundSession[]>;
}

export function createObserving(
  { ambient }: SessionsNeeds,
  { registry, journal, store, views, search, watching }: Parts,
): Observing {
  return {
    list: async () => listRows(registry.list(), ambient.now()),
    async search(text) {
      const rows = listRows(registry.list(), ambient.now());
      if (text === undefined) return rows;
      const found = new Map<string, SearchHit[]>();
      for (const hit of await search.find(text, { limit: MAX_HITS })) {
        found.set(hit.sessionId, [...(found.get(hit.sessionId) ?? []), hit]);
      }
      const byId = new Map(rows.map((row) => [row.header.sessionId, row]));
      return [...found].flatMap(([sessionId, hits]) => {
        const row = byId.get(sessionId);
        return row ? [{ ...row, hits }] : [];
      });
    },
    read: async (sessionId) => rowOf(registry.get(sessionId), ambient.now()),

    async export(sessionId) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      const events = [...eventsOf(store, record)].map(({ json }) => JSON.parse(json) as unknown);
      return { record: rowOf(record, ambient.now()), events };
    },

    async metrics(sessionId, ageOf) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      const { meter } = await views.of(record);
      const [aged] = ageOf === undefined ? [] : store.eventsAfter(record.key, ageOf - 1, 1);
      const eventAge = aged && aged.seq === ageOf ? { sequence: aged.seq, ms: ambient.now() - aged.at } : null;
      return { ...sessionMetrics(record, meter, ambient.now()), eventAge };
    },

    async ledger(sessionId) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      const { book } = await views.of(record);
      return readLedger(record, book, ambient.now());
    },

    async turnTimes(sessionId) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      return store.timeline.turnTimes(record);
    },

    turnTrace: createTurnTraces({ registry, journal, store }).trace,

    cost: async (sessionId) => sessionCost(registry.get(sessionId), { journal, store }),

    follow(sessionId, after, signal) {
      const record = registry.get(sessionId);
      return watching.during(record, journal.follow(record, after, signal));
    },
    folderOf: async (sessionId) => registry.get(sessionId).header.folder,
  };
}
