import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { saveBackupSchedule } from '../backup/backup-schedule.ts';
import { startScheduledBackups } from '../backup/scheduled-backups.ts';
import { repairStores } from './store-repair.ts';
import { newerStores, refuseNewerStores } from './store-versions.ts';

let place: TempDir;
let dataDir: string;

beforeEach(async () => {
  place = await tempDir();
  dataDir = join(place.path, 'data');
  mkdirSync(dataDir);
});
afterEach(async () => place[Symbol.asyncDispose]());

function store(name: string, version: number): string {
  const file = join(dataDir, name);
  const db = openDatabase(file, { migrations: ['CREATE TABLE a (b)'] });
  db.pragma(`user_version = ${version}`);
  db.close();
  return file;
}

const refusal = () =>
  refuseNewerStores(dataDir).then(
    () => undefined,
    ({ code, reason, params }) => ({ code, reason, params }),
  );

test('names the stores that a newer version wrote, and no other file', async () => {
  expect(newerStores(dataDir)).toEqual([]);
  store('files.db', 1);
  store('library.db', 1);
  store('other.db', 99);
  writeFileSync(join(dataDir, 'sessions.db'), 'no database, and long enough to be taken for one. '.repeat(100));
  expect([newerStores(dataDir), await refusal()]).toEqual([[], undefined]);
  store('files.db', 2);
  store('workflows.db', 99);
  expect(newerStores(dataDir)).toEqual(['files.db', 'workflows.db']);
  expect(await refusal()).toEqual({
    code: 'CONFIG_INVALID',
    reason: 'store-newer',
    params: { setting: 'files.db, workflows.db' },
  });
});

test('tells the newest scheduled backup of this data folder, not that of another', async () => {
  const folder = join(place.path, 'backups');
  const settingsDir = join(place.path, 'settings');
  mkdirSync(folder);
  mkdirSync(settingsDir);
  writeFileSync(join(dataDir, 'fucina.json'), '{"format":1,"stores":[]}');
  await saveBackupSchedule(dataDir, { every: 'daily', folder, settingsDir, keep: 7 });
  const backups = startScheduledBackups({ ambient: fakeAmbient(), version: '1.2.3', dataDir });
  backups.start({ folder, settingsDir });
  while (backups.isRunning()) await delay(1);
  await backups[Symbol.asyncDispose]();
  const [own = ''] = readdirSync(folder);
  const older = own.replace('2026', '2025');
  for (const name of [older, own.replace(/[0-9a-f]{8}-\d{4}/, '00000000-2999')]) writeFileSync(join(folder, name), '');
  store('files.db', 2);
  expect(own).toMatch(/^fucina-scheduled-[0-9a-f]{8}-2026-.*\.tar\.gz$/);
  expect((await refusal())?.params.backup).toBe(join(folder, own));
});

test('a repair refuses data of a newer version and changes nothing', async () => {
  const file = store('files.db', 2);
  const before = readFileSync(file);
  await expect(repairStores(fakeAmbient(), dataDir)).rejects.toMatchObject({ reason: 'store-newer' });
  expect(readFileSync(file).equals(before)).toBe(true);
});
