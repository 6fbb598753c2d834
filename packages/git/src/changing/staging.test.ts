import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
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
