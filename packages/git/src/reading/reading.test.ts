import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { gitIn, shellIn, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit } from '../git.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const { reading } = createGit({ ambient, environment });

async function shape(folder: string): Promise<Record<string, string>> {
  const { entries } = await reading.state(folder);
  return Object.fromEntries(entries.map(({ path, x, y, kind }) => [path, `${x}${y} ${kind}`]));
}

/** Output of git itself: letters and path, in porcelain v1 format. */
async function plainStatus(repo: TempRepo): Promise<string[]> {
  const lines = (await repo.git('status', '--porcelain', '-z', '--', '.')).split('\0').filter(Boolean);
  return lines.filter((line) => /^.. /.test(line)).map((line) => line.replace(/^(..) (.*?)\/?$/, '$1 $2'));
}

async function expectAsGit(repo: TempRepo): Promise<void> {
  const { entries } = await reading.state(repo.path);
  const ours = entries.map(({ x, y, repositoryPath }) => `${x}${y} ${repositoryPath}`.replace(/^(.)\./, '$1 '));
  expect(ours.map((line) => line.replace(/^\./, ' ')).sort()).toEqual((await plainStatus(repo)).sort());
}

describe('git status', () => {
  test('lists every kind of change like git does', async () => {
    await using repo = await tempRepo({
      'changed.txt': 'a\n',
      'staged.txt': 'a\n',
      'both.txt': 'a\n',
      'gone.txt': 'a\n',
      'gone-staged.txt': 'a\n',
      'old name.txt': 'a long enough text\nto be known again\n',
      'link.txt': 'a\n',
      'sub/deep/in.txt': 'a\n',
    });
    await repo.write({
      'changed.txt': 'b',
      'staged.txt': 'b',
      'both.txt': 'b',
      'new file.txt': '',
      'dir/a': '',
      'dir/b': '',
    });
    await repo.write({ 'sub/deep/in.txt': 'b', 'è così.txt': 'x' });
    await repo.git('add', 'staged.txt', 'both.txt');
    await repo.write({ 'both.txt': 'c' });
    await rm(join(repo.path, 'gone.txt'));
    await repo.git('rm', '-q', 'gone-staged.txt');
    await repo.git('mv', 'old name.txt', 'new name.txt');
    await rm(join(repo.path, 'link.txt'));
    await symlink('changed.txt', join(repo.path, 'link.txt'));
    await mkdir(join(repo.path, 'inner'));
    await gitIn(join(repo.path, 'inner'))('init', '-q');
    expect(await shape(repo.path)).toEqual({
      'both.txt': 'MM modified',
      'changed.txt': '.M modified',
      dir: '?? untracked',
      'gone-staged.txt': 'D. deleted',
      'gone.txt': '.D deleted',
      inner: '?? untracked',
      'link.txt': '.T type-changed',
      'new file.txt': '?? untracked',
      'new name.txt': 'R. renamed',
      'staged.txt': 'M. modified',
      'sub/deep/in.txt': '.M modified',
      'è così.txt': '?? untracked',
    });
    await expectAsGit(repo);
    const state = await reading.state(repo.path);
    expect(state).toMatchObject({
      root: repo.path,
      prefix: '',
      isRoot: true,
      summary: { total: 12, staged: 4, unstaged: 5, untracked: 4, conflicts: 0 },
      base: { commit: await repo.git('rev-parse', 'HEAD'), subject: 'Start' },
      stagedOutside: 0,
    });
    const of = (path: string) => state.entries.find((entry) => entry.path === path);
    expect(of('new name.txt')?.from).toBe('old name.txt');
    expect(of('inner')).toMatchObject({ isFolder: true, isRepository: true });
    expect(of('dir')).toMatchObject({ isFolder: true, isRepository: false });
    const inside = await reading.state(join(repo.path, 'sub'));
    expect(inside).toMatchObject({ prefix: 'sub', isRoot: false, stagedOutside: 5, fingerprint: state.fingerprint });
    expect(inside.entries.map(({ path, repositoryPath }) => [path, repositoryPath])).toEqual([
      ['deep/in.txt', 'sub/deep/in.txt'],
    ]);
  });

  test('has no base before the first commit, and lists a conflict', async () => {
    await using dir = await tempDir();
    await gitIn(dir.path)('init', '-q', '-b', 'trunk');
    await dir.write({ 'a.txt': 'a' });
    await gitIn(dir.path)('add', 'a.txt');
    expect(await reading.state(dir.path)).toMatchObject({ base: null, summary: { total: 1, staged: 1 } });
    expect(await reading.branch(dir.path)).toMatchObject({ branch: 'trunk', isDetached: false });
    expect(await reading.history(dir.path)).toMatchObject({ commits: [], head: null, lastMessage: '' });
    expect((await reading.diff(dir.path, 'a.txt', 'staged')).text).toContain('+a');

    await using repo = await tempRepo({ 'a.txt': 'one\n' });
    await repo.git('checkout', '-q', '-b', 'other');
    await repo.write({ 'a.txt': 'two\n' });
    await repo.git('commit', '-qam', 'two');
    await repo.git('checkout', '-q', 'main');
    await repo.write({ 'a.txt': 'three\n' });
    await repo.git('commit', '-qam', 'three');
    await repo.git('merge', 'other').catch(() => undefined);
    expect(await shape(repo.path)).toEqual({ 'a.txt': 'UU conflict' });
    expect((await reading.diff(repo.path, 'a.txt', 'work')).text).toContain('<<<<<<<');
    await repo.git('merge', '--abort');
    await repo.git('checkout', '-q', '--detach');
    expect(await reading.branch(repo.path)).toMatchObject({ branch: null, isDetached: true });
  });

  test('names the HEAD commit for every ref storage', async () => {
    await using repo = await tempRepo();
    await using trees = await tempDir();
    const tree = join(trees.path, 'tree');
    const expectBase = async (folder = repo.path): Promise<void> => {
      const [commit = '', subject = ''] = (await gitIn(folder)('log', '-1', '--format=%H%x00%s')).split('\0');
      for (let look = 0; look < 2; look++)
        expect((await reading.state(folder)).base).toMatchObject({ commit, subject });
    };
    await expectBase();
    for (const change of [
      ['commit', '-q', '--allow-empty', '-m', 'Next'],
      ['commit', '-q', '--amend', '--allow-empty', '-m', 'Other'],
      ['pack-refs', '--all'],
      ['switch', '-q', '-c', 'side/one', 'HEAD~1'],
      ['checkout', '-q', '--detach', 'main'],
      ['switch', '-q', 'main'],
      ['reset', '-q', '--hard', 'HEAD~1'],
    ]) {
      await repo.git(...change);
      await expectBase();
    }
    await repo.git('worktree', 'add', '-q', '-b', 'tree', tree);
    await gitIn(tree)('commit', '-q', '--allow-empty', '-m', 'In the tree');
    await expectBase(tree);
    await expectBase();
  });

  test('separates staged changes from others', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const print = async (): Promise<string> => (await reading.state(repo.path)).fingerprint;
    const before = await print();
    await repo.write({ 'a.txt': 'x\n' });
    expect(await print()).toBe(before);
    await repo.git('add', 'a.txt');
    const staged = await print();
    expect(staged).not.toBe(before);
    await repo.write({ 'a.txt': 'y\n', 'b.txt': 'y\n' });
    expect(await print()).toBe(staged);
    await repo.git('add', 'a.txt');
    expect(await print()).not.toBe(staged);
  });

  test('shows files whose names are not UTF-8', async () => {
    await using repo = await tempRepo();
    for (const name of ['caf\\351', 'caf\\350'])
      spawnSync('sh', ['-c', `printf x > "$(printf '${name}')"`], { cwd: repo.path });
    spawnSync('sh', ['-c', `printf y > "$(printf 'only\\377.txt')"`], { cwd: repo.path });
    const { entries } = await reading.state(repo.path);
    const names = ['caf\uefe8', 'caf\uefe9', 'only\uefff.txt'];
    expect(entries.map(({ path }) => path).sort()).toEqual(names);
    for (const name of names) {
      expect((await reading.diff(repo.path, name, 'work')).text.match(/^\+[xy]$/gm)).toHaveLength(1);
    }
    // Two names that differ in one byte stay distinct once git tracks them, too.
    await repo.git('add', '--all');
    await repo.git('commit', '-qm', 'names');
    for (const name of ['caf\\351', 'caf\\350'])
      spawnSync('sh', ['-c', `printf '${name}' > "$(printf '${name}')"`], { cwd: repo.path });
    expect((await reading.diff(repo.path, 'caf\uefe9', 'work')).text.match(/^diff --git/gm)).toHaveLength(1);
    await expect(reading.diff(repo.path, 'caf\ufffd', 'work')).rejects.toMatchObject({ code: 'GIT_PATH_UNCHANGED' });
  });

  test('shows diffs of names with a leading dash, a line break or a tab', async () => {
    await using repo = await tempRepo();
    await repo.write({ '-dash.txt': 'one\n', 'line\nbreak.txt': 'two\n', 'tab\t.txt': 'three\n' });
    const { entries } = await reading.state(repo.path);
    const names = entries.map(({ path }) => path).sort();
    expect(names).toEqual(['-dash.txt', 'line\uef0abreak.txt', 'tab\uef09.txt']);
    for (const name of names)
      expect((await reading.diff(repo.path, name, 'work')).text).toMatch(/^\+(one|two|three)$/m);
    await repo.git('add', '--all');
    for (const name of names)
      expect((await reading.diff(repo.path, name, 'staged')).text).toMatch(/^\+(one|two|three)$/m);
  });

  test('works in worktrees and with submodules, and rejects a missing folder or repository', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using lib = await tempRepo({ 'lib.txt': 'l\n' });
    await using trees = await tempDir();
    await repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', lib.path, 'lib');
    await repo.git('commit', '-qm', 'lib');
    await repo.git('worktree', 'add', '-q', '-b', 'side', join(trees.path, 'tree'));
    await writeFile(join(trees.path, 'tree/a.txt'), 'b\n');
    expect(await shape(join(trees.path, 'tree'))).toEqual({ 'a.txt': '.M modified' });
    const inner = gitIn(join(repo.path, 'lib'));
    await writeFile(join(repo.path, 'lib/lib.txt'), 'm\n');
    expect(await shape(repo.path)).toEqual({});
    await inner('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qam', 'm');
    const [entry] = (await reading.state(repo.path)).entries;
    expect(entry).toMatchObject({ path: 'lib', isFolder: true, isRepository: true, y: 'M' });
    expect((await reading.diff(repo.path, 'lib', 'work')).text).toContain('Subproject commit');
    expect((await reading.branch(join(repo.path, 'lib'))).root).toBe(join(repo.path, 'lib'));
    await expect(reading.state(trees.path)).rejects.toMatchObject({ code: 'GIT_NOT_A_REPOSITORY' });
    await expect(reading.state(join(trees.path, 'gone'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await trees.write({ 'broken/.git/HEAD': 'nothing' });
    await expect(reading.state(join(trees.path, 'broken'))).rejects.toMatchObject({ code: 'GIT_NOT_A_REPOSITORY' });
  });

  test('keeps the entries that did not change, for whoever has encoded them', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await repo.write({ 'a.txt': 'changed\n', 'b.txt': 'changed\n', 'new/c.txt': 'c\n' });
    const before = (await reading.state(repo.path)).entries;
    await repo.git('add', 'b.txt');
    await repo.write({ 'new/.git/HEAD': 'ref: refs/heads/main\n' });
    const after = (await reading.state(repo.path)).entries;
    expect(after.map((entry) => [entry.path, before.includes(entry)])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
      ['new', false],
    ]);
    expect(after.map(({ isRepository }) => isRepository)).toEqual([false, false, true]);
  });
});

test('the state of a folder that becomes a repository of its own has the paths of that repository', async () => {
  await using repo = await tempRepo({ 'sub/t.txt': 't\n', 'sub/sub/t.txt': 't\n' });
  const folder = join(repo.path, 'sub');
  await repo.write({ 'sub/x.txt': 'x\n' });
  expect(await shape(folder)).toEqual({ 'x.txt': '?? untracked' });
  const inner = gitIn(folder);
  await inner('init', '-q');
  await inner('add', 'sub/t.txt');
  await repo.write({ 'sub/sub/x.txt': 'x\n' });
  expect(await shape(folder)).toMatchObject({ 'x.txt': '?? untracked', 'sub/x.txt': '?? untracked' });
});

describe('a git diff', () => {
  test('equals the output of git for each area', async () => {
    await using repo = await tempRepo({ 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'b\n' });
    await repo.git('config', 'diff.noprefix', 'true');
    await repo.git('config', 'diff.mnemonicPrefix', 'true');
    await repo.git('config', 'color.ui', 'always');
    await repo.write({ 'a.txt': 'one\n2\n' });
    await repo.git('add', 'a.txt');
    await repo.write({ 'a.txt': 'one\n2\nthree\n', 'sub/b.txt': 'c\n' });
    const plain = ['-c', 'diff.noprefix=false', '-c', 'diff.mnemonicPrefix=false'];
    const expected = async (...args: string[]): Promise<string> =>
      `${await repo.git(...plain, 'diff', '--no-color', '--full-index', ...args)}\n`;
    const work = await reading.diff(repo.path, 'a.txt', 'work');
    const staged = await reading.diff(repo.path, 'a.txt', 'staged');
    expect(work.text).toBe(await expected('--', 'a.txt'));
    expect(staged.text).toBe(await expected('--cached', '--', 'a.txt'));
    expect(work).toMatchObject({ isCut: false, isBinary: false, base: { subject: 'Start' } });
    expect(work.fingerprint).toBe(createHash('sha256').update(work.text).digest('hex'));
    expect((await reading.diff(join(repo.path, 'sub'), 'b.txt', 'work')).text).toContain('a/sub/b.txt');
    await expect(reading.diff(repo.path, 'sub/b.txt', 'staged')).rejects.toMatchObject({ code: 'GIT_PATH_UNCHANGED' });
  });

  test('covers new, renamed, binary and long files', async () => {
    await using repo = await tempRepo({
      'old.txt': 'a long enough text\nto be known again\n',
      'crlf.txt': 'a\r\nb\r\n',
    });
    await repo.write({
      'new.txt': 'fresh\n',
      'bytes.bin': 'a\0b',
      'long.txt': 'x\n'.repeat(700_000),
      'crlf.txt': 'a\r\nc\r\n',
    });
    const before = await repo.git('ls-files', '-s');
    expect(await reading.diff(repo.path, 'new.txt', 'work')).toMatchObject({ text: expect.stringContaining('+fresh') });
    expect(await reading.diff(repo.path, 'bytes.bin', 'work')).toMatchObject({ isBinary: true });
    const long = await reading.diff(repo.path, 'long.txt', 'work');
    expect(long.isCut).toBe(true);
    expect(long.text.length).toBeLessThanOrEqual(1024 * 1024);
    expect((await reading.diff(repo.path, 'crlf.txt', 'work')).text).toContain('-b\r\n+c\r\n');
    expect(await repo.git('ls-files', '-s')).toBe(before);
    await repo.git('mv', 'old.txt', 'renamed.txt');
    expect((await reading.diff(repo.path, 'renamed.txt', 'staged')).text).toContain('rename from old.txt');
  });

  test('is limited to one file of the folder', async () => {
    await using repo = await tempRepo({ 'sub/a.txt': 'a' });
    await repo.write({ 'sub/a.txt': 'b', '*.txt': 'x' });
    const paths = [
      '',
      '.',
      '..',
      '../x',
      'a/../b',
      '/etc/passwd',
      ':(top)a',
      ':a',
      'a\0b',
      '.git/config',
      'sub',
      'x'.repeat(5000),
    ];
    for (const path of paths) {
      for (const area of ['work', 'staged'] as const) {
        const refusal = reading.diff(repo.path, path, area).catch((error) => [path, error.code]);
        expect(await refusal).toEqual([path, 'GIT_PATH_INVALID']);
      }
    }
    expect((await reading.diff(repo.path, '*.txt', 'work')).text).not.toContain('sub/a.txt');
    await expect(reading.diff(repo.path, 'nowhere', 'work')).rejects.toMatchObject({ code: 'GIT_PATH_UNCHANGED' });
  });
});

describe('git history', () => {
  test('lists commits, pushed ones and the merge base', async () => {
    await using repo = await tempRepo({ 'a.txt': '0' });
    await using place = await tempDir();
    await gitIn(place.path)('init', '-q', '--bare', 'remote.git');
    await repo.git('remote', 'add', 'origin', join(place.path, 'remote.git'));
    await repo.git('push', '-q', '-u', 'origin', 'main');
    const base = await repo.git('rev-parse', 'HEAD');
    await shellIn(repo.path)(`
      for n in $(seq 55); do git commit -q --allow-empty -m "n $n" -m body; done
    `);
    const log = await reading.history(repo.path);
    expect(log.commits).toHaveLength(50);
    expect(log).toMatchObject({
      hasMore: true,
      lastMessage: 'n 55\n\nbody',
      head: await repo.git('rev-parse', 'HEAD'),
      upstream: base,
      upstreamName: 'origin/main',
      mergeBase: base,
    });
    expect(log.commits[0]).toMatchObject({
      subject: 'n 55',
      author: 'Fucina Test',
      isPushed: false,
      parents: [expect.any(String)],
    });
    expect(log.commits.map(({ commit }) => commit).join('\n')).toBe(await repo.git('log', '-50', '--format=%H'));
    await repo.git('push', '-q', 'origin', 'main');
    expect((await reading.history(repo.path)).commits.every(({ isPushed }) => isPushed)).toBe(true);
  });

  test('lists changes of a commit relative to the folder', async () => {
    await using repo = await tempRepo({
      'sub/a.txt': 'a\n',
      'sub/r.txt': 'some text\nto know again\n',
      'out.txt': 'text to be moved\nin here\n',
    });
    const first = await repo.git('rev-parse', 'HEAD');
    await repo.write({ 'sub/a.txt': 'b\n', 'top.txt': 't' });
    await repo.git('mv', 'sub/r.txt', 'sub/s.txt');
    await repo.git('mv', 'out.txt', 'sub/in.txt');
    await repo.git('add', '-A');
    await repo.git('commit', '-qm', 'second');
    const second = await repo.git('rev-parse', 'HEAD');
    expect(await reading.changes(join(repo.path, 'sub'), { to: second })).toEqual({
      from: first,
      to: second,
      isFromEmpty: false,
      files: [
        { status: 'M', previous: null, path: 'a.txt' },
        { status: 'A', previous: null, path: 'in.txt' },
        { status: 'R', previous: 'r.txt', path: 's.txt' },
      ],
      hasMore: false,
      outside: 1,
    });
    const root = await reading.changes(repo.path, { to: first });
    expect(root).toMatchObject({ isFromEmpty: true, files: [{ status: 'A' }, { status: 'A' }, { status: 'A' }] });
    const diff = await reading.changesDiff(join(repo.path, 'sub'), { to: second, path: 's.txt', previous: 'r.txt' });
    expect(diff).toMatchObject({ previous: 'r.txt', text: expect.stringContaining('rename to sub/s.txt') });
    expect(await reading.changesDiff(repo.path, { from: first, to: second, path: 'sub/a.txt' })).toMatchObject({
      text: expect.stringContaining('-a\n+b\n'),
    });
    for (const [to, code] of [
      ['HEAD', 'GIT_COMMIT_INVALID'],
      [second.slice(0, 12), 'GIT_COMMIT_INVALID'],
      ['0'.repeat(40), 'GIT_COMMIT_UNKNOWN'],
      [await repo.git('rev-parse', 'HEAD^{tree}'), 'GIT_COMMIT_UNKNOWN'],
    ] as const) {
      await expect(reading.changes(repo.path, { to })).rejects.toMatchObject({ code });
    }
  });
});
