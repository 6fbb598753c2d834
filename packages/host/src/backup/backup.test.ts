import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type SqliteDatabase, systemAmbient, tryLock } from '@fucina/shared';
import { OUTSIDE_TEMPORARY, type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { create, extract } from 'tar';
import { type BackupRequest, createBackup } from './create-backup.ts';
import { restoreBackup, verifyBackup } from './restore-backup.ts';

const HASH = 'ab'.repeat(32);
const MIGRATIONS = ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)'];
const ambient = systemAmbient('silent');

let place: TempDir;
let dataDir: string;
let settingsDir: string;
let target: string;
let store: SqliteDatabase;

beforeEach(async () => {
  place = await tempDir();
  [dataDir, settingsDir, target] = ['data', 'settings', 'b.tar.gz'].map((name) => join(place.path, name)) as [
    string,
    string,
    string,
  ];
  await place.write({
    [`data/blobs/files/history/ab/${HASH}`]: 'old text',
    'data/mcp/servers/one.json': '{}',
    'data/models/big/model.gguf': 'weights',
    'data/launcher-token': 'secret-token',
    'data/open.html': 'secret-token',
    'data/running-server.json': '{}',
    'data/browser/Cookies': 'secret-cookie',
    'data/desktop/profile/Cookies': 'secret-cookie',
    'data/locks/process-1': '',
    'data/reserve': 'x',
    'data/fucina.json': '{"format":1,"stores":["library.db"]}',
    'settings/settings.json': '{"language":"en"}',
  });
  store = openDatabase(join(dataDir, 'library.db'), { migrations: MIGRATIONS });
  store.exec("INSERT INTO notes (text) VALUES ('first')");
});
afterEach(async () => {
  store.close();
  await place[Symbol.asyncDispose]();
});

const request = (more: Partial<BackupRequest> = {}): BackupRequest => ({
  now: ambient.now(),
  version: '1.0.0',
  dataDir,
  settingsDir,
  target,
  hasModels: false,
  ...more,
});
const elsewhere = () => ({
  ambient,
  file: target,
  dataDir: join(place.path, 'new/data'),
  settingsDir: join(place.path, 'new/settings'),
});
const textsIn = (file: string): unknown[] => {
  const db = openDatabase(file, { migrations: MIGRATIONS, mustExist: true });
  try {
    return db.prepare('SELECT text FROM notes ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
};

test('a backup restored elsewhere has stores, files and settings, without keys and what is made anew', async () => {
  const backup = await createBackup(request());
  expect(statSync(target).mode & 0o777).toBe(0o600);
  expect(backup).toMatchObject({ path: target, version: '1.0.0', hasModels: false });
  expect(readdirSync(join(dataDir, 'tmp'))).toEqual([]);
  const to = elsewhere();
  expect(await restoreBackup(to)).toMatchObject({ previousData: undefined, previousSettings: undefined });
  expect(readdirSync(to.dataDir).sort()).toEqual(['blobs', 'fucina.json', 'library.db', 'mcp']);
  expect(readFileSync(join(to.dataDir, 'blobs/files/history/ab', HASH), 'utf8')).toBe('old text');
  expect(readFileSync(join(to.settingsDir, 'settings.json'), 'utf8')).toBe('{"language":"en"}');
  expect(textsIn(join(to.dataDir, 'library.db'))).toEqual(['first']);
});

test('copies a store as of one moment while another connection writes to it', async () => {
  const insert = store.prepare('INSERT INTO notes (text) VALUES (?)');
  const pair = store.transaction((count: number) => {
    insert.run(`${count} a ${'x'.repeat(2_000)}`);
    insert.run(`${count} b`);
  });
  let count = 0;
  const writing = setInterval(() => pair(++count), 1);
  await createBackup(request());
  clearInterval(writing);
  const to = elsewhere();
  await restoreBackup(to);
  expect(textsIn(join(to.dataDir, 'library.db')).length % 2).toBe(1);
});

test('includes models only on request', async () => {
  expect((await createBackup(request())).files.map(({ path }) => path)).not.toContain('data/models/big/model.gguf');
  rmSync(target);
  const { files } = await createBackup(request({ hasModels: true }));
  expect(files.map(({ path }) => path)).toContain('data/models/big/model.gguf');
});

test('does not follow links, and overwrites no file', async () => {
  writeFileSync(join(place.path, 'outside'), 'secret');
  symlinkSync(join(place.path, 'outside'), join(dataDir, 'mcp', 'link'));
  symlinkSync(place.path, join(dataDir, 'mcp', 'folder'));
  const { files } = await createBackup(request());
  expect(files.map(({ path }) => path).filter((path) => path.startsWith('data/mcp'))).toEqual([
    'data/mcp/servers/one.json',
  ]);
  await expect(createBackup(request())).rejects.toMatchObject({ problem: 'exists' });
  expect(await verifyBackup(target)).toMatchObject({ version: '1.0.0' });
});

test('leaves nothing behind when it is stopped', async () => {
  const stop = new AbortController();
  const stopped = createBackup(request({ signal: stop.signal }));
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(place.path).filter((name) => name.startsWith('b.tar.gz'))).toEqual([]);
  expect(readdirSync(join(dataDir, 'tmp'))).toEqual([]);
});

describe('restoring', () => {
  test('moves what was there aside', async () => {
    await createBackup(request());
    store.exec("INSERT INTO notes (text) VALUES ('second')");
    store.close();
    const restored = await restoreBackup({ ambient, file: target, dataDir, settingsDir });
    expect(textsIn(join(dataDir, 'library.db'))).toEqual(['first']);
    expect(textsIn(join(restored.previousData ?? '', 'library.db'))).toEqual(['first', 'second']);
    expect(existsSync(join(restored.previousSettings ?? '', 'settings.json'))).toBe(true);
  });

  test('puts settings on another disk in place, and an empty data folder', async () => {
    await using disk = await tempDir('fucina-', OUTSIDE_TEMPORARY);
    const to = { ...elsewhere(), settingsDir: join(disk.path, 'settings') };
    await disk.write({ 'settings/settings.json': '{}' });
    await createBackup(request({ dataDir: join(place.path, 'empty') }));
    const restored = await restoreBackup(to);
    expect(readdirSync(to.dataDir)).toEqual([]);
    expect(readFileSync(join(to.settingsDir, 'settings.json'), 'utf8')).toBe('{"language":"en"}');
    expect(readFileSync(join(restored.previousSettings ?? '', 'settings.json'), 'utf8')).toBe('{}');
    expect(readdirSync(disk.path)).toHaveLength(2);
  });

  test('changes nothing when the settings cannot be put in place', async () => {
    await createBackup(request());
    store.exec("INSERT INTO notes (text) VALUES ('second')");
    store.close();
    const blocked = join(target, 'settings');
    await expect(restoreBackup({ ambient, file: target, dataDir, settingsDir: blocked })).rejects.toThrow();
    expect(textsIn(join(dataDir, 'library.db'))).toEqual(['first', 'second']);
    expect(readdirSync(place.path).sort()).toEqual(['b.tar.gz', 'data', 'settings']);
  });

  test('changes nothing while a Fucina uses the folder', async () => {
    await createBackup(request());
    const lock = tryLock(join(dataDir, 'locks', 'server'));
    try {
      const restoring = restoreBackup({ ambient, file: target, dataDir, settingsDir });
      await expect(restoring).rejects.toMatchObject({ problem: 'in-use' });
    } finally {
      lock?.release();
    }
    expect(readdirSync(place.path).sort()).toEqual(['b.tar.gz', 'data', 'settings']);
  });

  test.each([
    ['a changed file', 'damaged', (folder: string) => writeFileSync(join(folder, 'data/mcp/servers/one.json'), '[]')],
    ['a missing file', 'damaged', (folder: string) => rmSync(join(folder, 'data/mcp/servers/one.json'))],
    ['another format', 'newer', (folder: string) => writeFileSync(join(folder, 'backup.json'), '{"format":2}')],
    ['no list', 'not-a-backup', (folder: string) => rmSync(join(folder, 'backup.json'))],
    [
      'a path outside',
      'not-a-backup',
      (folder: string) => {
        const facts = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
        facts.files.push({ path: 'data/../../outside', bytes: 1, sha256: HASH });
        writeFileSync(join(folder, 'backup.json'), JSON.stringify(facts));
      },
    ],
    [
      'a link in place of a file',
      'damaged',
      (folder: string) => {
        const file = join(folder, 'data/mcp/servers/one.json');
        rmSync(file);
        symlinkSync('/etc/hostname', file);
      },
    ],
    [
      'a hard link in place of a file',
      'damaged',
      (folder: string) => {
        const file = join(folder, 'data/mcp/servers/one.json');
        rmSync(file);
        linkSync(join(folder, 'data/fucina.json'), file);
      },
    ],
  ])('refuses a backup with %s', async (_name, problem, change) => {
    await createBackup(request());
    const folder = join(place.path, 'unpacked');
    mkdirSync(folder);
    await extract({ file: target, cwd: folder });
    change(folder);
    await create({ file: target, cwd: folder, gzip: true }, readdirSync(folder).sort());
    await expect(verifyBackup(target)).rejects.toMatchObject({ problem });
    const to = elsewhere();
    await expect(restoreBackup(to)).rejects.toMatchObject({ problem });
    expect(existsSync(to.dataDir)).toBe(false);
  });

  test('refuses a file that is cut off or no archive', async () => {
    await createBackup(request());
    const bytes = readFileSync(target);
    writeFileSync(target, bytes.subarray(0, bytes.length / 2));
    await expect(verifyBackup(target)).rejects.toMatchObject({ name: 'BackupError' });
    writeFileSync(target, 'hello');
    await expect(verifyBackup(target)).rejects.toMatchObject({ name: 'BackupError' });
    await expect(verifyBackup(join(place.path, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
