import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Ambient, systemAmbient } from './ambient.ts';
import { openDatabase, type SqliteDatabase } from './sqlite.ts';
import { lengthenLog } from './sqlite-log.ts';

const MIGRATIONS = ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;'];
const PLENTY = 2 ** 40;

function folder(): { file: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'fucina-log-'));
  return { file: join(path, 'a.db'), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Its timers are called one by one; false when there is none. */
function steppedAmbient(): { ambient: Ambient; step(): boolean } {
  let next: (() => void) | undefined;
  const timer: Ambient['timer'] = (_ms, callback) => {
    next = callback;
    return () => undefined;
  };
  const step = (): boolean => {
    const due = next;
    next = undefined;
    due?.();
    return due !== undefined;
  };
  return { ambient: { ...systemAmbient('silent'), timer }, step };
}

/** Two processes of one store, the first of which lengthens its log. */
function twoConnections({ file }: { file: string }) {
  const db = openDatabase(file, { migrations: MIGRATIONS });
  const other = openDatabase(file, { migrations: MIGRATIONS });
  const { ambient, step } = steppedAmbient();
  lengthenLog({ ambient, db, file, freeBytes: () => PLENTY });
  return { file, db, other, step };
}

const add = (db: SqliteDatabase, text: string): void =>
  void db.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
const texts = (db: SqliteDatabase): unknown[] => db.prepare('SELECT text FROM notes ORDER BY id').pluck().all();
const logBytes = (file: string): number => statSync(`${file}-wal`).size;

test('a log gets its full size in steps, and keeps what is written between them, also after a crash', () => {
  using dir = folder();
  const { file, db, other, step } = twoConnections(dir);
  const expected: string[] = [];
  for (let round = 0; step(); round += 1) {
    expect(round).toBeLessThan(30);
    for (const [who, connection] of [['own', db] as const, ['other', other] as const]) {
      expected.push(`${who} ${round}`);
      add(connection, expected.at(-1) ?? '');
    }
  }
  expect(logBytes(file)).toBeGreaterThanOrEqual(4_300_000);
  const full = logBytes(file);
  for (let more = 0; more < 20; more += 1) {
    expected.push(`more ${more}`);
    add(db, `more ${more}`);
  }
  expect(logBytes(file)).toBe(full);
  // What is on the disk when a process dies.
  const crashed = `${file}-crashed`;
  for (const part of ['', '-wal']) copyFileSync(file + part, crashed + part);
  const reopened = openDatabase(crashed, { migrations: MIGRATIONS, mustExist: true });
  expect(texts(reopened)).toEqual(expected);
  for (const each of [reopened, other, db]) each.close();
});

test('a log is left as it is while another process writes, and gets longer afterwards', () => {
  using dir = folder();
  const { file, db, other, step } = twoConnections(dir);
  other.exec('BEGIN IMMEDIATE');
  add(other, 'pending');
  const before = logBytes(file);
  step();
  expect(logBytes(file)).toBe(before);
  other.exec('COMMIT');
  step();
  expect(logBytes(file)).toBeGreaterThan(before + 200_000);
  expect(texts(db)).toEqual(['pending']);
  for (const each of [other, db]) each.close();
});

test('a log is left as it is on a disk with little space, and when the store is closed', () => {
  using dir = folder();
  const { file } = dir;
  const db = openDatabase(file, { migrations: MIGRATIONS });
  add(db, 'one');
  const before = logBytes(file);
  const little = steppedAmbient();
  lengthenLog({ ambient: little.ambient, db, file, freeBytes: () => 2 ** 27 });
  expect([little.step(), little.step()]).toEqual([true, false]);
  expect(logBytes(file)).toBe(before);
  const closed = steppedAmbient();
  lengthenLog({ ambient: closed.ambient, db, file });
  db.close();
  expect([closed.step(), closed.step()]).toEqual([true, false]);
});
