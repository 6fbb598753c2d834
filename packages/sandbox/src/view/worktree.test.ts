import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { worktreeMounts } from './worktree.ts';

test.each(['gitdir', 'HEAD'])('no command waits for a worktree whose %s is a pipe', async (name) => {
  await using dir = await tempDir();
  const own = join(dir.path, 'other/worktrees/one');
  await mkdir(own, { recursive: true });
  await writeFile(join(dir.path, '.git'), `gitdir: ${own}\n`);
  await writeFile(join(own, 'gitdir'), join(dir.path, '.git'));
  await writeFile(join(own, 'HEAD'), 'ref: refs/heads/main\n');
  const targets = async (): Promise<string[]> => (await worktreeMounts(dir.path)).map(({ target }) => target);
  expect(await targets()).toContain(join(dir.path, 'other/refs/heads'));
  await rm(join(own, name));
  execFileSync('mkfifo', [join(own, name)]);
  expect(await targets()).not.toContain(join(dir.path, 'other/refs/heads'));
});
