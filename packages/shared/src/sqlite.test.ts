import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isLocked, tryLock } from './lock.ts';
import { openDatabase, StoreOpenError, storedVersion } from './sqlite.ts';

const FIRST = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;';
const SECOND = "ALTER TABLE notes ADD COLUMN tag TEXT NOT NULL DEFAULT '';";

function folder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'fucina-sqlite-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function problemOf(open: () => unknown): string {
  try {
    open();
    return 'opened';
  } catch (error) {
    return error instanceof StoreOpenError ? error.problem : String(error);
  }
}

describe('a database', () => {
  test('opens with WAL, FULL, foreign keys and untrusted schema', () => {
    using dir = folder();
    const db = openDatabase(join(dir.path, 'a.db'), { migrations: [FIRST] });
    const pragma = (name: string): unknown => db.pragma(name, { simple: true });
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema'].map(pragma)).toEqual(['wal', 2, 1, 0]);
    expect(pragma('cache_size')).toBe(-2048);
    db.close();
  });

  test('migrates once and keeps its rows', () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    const old = openDatabase(file, { migrations: [FIRST] });
    old.prepare('INSERT INTO notes (text) VALUES (?)').run('kept');
    old.close();
    for (let round = 0; round < 2; round += 1) {
      const db = openDatabase(file, { migrations: [FIRST, SECOND] });
      expect(db.prepare('SELECT text, tag FROM notes').all()).toEqual([{ text: 'kept', tag: '' }]);
      expect(db.pragma('user_version', { simple: true })).toBe(2);
      db.close();
    }
  });

  test('a failed migration leaves the file unchanged', () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    openDatabase(file, { migrations: [FIRST] }).close();
    expect(() => openDatabase(file, { migrations: [FIRST, `${SECOND} CREATE TABLE notes (x);`] })).toThrow(
      /already exists/,
    );
    const db = openDatabase(file, { migrations: [FIRST] });
    expect(db.prepare('PRAGMA table_info(notes)').all()).toHaveLength(2);
    db.close();
  });

  test('of a newer version is refused and unchanged', () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    openDatabase(file, { migrations: [FIRST, SECOND] }).close();
    expect(problemOf(() => openDatabase(file, { migrations: [FIRST] }))).toBe('newer');
    openDatabase(file, { migrations: [FIRST, SECOND] }).close();
  });

  test('has a version that is read without opening it, also from its log', () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    expect(storedVersion(file)).toBeUndefined();
    openDatabase(file, { migrations: [FIRST] }).close();
    expect(storedVersion(file)).toBe(1);
    const open = openDatabase(file, { migrations: [FIRST, SECOND] });
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    expect(storedVersion(file)).toBe(2);
    open.close();
    expect(storedVersion(file)).toBe(2);
    for (const content of ['', 'no database'.repeat(20)]) {
      writeFileSync(file, content);
      expect(storedVersion(file)).toBeUndefined();
    }
    expect(storedVersion(dir.path)).toBeUndefined();
  });

  test('that is missing or empty but was initialized is damaged', () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    expect(problemOf(() => openDatabase(file, { migrations: [FIRST], mustExist: true }))).toBe('missing');
    writeFileSync(file, '');
    expect(problemOf(() => openDatabase(file, { migrations: [FIRST], mustExist: true }))).toBe('missing');
  });

  test('on a file system without WAL is refused as unsupported', () => {
    // SQLite has no write-ahead log for a database in memory, as on file systems without shared memory.
    expect(problemOf(() => openDatabase(':memory:', { migrations: [FIRST] }))).toBe('unsupported');
  });

  test('with garbage, a damaged header or a truncated file is damaged', () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    writeFileSync(file, 'this is no database at all, however long it may be. '.repeat(100));
    expect(problemOf(() => openDatabase(file, { migrations: [FIRST] }))).toBe('damaged');
    rmSync(file);
    openDatabase(file, { migrations: [FIRST] }).close();
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(16, 0xff), 0, 16, 0);
    closeSync(handle);
    expect(problemOf(() => openDatabase(file, { migrations: [FIRST] }))).toBe('damaged');
    rmSync(file);
    openDatabase(file, { migrations: [FIRST] }).close();
    truncateSync(file, 1_000);
    expect(problemOf(() => openDatabase(file, { migrations: [FIRST] }))).toBe('damaged');
  });
});

describe('a process lock', () => {
  test('has one holder and is free after release', () => {
    using dir = folder();
    const file = join(dir.path, 'locks', 'server');
    const lock = tryLock(file);
    expect(lock).toBeDefined();
    expect(tryLock(file)).toBeUndefined();
    expect(isLocked(file)).toBe(true);
    lock?.release();
    lock?.release();
    expect(isLocked(file)).toBe(false);
    tryLock(file)?.release();
  });
});
