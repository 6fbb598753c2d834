import type { SqliteDatabase } from '@fucina/shared';

interface Listed {
  key: number;
  revision: number;
  header: { startedAt: number };
}

/** All sessions, newest first. Only the rows changed since the last call are read. */
export interface SessionList<Record extends Listed> {
  /** The same array while nothing changed, and the same record for an unchanged session. */
  all(): readonly Record[];
  created(record: Record): void;
  /** This connection wrote the row of the session. */
  changed(key: number): void;
  removed(): void;
}

export function createSessionList<Record extends Listed>(
  db: SqliteDatabase,
  read: (key: number) => Record | undefined,
): SessionList<Record> {
  const revisions = db.prepare<[], { key: number; revision: number }>(
    'SELECT key, revision FROM sessions ORDER BY started_at DESC, key DESC',
  );
  const dataVersion = (): unknown => db.pragma('data_version', { simple: true });
  const changes = new Set<number>();
  let records: readonly Record[] = [];
  /** Positions are counted from the end, because new sessions come first. */
  let placeOf = new Map<number, number>();
  let seenVersion: unknown;

  const knownRecord = (key: number): Record | undefined => {
    const place = placeOf.get(key);
    return place === undefined ? undefined : records[records.length - place];
  };

  const scan = (): void => {
    const rows = revisions.all();
    const found = rows.flatMap(({ key, revision }) => {
      const known = knownRecord(key);
      const record = known?.revision === revision ? known : read(key);
      return record ? [record] : [];
    });
    placeOf = new Map(found.map(({ key }, at) => [key, found.length - at]));
    records = found;
  };

  const readAgain = (): void => {
    const next = [...records];
    for (const key of changes) {
      const record = read(key);
      const place = placeOf.get(key);
      if (record && place !== undefined) next[next.length - place] = record;
    }
    records = next;
  };

  return {
    all() {
      const version = dataVersion();
      if (version !== seenVersion) scan();
      else if (changes.size) readAgain();
      seenVersion = version;
      changes.clear();
      return records;
    },
    created(record) {
      if (seenVersion === undefined) return;
      const [newest] = records;
      // A clock was set back: the database decides the order.
      if (newest && newest.header.startedAt > record.header.startedAt) seenVersion = undefined;
      records = [record, ...records];
      placeOf.set(record.key, records.length);
      changes.add(record.key);
    },
    changed: (key) => void changes.add(key),
    removed() {
      seenVersion = undefined;
    },
  };
}
