import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { gitIn, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit } from './git.ts';
import { createLauncher } from './run/launcher.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const git = createGit({ ambient, environment });

describe('repository details', () => {
  test('include branch, root, uncommitted files and nested repositories', async () => {
    await using repo = await tempRepo({ 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c' });
    expect(await git.portrait(repo.path)).toEqual({
      branch: 'main',
      isRepositoryRoot: true,
      unsavedCount: 0,
      nestedRepositories: [],
    });
    await repo.write({ 'a.txt': 'changed', 'new/one': '', 'new/two': '', 'sub/d.txt': 'd' });
    await repo.git('rm', '-q', 'b.txt');
    for (const inner of ['inner', 'x/y/deep', 'node_modules/dep', 'w/x/y/too-deep']) {
      await mkdir(join(repo.path, inner), { recursive: true });
      await gitIn(join(repo.path, inner))('init', '-q');
    }
    const portrait = await git.portrait(repo.path);
    expect(portrait).toMatchObject({ branch: 'main', nestedRepositories: ['inner', 'x/y/deep'] });
    expect(portrait?.unsavedCount).toBe(8);
    expect(await git.portrait(join(repo.path, 'sub'))).toMatchObject({ isRepositoryRoot: false, unsavedCount: 1 });
  });

  test('are undefined outside a repository, without git, and when git fails', async () => {
    await using dir = await tempDir();
    await using repo = await tempRepo();
    expect(await git.portrait(dir.path)).toBeUndefined();
    expect(await createGit({ ambient, environment: { PATH: '.:bin' } }).portrait(repo.path)).toBeUndefined();
    expect(
      await createGit({ ambient, environment, gitPath: join(dir.path, 'no-git') }).portrait(repo.path),
    ).toBeUndefined();
    await writeFile(join(repo.path, '.git/config'), '[broken');
    const fake = fakeAmbient();
    expect(
      await createGit({ ambient: { ...ambient, log: fake.log }, environment }).portrait(repo.path),
    ).toBeUndefined();
    expect(fake.lines.join('')).toContain('git.portrait-failed');
  });

  test('time out after four seconds', async () => {
    await using repo = await tempRepo();
    await using dir = await tempDir();
    const gitPath = join(dir.path, 'slow-git');
    await writeFile(gitPath, '#!/bin/sh\nsleep 600\n');
    await chmod(gitPath, 0o755);
    const limits: number[] = [];
    const hurried = {
      ...ambient,
      timer(ms: number, act: () => void) {
        limits.push(ms);
        return ambient.timer(ms === 4000 ? 10 : ms, act);
      },
    };
    expect(await createGit({ ambient: hurried, environment, gitPath }).portrait(repo.path)).toBeUndefined();
    expect(limits).toContain(4000);
  });
});

describe('the branch', () => {
  test('is read from HEAD, even in subfolders, worktrees and submodules', async () => {
    await using repo = await tempRepo({ 'sub/a.txt': '' });
    await using trees = await tempDir();
    await repo.git('checkout', '-q', '-b', 'feature/one');
    await repo.git('worktree', 'add', '-q', '-b', 'other', join(trees.path, 'tree'));
    expect(await git.branchOf(repo.path)).toBe('feature/one');
    expect(await git.branchOf(join(repo.path, 'sub'))).toBe('feature/one');
    expect(await git.branchOf(join(trees.path, 'tree'))).toBe('other');
    expect(await git.portrait(join(trees.path, 'tree'))).toMatchObject({ branch: 'other', isRepositoryRoot: true });
    await repo.git('checkout', '-q', '--detach');
    expect(await git.branchOf(repo.path)).toBeNull();
    expect(await git.branchOf(trees.path)).toBeNull();
  });

  test('and the work tree of a folder belong to the repository that its linked work trees share', async () => {
    await using repo = await tempRepo({ 'sub/a.txt': '' });
    await using trees = await tempDir();
    const tree = join(trees.path, 'tree');
    await repo.git('worktree', 'add', '-q', tree);
    const repository = join(repo.path, '.git');
    expect(await git.workTreeOf(join(repo.path, 'sub'))).toEqual({ root: repo.path, repository });
    expect(await git.workTreeOf(join(tree, 'sub'))).toEqual({ root: tree, repository });
    expect(await git.workTreeOf(trees.path)).toBeUndefined();
  });

  test('is that of the nearest repository above a folder', async () => {
    await using dir = await tempDir();
    await dir.write({
      '.git/HEAD': 'ref: refs/heads/outer\n',
      'inner/.git/HEAD': 'ref: refs/heads/inner\n',
      'inner/deep/er/a.txt': '',
      'beside/deep/a.txt': '',
    });
    expect(await git.branchOf(join(dir.path, 'inner/deep/er'))).toBe('inner');
    expect(await git.branchOf(join(dir.path, 'beside/deep'))).toBe('outer');
  });

  test('is null for malformed git files', async () => {
    await using dir = await tempDir();
    const head = join(dir.path, 'a/.git/HEAD');
    await dir.write({
      'a/.git/HEAD': 'ref: refs/heads/x\u001b[31m\n',
      'b/.git': 'gitdir: /nowhere\n',
      'c/.git': 'x'.repeat(10_000),
    });
    await symlink('/etc', join(dir.path, 'd'));
    for (const name of ['a', 'b', 'c']) expect(await git.branchOf(join(dir.path, name))).toBeNull();
    await rm(head);
    spawnSync('mkfifo', [head]);
    expect(await git.branchOf(join(dir.path, 'a'))).toBeNull();
    await rm(head);
    await symlink('/etc/passwd', head);
    expect(await git.branchOf(join(dir.path, 'a'))).toBeNull();
  });
});

test('stops on too much output and on abort', async () => {
  await using dir = await tempDir();
  await using repo = await tempRepo();
  const gitPath = join(dir.path, 'loud-git');
  await writeFile(gitPath, '#!/bin/sh\ncase "$*" in *config*) exit 1;; *loud*) exec yes;; *) exec sleep 600;; esac\n');
  await chmod(gitPath, 0o755);
  const launcher = createLauncher({ ambient, environment, gitPath });
  const call = { folder: repo.path, repository: { root: repo.path, gitDir: join(repo.path, '.git') } };
  await expect(launcher.read({ ...call, args: ['loud'] })).rejects.toMatchObject({ code: 'GIT_OUTPUT_TOO_LARGE' });
  await expect(launcher.read({ ...call, args: ['quiet'], timeoutMs: 100 })).rejects.toMatchObject({
    code: 'GIT_TIMEOUT',
  });
  await expect(launcher.read({ ...call, args: ['quiet'], signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
    code: 'GIT_ABORTED',
  });
});
