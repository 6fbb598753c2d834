import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit } from '../src/git.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const git = createGit({ ambient, environment });
const subjects = (folder: string): string =>
  execFileSync('git', ['log', '--format=%s'], { cwd: folder, encoding: 'utf8' }).trim().replaceAll('\n', ',');

/** A repository with the submodule `sub`. */
async function withSubmodule(library: TempRepo): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'a\n' });
  await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'sub');
  await repo.git('commit', '-qm', 'sub');
  for (const [key, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@forge.invalid'],
  ])
    execFileSync('git', ['config', key ?? '', value ?? ''], { cwd: join(repo.path, 'sub') });
  return repo;
}

describe('a submodule', () => {
  test('as the folder is read, staged and committed by itself', async () => {
    await using library = await tempRepo({ 'lib.txt': 'one\n' });
    await using repo = await withSubmodule(library);
    const sub = join(repo.path, 'sub');
    await repo.write({ 'sub/lib.txt': 'two\n', 'sub/new.txt': 'n\n' });
    expect((await git.reading.state(sub)).entries.map(({ path }) => path)).toEqual(['lib.txt', 'new.txt']);
    await git.staging.stage(sub, ['new.txt']);
    const { fingerprint } = await git.reading.state(sub);
    await git.commits.staged(sub, 'new', fingerprint);
    await git.commits.paths(sub, ['lib.txt'], 'two');
    await repo.write({ 'sub/lib.txt': 'three\n' });
    await git.staging.discard(sub, ['lib.txt']);
    expect(await readFile(join(sub, 'lib.txt'), 'utf8')).toBe('two\n');
    expect(subjects(sub)).toBe('two,new,Start');
    expect(subjects(repo.path)).toBe('sub,Start');
  });

  test('with a new commit is a change of the repository above, staged and committed there', async () => {
    await using library = await tempRepo({ 'lib.txt': 'one\n' });
    await using repo = await withSubmodule(library);
    await repo.write({ 'sub/lib.txt': 'two\n' });
    expect((await git.reading.state(repo.path)).entries).toEqual([]);
    const { commit } = await git.commits.paths(join(repo.path, 'sub'), ['lib.txt'], 'two');
    expect((await git.reading.state(repo.path)).entries).toMatchObject([{ path: 'sub', isRepository: true, y: 'M' }]);
    await git.commits.paths(repo.path, ['sub'], 'sub two');
    expect(await repo.git('rev-parse', 'HEAD:sub')).toBe(commit);
    await expect(git.staging.discard(repo.path, ['sub'])).rejects.toMatchObject({ code: 'GIT_NOTHING_TO_DISCARD' });
  });
});

test('a branch that another work tree has checked out is not deleted, also when forced', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  await using trees = await tempDir();
  const tree = join(trees.path, 'tree');
  await repo.git('worktree', 'add', '-q', '-b', 'there', tree);
  await repo.git('branch', 'loose');
  await expect(git.branches.delete(repo.path, 'there', true)).rejects.toMatchObject({ code: 'GIT_BRANCH_CURRENT' });
  await git.branches.delete(tree, 'loose', true);
  expect(await repo.git('branch', '--format=%(refname:short)')).toBe('main\nthere');
});

test('a sparse checkout keeps what it leaves out, through commit, stash, discard and switch', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n', 'in/x': 'x\n', 'out/y': 'y\n' });
  await repo.git('branch', 'other');
  await repo.git('sparse-checkout', 'set', 'in');
  const { path } = repo;
  const listed = async (): Promise<string[]> => (await readdir(path)).filter((name) => name !== '.git').sort();
  expect((await git.reading.state(path)).entries).toEqual([]);
  await repo.write({ 'in/x': 'X\n' });
  await git.commits.paths(path, ['in/x'], 'x');
  await repo.write({ 'in/x': 'XX\n' });
  await git.stashes.push(path, { hasNew: true });
  await repo.write({ 'a.txt': 'A\n' });
  await git.staging.discard(path, ['a.txt']);
  await git.branches.switch(path, 'other');
  await git.branches.switch(path, 'main');
  expect(await listed()).toEqual(['a.txt', 'in']);
  expect(await repo.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('a.txt\nin/x\nout/y');
  expect(await repo.git('status', '--porcelain')).toBe('');
});

test('a repository in a format that this git does not know is refused with the reason, and left as it is', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  const { path } = repo;
  const head = await readFile(join(path, '.git/HEAD'), 'utf8');
  await repo.git('config', 'core.repositoryformatversion', '1');
  await repo.git('config', 'extensions.refStorage', 'unknown');
  const config = await readFile(join(path, '.git/config'), 'utf8');
  await repo.write({ 'a.txt': 'b\n' });
  const refusal = { code: 'GIT_COMMAND_FAILED', reason: 'newer-repository' };
  await expect(git.reading.state(path)).rejects.toMatchObject(refusal);
  await expect(git.staging.stage(path, ['a.txt'])).rejects.toMatchObject(refusal);
  await expect(git.commits.paths(path, ['a.txt'], 'b')).rejects.toMatchObject(refusal);
  await expect(git.branches.delete(path, 'main', true)).rejects.toMatchObject(refusal);
  expect(await readFile(join(path, '.git/HEAD'), 'utf8')).toBe(head);
  expect(await readFile(join(path, '.git/config'), 'utf8')).toBe(config);
});
