import type { SqliteDatabase } from '@fucina/shared';

/** Tokens and cost of some calls; what has no cost yet is kept apart, by model. */
export interface CallSum {
  model: string;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  /** US dollars of the calls with a known cost. */
  usd: number;
  withoutCost: { calls: number; promptTokens: number; completionTokens: number; cachedTokens: number };
}

export interface DaySum extends CallSum {
  /** `YYYY-MM-DD`, local time. */
  day: string;
  folder: string;
}

export interface TurnSum {
  day: string;
  folder: string;
  model: string;
  ms: number;
}

/** What model calls used, as the store's `usage-log.ts` noted it. */
export interface UsageTable {
  /** Epoch ms; `until` is not included. */
  byDay(from: number, until: number): DaySum[];
  turnsByDay(from: number, until: number): TurnSum[];
  /** By model. */
  since(from: number): CallSum[];
  ofRoot(sessionId: string): CallSum[];
  models(from: number): string[];
  setting(name: string): string | undefined;
  saveSetting(name: string, value: string): void;
}

const SUMS = `count(*) AS calls, sum(prompt) AS promptTokens, sum(completion) AS completionTokens, sum(cached) AS cachedTokens,
  total(usd) AS usd, sum(usd IS NULL) AS uncosted, sum(iif(usd IS NULL, prompt, 0)) AS uncostedPrompt,
  sum(iif(usd IS NULL, completion, 0)) AS uncostedCompletion, sum(iif(usd IS NULL, cached, 0)) AS uncostedCached`;
const DAY = `date(at / 1000, 'unixepoch', 'localtime') AS day`;

interface Row extends Omit<CallSum, 'withoutCost'> {
  uncosted: number;
  uncostedPrompt: number;
  uncostedCompletion: number;
  uncostedCached: number;
}

export function createUsageTable(db: SqliteDatabase): UsageTable {
  const sql = {
    byDay: db.prepare<[number, number], Row & { day: string; folder: string }>(
      `SELECT ${DAY}, folder, model, ${SUMS} FROM usage_calls WHERE at >= ? AND at < ?
       GROUP BY day, folder, model ORDER BY day, folder, model`,
    ),
    turns: db.prepare<[number, number], TurnSum>(
      `SELECT ${DAY}, folder, model, sum(ms) AS ms FROM usage_turns WHERE at >= ? AND at < ? GROUP BY day, folder, model`,
    ),
    since: db.prepare<[number], Row>(`SELECT model, ${SUMS} FROM usage_calls WHERE at >= ? GROUP BY model`),
    ofRoot: db.prepare<[string], Row>(`SELECT model, ${SUMS} FROM usage_calls WHERE root = ? GROUP BY model`),
    models: db
      .prepare<[number], string>(`SELECT DISTINCT model FROM usage_calls WHERE at >= ? AND model <> '' ORDER BY model`)
      .pluck(),
    setting: db.prepare<[string], string>('SELECT value FROM usage_settings WHERE name = ?').pluck(),
    save: db.prepare('INSERT INTO usage_settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'),
  };
  return {
    byDay: (from, until) =>
      sql.byDay.all(from, until).map(({ day, folder, ...row }) => ({ day, folder, ...sumOf(row) })),
    turnsByDay: (from, until) => sql.turns.all(from, until),
    since: (from) => sql.since.all(from).map(sumOf),
    ofRoot: (sessionId) => sql.ofRoot.all(sessionId).map(sumOf),
    models: (from) => sql.models.all(from),
    setting: (name) => sql.setting.get(name),
    saveSetting: (name, value) => void sql.save.run(name, value),
  };
}

function sumOf({ uncosted, uncostedPrompt, uncostedCompletion, uncostedCached, ...sum }: Row): CallSum {
  const withoutCost = {
    calls: uncosted,
    promptTokens: uncostedPrompt,
    completionTokens: uncostedCompletion,
    cachedTokens: uncostedCached,
  };
  return { ...sum, withoutCost };
}
