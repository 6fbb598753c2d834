import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit } from '../git.ts';

const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const git = createGit({ ambient: systemAmbient('silent'), environment });

/** `a.txt` and `sub/b.txt` are in conflict. */
async function conflicted(): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'one\n', 'sub/b.txt': 'one\n', 'c.txt': 'one\n' });
  await repo.git('switch', '-qc', 'other');
  await repo.write({ 'a.txt': 'two\n', 'sub/b.txt': 'two\n' });
  await repo.git('commit', '-qam', 'two');
  await repo.git('switch', '-q', 'main');
  await repo.write({ 'a.txt': 'three\n', 'sub/b.txt': 'three\n' });
  await repo.git('commit', '-qam', 'three');
  await repo.git('merge', 'other').catch(() => undefined);
  return repo;
}

const refused = (path: string) => ({ code: 'GIT_COMMAND_FAILED', reason: 'conflict-markers', params: { path } });
const unmerged = (repo: TempRepo): Promise<string> => repo.git('diff', '--name-only', '--diff-filter=U');

test('refuses to stage a file in conflict that has markers, by itself, below a folder and among others', async () => {
  await using repo = await conflicted();
  await repo.write({ 'c.txt': 'c\n' });
  await expect(git.staging.stage(repo.path, ['a.txt'])).rejects.toMatchObject(refused('a.txt'));
  await expect(git.staging.stage(repo.path, ['c.txt', 'sub'])).rejects.toMatchObject(refused('sub/b.txt'));
  expect(await unmerged(repo)).toBe('a.txt\nsub/b.txt');
  expect(await repo.git('diff', '--cached', '--name-only', '--diff-filter=M')).toBe('');
});

test('stages a file in conflict without markers, and files beside one that has them', async () => {
  await using repo = await conflicted();
  await repo.write({ 'a.txt': 'resolved\n=======\n', 'c.txt': '<<<<<<< text\n=======\n>>>>>>> text\n' });
  await git.staging.stage(repo.path, ['a.txt', 'c.txt']);
  expect(await unmerged(repo)).toBe('sub/b.txt');
});

test('stages markers when asked for', async () => {
  await using repo = await conflicted();
  const { state } = await git.staging.stageWithMarkers(repo.path, ['a.txt']);
  expect(await unmerged(repo)).toBe('sub/b.txt');
  expect(state.summary.conflicts).toBe(1);
});

const staged = (path: string) => ({ code: 'GIT_COMMAND_FAILED', reason: 'conflict-markers-staged', params: { path } });
const MARKED = '<<<<<<< HEAD\nthree\n=======\ntwo\n>>>>>>> other\n';

/** Commits what is staged, as it is now. */
async function commitAll({ path }: TempRepo): Promise<unknown> {
  const { fingerprint } = await git.reading.state(path);
  return git.commits.staged(path, 'merged', fingerprint);
}

describe('markers that another program staged', () => {
  test('are refused by a commit of what is staged, until they are resolved or accepted', async () => {
    await using repo = await conflicted();
    await repo.git('add', '-A');
    const head = await repo.git('rev-parse', 'HEAD');
    await expect(commitAll(repo)).rejects.toMatchObject(staged('a.txt'));
    await repo.write({ 'a.txt': 'resolved\n' });
    await git.staging.stage(repo.path, ['a.txt']);
    await expect(commitAll(repo)).rejects.toMatchObject(staged('sub/b.txt'));
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
    await git.staging.stageWithMarkers(repo.path, ['sub']);
    await commitAll(repo);
    expect(await repo.git('show', 'HEAD:sub/b.txt')).toContain('<<<<<<<');
  });

  test('are refused by an amend and by a commit of paths', async () => {
    await using repo = await conflicted();
    await repo.git('add', '-A');
    await repo.git('commit', '-qm', 'merged');
    await repo.write({ 'a.txt': `more\n${MARKED}`, 'c.txt': MARKED });
    await expect(git.commits.paths(repo.path, ['a.txt'], 'm')).rejects.toMatchObject(staged('a.txt'));
    await repo.git('add', 'a.txt');
    const { fingerprint } = await git.reading.state(repo.path);
    const commit = await repo.git('rev-parse', 'HEAD');
    const change = { message: 'm', fingerprint, commit };
    await expect(git.commits.amend(repo.path, change)).rejects.toMatchObject(staged('a.txt'));
    // A file that never was in conflict may have such lines for a reason.
    await git.commits.paths(repo.path, ['c.txt'], 'm');
    expect(await repo.git('status', '--porcelain')).toBe('M  a.txt');
  });

  test('that were accepted are asked for again when the file changes, and in another file', async () => {
    await using repo = await conflicted();
    await git.staging.stageWithMarkers(repo.path, ['a.txt']);
    await repo.git('add', '-A');
    await expect(commitAll(repo)).rejects.toMatchObject(staged('sub/b.txt'));
    await repo.write({ 'a.txt': `more\n${MARKED}`, 'sub/b.txt': 'resolved\n' });
    await repo.git('add', '-A');
    await expect(commitAll(repo)).rejects.toMatchObject(staged('a.txt'));
  });

  test('that are gone by the time of the commit refuse nothing', async () => {
    await using repo = await conflicted();
    await repo.git('add', '-A');
    await repo.write({ 'a.txt': 'resolved\n' });
    await repo.git('rm', '-qf', 'sub/b.txt');
    await repo.git('add', 'a.txt');
    await commitAll(repo);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
});
