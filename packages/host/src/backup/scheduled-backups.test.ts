import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type BackupPeriod, readBackupSchedule, saveBackupSchedule } from './backup-schedule.ts';
import { verifyBackup } from './restore-backup.ts';
import { type ScheduledBackups, startScheduledBackups } from './scheduled-backups.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let place: TempDir;
let dataDir: string;
let folder: string;
let ambient: FakeAmbient;
let backups: ScheduledBackups;

beforeEach(async () => {
  place = await tempDir();
  dataDir = join(place.path, 'data');
  folder = join(place.path, 'backups');
  await place.write({ 'data/mcp/servers/one.json': '{}', 'settings/settings.json': '{}' });
  ambient = fakeAmbient();
  backups = startScheduledBackups({ ambient, version: '1.2.3', dataDir });
});
afterEach(async () => {
  await backups[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const choose = (every: BackupPeriod, keep = 7) =>
  saveBackupSchedule(dataDir, { every, folder, settingsDir: join(place.path, 'settings'), keep });

/**
 * Time moves on only between two looks: files are read and written in real time. Each schedule has a timer, except while
 * it looks or makes a backup.
 */
async function wait(ms: number): Promise<void> {
  const schedules = ambient.waiting();
  const rest = () => until(() => ambient.waiting() === schedules);
  await ambient.advance(MINUTE);
  await rest();
  for (let left = ms - MINUTE; left > 0; left -= 10 * MINUTE) {
    await ambient.advance(Math.min(left, 10 * MINUTE));
    await rest();
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(1);
}

const isNoted = (isFailure: boolean) => async () => {
  const { doneAt, failure } = await readBackupSchedule(dataDir);
  return isFailure ? failure !== null : doneAt !== null && failure === null;
};

const made = (): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

test('makes no backup without a schedule', async () => {
  await wait(30 * MINUTE);
  expect(made()).toEqual([]);
});

test('makes the first backup soon and the next one when its day is over', async () => {
  await choose('daily');
  await wait(MINUTE);
  await until(isNoted(false));
  expect(made()).toEqual([expect.stringMatching(/^fucina-scheduled-[0-9a-f]{8}-2026-01-01T00-01-00\.tar\.gz$/)]);
  expect(await verifyBackup(join(folder, made()[0] ?? ''))).toMatchObject({ version: '1.2.3' });
  await wait(12 * 60 * MINUTE);
  expect(made()).toHaveLength(1);
  await wait(13 * 60 * MINUTE);
  await until(() => made().length === 2);
  expect(made()).toHaveLength(2);
  expect(await readBackupSchedule(dataDir)).toMatchObject({ doneAt: expect.any(Number), failure: null });
});

test('keeps the newest of its own backups and every other file', async () => {
  mkdirSync(folder);
  const others = ['mine.tar.gz', 'fucina-scheduled-2025-12-01T00-00-00.tar.gz'];
  for (const name of others) writeFileSync(join(folder, name), '');
  await choose('daily', 1);
  await wait(MINUTE);
  await until(isNoted(false));
  const [first] = made().filter((name) => !others.includes(name));
  await wait(25 * 60 * MINUTE);
  await until(() => made().length === 3 && !made().includes(first ?? ''));
  expect(made()).toEqual(expect.arrayContaining([...others, expect.stringContaining('-2026-01-02')]));
});

test('two data folders that share a folder of backups keep each other’s', async () => {
  await place.write({ 'other/mcp/servers/two.json': '{}' });
  const other = join(place.path, 'other');
  const choice = { every: 'daily', folder, settingsDir: join(place.path, 'settings'), keep: 1 } as const;
  await saveBackupSchedule(other, choice);
  await choose('daily', 1);
  await using theirs = startScheduledBackups({ ambient, version: '1.2.3', dataDir: other });
  await wait(MINUTE);
  await until(() => made().length === 2 && !theirs.isRunning() && !backups.isRunning());
  await wait(25 * 60 * MINUTE);
  await until(() => made().filter((name) => name.includes('2026-01-02')).length === 2 && made().length === 2);
  expect(new Set(made().map((name) => name.slice(0, 25))).size).toBe(2);
});

test('makes a backup at once on request, in its place in the schedule or without one', async () => {
  const places = { folder, settingsDir: join(place.path, 'settings') };
  backups.start(places);
  backups.start(places);
  expect(backups.isRunning()).toBe(true);
  await until(() => !backups.isRunning());
  expect(made()).toHaveLength(1);
  await choose('daily', 1);
  await wait(MINUTE);
  expect(made()).toHaveLength(1);
  backups.start(places);
  await until(() => !backups.isRunning());
  expect(made()).toHaveLength(1);
  expect(await readBackupSchedule(dataDir)).toMatchObject({ doneAt: expect.any(Number), failure: null });
});

test('makes a backup that came due while no server ran', async () => {
  await choose('weekly');
  await wait(MINUTE);
  await until(isNoted(false));
  await backups[Symbol.asyncDispose]();
  await ambient.advance(8 * DAY);
  backups = startScheduledBackups({ ambient, version: '1.2.3', dataDir });
  await wait(MINUTE);
  await until(() => made().length === 2);
  expect(made()).toHaveLength(2);
});

test('notes a failed backup and tries again after an hour', async () => {
  writeFileSync(folder, 'a file is in the way');
  await choose('daily');
  await wait(MINUTE);
  await until(isNoted(true));
  await wait(20 * MINUTE);
  expect((await readBackupSchedule(dataDir)).failure).toMatchObject({ code: expect.stringMatching(/^E[A-Z]+$/) });
  expect(ambient.lines.filter((line) => line.includes('backup.scheduled-failed'))).toHaveLength(1);
  rmSync(folder);
  await wait(80 * MINUTE);
  await until(isNoted(false));
  expect(made()).toHaveLength(1);
  expect((await readBackupSchedule(dataDir)).failure).toBeNull();
});

test('a backup in progress is stopped when the server closes, and is due again', async () => {
  // They cannot be compressed: it takes long enough to be seen.
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`data/blobs/${index}`, randomBytes(50_000)]),
  );
  await place.write(many);
  await choose('daily');
  await ambient.advance(MINUTE);
  await until(() => existsSync(join(dataDir, 'tmp')) && readdirSync(join(dataDir, 'tmp')).length > 0);
  await backups[Symbol.asyncDispose]();
  expect([made(), readdirSync(join(dataDir, 'tmp'))]).toEqual([[], []]);
  expect(await readBackupSchedule(dataDir)).toMatchObject({ doneAt: null, failure: null });
  backups = startScheduledBackups({ ambient, version: '1.2.3', dataDir });
  await wait(MINUTE);
  await until(isNoted(false));
  expect(made()).toHaveLength(1);
});

test('stops when the schedule is removed', async () => {
  await choose('daily');
  await saveBackupSchedule(dataDir, undefined);
  await wait(20 * MINUTE);
  expect(made()).toEqual([]);
});
