import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ambient } from '@fucina/shared';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { HOOK_LIMIT_MS } from '../src/hooks/hooks.ts';
import { choose, gitWith, head, hook, staged, status, system } from './hooks-fixture.ts';

/** Until it holds; the test's own limit ends it. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await system.sleep(10);
}

describe('a trusted hook of a commit', () => {
  test('that fails refuses a commit of paths, of what is staged and an amend, with its output', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const git = gitWith();
    await hook(repo, 'pre-commit', 'echo "3 problems" >&2; exit 1');
    await choose(git, repo, 'pre-commit');
    await repo.write({ 'a.txt': 'a2\n', 'b.txt': 'b2\n' });
    await repo.git('add', 'b.txt');
    const [before, shown] = [await head(repo), await status(repo)];
    const { fingerprint } = await git.reading.state(repo.path);
    for (const act of [
      () => git.commits.paths(repo.path, ['a.txt'], 'm'),
      () => git.commits.staged(repo.path, 'm', fingerprint),
      () => git.commits.amend(repo.path, { message: 'm', fingerprint, commit: before }),
    ])
      await expect(act()).rejects.toMatchObject({
        code: 'GIT_COMMAND_FAILED',
        reason: 'hook-failed',
        params: { hook: 'pre-commit', output: '3 problems' },
      });
    expect([await head(repo), await status(repo)]).toEqual([before, shown]);
    expect((await readdir(join(repo.path, '.git'))).filter((name) => name.startsWith('fucina-hooks'))).toEqual([]);
  });

  test('sees exactly what is committed, and what it stages is in the commit and in the index', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'gen.txt': 'old\n' });
    const git = gitWith();
    await hook(repo, 'pre-commit', 'git diff --cached --name-only > seen; echo new > gen.txt; git add gen.txt');
    await repo.write({ '.git/info/exclude': 'seen\n', 'a.txt': 'a2\n', 'b.txt': 'b2\n' });
    await repo.git('add', 'b.txt');
    await choose(git, repo, 'pre-commit');
    expect(await git.commits.paths(repo.path, ['a.txt'], 'm')).toMatchObject({ hooksNotRun: null, hooksFailed: null });
    expect(await readFile(join(repo.path, 'seen'), 'utf8')).toBe('a.txt\n');
    expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('a.txt\ngen.txt');
    // The neighbor stays staged, as it was.
    expect(await status(repo)).toBe('M  b.txt');
    await repo.write({ 'gen.txt': 'other\n' });
    await staged(git, repo);
    expect(await readFile(join(repo.path, 'seen'), 'utf8')).toBe('b.txt\n');
    expect(await status(repo)).toBe('');
  });

  test('works for the first commit of a repository', async () => {
    await using dir = await tempDir();
    execFileSync('git', ['init', '-q', dir.path]);
    for (const [name, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.com'],
    ] as const)
      execFileSync('git', ['-C', dir.path, 'config', name, value]);
    const git = gitWith();
    await dir.write({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      '.git/hooks/pre-commit': '#!/bin/sh\ngit ls-files > .git/seen\n',
    });
    await chmod(join(dir.path, '.git/hooks/pre-commit'), 0o755);
    await git.staging.stage(dir.path, ['b.txt']);
    const fingerprint = (await git.programs.read(dir.path)).hooks[0]?.fingerprint ?? '';
    await git.programs.chooseHook(dir.path, { name: 'pre-commit', fingerprint, runs: 'outside' });
    await git.commits.paths(dir.path, ['a.txt'], 'm');
    expect(await readFile(join(dir.path, '.git/seen'), 'utf8')).toBe('a.txt\n');
    expect((await git.reading.state(dir.path)).entries).toMatchObject([{ path: 'b.txt', x: 'A' }]);
  });

  test('changes the message, and refuses it', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const git = gitWith();
    await hook(repo, 'prepare-commit-msg', 'echo "$2: $(cat "$1")" > "$1"');
    await hook(repo, 'commit-msg', 'test "$1" = .git/COMMIT_EDITMSG && grep -q "^message: good" "$1"');
    for (const name of ['prepare-commit-msg', 'commit-msg']) await choose(git, repo, name);
    await repo.write({ 'a.txt': 'b\n' });
    await git.commits.paths(repo.path, ['a.txt'], 'good');
    expect(await repo.git('log', '-1', '--format=%s')).toBe('message: good');
    await repo.write({ 'a.txt': 'c\n' });
    await expect(git.commits.paths(repo.path, ['a.txt'], 'bad')).rejects.toMatchObject({
      reason: 'hook-failed',
      params: { hook: 'commit-msg' },
    });
  });

  test('runs after the commit, where its failure refuses nothing and is named', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const git = gitWith();
    await hook(repo, 'post-commit', 'git log -1 --format=%s > .git/seen; exit 1');
    await hook(repo, 'post-rewrite', 'echo "$1" > .git/rewritten; cat >> .git/rewritten');
    for (const name of ['post-commit', 'post-rewrite']) await choose(git, repo, name);
    await repo.write({ 'a.txt': 'b\n' });
    expect(await git.commits.paths(repo.path, ['a.txt'], 'said')).toMatchObject({ hooksFailed: ['post-commit'] });
    expect(await readFile(join(repo.path, '.git/seen'), 'utf8')).toBe('said\n');
    const before = await head(repo);
    const { fingerprint } = await git.reading.state(repo.path);
    await git.commits.amend(repo.path, { message: 'other', fingerprint, commit: before });
    const rewritten = await readFile(join(repo.path, '.git/rewritten'), 'utf8');
    expect(rewritten).toBe(`amend\n${before} ${await head(repo)}\n`);
  });

  test('refuses the commit when another one was made meanwhile, which stays', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const git = gitWith();
    await hook(repo, 'pre-commit', 'unset GIT_INDEX_FILE; git commit -q --no-verify --allow-empty -m meanwhile');
    await choose(git, repo, 'pre-commit');
    await repo.write({ 'a.txt': 'b\n' });
    await expect(git.commits.paths(repo.path, ['a.txt'], 'm')).rejects.toMatchObject({ reason: 'head-moved' });
    expect(await repo.git('log', '-1', '--format=%s')).toBe('meanwhile');
    expect(await status(repo)).toBe(' M a.txt');
  });

  test('that leaves a link in the place of the index writes nowhere else', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using other = await tempDir();
    const git = gitWith();
    await writeFile(join(other.path, 'mine'), 'mine');
    await hook(repo, 'pre-commit', `rm "$GIT_INDEX_FILE"; ln -s ${other.path}/mine "$GIT_INDEX_FILE"`);
    await choose(git, repo, 'pre-commit');
    await repo.write({ 'a.txt': 'b\n' });
    const before = await head(repo);
    await expect(git.commits.paths(repo.path, ['a.txt'], 'm')).rejects.toThrow();
    expect([await head(repo), await readFile(join(other.path, 'mine'), 'utf8')]).toEqual([before, 'mine']);
  });
});

describe('trust in a hook', () => {
  const repoWithHook = async (body = 'exit 1'): Promise<TempRepo> => {
    const repo = await tempRepo({ 'a.txt': 'a\n' });
    await hook(repo, 'pre-commit', body);
    await repo.write({ 'a.txt': 'b\n' });
    return repo;
  };

  test('is bound to its content: another one is not run and named', async () => {
    await using repo = await repoWithHook();
    const git = gitWith();
    await choose(git, repo, 'pre-commit');
    await hook(repo, 'pre-commit', 'exit 2');
    expect((await git.programs.read(repo.path)).hooks).toMatchObject([{ name: 'pre-commit', runs: null }]);
    expect(await git.commits.paths(repo.path, ['a.txt'], 'm')).toMatchObject({ hooksNotRun: ['pre-commit'] });
  });

  test('is refused for other files than those shown, and for a name that is no hook', async () => {
    await using repo = await repoWithHook();
    const git = gitWith();
    const { hooks } = await git.programs.read(repo.path);
    const fingerprint = hooks[0]?.fingerprint ?? '';
    expect(hooks[0]?.files).toEqual([{ path: '.git/hooks/pre-commit', text: '#!/bin/sh\nexit 1\n', isCut: false }]);
    await hook(repo, 'pre-commit', 'exit 0');
    const choice = { fingerprint, runs: 'outside' } as const;
    for (const name of ['pre-commit', '../config', 'commit-msg'])
      await expect(git.programs.chooseHook(repo.path, { ...choice, name })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        reason: 'hook',
      });
  });

  test('is withdrawn, and given for one operation', async () => {
    await using repo = await repoWithHook();
    const git = gitWith();
    const commit = () => git.commits.paths(repo.path, ['a.txt'], 'm');
    await choose(git, repo, 'pre-commit', { runs: 'outside-once' });
    await expect(commit()).rejects.toMatchObject({ reason: 'hook-failed' });
    expect(await commit()).toMatchObject({ hooksNotRun: ['pre-commit'] });
    await choose(git, repo, 'pre-commit');
    await repo.write({ 'a.txt': 'c\n' });
    await choose(git, repo, 'pre-commit', { runs: 'skip-once' });
    expect(await commit()).toMatchObject({ hooksNotRun: ['pre-commit'] });
    await repo.write({ 'a.txt': 'd\n' });
    await expect(commit()).rejects.toMatchObject({ reason: 'hook-failed' });
    await choose(git, repo, 'pre-commit', { runs: 'never' });
    expect(await commit()).toMatchObject({ hooksNotRun: ['pre-commit'] });
  });

  test('covers what husky and lefthook run', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const git = gitWith();
    await repo.git('config', 'core.hooksPath', '.husky/_');
    await hook(repo, 'pre-commit', '. "$(dirname "$0")/h"', '.husky/_');
    await repo.write({
      '.husky/_/h': 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")"\n',
      '.husky/pre-commit': 'exit 1\n',
    });
    const files = async () =>
      (await git.programs.read(repo.path)).hooks.map((one) => one.files.map(({ path }) => path));
    expect(await files()).toEqual([['.husky/_/pre-commit', '.husky/_/h', '.husky/pre-commit']]);
    await choose(git, repo, 'pre-commit');
    await repo.write({ 'a.txt': 'b\n' });
    await expect(git.commits.paths(repo.path, ['a.txt'], 'm')).rejects.toMatchObject({ reason: 'hook-failed' });
    await repo.write({ '.husky/pre-commit': 'exit 0\n' });
    expect((await git.programs.read(repo.path)).hooks).toMatchObject([{ runs: null }]);
    await repo.git('config', '--unset', 'core.hooksPath');
    await hook(repo, 'pre-commit', 'lefthook run pre-commit');
    await repo.write({ 'lefthook.yml': 'pre-commit:\n' });
    expect(await files()).toEqual([['.git/hooks/pre-commit', 'lefthook.yml']]);
  });

  test('shows the program behind a link, and runs a script without a first line', async () => {
    await using repo = await repoWithHook();
    const git = gitWith();
    await rm(join(repo.path, '.git/hooks/pre-commit'));
    await mkdir(join(repo.path, 'scripts'));
    await writeFile(join(repo.path, 'scripts/check'), 'echo checked; exit 1\n', { mode: 0o755 });
    await symlink('../../scripts/check', join(repo.path, '.git/hooks/pre-commit'));
    expect((await git.programs.read(repo.path)).hooks[0]?.files[0]?.text).toBe('echo checked; exit 1\n');
    await choose(git, repo, 'pre-commit');
    await expect(git.commits.paths(repo.path, ['a.txt'], 'm')).rejects.toMatchObject({ params: { output: 'checked' } });
  });
});

test('a hook that another one changes before it runs is not run', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  const git = gitWith();
  await hook(repo, 'pre-commit', 'echo "touch .git/ran" >> .git/hooks/commit-msg');
  await hook(repo, 'commit-msg', 'exit 0');
  for (const name of ['pre-commit', 'commit-msg']) await choose(git, repo, name);
  await repo.write({ 'a.txt': 'b\n' });
  const refused = { reason: 'hook-changed', params: { hook: 'commit-msg' } };
  await expect(git.commits.paths(repo.path, ['a.txt'], 'm')).rejects.toMatchObject(refused);
  expect(await readdir(join(repo.path, '.git'))).not.toContain('ran');
});

describe('a running hook', () => {
  const slow = async (): Promise<TempRepo> => {
    const repo = await tempRepo({ 'a.txt': 'a\n' });
    await hook(repo, 'pre-commit', 'echo working; sleep 600');
    await repo.write({ 'a.txt': 'b\n' });
    return repo;
  };

  test('shows its output while it runs, and is stopped', async () => {
    await using repo = await slow();
    const git = gitWith();
    await choose(git, repo, 'pre-commit');
    const heard: string[] = [];
    const end = await git.programs.followHooks(repo.path, (text) => heard.push(text));
    expect(await git.programs.stopHook(repo.path)).toBe(false);
    const commit = git.commits.paths(repo.path, ['a.txt'], 'm').catch((error) => error);
    await until(() => heard.join('') === 'working\n');
    expect(await git.programs.hookRuns(repo.path)).toMatchObject([
      { hook: 'pre-commit', state: 'running', runs: 'outside', output: 'working\n', exitCode: null },
    ]);
    expect(await git.programs.stopHook(repo.path)).toBe(true);
    expect(await commit).toMatchObject({ code: 'GIT_COMMAND_FAILED', reason: 'hook-stopped' });
    expect(await git.programs.hookRuns(repo.path)).toMatchObject([{ state: 'stopped' }]);
    end();
  });

  test.each([true, false])('has a time limit: %s', async (hasTimeLimit) => {
    await using repo = await slow();
    let passLimit: (() => void) | undefined;
    const timer: Ambient['timer'] = (ms, act) => {
      if (ms !== HOOK_LIMIT_MS) return system.timer(ms, act);
      passLimit = act;
      return () => undefined;
    };
    const git = gitWith({ ...system, timer });
    await choose(git, repo, 'pre-commit', { hasTimeLimit });
    const commit = git.commits.paths(repo.path, ['a.txt'], 'm').catch((error) => error);
    await until(async () => (await git.programs.hookRuns(repo.path))[0]?.output === 'working\n');
    expect(passLimit !== undefined).toBe(hasTimeLimit);
    passLimit?.();
    if (!hasTimeLimit) await git.programs.stopHook(repo.path);
    expect(await commit).toMatchObject({ reason: hasTimeLimit ? 'hook-timeout' : 'hook-stopped' });
  });
});

describe('trusted hooks of other operations', () => {
  test('post-checkout gets both commits', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const git = gitWith();
    await repo.git('switch', '-qc', 'other');
    await repo.git('commit', '-q', '--allow-empty', '-m', 'x');
    const [theirs, ours] = [await head(repo), await repo.git('rev-parse', 'main')];
    await hook(repo, 'post-checkout', 'echo "$@" > .git/seen');
    await choose(git, repo, 'post-checkout');
    expect(await git.branches.switch(repo.path, 'main')).toMatchObject({ hooksNotRun: null, hooksFailed: null });
    expect(await readFile(join(repo.path, '.git/seen'), 'utf8')).toBe(`${theirs} ${ours} 1\n`);
  });

  test('pre-push refuses a push, and gets what would be pushed', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await using remote = await tempDir();
    const git = gitWith();
    execFileSync('git', ['init', '-q', '--bare', remote.path]);
    await repo.git('remote', 'add', 'origin', remote.path);
    await hook(repo, 'pre-push', 'echo "$1"; cat; exit 1');
    await choose(git, repo, 'pre-push');
    const [none, one] = ['0'.repeat(40), await head(repo)];
    const output = (from: string): string => `origin\nrefs/heads/main ${one} refs/heads/main ${from}`;
    await expect(git.remotes.push(repo.path)).rejects.toMatchObject({
      reason: 'hook-failed',
      params: { hook: 'pre-push', output: output(none) },
    });
    expect(execFileSync('git', ['branch'], { cwd: remote.path }).toString()).toBe('');
    await choose(git, repo, 'pre-push', { runs: 'skip-once' });
    expect(await git.remotes.push(repo.path)).toMatchObject({ hooksNotRun: ['pre-push'] });
    // Nothing to push: git does not run it either.
    expect(await git.remotes.push(repo.path)).toMatchObject({ hooksNotRun: null });
    await repo.write({ 'a.txt': 'b\n' });
    await git.commits.paths(repo.path, ['a.txt'], 'm');
    await expect(git.remotes.push(repo.path)).rejects.toMatchObject({
      params: { output: `origin\nrefs/heads/main ${await head(repo)} refs/heads/main ${one}` },
    });
  });

  test('post-merge runs after a pull, and hooks of a merge commit only where one is made', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    const git = gitWith();
    await repo.git('branch', 'other');
    await repo.git('branch', '-q', '--set-upstream-to=other');
    await repo.git('switch', '-q', 'other');
    await repo.git('commit', '-q', '--allow-empty', '-m', 'x');
    await repo.git('switch', '-q', 'main');
    await hook(repo, 'post-merge', 'echo "$1" > .git/seen');
    await hook(repo, 'commit-msg', 'exit 1');
    for (const name of ['post-merge', 'commit-msg']) await choose(git, repo, name);
    expect(await git.remotes.pull(repo.path)).toMatchObject({ isMerged: true, hooksNotRun: null });
    expect(await readFile(join(repo.path, '.git/seen'), 'utf8')).toBe('0\n');
    await repo.git('commit', '-q', '--no-verify', '--allow-empty', '-m', 'ours');
    await repo.git('switch', '-q', 'other');
    await repo.git('commit', '-q', '--no-verify', '--allow-empty', '-m', 'theirs');
    await repo.git('switch', '-q', 'main');
    await expect(git.remotes.pull(repo.path)).rejects.toMatchObject({ reason: 'hook-failed' });
    await choose(git, repo, 'commit-msg', { runs: 'skip-once' });
    expect(await git.remotes.pull(repo.path)).toMatchObject({ isMerged: true, hooksNotRun: ['commit-msg'] });
  });
});

test('a hook that no sandbox can run refuses the commit', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  const git = gitWith();
  await hook(repo, 'pre-commit', 'exit 0');
  await choose(git, repo, 'pre-commit', { runs: 'sandboxed' });
  await repo.write({ 'a.txt': 'b\n' });
  const before = await head(repo);
  await expect(git.commits.paths(repo.path, ['a.txt'], 'm')).rejects.toMatchObject({ reason: 'hook-without-sandbox' });
  expect(await head(repo)).toBe(before);
});
