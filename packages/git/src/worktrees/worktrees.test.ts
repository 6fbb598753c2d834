import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { swapNames } from '@fucina/shared/testing';
import { gitIn, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { codeOf, everything, worktreeFixture } from '../../test/worktree-fixture.ts';
import { worktreeName } from './name.ts';

const text = (path: string): Promise<string> => readFile(path, 'utf8');

test.each([
  ['Fix the parser of dates!', 'fix-the-parser-of-dates'],
  ['Città: però no', 'citta-pero-no'],
  ['../../etc/passwd', 'etc-passwd'],
  ['  ', 'worktree'],
  ['日本語', 'worktree'],
  ['con', 'worktree'],
  ['a'.repeat(90), 'a'.repeat(40)],
  ['one two three four five six seven eight', 'one-two-three-four-five-six'],
])('names a worktree after the task %j', (task, name) => {
  expect(worktreeName(task)).toBe(name);
});

describe('a new worktree', () => {
  test('has its own branch and is listed by git', async () => {
    await using at = await worktreeFixture();
    const made = await at.git.worktrees.create(at.repo.path, { title: 'Fix the parser' });
    expect(made).toMatchObject({
      name: 'fix-the-parser',
      source: at.repo.path,
      base: { reference: 'refs/heads/main', commit: await at.repo.git('rev-parse', 'HEAD') },
      portBase: 23_000,
      state: { branch: 'fucina/fix-the-parser', changedCount: 0, ahead: 0, behind: 0, unmergedCount: 0 },
    });
    expect(await at.repo.git('worktree', 'list', '--porcelain')).toContain(
      `worktree ${made.path}\nHEAD ${made.base.commit}\nbranch refs/heads/fucina/fix-the-parser`,
    );
    expect(await text(join(made.path, 'a.txt'))).toBe('one\n');
    expect(await at.git.worktrees.list(at.repo.path)).toEqual([made]);
    expect(await at.git.worktrees.list(made.path)).toEqual([made]);
    expect(await at.git.worktrees.at(join(made.path, 'sub'))).toMatchObject({ id: made.id });
    expect(await at.git.worktrees.at(at.repo.path)).toBeUndefined();
  });

  test('gets its own name and ports when several are created together', async () => {
    await using at = await worktreeFixture();
    const request = { title: 'Same task' };
    const made = await Promise.all(Array.from({ length: 5 }, () => at.git.worktrees.create(at.repo.path, request)));
    expect(made.map(({ name }) => name).sort()).toEqual(
      ['same-task', 'same-task-2', 'same-task-3', 'same-task-4', 'same-task-5'].sort(),
    );
    expect(new Set(made.map(({ portBase }) => portBase)).size).toBe(5);
    expect(new Set(made.map(({ state }) => state?.branch)).size).toBe(5);
    await at.git.worktrees.remove(made[0]?.id ?? '', { deletesBranch: true });
    const next = await at.git.worktrees.create(at.repo.path, request);
    expect([next.name, next.portBase]).toEqual([made[0]?.name, made[0]?.portBase]);
  });

  test('starts from the branch, tag or commit that was chosen', async () => {
    await using at = await worktreeFixture();
    const first = await at.repo.git('rev-parse', 'HEAD');
    await at.repo.git('branch', 'old');
    await at.repo.git('tag', 'v1');
    await at.repo.write({ 'a.txt': 'two\n' });
    await at.repo.git('commit', '-qam', 'Two');
    for (const base of ['old', 'v1', first.slice(0, 10)]) {
      const made = await at.git.worktrees.create(at.repo.path, { title: base, base });
      expect(made.base).toEqual({ commit: first, reference: base === 'old' ? 'refs/heads/old' : null });
      expect(await text(join(made.path, 'a.txt'))).toBe('one\n');
    }
  });

  test('uses a branch that exists', async () => {
    await using at = await worktreeFixture();
    await at.repo.git('branch', 'feature/x');
    const made = await at.git.worktrees.create(at.repo.path, { existingBranch: 'feature/x' });
    expect(made).toMatchObject({ name: 'feature-x', ownsBranch: false, state: { branch: 'feature/x' } });
  });

  test('carries tracked and new files and leaves the source unchanged', async () => {
    await using at = await worktreeFixture();
    await at.repo.write({ '.gitignore': 'ignored\n', 'a.txt': 'changed\n', 'new/c.txt': 'new\n', ignored: 'no\n' });
    await at.repo.git('add', 'a.txt');
    await at.repo.write({ 'a.txt': 'changed twice\n' });
    await rm(join(at.repo.path, 'b.txt'));
    await mkdir(join(at.repo.path, 'inner'));
    await gitIn(join(at.repo.path, 'inner'))('init', '-q');
    const before = await at.repo.git('status', '--porcelain', '-z');
    const index = await readFile(join(at.repo.path, '.git/index'));
    const made = await at.git.worktrees.create(at.repo.path, { title: 'carry', carriesChanges: true });
    expect(await at.repo.git('status', '--porcelain', '-z')).toBe(before);
    expect(await readFile(join(at.repo.path, '.git/index'))).toEqual(index);
    expect(await gitIn(made.path)('status', '--porcelain', '-uall')).toBe(
      [' M a.txt', ' D b.txt', '?? .gitignore', '?? new/c.txt'].join('\n'),
    );
    expect(await text(join(made.path, 'a.txt'))).toBe('changed twice\n');
    expect(made.state?.changedCount).toBe(4);
  });

  test('carries changes to another base, without the commits in between', async () => {
    await using at = await worktreeFixture();
    await at.repo.git('branch', 'old');
    await at.repo.write({ 'b.txt': 'committed\n' });
    await at.repo.git('commit', '-qam', 'Two');
    await at.repo.write({ 'a.txt': 'uncommitted\n' });
    const made = await at.git.worktrees.create(at.repo.path, { title: 'x', base: 'old', carriesChanges: true });
    expect([await text(join(made.path, 'a.txt')), await text(join(made.path, 'b.txt'))]).toEqual([
      'uncommitted\n',
      'b\n',
    ]);
  });

  test('is refused with nothing left behind', async () => {
    await using at = await worktreeFixture();
    const { worktrees } = at.git;
    await at.repo.git('branch', 'old');
    await at.repo.write({ 'a.txt': 'two\n' });
    await at.repo.git('commit', '-qam', 'Two');
    await at.repo.write({ 'a.txt': 'three\n' });
    await mkdir(at.dir);
    const before = await everything(at);
    const refused: [object, string][] = [
      [{ branch: 'main' }, 'GIT_BRANCH_EXISTS'],
      [{ branch: 'main/x' }, 'GIT_BRANCH_EXISTS name-clash'],
      [{ branch: '-x' }, 'GIT_BRANCH_INVALID'],
      [{ existingBranch: 'main' }, 'GIT_BRANCH_CURRENT in-use'],
      [{ existingBranch: 'nowhere' }, 'GIT_BRANCH_NOT_FOUND'],
      [{ base: 'nowhere' }, 'GIT_BRANCH_NOT_FOUND'],
      [{ base: '--all' }, 'GIT_BRANCH_NOT_FOUND'],
      [{ base: 'old', carriesChanges: true }, 'GIT_CONFLICTS carried-changes'],
    ];
    for (const [request, code] of refused)
      expect([request, await codeOf(worktrees.create(at.repo.path, request))]).toEqual([request, code]);
    expect(await everything(at)).toEqual(before);
  });

  test('is refused before the first commit and outside a repository', async () => {
    await using at = await worktreeFixture();
    await using empty = await tempDir();
    expect(await codeOf(at.git.worktrees.create(empty.path, {}))).toBe('GIT_NOT_A_REPOSITORY');
    await gitIn(empty.path)('init', '-q');
    expect(await codeOf(at.git.worktrees.create(empty.path, {}))).toBe('GIT_COMMIT_UNKNOWN no-commit');
    expect(await at.git.worktrees.bases(empty.path)).toMatchObject({ hasCommit: false });
  });
});

describe('removing a worktree', () => {
  test('keeps uncommitted changes unless it is forced', async () => {
    await using at = await worktreeFixture();
    const { worktrees } = at.git;
    for (const files of [{ 'a.txt': 'changed\n' }, { 'new.txt': 'new\n' }]) {
      const made = await worktrees.create(at.repo.path, { title: 'x' });
      for (const [name, content] of Object.entries(files)) await writeFile(join(made.path, name), content);
      expect(await codeOf(worktrees.remove(made.id))).toBe('GIT_WORKTREE_DIRTY worktree-changes');
      expect(await readdir(made.path)).toEqual(expect.arrayContaining(Object.keys(files)));
      await worktrees.remove(made.id, { isForced: true });
      expect(await codeOf(worktrees.read(made.id))).toBe('NOT_FOUND worktree');
      expect(await readdir(at.dir)).toEqual(['ports']);
    }
    expect(await at.repo.git('worktree', 'list')).not.toContain(at.dir);
  });

  test('keeps the branch unless asked, and asks before commits are lost', async () => {
    await using at = await worktreeFixture();
    const { worktrees } = at.git;
    const commit = async (): Promise<Awaited<ReturnType<typeof worktrees.create>>> => {
      const made = await worktrees.create(at.repo.path, { title: 'x' });
      // A text of its own, so that no two commits are the same.
      await writeFile(join(made.path, 'a.txt'), `committed in ${made.name}\n`);
      await gitIn(made.path)('commit', '-qam', 'Work');
      return made;
    };
    const kept = await commit();
    expect((await worktrees.read(kept.id)).state).toMatchObject({ ahead: 1, behind: 0, unmergedCount: 1 });
    await worktrees.remove(kept.id);
    expect(await at.repo.git('log', '-1', '--format=%s', 'fucina/x')).toBe('Work');

    const lost = await commit();
    expect(lost.name).toBe('x-2');
    expect(await codeOf(worktrees.remove(lost.id, { deletesBranch: true }))).toBe(
      'GIT_BRANCH_NOT_MERGED worktree-commits',
    );
    await gitIn(lost.path)('checkout', '-q', '--detach');
    await gitIn(lost.path)('branch', '-qD', 'fucina/x-2');
    expect(await codeOf(worktrees.remove(lost.id))).toBe('GIT_BRANCH_NOT_MERGED worktree-commits');
    await worktrees.remove(lost.id, { isForced: true });

    const merged = await commit();
    await at.repo.git('merge', '-q', `fucina/${merged.name}`);
    await worktrees.remove(merged.id, { deletesBranch: true });
    expect(await at.repo.git('branch', '--list', `fucina/${merged.name}`)).toBe('');
  });

  test('works when its folder or its repository is gone', async () => {
    await using at = await worktreeFixture();
    const { worktrees } = at.git;
    const gone = await worktrees.create(at.repo.path, { title: 'gone' });
    await rm(gone.path, { recursive: true });
    expect((await worktrees.read(gone.id)).state).toBeNull();
    await worktrees.remove(gone.id);
    expect(await at.repo.git('worktree', 'list')).not.toContain('gone');

    const left = await worktrees.create(at.repo.path, { title: 'left' });
    await rm(join(at.repo.path, '.git'), { recursive: true });
    expect(await codeOf(worktrees.remove(left.id))).toBe('GIT_WORKTREE_DIRTY worktree-broken');
    await worktrees.remove(left.id, { isForced: true });
    expect(await worktrees.list()).toEqual([]);
  });

  test('keeps one that the user locked, or that has a submodule, unless it is forced', async () => {
    await using at = await worktreeFixture();
    const { worktrees } = at.git;
    const locked = await worktrees.create(at.repo.path, { title: 'locked' });
    await at.repo.git('worktree', 'lock', locked.path);
    expect(await codeOf(worktrees.remove(locked.id))).toBe('GIT_WORKTREE_DIRTY worktree-changes');
    const nested = await worktrees.create(at.repo.path, { title: 'nested' });
    await gitIn(nested.path)('update-index', '--add', '--cacheinfo', `160000,${nested.base.commit},module`);
    await gitIn(nested.path)('commit', '-qm', 'Module');
    expect(await codeOf(worktrees.remove(nested.id))).toBe('GIT_WORKTREE_DIRTY worktree-changes');
    for (const { id, path } of [locked, nested]) {
      expect(await readdir(path)).toContain('a.txt');
      await worktrees.remove(id, { isForced: true });
    }
    expect(await worktrees.list()).toEqual([]);
  });

  test('deletes nothing outside while a command exchanges its folders with links', async () => {
    await using at = await worktreeFixture();
    await using outside = await tempDir('fucina-home-');
    await mkdir(join(outside.path, 'below'));
    await writeFile(join(outside.path, 'below/kept'), 'mine');
    for (let round = 0; round < 4; round += 1) {
      const { id, path } = await at.git.worktrees.create(at.repo.path, { title: 'swapped' });
      await mkdir(join(path, 'deep/below'), { recursive: true });
      await writeFile(join(path, 'deep/below/kept'), 'theirs');
      await symlink(outside.path, join(path, 'link'));
      await using _ = await swapNames(join(path, 'deep'), join(path, 'link'));
      await at.git.worktrees.remove(id, { isForced: true });
      expect(await text(join(outside.path, 'below/kept'))).toBe('mine');
    }
  });

  test('does not disturb a list that is read meanwhile', async () => {
    await using at = await worktreeFixture();
    const { worktrees } = at.git;
    for (let round = 0; round < 5; round += 1) {
      const { id } = await worktrees.create(at.repo.path, { title: 'short' });
      let isGone = false;
      const removal = worktrees.remove(id, { deletesBranch: true }).finally(() => (isGone = true));
      while (!isGone) for (const one of await worktrees.list()) expect(one.id).toBe(id);
      await removal;
    }
    expect(await worktrees.list()).toEqual([]);
  });
});
