import { type Ambient, retryBusy } from '@fucina/shared';
import { fold, type Store } from './store.ts';

/** Who created a record. */
export type Origin = 'person' | 'model';

/** Fields of every record; times in ms. */
export interface LibraryRecord {
  /** A random UUID. */
  id: string;
  title: string;
  origin: Origin;
  createdAt: number;
  updatedAt: number;
}

export interface ListOptions {
  /** Only records that contain this text in title or body, ignoring case and accents. */
  text?: string | undefined;
  limit?: number | undefined;
}

export interface RecordTable<Fields extends object> {
  /** Newest update first, then by id; for a text search, last written first. */
  list(options?: ListOptions & { where?: Filter | undefined }): (Fields & LibraryRecord)[];
  read(id: string): (Fields & LibraryRecord) | undefined;
  /** If `unless` returns an existing record, nothing is written. */
  insert(
    fields: Fields,
    origin: Origin,
    unless?: () => (Fields & LibraryRecord) | undefined,
  ): Promise<{ record: Fields & LibraryRecord; isNew: boolean }>;
  update(id: string, patch: Partial<Fields>): Promise<(Fields & LibraryRecord) | undefined>;
  /** Returns the deleted record. */
  remove(id: string): Promise<(Fields & LibraryRecord) | undefined>;
}

/** A constant condition and its values. */
export interface Filter {
  sql: string;
  values: readonly string[];
}

export interface RecordTableNeeds<Fields> {
  ambient: Ambient;
  store: Store;
  name: 'notes' | 'tasks' | 'memories';
  /** The column that is searched in addition to the title. */
  text: string;
  /** Field → column, the title's included. */
  columns: Readonly<Record<keyof Fields & string, string>>;
}

/** The full-text index contains trigrams: shorter texts are searched record by record. */
const SHORTEST_INDEXED = 3;

/** One table of library.db. A record is written in one transaction; waits for another process that writes. */
export function createRecordTable<Fields extends { title: string }>(
  needs: RecordTableNeeds<Fields>,
): RecordTable<Fields> {
  const { ambient, store, name, text, columns } = needs;
  const fields = Object.entries(columns) as [keyof Fields & string, string][];
  const every = ['id', ...fields.map(([, column]) => column), 'origin', 'created_at', 'updated_at'];
  const aliases = fields.map(([field, column]) => `${name}.${column} AS ${field}`).join(', ');
  const select = `SELECT ${name}.id AS id, ${aliases}, origin, created_at AS createdAt, updated_at AS updatedAt`;
  const rowOf = (record: Fields & LibraryRecord): unknown[] => [
    record.id,
    ...fields.map(([field]) => record[field]),
    record.origin,
    record.createdAt,
    record.updatedAt,
  ];

  const read = (id: string): (Fields & LibraryRecord) | undefined =>
    store.db().prepare(`${select} FROM ${name} WHERE id = ?`).get(id) as (Fields & LibraryRecord) | undefined;
  const write = <Result>(act: () => Result): Promise<Result> =>
    retryBusy(ambient, () => store.db().transaction(act).immediate());

  return {
    read,

    list({ text: wanted = '', limit = -1, where } = {}) {
      const words = wanted.replaceAll('\0', '').trim().normalize();
      const isIndexed = [...fold(words)].length >= SHORTEST_INDEXED;
      const { sql = 'TRUE', values = [] } = where ?? {};
      const all = (from: string, order: string, ...more: unknown[]): (Fields & LibraryRecord)[] =>
        store
          .db()
          .prepare(`${select} FROM ${from} AND ${sql} ORDER BY ${order} LIMIT ?`)
          .all(...more, ...values, limit) as (Fields & LibraryRecord)[];
      if (words === '') return all(`${name} WHERE TRUE`, 'updated_at DESC, id');
      if (!isIndexed) {
        const body = `fold(title || char(10) || coalesce(${text}, ''))`;
        return all(`${name} WHERE instr(${body}, ?)`, 'n DESC', fold(words));
      }
      const found = `${name}_words JOIN ${name} ON n = ${name}_words.rowid WHERE ${name}_words MATCH ?`;
      return all(found, `${name}_words.rowid DESC`, `"${words.replaceAll('"', '""')}"`);
    },

    insert: (given, origin, unless) =>
      write(() => {
        const known = unless?.();
        if (known) return { record: known, isNew: false };
        const now = ambient.now();
        const record: Fields & LibraryRecord = {
          ...given,
          id: ambient.newId(),
          origin,
          createdAt: now,
          updatedAt: now,
        };
        const places = every.map(() => '?').join(', ');
        store
          .db()
          .prepare(`INSERT INTO ${name} (${every.join(', ')}) VALUES (${places})`)
          .run(...rowOf(record));
        return { record, isNew: true };
      }),

    update: (id, patch) =>
      write(() => {
        const before = read(id);
        if (!before) return undefined;
        const record = { ...before, ...patch, updatedAt: Math.max(ambient.now(), before.updatedAt) };
        const assigned = every.map((column) => `${column} = ?`).join(', ');
        store
          .db()
          .prepare(`UPDATE ${name} SET n = (SELECT max(n) + 1 FROM ${name}), ${assigned} WHERE id = ?`)
          .run(...rowOf(record), id);
        return record;
      }),

    remove: (id) =>
      write(() => {
        const before = read(id);
        if (before) store.db().prepare(`DELETE FROM ${name} WHERE id = ?`).run(id);
        return before;
      }),
  };
}
