import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openDatabase, StoreOpenError } from './sqlite.ts';
import { checkStore } from './store-check.ts';
import { recoverDatabase } from './store-recovery.ts';

const SCHEMA = [
  `CREATE TABLE notes (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
   CREATE VIRTUAL TABLE notes_words USING fts5 (text, content = 'notes', content_rowid = 'n');
   CREATE TRIGGER notes_added AFTER INSERT ON notes BEGIN
     INSERT INTO notes_words (rowid, text) VALUES (new.n, new.text);
   END;
   CREATE TABLE pairs (a TEXT NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
   CREATE TABLE parts (id INTEGER PRIMARY KEY, note TEXT NOT NULL REFERENCES notes (id)) STRICT;`,
];
const PAGE = 4096;
const COUNT = 2_000;

/** A store of 2,000 long notes, closed. */
function filled(file: string): void {
  const db = openDatabase(file, { migrations: SCHEMA });
  const note = db.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
  const pair = db.prepare('INSERT INTO pairs VALUES (?, ?)');
  const part = db.prepare('INSERT INTO parts (note) VALUES (?)');
  db.transaction(() => {
    for (let count = 0; count < COUNT; count += 1) {
      note.run(`id-${count}`, `word${count} ${'x'.repeat(300)}`);
      pair.run(`a${count % 10}`, count);
      part.run(`id-${count}`);
    }
  })();
  db.close();
}

function folder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'fucina-recovery-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Overwrites whole pages of the file, as a failing disk does. */
function spoil(file: string, pages: readonly number[]): void {
  const handle = openSync(file, 'r+');
  for (const page of pages) writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, page * PAGE);
  closeSync(handle);
}

function problemOf(open: () => unknown): string {
  try {
    open();
    return 'opened';
  } catch (error) {
    return error instanceof StoreOpenError ? error.problem : String(error);
  }
}

/** Pages that contain rows of `notes`. */
const MIDDLE = [40, 41, 70];

describe('a damaged store', () => {
  test('is refused at opening and left unchanged', async () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    filled(file);
    spoil(file, MIDDLE);
    const before = readFileSync(file);
    expect(problemOf(() => openDatabase(file, { migrations: SCHEMA }))).toBe('damaged');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('is found by the check, which blocks writes of open connections', async () => {
    using dir = folder();
    const file = join(dir.path, 'a.db');
    filled(file);
    expect(await checkStore(file)).toEqual({ state: 'sound' });
    const db = openDatabase(file, { migrations: SCHEMA });
    spoil(file, MIDDLE);
    expect(await checkStore(file)).toMatchObject({ state: 'damaged' });
    expect(() => db.prepare("INSERT INTO notes (id, text) VALUES ('new', 'x')").run()).toThrow(/readonly/);
    db.close();
    expect(await checkStore(join(dir.path, 'none.db'))).toEqual({ state: 'missing' });
  });

  test('recovers the rows around damaged pages and rebuilds their search index', async () => {
    using dir = folder();
    const [file, copy] = [join(dir.path, 'a.db'), join(dir.path, 'b.db')];
    filled(file);
    spoil(file, MIDDLE);
    const tables = recoverDatabase(file, copy);
    const notes = tables.find(({ name }) => name === 'notes');
    expect(notes?.rows).toBeGreaterThan(COUNT - 60);
    expect(notes?.rows).toBeLessThan(COUNT);
    expect((notes?.rows ?? 0) + (notes?.lost ?? 0)).toBe(COUNT);
    expect(await checkStore(copy)).toEqual({ state: 'sound' });
    const db = openDatabase(copy, { migrations: SCHEMA });
    const found = db.prepare("SELECT rowid FROM notes_words WHERE notes_words MATCH 'word1999'").all();
    expect(found).toEqual([{ rowid: COUNT }]);
    expect(db.prepare('SELECT count(*) FROM pairs').pluck().get()).toBe(COUNT);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
  });

  test('without its first page becomes an empty database', async () => {
    using dir = folder();
    const [file, copy] = [join(dir.path, 'a.db'), join(dir.path, 'b.db')];
    filled(file);
    spoil(file, [0]);
    expect(recoverDatabase(file, copy)).toEqual([]);
    openDatabase(copy, { migrations: SCHEMA, mustExist: true }).close();
  });

  test('truncated to half recovers the first half', async () => {
    using dir = folder();
    const [file, copy] = [join(dir.path, 'a.db'), join(dir.path, 'b.db')];
    filled(file);
    writeFileSync(file, readFileSync(file).subarray(0, Math.floor(statSync(file).size / 2 / PAGE) * PAGE));
    const tables = recoverDatabase(file, copy);
    expect(tables.find(({ name }) => name === 'notes')?.rows).toBeGreaterThan(COUNT / 4);
    expect(await checkStore(copy)).toEqual({ state: 'sound' });
  });
});

test('a store and its SQLite side files are private whatever the umask', async () => {
  using dir = folder();
  const file = join(dir.path, 'a.db');
  const before = process.umask(0);
  try {
    const db = openDatabase(file, { migrations: SCHEMA });
    db.prepare("INSERT INTO pairs VALUES ('a', 1)").run();
    for (const part of ['', '-wal', '-shm']) expect(statSync(file + part).mode & 0o777).toBe(0o600);
    db.close();
  } finally {
    process.umask(before);
  }
});
