import { chmodSync, closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { type SqliteDatabase } from './sqlite.ts';
import { sqliteDriver } from './sqlite-driver.ts';

/** The recovery result of one table. */
export interface RecoveredTable {
  name: string;
  rows: number;
  /** At least this many rows are lost; null when their number is unknown. */
  lost: number | null;
}

interface SchemaEntry {
  type: string;
  name: string;
  table: string;
  sql: string | null;
}

type Row = Record<string, unknown>;

/** Maximum failed reads per table: then the search of a gap stops. */
const MAX_FAILURES = 4_000;

/**
 * Copies the readable data of a damaged file into a new one: the schema, then each table row by row, from both ends and
 * then by bisecting the damaged range of row ids. SQLite may write to `from`: pass a copy. `to` must not exist; it
 * becomes an empty database when not even the schema is readable.
 */
export function recoverDatabase(from: string, to: string): RecoveredTable[] {
  const target = new (sqliteDriver())(to);
  chmodSync(to, 0o600);
  try {
    target.pragma('journal_mode = DELETE');
    target.pragma('foreign_keys = OFF');
    // Writes the first page: an empty file counts as a missing one.
    target.exec('CREATE TABLE recovery (x); DROP TABLE recovery;');
    const header = readHeader(from);
    const source = header && openDamaged(from);
    if (!source) return [];
    try {
      return copyAll(source, target, header.userVersion);
    } finally {
      source.close();
    }
  } finally {
    target.close();
  }
}

interface Header {
  userVersion: number;
}

const MAGIC = 'SQLite format 3\0';

/** Undefined for a file without a database header. A truncated file is extended to the size in its header. */
function readHeader(file: string): Header | undefined {
  const handle = openSync(file, 'r+');
  try {
    const bytes = Buffer.alloc(100);
    if (readSync(handle, bytes, 0, 100, 0) < 100 || bytes.toString('latin1', 0, 16) !== MAGIC) return undefined;
    const pageBytes = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16);
    const sizeBytes = pageBytes * bytes.readUInt32BE(28);
    if (sizeBytes <= MAX_SIZE && sizeBytes > fstatSync(handle).size) ftruncateSync(handle, sizeBytes);
    return { userVersion: bytes.readUInt32BE(60) };
  } finally {
    closeSync(handle);
  }
}

/** A sparse file of that size takes no space; a larger size means that the header itself is damaged. */
const MAX_SIZE = 1024 ** 4;

function openDamaged(file: string): SqliteDatabase | undefined {
  try {
    const db = new (sqliteDriver())(file, { fileMustExist: true });
    db.pragma('query_only = ON');
    db.pragma('cell_size_check = ON');
    return db;
  } catch {
    return undefined; // Unreadable.
  }
}

function copyAll(source: SqliteDatabase, target: SqliteDatabase, userVersion: number): RecoveredTable[] {
  const schema = schemaOf(source);
  const virtual = schema.filter(({ sql }) => /^CREATE VIRTUAL TABLE/i.test(sql ?? ''));
  const tables = schema.filter(
    ({ type, name, sql }) => type === 'table' && sql && !name.startsWith('sqlite_') && !isPartOf(name, virtual),
  );
  const copied = target.transaction(() => {
    const plain = tables.filter((table) => !virtual.includes(table));
    for (const { sql } of plain) target.exec(sql as string);
    const outcomes = plain.map(({ name }) => copyTable({ source, target, name }));
    for (const { type, sql } of schema) if (type === 'index' && sql) tryExec(target, sql);
    for (const { name, sql } of virtual) {
      target.exec(sql as string);
      // A full-text index over another table is rebuilt from it.
      if (/content\s*=/i.test(sql as string))
        target.exec(`INSERT INTO ${quoted(name)} (${quoted(name)}) VALUES ('rebuild')`);
    }
    for (const { type, sql } of schema) if ((type === 'trigger' || type === 'view') && sql) tryExec(target, sql);
    const orphans = removeOrphans(target);
    target.pragma(`user_version = ${userVersion}`);
    return outcomes.map((table) => withOrphans(table, orphans.get(table.name) ?? 0));
  })();
  return copied;
}

function schemaOf(source: SqliteDatabase): SchemaEntry[] {
  const entries: SchemaEntry[] = [];
  try {
    const all = source.prepare('SELECT type, name, tbl_name AS "table", sql FROM sqlite_master');
    for (const entry of all.iterate()) entries.push(entry as SchemaEntry);
  } catch {
    // Only the rows before the damage are available.
  }
  return entries;
}

/** Internal tables of a virtual table. */
function isPartOf(name: string, virtual: readonly SchemaEntry[]): boolean {
  return virtual.some((one) => name.startsWith(`${one.name}_`) && /_(data|idx|content|docsize|config)$/.test(name));
}

function tryExec(target: SqliteDatabase, sql: string): void {
  try {
    target.exec(sql);
  } catch {
    // A unique index over rows that damage made equal: the rows take precedence.
  }
}

interface Copying {
  source: SqliteDatabase;
  target: SqliteDatabase;
  name: string;
}

function copyTable(copying: Copying): RecoveredTable {
  const { source, target, name } = copying;
  const columns = (
    target.pragma(`table_xinfo(${quoted(name)})`) as { name: string; pk: number; hidden: number }[]
  ).filter(({ hidden }) => hidden === 0);
  const isWithoutRowid = (target.pragma(`table_list(${quoted(name)})`) as { wr: number }[])[0]?.wr === 1;
  const places = columns.map(() => '?').join(', ');
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const insert = target.prepare(`INSERT OR IGNORE INTO ${quoted(name)} (${names}) VALUES (${places})`);
  let rows = 0;
  const put = (row: Row): void => {
    try {
      rows += insert.run(columns.map((column) => row[column.name])).changes;
    } catch {
      // A row whose values violate the table's constraints is damaged.
    }
  };
  if (isWithoutRowid) {
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    readFromBothEnds(copying, { names, key: key.map((column) => quoted(column.name)), put });
    return { name, rows, lost: lostOf(countOf(source, name), rows) };
  }
  const missing = readByNumber(copying, { names, put });
  return { name, rows, lost: lostOf(countOf(source, name), rows) ?? missing };
}

const lostOf = (counted: number | undefined, rows: number): number | null =>
  counted === undefined ? null : Math.max(0, counted - rows);

/** Rows found twice are stored once. */
function readFromBothEnds(
  { source, name }: Copying,
  { names, key, put }: { names: string; key: readonly string[]; put(row: Row): void },
): void {
  for (const order of ['ASC', 'DESC']) {
    const sorted = key.map((column) => `${column} ${order}`).join(', ');
    if (readAll(source, `SELECT ${names} FROM ${quoted(name)} ORDER BY ${sorted}`, { values: [], put })) return;
  }
}

const NUMBER = '"recovered row number"';
const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Returns how many row ids between readable rows could not be read; null when the damage has no end. */
function readByNumber(
  { source, name }: Copying,
  { names, put }: { names: string; put(row: Row): void },
): number | null {
  let failures = 0;
  let missing: bigint | null | undefined;
  const select = `SELECT rowid AS ${NUMBER}, ${names} FROM ${quoted(name)} WHERE rowid BETWEEN ? AND ? ORDER BY rowid`;
  const gaps: [bigint, bigint][] = [[LOWEST, HIGHEST]];
  for (let gap = gaps.pop(); gap && failures < MAX_FAILURES; gap = gaps.pop()) {
    let [low, high] = gap;
    let isWhole = false;
    for (const order of ['ASC', 'DESC'] as const) {
      const taken = (row: Row): void => {
        const number = row['recovered row number'] as bigint;
        if (order === 'ASC') low = number + 1n;
        else high = number - 1n;
        if (missing) missing -= 1n;
        put(row);
      };
      isWhole = low > high || readAll(source, `${select} ${order}`, { values: [low, high], put: taken });
      if (isWhole) break;
      failures += 1;
    }
    if (!isWhole) missing ??= low > LOWEST && high < HIGHEST && missing === undefined ? high - low + 1n : null;
    if (isWhole || low >= high) continue;
    const middle = low + (high - low) / 2n;
    gaps.push([middle + 1n, high], [low, middle]);
  }
  return missing === undefined ? 0 : missing === null ? null : Number(missing);
}

/** False when it could not be read to its end. */
function readAll(
  source: SqliteDatabase,
  sql: string,
  { values, put }: { values: readonly bigint[]; put(row: Row): void },
): boolean {
  try {
    for (const row of source
      .prepare(sql)
      .safeIntegers()
      .iterate(...values))
      put(row as Row);
    return true;
  } catch {
    return false;
  }
}

/** The largest row count that the table or one of its indexes gives; undefined when none is readable. */
function countOf(source: SqliteDatabase, name: string): number | undefined {
  const queries = [`SELECT 1 FROM ${quoted(name)} NOT INDEXED`, ...indexQueries(source, name)];
  const counts = queries.map((query) => {
    let count = 0;
    const isWhole = readAll(source, query, { values: [], put: () => (count += 1) });
    return isWhole ? count : undefined;
  });
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

function indexQueries(source: SqliteDatabase, name: string): string[] {
  try {
    const indexes = source.pragma(`index_list(${quoted(name)})`) as { name: string; partial: number; origin: string }[];
    const whole = indexes.filter(({ partial, origin }) => partial === 0 && origin !== 'pk');
    return whole.map((index) => {
      const columns = source.pragma(`index_info(${quoted(index.name)})`) as { name: string }[];
      const order = columns.map((column) => quoted(column.name)).join(', ');
      return `SELECT 1 FROM ${quoted(name)} INDEXED BY ${quoted(index.name)} ORDER BY ${order}`;
    });
  } catch {
    return []; // Not even the list of its indexes is readable.
  }
}

/** Deletes rows whose parent row is lost. Returns how many, by table. */
function removeOrphans(target: SqliteDatabase): Map<string, number> {
  const removed = new Map<string, number>();
  for (;;) {
    const orphans = target.pragma('foreign_key_check') as { table: string; rowid: number | null }[];
    let count = 0;
    for (const { table, rowid } of orphans) {
      if (rowid === null) continue;
      const { changes } = target.prepare(`DELETE FROM ${quoted(table)} WHERE rowid = ?`).run(rowid);
      removed.set(table, (removed.get(table) ?? 0) + changes);
      count += changes;
    }
    if (count === 0) return removed;
  }
}

function withOrphans(table: RecoveredTable, orphans: number): RecoveredTable {
  if (orphans === 0) return table;
  return { ...table, rows: table.rows - orphans, lost: table.lost === null ? null : table.lost + orphans };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
