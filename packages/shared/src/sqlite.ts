import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type Database from 'better-sqlite3';
import type { Ambient } from './ambient.ts';
import { systemCode } from './errors.ts';
import { sqliteDriver } from './sqlite-driver.ts';

export type { Database };
export type SqliteDatabase = Database.Database;

export interface OpenOptions {
  /**
   * Numbered by position: entry 0 migrates the file from `user_version` 0 to 1. Entries are append-only; the host's table
   * of store versions has their number.
   */
  migrations: readonly string[];
  /**
   * True when the data folder says this store existed before: then a missing or empty file is an error, not a first
   * run.
   */
  mustExist?: boolean;
}

/** Why a store could not be opened. The domain maps it to its own code. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  readonly problem: 'missing' | 'damaged' | 'newer' | 'unsupported' | 'busy';
  /** The name of the file. */
  readonly store: string;

  constructor(problem: StoreOpenError['problem'], file: string, cause?: unknown) {
    super(`${problem}: ${file}`, { cause });
    this.problem = problem;
    this.store = basename(file);
  }
}

const OLDEST_SAFE_SQLITE = [3, 51, 3] as const; // earlier ones can corrupt a WAL file shared by two connections
const BUSY_MS = 100;
/**
 * A file up to this size is checked whole when it is opened, at about 5 ms per megabyte; a larger one only by the
 * doctor.
 */
const CHECKED_BYTES = 2 * 1024 * 1024;
/** The file and its SQLite companion files. */
const PARTS = ['', '-wal', '-shm'] as const;
/** Of pages, for each file, beside the system's own; better-sqlite3 takes 16 MiB. */
const CACHE_KIB = 2048;

/** The connections of this process, by file. */
const connections = new Map<string, Set<SqliteDatabase>>();

/**
 * Opens a domain's own file: WAL, synchronous=FULL, foreign keys, untrusted schema; verifies these settings
 * (better-sqlite3 is compiled with WAL+NORMAL, which may lose commits on power loss) and migrates the schema in one
 * transaction. Only the owner can access the file, whatever the umask. A damaged file is not opened, so that no write
 * is acknowledged that might be lost.
 */
export function openDatabase(file: string, { migrations, mustExist = false }: OpenOptions): SqliteDatabase {
  const exists = existsSync(file) && statSync(file).size > 0;
  if (mustExist && !exists) throw new StoreOpenError('missing', file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  makePrivate(file);
  const db = new (sqliteDriver())(file);
  try {
    db.pragma(`busy_timeout = ${BUSY_MS}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    if (process.platform === 'darwin') db.pragma('fullfsync = ON');
    assertSafe(db, file);
    if (exists && statSync(file).size <= CHECKED_BYTES) assertSound(db, file);
    migrate(db, migrations, file);
    connections.set(file, (connections.get(file) ?? new Set()).add(db));
    return db;
  } catch (error) {
    db.close();
    throw asOpenError(error, file);
  }
}

const ALL_PAGES = 2 ** 31 - 1;

/** Copies a store as of one moment, also while others write to it. `to` becomes a file that only the owner reads. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const db = new (sqliteDriver())(from, { readonly: true, fileMustExist: true });
  try {
    // A change by others starts a copy in several steps anew, possibly forever.
    await db.backup(to, { progress: () => ALL_PAGES });
  } finally {
    db.close();
  }
  chmodSync(to, 0o600);
}

/** SQLite gives its companion files the permissions of the database file. */
function makePrivate(file: string): void {
  if (file === ':memory:') return; // refused a moment later
  closeSync(openSync(file, 'a', 0o600));
  for (const part of PARTS) if (existsSync(file + part)) chmodSync(file + part, 0o600);
}

function assertSound(db: SqliteDatabase, file: string): void {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new StoreOpenError('damaged', file, new Error(String(found)));
}

/** From now on the connections of this process to a damaged file are read-only. */
export function refuseWrites(file: string): void {
  for (const db of connections.get(file) ?? []) if (db.open) db.pragma('query_only = ON');
}

function assertSafe(db: SqliteDatabase, file: string): void {
  const journal = db.pragma('journal_mode', { simple: true });
  const synchronous = db.pragma('synchronous', { simple: true });
  // Some network and shared file systems silently refuse WAL: commits there would not be safe.
  if (journal !== 'wal' || synchronous !== 2) throw new StoreOpenError('unsupported', file);
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get()).split('.').map(Number);
  const difference =
    OLDEST_SAFE_SQLITE.map((part, index) => (version[index] ?? 0) - part).find((step) => step !== 0) ?? 0;
  if (difference < 0) throw new StoreOpenError('unsupported', file);
}

function migrate(db: SqliteDatabase, migrations: readonly string[], file: string): void {
  const versionOf = (): number => db.pragma('user_version', { simple: true }) as number;
  if (versionOf() > migrations.length) throw new StoreOpenError('newer', file);
  if (versionOf() === migrations.length) return;
  db.transaction(() => {
    // Read again inside the write lock: another process may have migrated in the meantime.
    for (const step of migrations.slice(versionOf())) db.exec(step);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

const HEADER_BYTES = 64;
const VERSION_AT = 60;
const MAGIC = 'SQLite format 3\0';

/** The number of migrations that a file has had; undefined when it is no store or cannot be read. Changes nothing. */
export function storedVersion(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  try {
    // The log may have a newer header.
    const isLogged = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
    return isLogged ? loggedVersion(file) : headerVersion(file);
  } catch {
    // Whoever opens the store reports why.
    return undefined;
  }
}

function headerVersion(file: string): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  return header.toString('latin1', 0, MAGIC.length) === MAGIC ? header.readUInt32BE(VERSION_AT) : undefined;
}

function loggedVersion(file: string): number {
  const db = new (sqliteDriver())(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    return db.pragma('user_version', { simple: true }) as number;
  } finally {
    db.close();
  }
}

function asOpenError(error: unknown, file: string): unknown {
  if (error instanceof StoreOpenError) return error;
  const code = systemCode(error) ?? '';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return new StoreOpenError('damaged', file, error);
  if (code.startsWith('SQLITE_BUSY')) return new StoreOpenError('busy', file, error);
  if (code.startsWith('SQLITE_IOERR')) return new StoreOpenError('unsupported', file, error);
  return error;
}

const WRITE_BUSY_MS = 2_000;
const WRITE_PAUSE_MS = 50;

/**
 * One short write, retried for up to 2 s while another process locks the file. It must change nothing when it throws.
 */
export async function retryBusy<Result>(ambient: Ambient, write: () => Result): Promise<Result> {
  const deadline = ambient.monotonic() + WRITE_BUSY_MS;
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (!systemCode(error)?.startsWith('SQLITE_BUSY') || ambient.monotonic() > deadline) throw error;
      await ambient.sleep(WRITE_PAUSE_MS);
    }
  }
}
