import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit, type Git } from '../src/git.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const git: Git = createGit({ ambient, environment });

async function changed(): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'a\n' });
  await repo.git('branch', 'other');
  await repo.git('remote', 'add', 'origin', repo.path);
  await repo.write({ 'a.txt': 'b\n' });
  return repo;
}

/** In the place of what is there. */
async function linkTo(target: string, repo: TempRepo, path: string): Promise<void> {
  const link = join(repo.path, '.git', path);
  await rm(link, { recursive: true, force: true });
  await mkdir(dirname(link), { recursive: true });
  await symlink(target, link);
}

describe('a link in the git folder to another place', () => {
  const COMMIT = ({ path }: TempRepo) => git.commits.paths(path, ['a.txt'], 'x');
  const FETCH = ({ path }: TempRepo) => git.remotes.fetch(path, 'origin');
  const SWITCH = ({ path }: TempRepo) => git.branches.switch(path, 'other');
  const STASH = ({ path }: TempRepo) => git.stashes.push(path, { hasNew: false });
  const STAGE = ({ path }: TempRepo) => git.staging.stage(path, ['a.txt']);
  test.each([
    ['COMMIT_EDITMSG', COMMIT],
    ['logs/HEAD', COMMIT],
    ['logs/refs/heads/main', COMMIT],
    ['logs/refs', COMMIT],
    ['ORIG_HEAD', COMMIT],
    ['MERGE_MSG', COMMIT],
    ['index.lock', STAGE],
    ['index', STAGE],
    ['objects/pack', STAGE],
    ['objects/0f', STAGE],
    ['packed-refs.lock', FETCH],
    ['FETCH_HEAD', FETCH],
    ['refs/remotes/origin', FETCH],
    ['logs/HEAD', SWITCH],
    ['refs/stash', STASH],
    ['info/sparse-checkout', SWITCH],
    ['rebase-merge/git-rebase-todo', SWITCH],
  ] as const)('refuses a write by name: %s', async (path, act) => {
    await using home = await tempDir();
    await home.write({ '.bashrc': 'mine\n', 'folder/x': '' });
    await using repo = await changed();
    const isFolder = /refs$|origin$|pack$|0f$/.test(path);
    await linkTo(join(home.path, isFolder ? 'folder' : '.bashrc'), repo, path);
    await expect(act(repo)).rejects.toMatchObject({
      code: 'GIT_COMMAND_FAILED',
      reason: 'link-in-git-folder',
      params: { path: `.git/${path}` },
    });
    expect(await readFile(join(home.path, '.bashrc'), 'utf8')).toBe('mine\n');
    expect(await readdir(join(home.path, 'folder'))).toEqual(['x']);
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('b\n');
  });

  test('is refused also before its target exists', async () => {
    await using home = await tempDir();
    await using repo = await changed();
    await linkTo(join(home.path, '.bash_login'), repo, 'COMMIT_EDITMSG');
    await expect(COMMIT(repo)).rejects.toMatchObject({ reason: 'link-in-git-folder' });
    expect(await readdir(home.path)).toEqual([]);
  });

  test('does not keep a repository from being read', async () => {
    await using home = await tempDir();
    await home.write({ x: '' });
    await using repo = await changed();
    await linkTo(join(home.path, 'x'), repo, 'COMMIT_EDITMSG');
    await repo.write({ 'new.txt': 'n\n' });
    expect((await git.reading.state(repo.path)).entries).toHaveLength(2);
    expect((await git.reading.diff(repo.path, 'new.txt', 'work')).text).toContain('+n');
  });

  test('of a linked work tree is refused in the folder that all share, too', async () => {
    await using home = await tempDir();
    await home.write({ x: '' });
    await using repo = await changed();
    await using trees = await tempDir();
    const path = join(trees.path, 'tree');
    await repo.git('worktree', 'add', '-q', path, 'other');
    await writeFile(join(path, 'a.txt'), 'c\n');
    await linkTo(join(home.path, 'x'), repo, 'logs/refs/heads/other');
    await expect(git.commits.paths(path, ['a.txt'], 'x')).rejects.toMatchObject({ reason: 'link-in-git-folder' });
  });
});

describe('links that are allowed', () => {
  test('hooks, and links inside the git folder', async () => {
    await using home = await tempDir();
    await using repo = await changed();
    await linkTo(home.path, repo, 'hooks');
    await linkTo('refs/heads/main', repo, 'HEAD');
    await git.commits.paths(repo.path, ['a.txt'], 'x');
    expect(await repo.git('log', '-1', '--format=%s')).toBe('x');
    expect(await readdir(home.path)).toEqual([]);
  });

  test('parts of another git folder, as git-new-workdir and repo make them', async () => {
    await using repo = await changed();
    await using work = await tempDir();
    await mkdir(join(work.path, '.git/logs'), { recursive: true });
    for (const part of ['config', 'refs', 'logs/refs', 'objects', 'info', 'hooks'])
      await symlink(join(repo.path, '.git', part), join(work.path, '.git', part));
    await writeFile(join(work.path, '.git/HEAD'), 'ref: refs/heads/other\n');
    execFileSync('git', ['reset', '-q', '--hard'], { cwd: work.path });
    await work.write({ 'a.txt': 'here\n' });
    await git.commits.paths(work.path, ['a.txt'], 'from there');
    expect(await repo.git('log', '-1', '--format=%s', 'other')).toBe('from there');
  });
});

test('reading takes no lock and writes nothing, also where the index is out of date', async () => {
  await using repo = await changed();
  await repo.write({ 'b.txt': 'b\n', 'new.txt': 'n\n' });
  await repo.git('add', 'b.txt');
  await utimes(join(repo.path, 'b.txt'), 1e9, 1e9);
  const { path } = repo;
  const commit = await repo.git('rev-parse', 'HEAD');
  const before = await facts(join(path, '.git'));
  await git.reading.state(path);
  await git.reading.branch(path);
  for (const [name, area] of [
    ['a.txt', 'work'],
    ['new.txt', 'work'],
    ['b.txt', 'staged'],
  ] as const)
    await git.reading.diff(path, name, area);
  await git.reading.history(path);
  await git.reading.changes(path, { to: commit });
  await git.reading.branchPoint(path, 'other');
  await Promise.all([git.branches.list(path), git.stashes.list(path), git.remotes.sync(path), git.portrait(path)]);
  await git.programs.read(path);
  expect(await facts(join(path, '.git'))).toEqual(before);
  // A lock that another git holds does not matter.
  await repo.write({ '.git/index.lock': '' });
  expect((await git.reading.state(path)).entries).toHaveLength(3);
  await rename(join(path, '.git/index.lock'), join(path, 'gone'));
});

/** Every entry below a folder, with what a write changes. */
async function facts(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    [...names, '.'].map(async (name) => {
      const { ino, size, mtimeMs, ctimeMs } = await lstat(join(folder, name));
      return `${name} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    }),
  );
}
