import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { gitIn, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit } from '../git.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const { reading } = createGit({ ambient, environment });

const LONG = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');

async function files(folder: string, base?: string): Promise<string[]> {
  const answer = await reading.branchPoint(folder, base);
  return answer.files.map(({ status, previous, path, added, removed }) =>
    [status, previous, path, `+${added}`, `-${removed}`].filter((part) => part !== null).join(' '),
  );
}

const baseOf = async (repo: TempRepo) => (await reading.branchPoint(repo.path)).base?.name;

/** A branch `work` with commits and uncommitted changes of every kind; main has moved since. */
async function branched(): Promise<TempRepo> {
  const repo = await tempRepo({
    'committed.txt': 'a\n',
    'edited.txt': 'a\n',
    'staged.txt': 'a\n',
    'gone.txt': 'a\n',
    'same.txt': 'a\n',
    'old name.txt': LONG,
    'sub/in.txt': 'a\n',
    '.gitignore': 'ignored\n',
  });
  await repo.git('checkout', '-q', '-b', 'work');
  await repo.write({ 'committed.txt': 'b\n', 'same.txt': 'b\n' });
  await repo.git('mv', 'old name.txt', 'new name.txt');
  await repo.git('commit', '-qam', 'First');
  await repo.git('checkout', '-q', 'main');
  await repo.write({ 'main.txt': 'main\n' });
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'Elsewhere');
  await repo.git('checkout', '-q', 'work');
  await repo.write({ 'edited.txt': 'b\nc\n', 'staged.txt': 'b\n', 'same.txt': 'a\n', 'sub/in.txt': 'b\n' });
  await repo.git('add', 'staged.txt');
  await rm(join(repo.path, 'gone.txt'));
  await repo.write({ 'new/è ‘a’.txt': 'one\ntwo\n', ignored: 'x\n' });
  await writeFile(join(repo.path, 'picture.bin'), Buffer.from([0, 1, 2, 0]));
  return repo;
}

describe('the comparison with the branch point', () => {
  test('lists committed, staged, unstaged and new files, and nothing that the base changed since', async () => {
    await using repo = await branched();
    const { base, bases, hasMore } = await reading.branchPoint(repo.path);
    expect({ base, bases, hasMore }).toEqual({
      base: { name: 'main', commit: await repo.git('rev-parse', 'main^') },
      bases: ['main'],
      hasMore: false,
    });
    expect(await files(repo.path)).toEqual([
      'M committed.txt +1 -1',
      'M edited.txt +2 -1',
      'D gone.txt +0 -1',
      'R old name.txt new name.txt +0 -0',
      'A new/è ‘a’.txt +2 -0',
      'A picture.bin +null -null',
      'M staged.txt +1 -1',
      'M sub/in.txt +1 -1',
    ]);
    expect(await files(join(repo.path, 'sub'))).toEqual(['M in.txt +1 -1']);
  });

  test('leaves index and files as they are', async () => {
    await using repo = await branched();
    const shape = () => repo.git('status', '--porcelain=v2', '--untracked-files=all');
    const before = [await shape(), await repo.git('ls-files', '--stage')];
    const { base } = await reading.branchPoint(repo.path);
    await reading.branchPointDiff(repo.path, { from: base?.commit ?? '', path: 'new/è ‘a’.txt' });
    expect([await shape(), await repo.git('ls-files', '--stage')]).toEqual(before);
  });

  test('shows the diff of each kind of file', async () => {
    await using repo = await branched();
    const from = await repo.git('rev-parse', 'main^');
    const diff = (path: string, previous?: string) =>
      reading.branchPointDiff(repo.path, { from, path, ...(previous !== undefined && { previous }) });
    expect((await diff('committed.txt')).text).toContain('-a\n+b\n');
    expect((await diff('edited.txt')).text).toContain('-a\n+b\n+c\n');
    expect((await diff('new/è ‘a’.txt')).text).toContain('@@ -0,0 +1,2 @@\n+one\n+two\n');
    expect((await diff('gone.txt')).text).toContain('deleted file mode');
    expect((await diff('new name.txt', 'old name.txt')).text).toContain('rename from old name.txt');
    expect(await diff('picture.bin')).toMatchObject({ isBinary: true, from });
    for (const path of ['same.txt', 'ignored', 'missing.txt']) expect((await diff(path)).text).toBe('');
    const inside = await reading.branchPointDiff(join(repo.path, 'sub'), { from, path: 'in.txt' });
    expect(inside).toMatchObject({ path: 'in.txt', text: expect.stringContaining('-a\n+b\n') });
    await expect(diff('sub')).rejects.toMatchObject({ code: 'GIT_PATH_INVALID', reason: 'folder' });
    await expect(diff('../x')).rejects.toMatchObject({ code: 'GIT_PATH_INVALID' });
    await expect(reading.branchPointDiff(repo.path, { from: 'main', path: 'a' })).rejects.toMatchObject({
      code: 'GIT_COMMIT_INVALID',
    });
  });

  test('lists a conflict once, a nested repository never, and a link as a file', async () => {
    await using repo = await branched();
    await repo.git('stash', '-q', '--include-untracked');
    await repo.git('checkout', '-q', '-b', 'other', 'main');
    await repo.write({ 'committed.txt': 'c\n' });
    await repo.git('commit', '-qam', 'Other');
    await repo.git('checkout', '-q', 'work');
    await repo.git('merge', '-q', 'other').catch(() => undefined);
    await mkdir(join(repo.path, 'inner'));
    await gitIn(join(repo.path, 'inner'))('init', '-q');
    await writeFile(join(repo.path, 'inner/file'), 'x');
    await symlink('/etc/passwd', join(repo.path, 'link'));
    const list = await files(repo.path, 'main');
    expect(list.filter((line) => line.includes('committed.txt'))).toHaveLength(1);
    expect(list).toContain('A link +1 -0');
    expect(list.filter((line) => line.includes('inner'))).toEqual([]);
  });

  test('leaves out a name that git does not accept, and reads names that are not text', async () => {
    await using repo = await branched();
    await repo.write({ 'git~1': 'x\n' });
    const odd = Buffer.concat([Buffer.from(`${repo.path}/`), Buffer.from([0x6f, 0xe9, 0x2a])]);
    await writeFile(odd, 'odd\n');
    const { base, files: list } = await reading.branchPoint(repo.path);
    expect(list.map(({ path }) => path)).not.toContain('git~1');
    const found = list.find(({ path }) => path.startsWith('o') && path.endsWith('*'));
    expect(found).toMatchObject({ status: 'A', added: 1, removed: 0 });
    const diff = await reading.branchPointDiff(repo.path, { from: base?.commit ?? '', path: found?.path ?? '' });
    expect(diff.text).toContain('+odd');
  });

  test('lists at most 500 files and says that there are more', async () => {
    await using repo = await branched();
    await repo.write(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/${at}`, 'x\n'])));
    const { files: list, hasMore } = await reading.branchPoint(repo.path);
    expect([list.length, hasMore]).toEqual([500, true]);
  });
});

describe('the base of the comparison', () => {
  test('is the upstream of another name, the default branch, or the own upstream', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    expect(await baseOf(repo)).toBeUndefined();
    await using origin = await tempDir();
    await repo.git('init', '-q', '--bare', join(origin.path, 'o.git'));
    await repo.git('remote', 'add', 'origin', join(origin.path, 'o.git'));
    await repo.git('push', '-q', '-u', 'origin', 'main');
    expect(await baseOf(repo)).toBe('origin/main');
    await repo.git('checkout', '-q', '-b', 'work');
    await repo.git('push', '-q', '-u', 'origin', 'work');
    expect(await baseOf(repo)).toBe('origin/main');
    await repo.git('push', '-q', 'origin', 'main:develop');
    await repo.git('fetch', '-q');
    await repo.git('remote', 'set-head', 'origin', 'develop');
    expect(await baseOf(repo)).toBe('origin/develop');
    await repo.git('branch', '-q', '--set-upstream-to=main');
    expect(await baseOf(repo)).toBe('main');
    await repo.git('checkout', '-q', '--detach');
    expect(await baseOf(repo)).toBe('origin/develop');
    expect((await reading.branchPoint(repo.path)).bases).toEqual([
      'main',
      'work',
      'origin/develop',
      'origin/main',
      'origin/work',
    ]);
  });

  test('is missing before the first commit and without a common commit', async () => {
    await using dir = await tempDir();
    await gitIn(dir.path)('init', '-q', '-b', 'work');
    expect(await reading.branchPoint(dir.path)).toEqual({ base: null, bases: [], files: [], hasMore: false });
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await repo.git('checkout', '-q', '--orphan', 'work');
    await repo.git('commit', '-qm', 'Unrelated');
    expect(await reading.branchPoint(repo.path)).toMatchObject({ base: null, bases: ['main'], files: [] });
    await expect(reading.branchPoint(repo.path, 'main')).rejects.toMatchObject({
      code: 'GIT_COMMIT_UNKNOWN',
      reason: 'no-common-commit',
    });
  });

  test('is a branch by its exact name, never an expression or an option', async () => {
    await using repo = await branched();
    expect((await reading.branchPoint(repo.path, 'main')).base?.name).toBe('main');
    const commit = await repo.git('rev-parse', 'HEAD');
    for (const name of [
      '',
      'nowhere',
      'main~1',
      'main^{/x}',
      'HEAD',
      '--all',
      'refs/heads/main',
      'ma*',
      commit,
      'a\0b',
    ])
      await expect(reading.branchPoint(repo.path, name)).rejects.toMatchObject({ code: 'GIT_BRANCH_NOT_FOUND' });
  });
});
