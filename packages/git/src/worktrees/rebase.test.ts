import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { codeOf, everything, type WorktreeFixture, worktreeFixture } from '../../test/worktree-fixture.ts';

interface Diverged extends WorktreeFixture {
  id: string;
  path: string;
  own: ReturnType<typeof gitIn>;
}

/** A worktree with two commits, and a branch of the folder with one of its own. */
async function diverged(): Promise<Diverged> {
  const at = await worktreeFixture({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n' });
  const { id, path } = await at.git.worktrees.create(at.repo.path, { title: 'task' });
  const own = gitIn(path);
  await writeFile(join(path, 'a.txt'), '1\n2\n3\n4\nfive\n');
  await own('-c', 'user.name=Ada', '-c', 'user.email=ada@a.invalid', 'commit', '-qam', 'First\n\nWith a body.');
  await writeFile(join(path, 'new.txt'), 'new\n');
  await own('add', 'new.txt');
  await own('commit', '-qm', 'Second');
  await at.repo.write({ 'a.txt': 'one\n2\n3\n4\n5\n' });
  await at.repo.git('commit', '-qam', 'Ours');
  return { ...at, id, path, own };
}

describe('rebasing a worktree', () => {
  test('puts its commits on top of the branch, with authors and messages, and moves its own branch', async () => {
    await using at = await diverged();
    const before = await at.repo.git('rev-parse', 'HEAD');
    const rebased = await at.git.worktrees.merge(at.id, { isRebase: true });
    const after = await at.repo.git('rev-parse', 'HEAD');
    const none = { conflicts: [], hooksNotRun: null, hooksFailed: null };
    expect(rebased).toEqual({ ...none, isMerged: true, way: 'rebase', into: 'main', before, after });
    expect(await at.repo.git('log', '--format=%s')).toBe('Second\nFirst\nOurs\nStart');
    expect(await at.repo.git('log', '-1', '--format=%an %ae %B', 'HEAD~1')).toBe(
      'Ada ada@a.invalid First\n\nWith a body.\n',
    );
    for (const folder of [at.repo.path, at.path]) {
      expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\n3\n4\nfive\n');
      expect(await gitIn(folder)('status', '--porcelain')).toBe('');
    }
    expect(await at.own('rev-parse', 'fucina/task')).toBe(after);
    expect(await at.own('log', '-1', '--format=%s', 'fucina/task@{1}')).toBe('Second');
  });

  test('commits the uncommitted changes first, and only with a message', async () => {
    await using at = await diverged();
    await writeFile(join(at.path, 'b.txt'), 'changed\n');
    const all = await everything(at);
    expect(await codeOf(at.git.worktrees.merge(at.id, { isRebase: true }))).toBe('GIT_WORKTREE_DIRTY worktree-changes');
    expect(await everything(at)).toEqual(all);
    await at.git.worktrees.merge(at.id, { isRebase: true, message: 'Third' });
    expect(await at.repo.git('log', '--format=%s')).toBe('Third\nSecond\nFirst\nOurs\nStart');
    expect(await at.own('status', '--porcelain')).toBe('');
  });

  test('lists the conflicts of the first commit that does not apply, and changes nothing', async () => {
    await using at = await diverged();
    await at.repo.write({ 'a.txt': 'one\n2\n3\n4\nours\n' });
    await at.repo.git('commit', '-qam', 'Clash');
    await writeFile(join(at.path, 'b.txt'), 'not committed\n');
    const state = async () => [await everything(at), await at.own('status', '--porcelain'), await at.own('log')];
    const all = await state();
    const refused = await at.git.worktrees.merge(at.id, { isRebase: true, message: 'x' });
    expect(refused).toMatchObject({ isMerged: false, conflicts: ['a.txt'], way: 'rebase' });
    expect(await state()).toEqual(all);
  });

  test('leaves out commits that the branch has already', async () => {
    await using at = await diverged();
    await at.repo.git('cherry-pick', 'fucina/task~1');
    await at.git.worktrees.merge(at.id, { isRebase: true });
    expect(await at.repo.git('log', '--format=%s')).toBe('Second\nFirst\nOurs\nStart');
  });

  test('is refused while the folder has changes in the way, and changes nothing', async () => {
    await using at = await diverged();
    await at.repo.write({ 'new.txt': 'mine\n' });
    const all = [await everything(at), await at.own('log')];
    expect(await codeOf(at.git.worktrees.merge(at.id, { isRebase: true }))).toBe('GIT_WORKTREE_DIRTY merge-target');
    expect([await everything(at), await at.own('log')]).toEqual(all);
  });

  test('replaces no ignored file of the worktree', async () => {
    await using at = await diverged();
    await at.repo.write({ 'local.txt': 'tracked\n' });
    await at.repo.git('add', '-A');
    await at.repo.git('commit', '-qm', 'Track');
    await at.repo.git('config', 'core.excludesFile', join(at.dir, '..', 'ignored'));
    await writeFile(join(at.dir, '..', 'ignored'), 'local.txt\n');
    await writeFile(join(at.path, 'local.txt'), 'secret\n');
    const before = await at.repo.git('rev-parse', 'HEAD');
    expect(await codeOf(at.git.worktrees.merge(at.id, { isRebase: true }))).toBe('GIT_WORKTREE_DIRTY worktree-ignored');
    const kept = await readFile(join(at.path, 'local.txt'), 'utf8');
    expect([kept, await at.repo.git('rev-parse', 'HEAD')]).toEqual(['secret\n', before]);
  });
});
