import { closeSync, mkdtempSync, openSync, rmSync, utimesSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { createStoreChecks } from './store-repair.ts';

test('checks an intact store again only after its file changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fucina-stores-'));
  using _removed = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
  const file = join(folder, 'notes.db');
  const migrations = ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)'];
  openDatabase(file, { migrations }).close();
  const whole = new Date('2026-11-23T12:00:00Z');
  utimesSync(file, whole, whole);
  const check = createStoreChecks(folder);
  expect(await check()).toEqual([{ name: 'notes.db', state: 'sound' }]);

  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(100, 0xff), 0, 100, 4_096);
  closeSync(descriptor);
  utimesSync(file, whole, whole);
  expect(await check()).toEqual([{ name: 'notes.db', state: 'sound' }]);
  utimesSync(file, whole, new Date(whole.getTime() + 1_000));
  expect(await check()).toEqual([{ name: 'notes.db', state: 'damaged' }]);
});
