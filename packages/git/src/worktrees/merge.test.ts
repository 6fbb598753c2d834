import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { codeOf, everything, type WorktreeFixture, worktreeFixture } from '../../test/worktree-fixture.ts';

interface Work extends WorktreeFixture {
  id: string;
  /** The worktree's folder. */
  path: string;
}

async function work(files?: Record<string, string>): Promise<Work> {
  const at = await worktreeFixture(files);
  const { id, path } = await at.git.worktrees.create(at.repo.path, { title: 'task' });
  return { ...at, id, path };
}

const text = (...path: string[]): Promise<string> => readFile(join(...path), 'utf8');

describe('merging a worktree', () => {
  test('fast-forwards the folder it was made from, with its uncommitted changes as a commit', async () => {
    await using at = await work();
    const before = await at.repo.git('rev-parse', 'HEAD');
    await writeFile(join(at.path, 'a.txt'), 'two\n');
    await gitIn(at.path)('commit', '-qam', 'First');
    await writeFile(join(at.path, 'new.txt'), 'new\n');
    const all = await everything(at);
    expect(await codeOf(at.git.worktrees.merge(at.id))).toBe('GIT_WORKTREE_DIRTY worktree-changes');
    expect(await everything(at)).toEqual(all);
    const merged = await at.git.worktrees.merge(at.id, { message: 'Second' });
    expect(merged).toEqual({
      isMerged: true,
      conflicts: [],
      way: 'fast-forward',
      into: 'main',
      before,
      after: await at.repo.git('rev-parse', 'fucina/task'),
      hooksNotRun: null,
      hooksFailed: null,
    });
    expect(await at.repo.git('log', '--format=%s')).toBe('Second\nFirst\nStart');
    expect([await text(at.repo.path, 'new.txt'), await gitIn(at.path)('status', '--porcelain')]).toEqual(['new\n', '']);
    expect(await at.git.worktrees.merge(at.id)).toMatchObject({ isMerged: true, way: 'none' });
  });

  test('refuses files that were in conflict and have markers, until they are accepted', async () => {
    await using at = await work();
    await at.repo.write({ 'a.txt': 'ours\n' });
    await at.repo.git('commit', '-qam', 'Ours');
    const git = gitIn(at.path);
    await writeFile(join(at.path, 'a.txt'), 'theirs\n');
    await git('commit', '-qam', 'Theirs');
    await git('merge', '--no-commit', 'main').catch(() => undefined);
    await git('add', 'a.txt');
    await git('commit', '-qm', 'Merged');
    await writeFile(join(at.path, 'a.txt'), `more\n${await text(at.path, 'a.txt')}`);
    expect(await codeOf(at.git.worktrees.merge(at.id, { message: 'x' }))).toBe(
      'GIT_COMMAND_FAILED conflict-markers-staged',
    );
    await at.git.staging.stageWithMarkers(at.path, ['a.txt']);
    expect(await at.git.worktrees.merge(at.id, { message: 'x' })).toMatchObject({ isMerged: true });
  });

  test('makes a merge commit when both sides have commits', async () => {
    await using at = await work();
    await writeFile(join(at.path, 'a.txt'), 'theirs\n');
    await at.repo.write({ 'b.txt': 'ours\n' });
    await at.repo.git('commit', '-qam', 'Ours');
    await at.repo.write({ 'untracked.txt': 'kept\n' });
    expect(await at.git.worktrees.merge(at.id, { message: 'Theirs' })).toMatchObject({ isMerged: true, way: 'merge' });
    expect(await at.repo.git('log', '-1', '--format=%s')).toBe("Merge branch 'fucina/task'");
    expect(await at.repo.git('status', '--porcelain')).toBe('?? untracked.txt');
    expect([await text(at.repo.path, 'a.txt'), await text(at.repo.path, 'b.txt')]).toEqual(['theirs\n', 'ours\n']);
  });

  test('lists conflicts and leaves both sides as they were', async () => {
    await using at = await work();
    await writeFile(join(at.path, 'a.txt'), 'theirs\n');
    await at.repo.write({ 'a.txt': 'ours\n' });
    await at.repo.git('commit', '-qam', 'Ours');
    const before = await everything(at);
    expect(await at.git.worktrees.merge(at.id, { message: 'Theirs' })).toMatchObject({
      isMerged: false,
      conflicts: ['a.txt'],
    });
    expect(await everything(at)).toEqual(before);
    expect(await text(at.path, 'a.txt')).toBe('theirs\n');
  });

  test('is refused while the folder has changes in the way', async () => {
    await using at = await work();
    await writeFile(join(at.path, 'a.txt'), 'theirs\n');
    await at.repo.write({ 'a.txt': 'not committed\n' });
    const before = await everything(at);
    expect(await codeOf(at.git.worktrees.merge(at.id, { message: 'x' }))).toBe('GIT_WORKTREE_DIRTY merge-target');
    expect(await everything(at)).toEqual(before);
    await rm(at.path, { recursive: true });
    expect(await codeOf(at.git.worktrees.merge(at.id, { message: 'x' }))).toBe('NOT_FOUND worktree');
  });
});

describe('taking files of a worktree', () => {
  test('copies changed, new and deleted files and nothing else', async () => {
    await using at = await work({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n' });
    const mine = gitIn(at.path);
    await writeFile(join(at.path, 'a.txt'), 'two\n');
    await mine('commit', '-qam', 'First');
    await writeFile(join(at.path, 'new.txt'), 'new\n');
    await writeFile(join(at.path, 'b.txt'), 'not taken\n');
    await rm(join(at.path, 'sub/c.txt'));
    await at.git.worktrees.takeFiles(at.id, ['a.txt', 'new.txt', 'sub/c.txt']);
    expect(await at.repo.git('status', '--porcelain')).toBe(' M a.txt\n D sub/c.txt\n?? new.txt');
    expect(await text(at.repo.path, 'a.txt')).toBe('two\n');
  });

  test('is refused where the folder would lose something', async () => {
    await using at = await work({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'sub/d.txt': 'd\n' });
    for (const name of ['a.txt', 'b.txt', 'new.txt']) await writeFile(join(at.path, name), 'theirs\n');
    await at.repo.write({ 'a.txt': 'committed here\n' });
    await at.repo.git('commit', '-qam', 'Here');
    await at.repo.write({ 'b.txt': 'not committed\n', 'new.txt': 'mine\n' });
    const before = await everything(at);
    for (const [paths, code] of [
      [['a.txt'], 'GIT_CONFLICTS changed-on-both-sides'],
      [['b.txt'], 'GIT_WORKTREE_DIRTY merge-target'],
      [['new.txt'], 'GIT_WORKTREE_DIRTY merge-target'],
      [['c.txt'], 'GIT_PATH_UNCHANGED'],
      [['nowhere.txt'], 'GIT_PATH_UNCHANGED'],
      [['sub'], 'GIT_PATH_INVALID folder'],
      [['../x'], 'GIT_PATH_INVALID'],
      [[], 'GIT_PATHS_REQUIRED'],
    ] as const)
      expect([paths, await codeOf(at.git.worktrees.takeFiles(at.id, paths))]).toEqual([paths, code]);
    expect(await everything(at)).toEqual(before);
  });
});
