import { spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { raceSummary } from '../test/path-race.ts';
import { PathError } from './safe-name.ts';
import {
  createFolderInside,
  listInside,
  openFileInside,
  readFileInside,
  realFolder,
  statInside,
  withFolderInside,
  writeFileInside,
} from './safe-path.ts';

let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'fucina-')));
  root = join(base, 'root');
  await mkdir(join(root, 'src/deep'), { recursive: true });
  await writeFile(join(root, 'a.txt'), 'hello');
  await writeFile(join(base, 'secret.txt'), 'outside');
  await mkdir(join(base, 'root-neighbour'));
  await writeFile(join(base, 'root-neighbour/x.txt'), 'outside');
});
afterEach(() => rm(base, { recursive: true, force: true }));

const problemOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof PathError)) throw error;
      if (!error.path.startsWith('/')) expect(error.message).not.toContain(base);
      return error.problem;
    },
  );
const text = async (path: string): Promise<string> => (await readFileInside(root, path, 1000)).bytes.toString();

describe('reading safely', () => {
  test('returns the bytes of a file and follows links inside the root', async () => {
    await symlink('../a.txt', join(root, 'src/link'));
    await symlink('src', join(root, 'folder-link'));
    expect(await text('a.txt')).toBe('hello');
    expect(await text('src/link')).toBe('hello');
    expect(await text('folder-link/link')).toBe('hello');
    expect((await readFileInside(root, 'src/link', 5)).realPath).toBe('a.txt');
  });

  test('refuses paths, folders and sibling prefixes that lead outside', async () => {
    await symlink('../secret.txt', join(root, 'out'));
    await symlink(base, join(root, 'up'));
    await symlink(join(base, 'root-neighbour'), join(root, 'near'));
    await symlink('loop', join(root, 'loop'));
    for (const path of ['out', 'up/secret.txt', 'near/x.txt'])
      expect([path, await problemOf(text(path))]).toEqual([path, 'outside']);
    expect(await problemOf(text('loop'))).toBe('loop');
  });

  test('does not reveal whether an outside path exists', async () => {
    const other = await mkdtemp(join(tmpdir(), 'outside-'));
    await mkdir(join(other, 'here'));
    await writeFile(join(other, 'here/file.txt'), 'secret');
    await mkdir(join(root, 'deep'));
    await symlink(other, join(root, 'away'));
    await symlink(relative(join(root, 'deep'), other), join(root, 'deep/away'));
    await symlink('deep/away', join(root, 'hop'));
    await symlink(join(other, 'here/file.txt'), join(root, 'there'));
    await symlink(join(other, 'here/none.txt'), join(root, 'nowhere'));
    await symlink(join(root, 'gone'), join(root, 'inside-gone'));
    await symlink('loop', join(root, 'loop'));
    const places = ['here', 'none', 'here/file.txt', 'here/none.txt', 'none/none', 'here/file.txt/x'];
    for (const path of ['there', 'nowhere', ...places.flatMap((one) => [`away/${one}`, `hop/${one}`])]) {
      const problems = [
        await problemOf(readFileInside(root, path, 100)),
        await problemOf(statInside(root, path)),
        await problemOf(listInside(root, path)),
        await problemOf(writeFileInside(root, path, { data: '' })),
        await problemOf(writeFileInside(root, `${path}/x`, { data: '', createFolders: true })),
      ];
      expect([path, ...problems]).toEqual([path, 'outside', 'outside', 'outside', 'outside', 'outside']);
    }
    expect(await problemOf(readFileInside(root, 'loop', 100))).toBe('loop');
    expect(await problemOf(writeFileInside(root, 'loop', { data: '' }))).toBe('loop');
    expect(await problemOf(statInside(root, 'inside-gone'))).toBe('missing');
    expect(await problemOf(statInside(root, 'deep/none'))).toBe('missing');
    await rm(other, { recursive: true });
  });

  test('distinguishes missing paths, folders, large files and special files', async () => {
    await symlink('nowhere', join(root, 'dangling'));
    spawnSync('mkfifo', [join(root, 'pipe')]);
    expect(await problemOf(text('missing'))).toBe('missing');
    expect(await problemOf(text('a.txt/below'))).toBe('missing');
    expect(await problemOf(text('dangling'))).toBe('missing');
    expect(await problemOf(text('src'))).toBe('not-a-file');
    expect(await problemOf(text('pipe'))).toBe('not-a-file');
    expect(await problemOf(openFileInside(root, '..'))).toBe('invalid');
    expect(await problemOf(readFileInside(root, 'a.txt', 4))).toBe('too-large');
    expect(await text('a.txt')).toHaveLength(5);
  });

  test('reads a large file completely and an empty one as empty', async () => {
    const bytes = Buffer.alloc(3_000_001, 'x');
    await writeFile(join(root, 'large'), bytes);
    await writeFile(join(root, 'empty'), '');
    expect((await readFileInside(root, 'large', 4_000_000)).bytes.equals(bytes)).toBe(true);
    expect((await readFileInside(root, 'empty', 10)).bytes).toHaveLength(0);
  });
});

describe('listing safely', () => {
  test('lists every entry, marks links and never follows them out', async () => {
    await symlink('..', join(root, 'out'));
    await symlink('src', join(root, 'inner'));
    const { entries, isCut } = await listInside(root, '');
    expect(isCut).toBe(false);
    expect(entries.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'a.txt', kind: 'file', isFolder: false },
      { name: 'inner', kind: 'link', isFolder: true },
      { name: 'out', kind: 'link', isFolder: false },
      { name: 'src', kind: 'folder', isFolder: true },
    ]);
    expect(await problemOf(listInside(root, 'out'))).toBe('outside');
    expect(await problemOf(listInside(root, 'a.txt'))).toBe('not-a-folder');
    expect(await problemOf(listInside(root, 'missing'))).toBe('missing');
  });

  test('stops at the limit and reports it', async () => {
    for (let index = 0; index < 20; index++) await writeFile(join(root, `src/${index}`), '');
    const { entries, isCut } = await listInside(root, 'src', 10);
    expect([entries.length, isCut]).toEqual([10, true]);
  });

  test('works with the file system root as root', async () => {
    expect((await listInside('/', base.slice(1))).entries.map((entry) => entry.name)).toContain('secret.txt');
    expect((await statInside('/', '')).stats.isDirectory()).toBe(true);
  });
});

describe('writing safely', () => {
  test('creates a file with its folders and leaves no temporary file', async () => {
    const { realPath } = await writeFileInside(root, 'new/deep/file.txt', { data: 'one', createFolders: true });
    expect(realPath).toBe('new/deep/file.txt');
    expect(await text('new/deep/file.txt')).toBe('one');
    expect(await readdir(join(root, 'new/deep'))).toEqual(['file.txt']);
    expect((await stat(join(root, 'new/deep/file.txt'))).mode & 0o111).toBe(0);
  });

  test('keeps the permissions of a replaced file and writes through links', async () => {
    await chmod(join(root, 'a.txt'), 0o751);
    await symlink('../a.txt', join(root, 'src/link'));
    await writeFileInside(root, 'src/link', { data: 'two' });
    expect(await text('a.txt')).toBe('two');
    expect((await stat(join(root, 'a.txt'))).mode & 0o777).toBe(0o751);
    expect((await lstat(join(root, 'src/link'))).isSymbolicLink()).toBe(true);
  });

  test('changes nothing outside', async () => {
    await symlink('../secret.txt', join(root, 'out'));
    await symlink(base, join(root, 'up'));
    await symlink('../nothing-yet', join(root, 'dangling'));
    for (const path of ['out', 'up/secret.txt', 'up/new.txt', 'up/new/deep.txt', 'dangling']) {
      const problem = await problemOf(writeFileInside(root, path, { data: 'bad', createFolders: true }));
      expect([path, problem]).toEqual([path, 'outside']);
    }
    expect(await problemOf(createFolderInside(root, 'up/made', { recursive: true }))).toBe('outside');
    expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('outside');
    expect((await readdir(base)).sort()).toEqual(['root', 'root-neighbour', 'secret.txt']);
  });

  test('asks about the resolved target', async () => {
    await mkdir(join(root, 'real'));
    await writeFile(join(root, 'real/kept.txt'), 'kept');
    await symlink('real', join(root, 'link'));
    await symlink('real/kept.txt', join(root, 'file'));
    const asked: string[] = [];
    const isRefused = (place: string): boolean => asked.push(place) > 0;
    for (const path of ['file', 'link/kept.txt', 'link/new.txt', 'top.txt'])
      expect(await problemOf(writeFileInside(root, path, { data: 'x', isRefused }))).toBe('denied');
    expect(asked).toEqual(['real/kept.txt', 'real/kept.txt', 'real/new.txt', 'top.txt']);
    expect(await readFile(join(root, 'real/kept.txt'), 'utf8')).toBe('kept');
  });

  test('reports what blocks the path', async () => {
    expect(await problemOf(writeFileInside(root, 'src', { data: '' }))).toBe('not-a-file');
    expect(await problemOf(writeFileInside(root, 'no/file', { data: '' }))).toBe('missing');
    expect(await problemOf(writeFileInside(root, 'a.txt/x', { data: '', createFolders: true }))).toBe('not-a-folder');
    expect(await problemOf(writeFileInside(root, 'a.txt', { data: 'x', ifExists: 'fail' }))).toBe('exists');
    expect(await text('a.txt')).toBe('hello');
    await writeFileInside(root, 'only-new', { data: 'x', ifExists: 'fail' });
    expect(await text('only-new')).toBe('x');
  });

  test('creates folders once', async () => {
    await createFolderInside(root, 'one');
    expect(await problemOf(createFolderInside(root, 'one'))).toBe('exists');
    expect(await problemOf(createFolderInside(root, 'two/three'))).toBe('missing');
    await createFolderInside(root, 'one/two/three', { recursive: true });
    expect((await statInside(root, 'one/two/three')).stats.isDirectory()).toBe(true);
  });
});

test('resolves a folder or reports why not', async () => {
  await symlink('root', join(base, 'alias'));
  expect(await realFolder(join(base, 'alias'))).toBe(root);
  expect(await problemOf(realFolder('relative'))).toBe('invalid');
  expect(await problemOf(realFolder('//server/share'))).toBe('invalid');
  expect(await problemOf(realFolder(join(base, 'nothing')))).toBe('missing');
  expect(await problemOf(realFolder(join(base, 'secret.txt')))).toBe('not-a-folder');
});

test('a folder handle keeps its folder when the name is reused', async () => {
  await withFolderInside(root, 'src', async (folder) => {
    await rm(join(root, 'src'), { recursive: true });
    await symlink(base, join(root, 'src'));
    expect(await readdir(folder)).toEqual([]);
  });
});

test('renames between check and use never read outside', async () => {
  const summary = await raceSummary(base, 2000);
  expect(summary.escapes).toEqual([]);
  expect(summary.attempts).toBeGreaterThan(200);
  expect(summary.refused).toBeGreaterThan(0);
});
