import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemAmbient } from '@fucina/shared';
import { swapNames } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { versionOf } from './file-version.ts';
import type { FolderChanges } from './folder-watch.ts';
import { createFileHistory, type FileHistory } from './history.ts';
import type { ListFiles } from './remembered-listing.ts';

const listFiles: ListFiles = async (folder, { limit }) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const inside = paths.map((path) => path.slice(folder.length + 1)).sort();
  return { paths: inside.slice(0, limit), isCut: inside.length > limit };
};

interface Place extends AsyncDisposable {
  folder: string;
  dataDir: string;
  history: FileHistory;
  at(path: string): string;
}

async function place(files: Record<string, string | Uint8Array> = {}, list = listFiles): Promise<Place> {
  const dir = await tempDir();
  const folder = join(dir.path, 'project');
  await mkdir(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const dataDir = join(dir.path, 'data');
  const history = createFileHistory({
    ambient: systemAmbient('silent'),
    dataDir,
    homeDir: join(dir.path, 'home'),
    listFiles: list,
    gitSettings: [],
  });
  return {
    folder,
    dataDir,
    history,
    at: (path) => join(folder, path),
    async [Symbol.asyncDispose]() {
      await history[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Waits past the clock resolution that separates changes of different origin. */
async function laterThan(file: string): Promise<void> {
  const { ctimeMs } = await stat(file);
  while (Date.now() < ctimeMs + 30) await nextTurn();
}

async function run(p: Place, act: () => Promise<unknown>): Promise<FolderChanges> {
  const command = p.history.command(p.folder);
  await act();
  const changes = await command.look();
  command.end();
  return changes;
}

const hash = (text: string): string => versionOf(Buffer.from(text), 0).sha256;

describe('the changes of a command', () => {
  test('are found among hundreds of files, with the contents before and after', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `d${at % 7}/f${String(at).padStart(3, '0')}.txt`).sort();
    await using p = await place(Object.fromEntries(names.map((name) => [name, `${name} before`])));
    await p.history.capture(p.folder);
    await laterThan(p.at(names.at(-1) ?? ''));
    const [changed, removed] = [names.slice(0, 200), names.slice(200, 250)];
    const { changes } = await run(p, async () => {
      for (const name of changed) await writeFile(p.at(name), `${name} after`);
      for (const name of removed) await rm(p.at(name));
    });
    expect(changes.map(({ path }) => path)).toEqual([...changed, ...removed]);
    for (const { path, before, after } of changes) {
      expect(before?.sha256).toBe(hash(`${path} before`));
      expect(after?.sha256).toBe(changed.includes(path) ? hash(`${path} after`) : undefined);
      expect((await p.history.read(before?.sha256 ?? ''))?.toString()).toBe(`${path} before`);
      if (after) expect((await p.history.read(after.sha256 ?? ''))?.toString()).toBe(`${path} after`);
    }
    // Nothing is left to be found.
    expect(await run(p, async () => undefined)).toMatchObject({
      changes: [],
      omitted: 0,
      isPartial: false,
      contested: [],
    });
  });

  test('include created, changed, deleted, moved and chmodded files with their earlier content', async () => {
    await using p = await place({
      'a.txt': 'one',
      'sub/b.txt': 'two',
      'c.txt': 'three',
      'd.sh': 'run',
      'same.txt': 's',
    });
    await p.history.capture(p.folder);
    await laterThan(p.at('same.txt'));
    const { changes, omitted } = await run(p, async () => {
      await writeFile(p.at('a.txt'), 'ONE');
      await rm(p.at('sub/b.txt'));
      await rename(p.at('c.txt'), p.at('moved.txt'));
      await chmod(p.at('d.sh'), 0o755);
      await writeFile(p.at('new.txt'), 'new');
      await writeFile(p.at('same.txt'), 's');
    });
    expect(omitted).toBe(0);
    expect(changes.map(({ path, before, after }) => [path, before?.sha256 ?? null, after?.sha256 ?? null])).toEqual([
      ['a.txt', hash('one'), hash('ONE')],
      ['c.txt', hash('three'), null],
      ['d.sh', hash('run'), hash('run')],
      ['moved.txt', null, hash('three')],
      ['new.txt', null, hash('new')],
      ['sub/b.txt', hash('two'), null],
    ]);
    expect(changes[2]).toMatchObject({ before: { mode: 0o644 }, after: { mode: 0o755 } });
    expect((await p.history.read(hash('one')))?.toString()).toBe('one');
    expect((await p.history.read(hash('two')))?.toString()).toBe('two');
    expect((await run(p, async () => undefined)).changes).toEqual([]);
  });

  test('exclude earlier changes by others and changes already reported', async () => {
    await using p = await place({ 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' });
    await p.history.capture(p.folder);
    await writeFile(p.at('a.txt'), 'by the user');
    await rm(p.at('c.txt'));
    await writeFile(p.at('own.txt'), 'by a tool');
    await p.history.note(p.folder, 'own.txt');
    await laterThan(p.at('own.txt'));
    const { changes } = await run(p, () => writeFile(p.at('b.txt'), 'TWO'));
    expect(changes.map(({ path }) => path)).toEqual(['b.txt']);
    const next = await run(p, () => writeFile(p.at('a.txt'), 'by a command'));
    expect(next.changes[0]).toMatchObject({ path: 'a.txt', before: { sha256: hash('by the user') } });
  });

  test('include two changes within one timestamp', async () => {
    await using p = await place({ 'a.txt': 'one' });
    await p.history.capture(p.folder);
    const { changes } = await run(p, async () => {
      await writeFile(p.at('a.txt'), 'two');
    });
    expect(changes).toHaveLength(1);
  });

  test('have no earlier content for files that are too large or changed too early', async () => {
    const large = Buffer.alloc(600 * 1024, 1);
    await using p = await place({ 'large.bin': large, 'a.txt': 'one' });
    await p.history.capture(p.folder);
    await laterThan(p.at('a.txt'));
    const { changes } = await run(p, () => writeFile(p.at('large.bin'), Buffer.alloc(600 * 1024, 2)));
    expect(changes[0]).toMatchObject({ path: 'large.bin', before: { sha256: null, sizeBytes: large.length } });
    expect(await p.history.read(changes[0]?.after?.sha256 ?? '')).toBeUndefined();

    await using late = await place({ 'a.txt': 'one' });
    await laterThan(late.at('a.txt'));
    const command = late.history.command(late.folder);
    await writeFile(late.at('a.txt'), 'two');
    await writeFile(late.at('new.txt'), 'new');
    const found = await command.look();
    expect(found.changes).toMatchObject([
      { path: 'a.txt', before: { sha256: null } },
      { path: 'new.txt', before: null },
    ]);
  });

  test('are not recorded in the home folder, the data folder or without a file list, and links are skipped', async () => {
    await using p = await place({ 'a.txt': 'one' });
    const home = join(p.folder, '..', 'home');
    await mkdir(home);
    await writeFile(join(home, 'a.txt'), 'secret');
    for (const folder of [home, join(p.folder, '..')]) {
      await p.history.capture(folder);
      const command = p.history.command(folder);
      await writeFile(join(home, 'a.txt'), 'changed');
      expect(await command.look()).toMatchObject({ changes: [], isPartial: true });
    }
    expect(await p.history.read(hash('secret'))).toBeUndefined();
    await symlink(join(home, 'a.txt'), p.at('link.txt'));
    expect(await p.history.note(p.folder, 'link.txt')).toBeUndefined();
    await using none = await place({ 'a.txt': 'one' }, async () => {
      throw new Error('no program');
    });
    await none.history.capture(none.folder);
    const unknown = { changes: [], isPartial: true };
    expect(await run(none, () => writeFile(none.at('a.txt'), 'two'))).toMatchObject(unknown);
  });

  test('of more than 20,000 files include the last ones, whose earlier content is not stored', async () => {
    const names = Array.from({ length: 20_003 }, (_, at) => `f${String(at).padStart(5, '0')}`);
    await using p = await place(Object.fromEntries(names.map((name) => [name, name])));
    await p.history.capture(p.folder);
    await laterThan(p.at('f20002'));
    const { changes, isPartial } = await run(p, async () => {
      for (const name of ['f19999', 'f20000', 'f20001']) await writeFile(p.at(name), 'after');
      await rm(p.at('f20002'));
      await writeFile(p.at('new'), 'new');
    });
    expect(changes.map(({ path, before, after }) => [path, before?.sha256, after?.sha256])).toEqual([
      ['f19999', hash('f19999'), hash('after')],
      ['f20000', null, hash('after')],
      ['f20001', null, hash('after')],
      ['f20002', null, undefined],
      ['new', undefined, hash('new')],
    ]);
    expect(isPartial).toBe(false);
  });

  test('may be incomplete where the list of files is', async () => {
    await using p = await place({ 'a.txt': 'one' }, async (...args) => ({
      ...(await listFiles(...args)),
      isCut: true,
    }));
    await p.history.capture(p.folder);
    await laterThan(p.at('a.txt'));
    const { changes, isPartial } = await run(p, () => writeFile(p.at('a.txt'), 'two'));
    expect([changes.map(({ path }) => path), isPartial]).toEqual([['a.txt'], true]);
  });

  test('are one command’s, and named to another one that ran at the same time', async () => {
    await using p = await place({ 'a.txt': 'one', 'b.txt': 'one', 'early.txt': 'one' });
    await p.history.capture(p.folder);
    await laterThan(p.at('early.txt'));
    const long = p.history.command(p.folder);
    await writeFile(p.at('early.txt'), 'two');
    await writeFile(p.at('early-new.txt'), 'two');
    await laterThan(p.at('early-new.txt'));
    const short = p.history.command(p.folder);
    await writeFile(p.at('a.txt'), 'two');
    await laterThan(p.at('a.txt'));
    const late = p.history.command(p.folder);
    expect(await short.look()).toMatchObject({ changes: [{ path: 'a.txt' }], contested: [] });
    short.end();
    await writeFile(p.at('b.txt'), 'two');
    expect(await long.look()).toMatchObject({
      changes: [{ path: 'b.txt' }],
      contested: ['a.txt', 'early-new.txt', 'early.txt'],
    });
    expect(await late.look()).toMatchObject({ changes: [], contested: ['b.txt'] });
    expect(await long.look()).toMatchObject({ changes: [], contested: [] });
  });
});

describe('restoring a file', () => {
  const was = { bytes: Buffer.from('one') };

  test('writes, creates and removes it with its permissions and parent folders', async () => {
    await using p = await place({ 'a.txt': 'two', 'keep/x.txt': 'x' });
    const born = Date.now() - 60_000;
    const restore = (restoring: Parameters<FileHistory['restore']>[1]) => p.history.restore(p.folder, restoring);
    expect(await restore({ path: 'a.txt', expected: { sha256: hash('two') }, wanted: { ...was, mode: 0o755 } })).toBe(
      'done',
    );
    expect([await readFile(p.at('a.txt'), 'utf8'), (await stat(p.at('a.txt'))).mode & 0o777]).toEqual(['one', 0o755]);
    expect(await restore({ path: 'deep/er/b.txt', expected: null, wanted: was })).toBe('done');
    expect(await readFile(p.at('deep/er/b.txt'), 'utf8')).toBe('one');
    expect(
      await restore({ path: 'deep/er/b.txt', expected: { sha256: hash('one') }, wanted: null, bornAfter: born }),
    ).toBe('done');
    expect(await readdir(p.folder)).toEqual(['a.txt', 'keep']);
    await restore({
      path: 'keep/x.txt',
      expected: { sha256: hash('x') },
      wanted: null,
      bornAfter: Date.now() + 60_000,
    });
    expect(await readdir(p.at('keep'))).toEqual([]);
  });

  test('leaves files that changed meanwhile and paths that lead out', async () => {
    await using p = await place({ 'a.txt': 'by the user', 'mode.txt': 'm' });
    const restore = (path: string, expected: string, mode?: number) =>
      p.history.restore(p.folder, { path, expected: { sha256: hash(expected), mode }, wanted: was });
    expect(await restore('a.txt', 'two')).toBe('changed');
    expect(await restore('gone.txt', 'two')).toBe('changed');
    expect(await restore('mode.txt', 'm', 0o600)).toBe('changed');
    await mkdir(p.at('folder'));
    expect(await restore('folder', 'two')).toBe('changed');
    await symlink(join(p.folder, '..'), p.at('out'));
    expect(await p.history.restore(p.folder, { path: 'out/b.txt', expected: null, wanted: was })).not.toBe('done');
    expect(await p.history.restore(p.folder, { path: '../b.txt', expected: null, wanted: was })).not.toBe('done');
    expect(await readdir(join(p.folder, '..'))).not.toContain('b.txt');
    expect(await readFile(p.at('a.txt'), 'utf8')).toBe('by the user');
  });
});

test('restores and removes nothing else while names are exchanged', async () => {
  await using p = await place({ 'mine/x.txt': 'mine' });
  await using outside = await place({ 'x.txt': 'theirs', 'sub/x.txt': 'theirs' });
  await symlink(outside.folder, p.at('link'));
  const wanted = { bytes: Buffer.from('written') };
  for (const [name, other] of [
    ['a', 'link'],
    ['b', 'mine'],
  ] as const) {
    const outcomes = new Set<string>();
    for (let round = 0; round < 30 || outcomes.size < 2; round += 1) {
      await mkdir(p.at(name), { recursive: true });
      await writeFile(p.at(`${name}/x.txt`), 'theirs');
      const path = `${name}/x.txt`;
      const expected = { sha256: hash('theirs') };
      {
        await using _ = await swapNames(p.at(name), p.at(other));
        outcomes.add(await p.history.restore(p.folder, { path, expected, wanted: round % 2 ? null : wanted }));
        outcomes.add(await p.history.restore(p.folder, { path, expected, wanted: null }));
      }
      const [own, kept] = [p.at(name), p.at(other)];
      const isSwapped = other === 'link' ? !(await lstat(kept)).isSymbolicLink() : await isMine(own);
      if (isSwapped) {
        await rename(own, p.at('third'));
        await rename(kept, own);
        await rename(p.at('third'), kept);
      }
      await rm(own, { recursive: true, force: true });
    }
  }
  expect(await readFile(p.at('mine/x.txt'), 'utf8')).toBe('mine');
  for (const name of ['x.txt', 'sub/x.txt']) expect(await readFile(outside.at(name), 'utf8')).toBe('theirs');
}, 60_000);

async function isMine(folder: string): Promise<boolean> {
  return (await readFile(join(folder, 'x.txt'), 'utf8').catch(() => '')) === 'mine';
}

test('rejects paths that lead out or are invalid', async () => {
  await using p = await place({ 'a.txt': 'a' });
  await writeFile(join(p.folder, '../outside.txt'), 'secret');
  await symlink('..', p.at('up'));
  for (const path of ['../outside.txt', 'up/outside.txt', '/etc/passwd', 'a\0.txt', 'a.txt/../../outside.txt', '']) {
    const looks = [await p.history.note(p.folder, path), await p.history.look(p.folder, path)];
    expect([path, ...looks]).toEqual([path, undefined, undefined]);
  }
  expect(await p.history.look(p.folder, 'gone.txt')).toBe(null);
});

test('looks at a recorded file again once it changed, became a link, or is gone', async () => {
  await using p = await place({ 'a.txt': 'one', 'b.txt': 'two' });
  await p.history.capture(p.folder);
  expect(await p.history.look(p.folder, 'a.txt')).toMatchObject({ sha256: hash('one'), sizeBytes: 3 });
  await writeFile(p.at('a.txt'), 'new');
  expect(await p.history.look(p.folder, 'a.txt')).toMatchObject({ sha256: hash('new'), sizeBytes: 3 });
  await rm(p.at('a.txt'));
  expect(await p.history.look(p.folder, 'a.txt')).toBe(null);
  await symlink('b.txt', p.at('a.txt'));
  expect(await p.history.look(p.folder, 'a.txt')).toBe(undefined);
});

test('unreferenced contents expire after an hour, contents of active folders stay', async () => {
  await using p = await place({ 'a.txt': 'one', 'b.txt': 'two' });
  await p.history.capture(p.folder);
  const age = async (text: string, ms: number): Promise<void> => {
    const sha256 = hash(text);
    const at = (Date.now() - ms) / 1000;
    await utimes(join(p.dataDir, 'blobs/files/history', sha256.slice(0, 2), sha256), at, at);
  };
  await p.history.note(p.folder, 'a.txt');
  await writeFile(p.at('c.txt'), 'three');
  await p.history.note(p.folder, 'c.txt');
  await rm(p.at('c.txt'));
  await p.history.note(p.folder, 'c.txt');
  expect(await p.history.sweep(() => false)).toBe(0);
  for (const text of ['one', 'two', 'three']) await age(text, 2 * 3_600_000);
  expect(await p.history.sweep((sha256) => sha256 === hash('three'))).toBe(0);
  expect(await p.history.sweep(() => false)).toBe(1);
  expect(await p.history.read(hash('three'))).toBeUndefined();
  expect((await p.history.read(hash('one')))?.toString()).toBe('one');
  await age('one', 31 * 24 * 3_600_000);
  expect(await p.history.sweep(() => true)).toBe(1);
});

test('a damaged content counts as missing and the file stays unchanged', async () => {
  await using p = await place({ 'a.txt': 'one' });
  await p.history.note(p.folder, 'a.txt');
  const file = join(p.dataDir, 'blobs/files/history', hash('one').slice(0, 2), hash('one'));
  await writeFile(file, 'two');
  expect(await p.history.read(hash('one'))).toBeUndefined();
  expect(await readFile(file, 'utf8')).toBe('two');
});
