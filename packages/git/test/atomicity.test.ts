import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { shellIn, type TempRepo, tempCopy, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGit, type Git } from '../src/git.ts';
import { type FailingGit, failingGit } from './failing-git.ts';
import { snapshot } from './snapshot.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
let failing: FailingGit;
let git: Git;
beforeAll(async () => {
  failing = await failingGit();
  // Its counter is beside the repositories.
  const writable = { FUCINA_GIT_WRITES: failing.path };
  git = createGit({ ambient, environment: { ...environment, ...writable }, gitPath: failing.gitPath });
});
afterAll(async () => failing[Symbol.asyncDispose]());

/** Changes of every kind, in the folder `sub` and outside it. */
let busy: TempRepo;
/** One stash entry, and other changes made since. */
let stashedOnce: TempRepo;
const busyRepo = (): Promise<TempRepo> => tempCopy(busy.path);
const stashedRepo = (): Promise<TempRepo> => tempCopy(stashedOnce.path);

beforeAll(async () => {
  const names = ['a.txt', 'staged.txt', 'both.txt', 'gone.txt', 'sub/in.txt', 'sub/staged.txt', 'sub/gone.txt'];
  busy = await tempRepo(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  await shellIn(busy.path)('git branch other; echo last >last.txt; git add last.txt; git commit -qm Last');
  await busy.write({ 'staged.txt': 'S\n', 'both.txt': 'S\n', 'sub/staged.txt': 'S\n', 'fresh.txt': 'F\n' });
  await busy.git('add', 'staged.txt', 'both.txt', 'sub/staged.txt', 'fresh.txt');
  await busy.write({ 'a.txt': 'A\n', 'both.txt': 'B\n', 'sub/in.txt': 'I\n', 'new/one': '1', 'sub/new/two': '2' });
  await rm(join(busy.path, 'gone.txt'));
  await rm(join(busy.path, 'sub/gone.txt'));
  stashedOnce = await busyRepo();
  await stashedOnce.git('stash', 'push', '-q', '--include-untracked');
  await stashedOnce.write({ 'last.txt': 'staged since\n', 'later/x': '' });
  await stashedOnce.git('add', 'last.txt');
});
afterAll(async () => {
  await busy[Symbol.asyncDispose]();
  await stashedOnce[Symbol.asyncDispose]();
});

interface Operation {
  act(folder: string, repo: TempRepo): Promise<unknown>;
  repo?: () => Promise<TempRepo>;
  /** Also when a command has succeeded and then fails. */
  isUndone?: boolean;
}

const head = (repo: TempRepo): Promise<string> => repo.git('rev-parse', 'HEAD');
const print = async (folder: string): Promise<string> => (await git.reading.state(folder)).fingerprint;
const stashed = async (repo: TempRepo) => ({ index: 0, commit: await repo.git('rev-parse', 'stash@{0}') });
const hunkOf =
  (action: 'stage' | 'unstage' | 'discard', path: string, area: 'work' | 'staged') => async (folder: string) => {
    const { fingerprint } = await git.reading.diff(folder, path, area);
    return git.staging.hunk(folder, { path, area, index: 0, fingerprint, action });
  };

const OPERATIONS: Record<string, Operation> = {
  stage: { act: (folder) => git.staging.stage(folder, ['a.txt', 'new', 'gone.txt', 'both.txt']) },
  unstage: { act: (folder) => git.staging.unstage(folder, ['staged.txt', 'fresh.txt', 'both.txt']) },
  discard: {
    act: (folder) => git.staging.discard(folder, ['a.txt', 'both.txt', 'gone.txt', 'new', 'sub']),
    isUndone: true,
  },
  'staging of a hunk': { act: hunkOf('stage', 'a.txt', 'work') },
  'unstaging of a hunk': { act: hunkOf('unstage', 'staged.txt', 'staged') },
  'discarding of a hunk': { act: hunkOf('discard', 'both.txt', 'work') },
  'commit of paths': { act: (folder) => git.commits.paths(folder, ['a.txt', 'fresh.txt', 'gone.txt', 'new'], 'x') },
  'commit of what is staged': { act: async (folder) => git.commits.staged(folder, 'x', await print(folder)) },
  amend: {
    act: async (folder, repo) =>
      git.commits.amend(folder, { message: 'x', fingerprint: await print(folder), commit: await head(repo) }),
  },
  undo: { act: async (folder, repo) => git.commits.undo(folder, await head(repo)) },
  switch: { act: (folder) => git.branches.switch(folder, 'other') },
  'new branch': { act: (folder) => git.branches.create(folder, 'fresh') },
  rename: { act: (folder) => git.branches.rename(folder, 'other', 'another') },
  'deleting of a branch': { act: (folder) => git.branches.delete(folder, 'other', true) },
  stash: { act: (folder) => git.stashes.push(folder, { message: 'm', hasNew: true }), isUndone: true },
  'stash of known files': { act: (folder) => git.stashes.push(folder, { hasNew: false }), isUndone: true },
  'stash of a folder': {
    act: (folder) => git.stashes.push(join(folder, 'sub'), { hasNew: true }),
    isUndone: true,
  },
  pop: { act: async (folder, repo) => git.stashes.pop(folder, await stashed(repo)), repo: stashedRepo },
  'drop of a stash': { act: async (folder, repo) => git.stashes.drop(folder, await stashed(repo)), repo: stashedRepo },
};

describe('failed operations leave index, files, branches and stashes unchanged', () => {
  for (const [name, { act, repo: make = busyRepo, isUndone = false }] of Object.entries(OPERATIONS)) {
    test(name, async () => {
      for (const when of isUndone ? (['before', 'after'] as const) : (['before'] as const)) {
        for (let n = 1, isReached = true; isReached; n++) {
          await using repo = await make();
          const before = await snapshot(repo);
          await failing.failAt(n, when);
          const code = await act(repo.path, repo).then(
            () => 'done',
            (error) => error.code,
          );
          isReached = await failing.hasFailed();
          if (!isReached) {
            expect([n > 1, code, (await snapshot(repo)) === before]).toEqual([true, 'done', false]);
          } else if (code !== 'done') {
            expect([when, n, await snapshot(repo)]).toEqual([when, n, before]);
          }
        }
      }
    });
  }
});

test('a partly applied stash is rolled back and stays in the list', async () => {
  await using repo = await stashedRepo();
  const before = await snapshot(repo);
  await failing.failAt(1, 'before', `cd '${repo.path}' && git stash apply`);
  await expect(git.stashes.pop(repo.path, await stashed(repo))).rejects.toMatchObject({ code: 'GIT_STASH_CONFLICT' });
  expect(await snapshot(repo)).toBe(before);
});

describe('a concurrent git process', () => {
  test('keeps its staged changes while a stash fails', async () => {
    for (const n of [1, 2]) {
      await using repo = await busyRepo();
      const before = await snapshot(repo);
      await failing.failAt(n, 'before', `cd '${repo.path}' && git add new/one`);
      await expect(git.stashes.push(join(repo.path, 'sub'), { hasNew: true })).rejects.toMatchObject({
        code: 'GIT_COMMAND_FAILED',
      });
      expect(await failing.hasFailed()).toBe(true);
      expect(await repo.git('diff', '--cached', '--name-only', '--', 'new')).toBe('new/one');
      await repo.git('rm', '-q', '--cached', 'new/one');
      expect(await snapshot(repo)).toBe(before);
    }
  });

  test('makes a commit of paths wait, and fail without a commit if it does not end', async () => {
    await using repo = await busyRepo();
    await failing.failAt(0, 'before');
    const before = await snapshot(repo);
    await repo.write({ '.git/index.lock': '' });
    await expect(git.commits.paths(repo.path, ['a.txt'], 'x')).rejects.toMatchObject({
      code: 'GIT_COMMAND_FAILED',
      reason: 'locked',
    });
    await rm(join(repo.path, '.git/index.lock'));
    expect(await snapshot(repo)).toBe(before);
    await repo.write({ '.git/index.lock': '' });
    const committing = git.commits.paths(repo.path, ['a.txt'], 'x');
    while ((await repo.git('log', '-1', '--format=%s')) !== 'x') await ambient.sleep(5);
    await rm(join(repo.path, '.git/index.lock'));
    await committing;
    expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('a.txt');
    expect(await repo.git('diff', '--name-only')).toBe('both.txt\ngone.txt\nsub/gone.txt\nsub/in.txt');
  });
});

test('discards and restores files with every name git accepts', async () => {
  const odd = [
    ':x',
    'dot.',
    '-n',
    '*',
    'a b ',
    'two\\nlines',
    'caf\\351',
    'NUL',
    'back\\\\slash',
    '\\360\\237\\224\\245',
  ];
  const write = (repo: TempRepo, text: string): void => {
    for (const name of odd)
      spawnSync('sh', ['-c', `printf '${text}' > "$(printf -- '${name}')"`], { cwd: join(repo.path, 'dir') });
  };
  await using repo = await tempRepo({ 'dir/x': '' });
  write(repo, 'one');
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'odd');
  write(repo, 'two');
  await repo.write({ 'dir/new/*': '', 'dir/new/:y': '', 'dir/new/-m.': '', 'dir/n\u0001': '' });
  expect((await repo.git('status', '--porcelain', '--untracked-files=all')).split('\n')).toHaveLength(odd.length + 4);
  const before = await snapshot(repo);
  await failing.failAt(1, 'after');
  await expect(git.staging.discard(repo.path, ['dir'])).rejects.toMatchObject({ code: 'GIT_COMMAND_FAILED' });
  expect(await snapshot(repo)).toBe(before);
  await failing.failAt(0, 'before');
  const { restored, removed } = await git.staging.discard(repo.path, ['dir']);
  expect([restored.length, removed.length]).toEqual([odd.length, 4]);
  expect(await repo.git('status', '--porcelain')).toBe('');
});
