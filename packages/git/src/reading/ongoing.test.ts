import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createGit } from '../git.ts';
import { readOngoing } from './ongoing.ts';

const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const { reading } = createGit({ ambient: systemAmbient('silent'), environment });

/** Two branches that change the same line; the first is checked out. */
async function diverged(): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'one\n' });
  await repo.git('checkout', '-qb', 'side');
  await repo.write({ 'a.txt': 'side\n' });
  await repo.git('commit', '-qam', 'side');
  await repo.git('checkout', '-qb', 'topic', 'HEAD~1');
  await repo.write({ 'a.txt': 'topic\n' });
  await repo.git('commit', '-qam', 'topic');
  return repo;
}

const ALONE = { branch: null, step: null, steps: null };

test.each([
  [['merge', 'side'], { kind: 'merge', ...ALONE }],
  [['rebase', 'side'], { kind: 'rebase', branch: 'topic', step: 1, steps: 1 }],
  [['rebase', '--apply', 'side'], { kind: 'rebase', branch: 'topic', step: 1, steps: 1 }],
  [['cherry-pick', 'side'], { kind: 'cherry-pick', ...ALONE }],
  [['revert', '--no-edit', 'side'], { kind: 'revert', ...ALONE }],
  [['bisect', 'start'], { kind: 'bisect', ...ALONE, branch: 'topic' }],
])('reports the operation that `git %j` started', async (command, expected) => {
  await using repo = await diverged();
  expect((await reading.branch(repo.path)).ongoing).toBe(null);
  await repo.git(...command).catch(() => undefined); // it stops at a conflict
  expect((await reading.branch(repo.path)).ongoing).toEqual(expected);
});

test('reports a rebase whose files are pipes without waiting for them', async () => {
  await using dir = await tempDir();
  await dir.write({ 'rebase-merge/end': '2\n' });
  for (const name of ['head-name', 'msgnum']) spawnSync('mkfifo', [join(dir.path, 'rebase-merge', name)]);
  const repository = { root: dir.path, gitDir: dir.path };
  const found = await readOngoing({ repository } as Parameters<typeof readOngoing>[0]);
  expect(found).toEqual({ kind: 'rebase', branch: null, step: null, steps: 2 });
});
