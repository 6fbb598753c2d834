import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit } from '../src/git.ts';
import { choose, gitWith, head, hook, memoryTrust, staged, status, system } from './hooks-fixture.ts';

describe('trusted hooks in the middle of a pull', () => {
  /** Both sides have a commit since their common one; `theirs` is the file that the other side changed. */
  async function diverged(theirs = 'b.txt'): Promise<TempRepo> {
    const repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'gen.txt': 'old\n' });
    await repo.git('branch', 'other');
    await repo.git('branch', '-q', '--set-upstream-to=other');
    await repo.write({ 'a.txt': 'ours\n' });
    await repo.git('commit', '-qam', 'ours');
    await repo.git('switch', '-q', 'other');
    await repo.write({ [theirs]: 'theirs\n' });
    await repo.git('commit', '-qam', 'theirs');
    await repo.git('switch', '-q', 'main');
    return repo;
  }
  const isMerging = async (repo: TempRepo): Promise<boolean> =>
    (await readdir(join(repo.path, '.git'))).includes('MERGE_HEAD');

  test('check the merge commit, and what they change is in it', async () => {
    await using repo = await diverged();
    const git = gitWith();
    await hook(repo, 'pre-merge-commit', 'cat b.txt > .git/seen; echo new > gen.txt; git add gen.txt');
    await hook(repo, 'prepare-commit-msg', 'echo "$2" >> "$1"');
    await hook(repo, 'commit-msg', 'echo "Checked" >> "$1"');
    for (const name of ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg']) await choose(git, repo, name);
    expect(await git.remotes.pull(repo.path)).toMatchObject({ isMerged: true, conflicts: 0, hooksNotRun: null });
    expect(await repo.git('log', '-1', '--format=%B')).toMatch(/^Merge remote-tracking branch 'other'\nmerge\nChecked/);
    expect((await repo.git('rev-list', '--parents', '-1', 'HEAD')).split(' ')).toHaveLength(3);
    expect(await repo.git('show', 'HEAD:gen.txt')).toBe('new');
    expect([await readFile(join(repo.path, '.git/seen'), 'utf8'), await status(repo)]).toEqual(['theirs\n', '']);
  });

  test('refuse the merge, which is undone', async () => {
    await using repo = await diverged();
    const git = gitWith();
    await hook(repo, 'pre-merge-commit', 'echo "no" >&2; exit 1');
    await choose(git, repo, 'pre-merge-commit');
    await repo.write({ 'gen.txt': 'mine\n', 'new.txt': 'mine\n' });
    const before = [await head(repo), await status(repo)];
    await expect(git.remotes.pull(repo.path)).rejects.toMatchObject({
      code: 'GIT_COMMAND_FAILED',
      reason: 'hook-failed',
      params: { hook: 'pre-merge-commit', output: 'no' },
    });
    expect([await head(repo), await status(repo)]).toEqual(before);
    expect([await isMerging(repo), await repo.git('show', ':b.txt')]).toEqual([false, 'b']);
  });

  test('do not run before conflicts are resolved: then those of a commit do', async () => {
    await using repo = await diverged('a.txt');
    const git = gitWith();
    for (const name of ['pre-merge-commit', 'pre-commit']) {
      await hook(repo, name, `echo ${name} >> .git/seen`);
      await choose(git, repo, name);
    }
    expect(await git.remotes.pull(repo.path)).toMatchObject({ isMerged: false, conflicts: 1 });
    await repo.write({ 'a.txt': 'both\n' });
    await git.staging.stage(repo.path, ['a.txt']);
    await staged(git, repo, 'Both');
    expect(await readFile(join(repo.path, '.git/seen'), 'utf8')).toBe('pre-commit\n');
    expect(await isMerging(repo)).toBe(false);
  });

  test('pre-rebase refuses a rebase; the others of a rebase are named', async () => {
    await using repo = await diverged();
    const git = gitWith();
    await repo.git('config', 'pull.rebase', 'true');
    await hook(repo, 'pre-rebase', 'echo "$1" > .git/seen; test -e .git/allowed');
    await hook(repo, 'post-rewrite', 'touch .git/ran');
    for (const name of ['pre-rebase', 'post-rewrite']) await choose(git, repo, name);
    const before = await head(repo);
    await expect(git.remotes.pull(repo.path)).rejects.toMatchObject({ reason: 'hook-failed' });
    expect([await head(repo), await status(repo)]).toEqual([before, '']);
    await repo.write({ '.git/allowed': '' });
    expect(await git.remotes.pull(repo.path)).toMatchObject({ isMerged: true, hooksNotRun: ['post-rewrite'] });
    expect(await readFile(join(repo.path, '.git/seen'), 'utf8')).toBe(`${await repo.git('rev-parse', 'other')}\n`);
    expect(await readdir(join(repo.path, '.git'))).not.toContain('ran');
  });
});

describe('hooks of a worktree that is merged back', () => {
  /** A worktree with an uncommitted change, and a commit on the branch of the folder. */
  async function worked() {
    const [repo, dir] = await Promise.all([
      tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'gen.txt': 'old\n' }),
      tempDir(),
    ]);
    const worktreesDir = join(dir.path, 'worktrees');
    const git = createGit({ ambient: system, environment: process.env, programTrust: memoryTrust(), worktreesDir });
    const { id, path } = await git.worktrees.create(repo.path, { title: 'task' });
    await writeFile(join(path, 'a.txt'), 'theirs\n');
    await repo.write({ 'b.txt': 'ours\n' });
    await repo.git('commit', '-qam', 'ours');
    return {
      repo,
      git,
      id,
      path,
      async [Symbol.asyncDispose]() {
        await repo[Symbol.asyncDispose]();
        await dir[Symbol.asyncDispose]();
      },
    };
  }

  test('check its commit and the merge commit, and what they change is in those', async () => {
    await using at = await worked();
    const { repo, git, path } = at;
    await hook(repo, 'pre-commit', 'echo new > gen.txt; git add gen.txt');
    await hook(repo, 'commit-msg', 'echo "Checked in $(basename "$PWD")" >> "$1"');
    await hook(repo, 'pre-merge-commit', 'cat gen.txt > .git/seen');
    for (const name of ['pre-commit', 'commit-msg']) await choose(git, { path }, name);
    for (const name of ['pre-merge-commit', 'commit-msg']) await choose(git, repo, name);
    const merged = await git.worktrees.merge(at.id, { message: 'Theirs' });
    expect(merged).toMatchObject({ isMerged: true, way: 'merge', hooksNotRun: null, hooksFailed: null });
    expect(await repo.git('log', '-1', '--format=%B', 'HEAD^2')).toMatch(/^Theirs\n+Checked in task/);
    expect(await repo.git('log', '-1', '--format=%B')).toMatch(/^Merge branch 'fucina\/task'\n+Checked in fucina-repo/);
    expect([await repo.git('show', 'HEAD:gen.txt'), await readFile(join(repo.path, '.git/seen'), 'utf8')]).toEqual([
      'new',
      'new\n',
    ]);
    expect([await status(repo), (await git.worktrees.read(at.id)).state?.changedCount]).toEqual(['', 0]);
  });

  test('that are not trusted are named, also those of a rebase', async () => {
    await using at = await worked();
    for (const name of ['pre-commit', 'pre-rebase', 'post-rewrite', 'post-merge']) await hook(at.repo, name, 'exit 1');
    expect(await at.git.worktrees.merge(at.id, { message: 'Theirs', isRebase: true })).toMatchObject({
      isMerged: true,
      hooksNotRun: ['pre-commit', 'pre-rebase', 'post-rewrite', 'post-merge'],
    });
  });

  test('refuse it: then no commit is made', async () => {
    await using at = await worked();
    const { repo, git, path } = at;
    await hook(repo, 'pre-commit', 'echo no; exit 1');
    await choose(git, { path }, 'pre-commit');
    const before = [await head(repo), await repo.git('rev-parse', 'fucina/task')];
    await expect(git.worktrees.merge(at.id, { message: 'Theirs' })).rejects.toMatchObject({
      reason: 'hook-failed',
      params: { hook: 'pre-commit', output: 'no' },
    });
    expect([await head(repo), await repo.git('rev-parse', 'fucina/task')]).toEqual(before);
    expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('theirs\n');
  });
});
