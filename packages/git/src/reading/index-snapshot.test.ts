import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir, tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createGit } from '../git.ts';
import type { IndexSnapshot } from './index-snapshot.ts';

const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const git = createGit({ ambient: systemAmbient('silent'), environment, worktreesDir: '/nonexistent' });

interface Place extends AsyncDisposable {
  folder: string;
  index: string;
  git(...args: string[]): unknown;
  write(files: Record<string, string>): Promise<unknown>;
  snapshot: IndexSnapshot;
}

/** A repository with these files committed. */
async function place(files: Record<string, string>, inner = ''): Promise<Place> {
  const data = await tempDir();
  const repo = await tempRepo(files);
  const folder = join(repo.path, inner);
  const index = join(data.path, 'index');
  const snapshot = await git.snapshot(folder, index);
  if (!snapshot) throw new Error('no snapshot');
  return {
    folder,
    index,
    git: repo.git,
    write: (texts) => repo.write(texts),
    snapshot,
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    },
  };
}

const differing = async ({ snapshot }: Place): Promise<string[]> => [...(await snapshot.differing()).paths].sort();

test('a snapshot names what differs from the index as it was copied, and has the content of the rest', async () => {
  await using p = await place({ '.gitignore': 'out/\n', 'a.txt': 'a', 'b.txt': 'b', 'c d.sh': 'c', 'sub/e.txt': 'e' });
  await chmod(join(p.folder, 'c d.sh'), 0o755);
  await p.git('add', 'c d.sh');
  await p.write({ 'a.txt': 'edited', 'new.txt': 'n', 'out/ignored.txt': 'x' });
  expect(await p.snapshot.renew()).toBe(true);
  expect(await differing(p)).toEqual(['a.txt', 'new.txt']);
  // What is staged and committed later is compared with the same index.
  await p.write({ 'b.txt': 'changed' });
  await rm(join(p.folder, 'sub/e.txt'));
  await p.git('add', '-A');
  await p.git('commit', '-q', '-m', 'y');
  expect(await differing(p)).toEqual(['a.txt', 'b.txt', 'new.txt', 'sub/e.txt']);
  const contents = await p.snapshot.contents(['b.txt', 'c d.sh', 'sub/e.txt', 'new.txt', 'b']);
  expect([...contents].map(([path, file]) => [path, file.bytes?.toString(), file.isExecutable])).toEqual([
    ['b.txt', 'b', false],
    ['c d.sh', 'c', true],
    ['sub/e.txt', 'e', false],
  ]);
  expect(await p.snapshot.renew()).toBe(true);
  expect(await differing(p)).toEqual([]);
});

test('a snapshot of a folder in a repository has its paths, and leaves out the files beside it', async () => {
  await using p = await place({ 'in/a.txt': 'a', 'inner/a.txt': 'b', 'a.txt': 'c' }, 'in');
  await p.snapshot.renew();
  await p.write({ 'in/a.txt': 'aa', 'inner/a.txt': 'bb', 'a.txt': 'cc' });
  expect(await differing(p)).toEqual(['a.txt']);
  expect((await p.snapshot.contents(['a.txt'])).get('a.txt')?.bytes?.toString()).toBe('a');
});

test('files that git holds in another form, or was told not to compare, always differ', async () => {
  await using p = await place({
    '.gitattributes':
      '*.id ident\n*.utf working-tree-encoding=UTF-16LE\n*.crlf eol=crlf\n*.lf eol=lf\n*.txt text=auto\n',
    'a.id': '$Id$\n',
    'a.crlf': 'x\n',
    'a.lf': 'x\n',
    'a.txt': 'x\n',
    'hidden.md': 'x\n',
  });
  await p.git('update-index', '--assume-unchanged', 'hidden.md');
  await p.snapshot.renew();
  expect(await differing(p)).toEqual(['a.crlf', 'a.id', 'hidden.md']);
  expect([...(await p.snapshot.contents(['a.id', 'a.crlf', 'hidden.md', 'a.lf'])).keys()]).toEqual(['a.lf']);
});

test('a file with other line ends on the disk than in the index comes without its content', async () => {
  await using p = await place({ '.gitattributes': '* text=auto\n', 'a.txt': 'one\ntwo\n' });
  await p.write({ 'a.txt': 'one\r\ntwo\r\n' });
  await p.git('add', 'a.txt');
  await p.snapshot.renew();
  expect(await differing(p)).toEqual([]);
  expect((await p.snapshot.contents(['a.txt'])).get('a.txt')).toEqual({ sizeBytes: 10, isExecutable: false });
});

test('there is no snapshot where settings convert every file, and none outside a repository', async () => {
  await using p = await place({ 'a.txt': 'a' });
  await p.git('config', 'core.autocrlf', 'true');
  expect(await p.snapshot.renew()).toBe(false);
  await using dir = await tempDir();
  expect(await git.snapshot(dir.path, p.index)).toBeUndefined();
});

test('repositories inside are named, and nothing is written into the git folder', async () => {
  await using p = await place({ 'a.txt': 'a' });
  await p.git('init', '-q', 'nested');
  await p.write({ 'nested/x.txt': 'x' });
  await p.git('config', 'core.splitIndex', 'true');
  const before = [await readdir(join(p.folder, '.git')), await readFile(join(p.folder, '.git/index'))];
  await p.snapshot.renew();
  const { paths, nested } = await p.snapshot.differing();
  expect([paths, nested]).toEqual([[], ['nested']]);
  expect([await readdir(join(p.folder, '.git')), await readFile(join(p.folder, '.git/index'))]).toEqual(before);
});

test('an index that is a link or a pipe is not read, and leaves no copy', async () => {
  await using p = await place({ 'a.txt': 'a' });
  const index = join(p.folder, '.git/index');
  await rename(index, join(p.folder, 'elsewhere'));
  await symlink(join(p.folder, 'elsewhere'), index);
  await expect(p.snapshot.renew()).rejects.toMatchObject({ code: 'ELOOP' });
  await rm(index);
  execFileSync('mkfifo', [index]);
  await expect(p.snapshot.renew()).rejects.toThrow('the index is not a file');
  await expect(stat(p.index)).rejects.toMatchObject({ code: 'ENOENT' });
});
