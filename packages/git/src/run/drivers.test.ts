import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createGit } from '../git.ts';
import { createDrivers } from './drivers.ts';

const ambient = systemAmbient('silent');
/** Ten seconds later, a file just written no longer counts as fresh. */
const later = { ...ambient, now: () => Date.now() + 10_000 };
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };

async function counting(repo: TempRepo, clock = later): Promise<() => Promise<number>> {
  const drivers = createDrivers({ ambient: clock });
  const repository = { root: repo.path, gitDir: join(repo.path, '.git') };
  let count = 0;
  return async () => {
    await drivers.of(repository, async () => {
      count++;
      return 'local\0filter.evil.clean\nx\0';
    });
    return count;
  };
}

test('lists drivers once while the settings are unchanged', async () => {
  await using repo = await tempRepo();
  const asked = await counting(repo);
  expect([await asked(), await asked(), await asked()]).toEqual([1, 1, 1]);
  await repo.git('config', 'filter.other.clean', 'x');
  expect([await asked(), await asked()]).toEqual([2, 2]);
  await writeFile(join(repo.path, '.git/config.worktree'), '[filter "tree"]\n\tclean = x\n');
  expect([await asked(), await asked()]).toEqual([3, 3]);
  const same = await counting(repo);
  expect([await same(), await same()]).toEqual([1, 1]);
});

test('lists drivers every time when settings changed recently or include other files', async () => {
  await using repo = await tempRepo();
  // As soon as it was made.
  const { ctimeMs } = statSync(join(repo.path, '.git/config'));
  const fresh = await counting(repo, { ...ambient, now: () => ctimeMs + 100 });
  expect([await fresh(), await fresh()]).toEqual([1, 2]);
  await repo.git('config', 'include.path', '../elsewhere');
  const including = await counting(repo);
  expect([await including(), await including()]).toEqual([1, 2]);
});

test('reads the state of a repository whose settings of a worktree are a pipe', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  spawnSync('mkfifo', [join(repo.path, '.git/config.worktree')]);
  const git = createGit({ ambient: later, environment });
  for (let look = 0; look < 2; look++) expect((await git.reading.state(repo.path)).entries).toEqual([]);
});

test('stops at a filter added after the first call', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=late\n' });
  await using outside = await tempDir();
  const git = createGit({ ambient: later, environment });
  for (let look = 0; look < 2; look++) expect((await git.reading.state(repo.path)).entries).toEqual([]);
  await repo.git('config', 'filter.late.clean', `sh -c 'touch ${outside.path}/ran; cat'`);
  await writeFile(join(repo.path, 'a.txt'), 'b\n');
  expect(await git.reading.state(repo.path)).toMatchObject({ entries: [], notCompared: ['a.txt'] });
  await expect(git.staging.stage(repo.path, ['a.txt'])).rejects.toMatchObject({ reason: 'filter-not-trusted' });
  expect(await readdir(outside.path)).toEqual([]);
});
