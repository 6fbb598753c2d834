import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { worktreeMounts } from './worktree.ts';

const ambient = systemAmbient('silent');

/** A worktree in `folder` of the repository in `common`; both below `root`. */
async function worktree(root: string, common: string): Promise<{ folder: string; common: string; own: string }> {
  const folder = join(root, 'folder');
  const own = join(root, common, 'worktrees/one');
  await mkdir(own, { recursive: true });
  await mkdir(join(root, common, 'objects/info'), { recursive: true });
  await mkdir(join(root, common, 'refs/heads'), { recursive: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.git'), `gitdir: ${own}\n`);
  await writeFile(join(own, 'gitdir'), join(folder, '.git'));
  await writeFile(join(own, 'HEAD'), 'ref: refs/heads/main\n');
  return { folder, common: join(root, common), own };
}
const targets = async (folder: string, dataDir = '/data'): Promise<string[]> =>
  (await worktreeMounts(folder, { ambient, environment: process.env, dataDir })).map(({ target }) => target);

test.each(['gitdir', 'HEAD'])('no command waits for a worktree whose %s is a pipe', async (name) => {
  await using dir = await tempDir();
  const { folder, common, own } = await worktree(dir.path, 'main/.git');
  expect(await targets(folder)).toContain(join(common, 'refs/heads'));
  await rm(join(own, name));
  execFileSync('mkfifo', [join(own, name)]);
  expect(await targets(folder)).not.toContain(join(common, 'refs/heads'));
});

test.each([
  ['the session folder', 'folder/fake/.git', '/data'],
  ['the data folder', 'data/tmp/fake/.git', 'data'],
])('shows no repository in %s as that of a worktree', async (_where, common, dataDir) => {
  await using dir = await tempDir();
  const { folder } = await worktree(dir.path, common);
  expect(await targets(folder, join(dir.path, dataDir))).toEqual([]);
  expect(await targets(folder, join(dir.path, 'dat'))).toHaveLength(common.startsWith('folder') ? 0 : 8);
});

test.each(['objects', 'reftable', 'refs/heads'])('mounts nothing where a link takes the place of %s', async (name) => {
  await using dir = await tempDir();
  await dir.write({ 'home/secret': 'x' });
  const { folder, common } = await worktree(dir.path, 'main/.git');
  await rm(join(common, name), { recursive: true, force: true });
  await symlink(join(dir.path, 'home'), join(common, name));
  expect(await targets(folder)).not.toContain(join(common, name));
  expect(await readdir(join(dir.path, 'home'))).toEqual(['secret']);
});

test('mounts each table of references read-only in a writable folder, and the folder with more than 64', async () => {
  await using dir = await tempDir();
  const { folder, common } = await worktree(dir.path, 'main/.git');
  const tables = join(common, 'reftable');
  const mounts = async () =>
    (await worktreeMounts(folder, { ambient, environment: process.env, dataDir: '/data' }))
      .filter(({ target }) => target.startsWith(tables))
      .map(({ kind, target }) => `${kind} ${relative(common, target)}`);
  const names = Array.from({ length: 64 }, (_, index) => `0x${index}-0x${index}.ref`);
  await dir.write(Object.fromEntries(['tables.list', ...names].map((name) => [`main/.git/reftable/${name}`, 'x'])));
  expect((await mounts()).toSorted()).toEqual(
    [...names.map((name) => `read-only reftable/${name}`), 'writable reftable'].toSorted(),
  );
  await dir.write({ 'main/.git/reftable/one-more.ref': 'x' });
  expect(await mounts()).toEqual(['read-only reftable']);
});

test('creates no folder of a branch through a link', async () => {
  await using dir = await tempDir();
  await dir.write({ 'home/secret': 'x' });
  const { folder, common, own } = await worktree(dir.path, 'main/.git');
  await writeFile(join(own, 'HEAD'), 'ref: refs/heads/a/b/c\n');
  await symlink(join(dir.path, 'home'), join(common, 'refs/heads/a'));
  expect(await targets(folder)).not.toContain(join(common, 'refs/heads/a/b'));
  expect(await readdir(join(dir.path, 'home'))).toEqual(['secret']);
});

test('shows the repository of a worktree that was moved behind a link of the user', async () => {
  await using dir = await tempDir();
  const { folder, common } = await worktree(dir.path, 'main/.git');
  await rename(join(dir.path, 'main'), join(dir.path, 'moved'));
  await symlink(join(dir.path, 'moved'), join(dir.path, 'main'));
  expect(await targets(folder)).toContain(join(dir.path, 'moved/.git'));
  expect(await targets(folder)).not.toContain(common);
});
