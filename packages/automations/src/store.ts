import { join } from 'node:path';
import { type Ambient, openDatabase, retryBusy, type SqliteDatabase } from '@fucina/shared';
import type { AnyAutomation, Run, RunState } from './records.ts';

export interface StoreNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that automations.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
}

/** An event of a run, in the words of the interface; append-only. */
export type RunEventKind = 'partita' | 'fine' | 'cambiata' | 'proposta' | 'proposta-decisa' | 'saltata' | 'letta';

const MIGRATIONS = [
  `CREATE TABLE automations (
     n INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     wake_at INTEGER,
     running_run TEXT,
     record TEXT NOT NULL
   ) STRICT;
   CREATE INDEX automations_due ON automations (wake_at) WHERE wake_at IS NOT NULL;
   CREATE TABLE occurrences (
     automation TEXT NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
     at INTEGER NOT NULL,
     PRIMARY KEY (automation, at)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE runs (
     n INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     automation TEXT NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
     session TEXT,
     state TEXT NOT NULL,
     is_waiting_for_eyes INTEGER NOT NULL,
     record TEXT NOT NULL
   ) STRICT;
   CREATE INDEX runs_of_automation ON runs (automation, n);
   CREATE INDEX runs_to_look_at ON runs (n) WHERE is_waiting_for_eyes = 1;
   CREATE INDEX runs_going ON runs (n) WHERE state = 'running';
   CREATE INDEX runs_by_session ON runs (session) WHERE session IS NOT NULL;
   CREATE TABLE run_events (
     n INTEGER PRIMARY KEY,
     run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
     kind TEXT NOT NULL,
     at INTEGER NOT NULL,
     facts TEXT NOT NULL
   ) STRICT;
   CREATE INDEX run_events_of_run ON run_events (run, n);`,
  `CREATE TABLE hooks (
     automation TEXT PRIMARY KEY REFERENCES automations (id) ON DELETE CASCADE,
     record TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE watches (
     automation TEXT PRIMARY KEY REFERENCES automations (id) ON DELETE CASCADE,
     patterns TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`,
];

/** What starts an automation besides its schedule and the user: a program with a secret. Times in ms. */
export interface StoredHook {
  /** SHA-256 of the secret, in hexadecimal. */
  hash: string;
  createdAt: number;
  lastCallAt: number | null;
}

/** How many runs and claimed times of one automation are stored. */
const MAX_STORED_RUNS = 500;
const CLAIM_RETENTION_MS = 60 * 86_400_000;

/** The only file that accesses automations.db. Reads and writes whole records. */
export interface Store {
  /** All or nothing; waits up to 2 s for another process that writes. */
  write<Result>(act: () => Result): Promise<Result>;
  list(): AnyAutomation[];
  read(id: string): AnyAutomation | undefined;
  /** Inside `write`. */
  save(record: AnyAutomation): void;
  remove(id: string): void;
  /** Due automations, earliest first. */
  due(now: number, limit: number): AnyAutomation[];
  nextWake(): number | undefined;
  /** False when any process claimed it before. Call it inside `write`. */
  claim(id: string, at: number): boolean;
  isClaimed(id: string, at: number): boolean;
  saveRun(run: Run): void;
  readRun(automationId: string, runId: string): Run | undefined;
  runBySession(sessionId: string): Run | undefined;
  /** Newest first. */
  runs(automationId: string, limit: number): Run[];
  toLookAt(): Run[];
  going(): Run[];
  lastStart(): number | undefined;
  hook(automationId: string): StoredHook | undefined;
  /** Inside `write`. */
  saveHook(automationId: string, hook: StoredHook): void;
  removeHook(automationId: string): void;
  /** Patterns of files whose changes start it. */
  watch(automationId: string): string | undefined;
  watches(): { id: string; patterns: string }[];
  /** Inside `write`. */
  saveWatch(automationId: string, patterns: string | null): void;
  note(runId: string, kind: RunEventKind, facts: object): void;
  events(runId: string): { kind: RunEventKind; at: number; facts: unknown }[];
  close(): void;
}

export function openStore(needs: StoreNeeds): Store {
  const { ambient } = needs;
  let opened: SqliteDatabase | undefined;
  const db = (): SqliteDatabase => {
    if (opened) return opened;
    opened = openDatabase(join(needs.dataDir, 'automations.db'), {
      migrations: MIGRATIONS,
      mustExist: needs.isInitialised,
    });
    needs.onOpened?.();
    return opened;
  };
  const all = <Row>(sql: string, ...values: unknown[]): Row[] =>
    (
      db()
        .prepare(sql)
        .pluck()
        .all(...values) as string[]
    ).map((text) => JSON.parse(text) as Row);
  const one = <Row>(sql: string, ...values: unknown[]): Row | undefined => all<Row>(sql, ...values)[0];
  const number = (sql: string, ...values: unknown[]): number | undefined =>
    (db()
      .prepare(sql)
      .pluck()
      .get(...values) as number | null | undefined) ?? undefined;

  return {
    write: (act) => retryBusy(ambient, () => db().transaction(act).immediate()),
    list: () => all('SELECT record FROM automations ORDER BY n'),
    read: (id) => one('SELECT record FROM automations WHERE id = ?', id),
    save(record) {
      db()
        .prepare(
          `INSERT INTO automations (id, wake_at, running_run, record) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET wake_at = excluded.wake_at, running_run = excluded.running_run,
           record = excluded.record`,
        )
        .run(record.id, wakeAt(record), record.running?.runId ?? null, JSON.stringify(record));
    },
    remove: (id) => void db().prepare('DELETE FROM automations WHERE id = ?').run(id),
    due: (now, limit) =>
      all('SELECT record FROM automations WHERE wake_at <= ? ORDER BY wake_at, n LIMIT ?', now, limit),
    nextWake: () => number('SELECT min(wake_at) FROM automations WHERE wake_at IS NOT NULL'),
    claim(id, at) {
      db()
        .prepare('DELETE FROM occurrences WHERE automation = ? AND at < ?')
        .run(id, at - CLAIM_RETENTION_MS);
      return db().prepare('INSERT OR IGNORE INTO occurrences (automation, at) VALUES (?, ?)').run(id, at).changes === 1;
    },
    isClaimed: (id, at) => number('SELECT 1 FROM occurrences WHERE automation = ? AND at = ?', id, at) !== undefined,
    saveRun(run) {
      const isWaiting = run.needsLook && !run.isRead ? 1 : 0;
      const values = [run.sessionId, run.state satisfies RunState, isWaiting, JSON.stringify(run)];
      const { changes } = db()
        .prepare('UPDATE runs SET session = ?, state = ?, is_waiting_for_eyes = ?, record = ? WHERE id = ?')
        .run(...values, run.runId);
      if (changes > 0) return;
      db()
        .prepare(
          'INSERT INTO runs (session, state, is_waiting_for_eyes, record, id, automation) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(...values, run.runId, run.automationId);
      db()
        .prepare(
          `DELETE FROM runs WHERE automation = ? AND state <> 'running' AND n <=
           (SELECT n FROM runs WHERE automation = ? ORDER BY n DESC LIMIT 1 OFFSET ${MAX_STORED_RUNS})`,
        )
        .run(run.automationId, run.automationId);
    },
    readRun: (automationId, runId) =>
      one('SELECT record FROM runs WHERE automation = ? AND id = ?', automationId, runId),
    runBySession: (sessionId) => one('SELECT record FROM runs WHERE session = ?', sessionId),
    runs: (automationId, limit) =>
      all('SELECT record FROM runs WHERE automation = ? ORDER BY n DESC LIMIT ?', automationId, limit),
    toLookAt: () => all('SELECT record FROM runs WHERE is_waiting_for_eyes = 1 ORDER BY n DESC'),
    going: () => all("SELECT record FROM runs WHERE state = 'running' ORDER BY n"),
    lastStart: () => number("SELECT max(json_extract(record, '$.startedAt')) FROM runs"),
    hook: (id) => one('SELECT record FROM hooks WHERE automation = ?', id),
    saveHook(id, hook) {
      db()
        .prepare(
          'INSERT INTO hooks (automation, record) VALUES (?, ?) ON CONFLICT (automation) DO UPDATE SET record = excluded.record',
        )
        .run(id, JSON.stringify(hook));
    },
    removeHook: (id) => void db().prepare('DELETE FROM hooks WHERE automation = ?').run(id),
    watch: (id) =>
      db().prepare('SELECT patterns FROM watches WHERE automation = ?').pluck().get(id) as string | undefined,
    watches: () =>
      db().prepare('SELECT automation AS id, patterns FROM watches').all() as { id: string; patterns: string }[],
    saveWatch(id, patterns) {
      db().prepare('DELETE FROM watches WHERE automation = ?').run(id);
      if (patterns !== null) db().prepare('INSERT INTO watches (automation, patterns) VALUES (?, ?)').run(id, patterns);
    },
    note(runId, kind, facts) {
      db()
        .prepare('INSERT INTO run_events (run, kind, at, facts) VALUES (?, ?, ?, ?)')
        .run(runId, kind, ambient.now(), JSON.stringify(facts));
    },
    events: (runId) =>
      (
        db().prepare('SELECT kind, at, facts FROM run_events WHERE run = ? ORDER BY n').all(runId) as {
          kind: RunEventKind;
          at: number;
          facts: string;
        }[]
      ).map(({ facts, ...event }) => ({ ...event, facts: JSON.parse(facts) as unknown })),
    close: () => opened?.close(),
  };
}

/** When the scheduler must check it: the next time, or the end of a provider's pause if that is later. */
function wakeAt({ isOn, nextRunAt, waitsUntil }: AnyAutomation): number | null {
  if (!isOn || nextRunAt === null) return null;
  return Math.max(nextRunAt, waitsUntil ?? 0);
}
