import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { OPEN_TO_ALL, type TempDir, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit, type Git } from '../src/git.ts';

const ambient = systemAmbient('silent');

interface Fixture extends AsyncDisposable {
  repo: TempRepo;
  /** With the folders `home`, `outside` and `worktrees`, and the bare repository `remote.git`. */
  around: TempDir;
  git: Git;
  /** Subcommands that could write outside. */
  escaped(): Promise<string[]>;
  /** Subcommands that wrote in the git folder, so that they did run. */
  ran(): Promise<string[]>;
}

/** git behind a wrapper that writes a file outside the repository and one in the git folder before it does its work. */
async function fixture(): Promise<Fixture> {
  const around = await tempDir('fucina-view-', OPEN_TO_ALL);
  const repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'd/pre-commit': 'x\n' });
  for (const name of ['home/.ssh', 'outside', 'worktrees']) await mkdir(join(around.path, name), { recursive: true });
  const gitPath = join(around.path, 'git');
  const [outside, inside] = [join(around.path, 'outside'), join(repo.path, '.git')];
  const script = [
    '#!/bin/sh',
    `(: > "${outside}/$3"; : > "${inside}/hooks/$3") 2>/dev/null`,
    `(: > "${inside}/ran-$3") 2>/dev/null`,
    `PATH='${process.env.PATH}' exec git "$@"`,
  ];
  await writeFile(gitPath, `${script.join('\n')}\n`);
  await chmod(gitPath, 0o755);
  await repo.git('branch', 'other');
  await repo.git('init', '-q', '--bare', join(around.path, 'remote.git'));
  await repo.git('remote', 'add', 'origin', join(around.path, 'remote.git'));
  await repo.write({ 'a.txt': 'changed\n' });
  const environment = { ...process.env, HOME: join(around.path, 'home'), XDG_CONFIG_HOME: '/nonexistent' };
  const marks = async (folder: string, prefix: string): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return {
    repo,
    around,
    git: createGit({ ambient, environment, gitPath, worktreesDir: join(around.path, 'worktrees') }),
    escaped: () => marks(outside, ''),
    ran: () => marks(inside, 'ran-'),
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await around[Symbol.asyncDispose]();
    },
  };
}

const READING = ['config', 'diff', 'diff-index', 'diff-tree', 'for-each-ref', 'log', 'ls-files', 'ls-tree', 'remote'];
const READERS = new Set([
  ...READING,
  'check-ref-format',
  'rev-list',
  'rev-parse',
  'show-ref',
  'status',
  'merge-base',
  'symbolic-ref',
]);

describe('a command that writes changes nothing outside the repository', () => {
  test.each<[string, string, (git: Git, folder: string) => Promise<unknown>]>([
    ['stage', 'add', (git, folder) => git.staging.stage(folder, ['a.txt'])],
    ['discard', 'restore', (git, folder) => git.staging.discard(folder, ['a.txt'])],
    ['commit', 'commit', (git, folder) => git.commits.paths(folder, ['a.txt'], 'x')],
    ['create a branch', 'switch', (git, folder) => git.branches.create(folder, 'fresh')],
    ['delete a branch', 'branch', (git, folder) => git.branches.delete(folder, 'other', true)],
    ['stash', 'stash', (git, folder) => git.stashes.push(folder, { hasNew: true })],
    ['fetch', 'fetch', (git, folder) => git.remotes.fetch(folder, 'origin')],
    ['push', 'push', (git, folder) => git.remotes.push(folder)],
    [
      'make a worktree',
      'worktree',
      (git, folder) => git.worktrees.create(folder, { title: 'x', carriesChanges: true }),
    ],
  ])('%s', async (_name, command, act) => {
    await using place = await fixture();
    expect(await place.git.viewState()).toBe('working');
    await act(place.git, place.repo.path);
    expect(await place.ran()).toContain(command);
    expect((await place.escaped()).filter((name) => !READERS.has(name))).toEqual([]);
  });

  test('make a repository', async () => {
    await using place = await fixture();
    await place.around.write({ 'fresh/a.txt': 'a\n' });
    await place.git.commits.init(join(place.around.path, 'fresh'), false);
    expect(await readdir(join(place.around.path, 'fresh'))).toEqual(['.git', 'a.txt']);
    expect(await place.escaped()).not.toContain('init');
  });
});

test('a command that writes files of the work tree adds no hook', async () => {
  await using place = await fixture();
  await place.git.staging.discard(place.repo.path, ['a.txt']);
  expect(await readdir(join(place.repo.path, '.git/hooks'))).not.toContain('restore');
});

test('a push reaches the repository at a local path, and no other', async () => {
  await using place = await fixture();
  await place.git.commits.paths(place.repo.path, ['a.txt'], 'x');
  await place.git.remotes.push(place.repo.path);
  const remote = join(place.around.path, 'remote.git');
  expect(await place.repo.git('--git-dir', remote, 'log', '-1', '--format=%s', 'main')).toBe('x');
});

test('a git folder that a link leads to is not written', async () => {
  await using place = await fixture();
  await using other = await tempRepo({ 'a.txt': 'a\n' });
  const folder = join(place.repo.path, '.git');
  await place.git.reading.state(place.repo.path);
  // Between the search for the repository and its use: the wrapper of a reading command does it.
  await place.repo.write({ swap: '' });
  const swap = createGit({
    ambient,
    environment: process.env,
    gitPath: await swappingGit(place.around, folder, join(other.path, '.git')),
  });
  await expect(swap.commits.paths(place.repo.path, ['a.txt'], 'x')).rejects.toMatchObject({
    code: 'GIT_COMMAND_FAILED',
    reason: 'folder-replaced',
  });
  expect(await other.git('log', '--format=%s')).not.toContain('x');
});

/** git whose first reading command puts a link in the place of the git folder. */
async function swappingGit(around: TempDir, folder: string, target: string): Promise<string> {
  const path = join(around.path, 'swapping-git');
  const swap = `[ -L '${folder}' ] || { mv '${folder}' '${folder}-before' && ln -s '${target}' '${folder}'; }`;
  await writeFile(path, `#!/bin/sh\n[ "$3" = config ] || ${swap}\nPATH='${process.env.PATH}' exec git "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

test('a wide home stays readable for the settings of the user', async () => {
  await using place = await fixture();
  await place.around.write({ 'home/.gitconfig': '[user]\n\tname = From Home\n\temail = home@forge.invalid\n' });
  await place.repo.git('config', '--unset', 'user.name');
  await place.git.commits.paths(place.repo.path, ['a.txt'], 'x');
  expect(await place.repo.git('log', '-1', '--format=%an')).toBe('From Home');
});
