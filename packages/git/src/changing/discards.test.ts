import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createGit } from '../git.ts';

const git = createGit({ ambient: systemAmbient('silent'), environment: process.env });
const names = ['a.txt', 'gone.txt', 'sub/in.txt', 'run.sh'];

async function changedRepo() {
  const repo = await tempRepo(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  await repo.write({ 'a.txt': 'mine\n', 'sub/in.txt': 'mine too\n', 'new/one.txt': 'new\n' });
  await rm(join(repo.path, 'gone.txt'));
  await chmod(join(repo.path, 'run.sh'), 0o755);
  await symlink('a.txt', join(repo.path, 'link'));
  return repo;
}
const newest = async (folder: string): Promise<string> => (await git.staging.discards(folder))[0]?.id ?? '';

test('an undone discard leaves every file as it was before', async () => {
  await using repo = await changedRepo();
  const before = await repo.git('status', '--porcelain', '-uall');
  await git.staging.discard(repo.path, ['a.txt', 'gone.txt', 'sub', 'new', 'run.sh', 'link']);
  expect(await repo.git('status', '--porcelain', '-uall')).toBe('');
  const { restored, skipped } = await git.staging.undoDiscard(repo.path, await newest(repo.path));
  expect([restored.sort(), skipped]).toEqual([
    ['a.txt', 'gone.txt', 'link', 'new/one.txt', 'run.sh', 'sub/in.txt'],
    [],
  ]);
  expect(await repo.git('status', '--porcelain', '-uall')).toBe(before);
  expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('mine\n');
  expect(await git.staging.discards(repo.path)).toEqual([]);
});

test('an undone discard of a hunk restores the hunk alone', async () => {
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line}\n`);
  await using repo = await tempRepo({ 'a.txt': lines.join('') });
  const edited = lines.with(2, 'two!\n').with(25, 'twenty-five!\n').join('');
  await repo.write({ 'a.txt': edited });
  const { fingerprint } = await git.reading.diff(repo.path, 'a.txt', 'work');
  const hunk = { path: 'a.txt', area: 'work', index: 0, action: 'discard' } as const;
  await git.staging.hunk(repo.path, { ...hunk, fingerprint });
  expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe(lines.with(25, 'twenty-five!\n').join(''));
  await git.staging.undoDiscard(repo.path, await newest(repo.path));
  expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe(edited);
});

test('a file that changed since the discard is left as it is, and can be restored later', async () => {
  await using repo = await changedRepo();
  await git.staging.discard(repo.path, ['a.txt', 'new']);
  await repo.write({ 'a.txt': 'newer\n' });
  const id = await newest(repo.path);
  expect(await git.staging.undoDiscard(repo.path, id)).toMatchObject({ restored: ['new/one.txt'], skipped: ['a.txt'] });
  expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('newer\n');
  await repo.write({ 'a.txt': 'a.txt\n' });
  expect(await git.staging.undoDiscard(repo.path, id)).toMatchObject({ restored: ['a.txt'], skipped: [] });
  expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('a session below the repository sees only discards inside its folder', async () => {
  await using repo = await changedRepo();
  await git.staging.discard(repo.path, ['a.txt']);
  await git.staging.discard(join(repo.path, 'sub'), ['in.txt']);
  expect(await git.staging.discards(join(repo.path, 'sub'))).toMatchObject([{ paths: ['in.txt'] }]);
  expect(await git.staging.discards(repo.path)).toMatchObject([{ paths: ['sub/in.txt'] }, { paths: ['a.txt'] }]);
});

test('a record that names a path outside the work tree is not used', async () => {
  await using repo = await changedRepo();
  await git.staging.discard(repo.path, ['a.txt']);
  const folder = join(repo.path, '.git/fucina-discarded');
  for (const [id, path] of Object.entries({ 90000001: '../out.txt', 90000002: '.git/config', 90000003: '/etc/x' })) {
    await mkdir(join(folder, id));
    await writeFile(join(folder, id, '0'), 'evil');
    const entries = [{ path, stored: '0', after: null }];
    await writeFile(join(folder, id, 'record.json'), JSON.stringify({ entries }));
    await expect(git.staging.undoDiscard(repo.path, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await git.staging.discards(repo.path)).toMatchObject([{ paths: ['a.txt'] }]);
  for (const id of ['../x', '00000009']) {
    await expect(git.staging.undoDiscard(repo.path, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('a record that is a pipe is no discard', async () => {
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  const folder = join(repo.path, '.git/fucina-discarded/00000001');
  await mkdir(folder, { recursive: true });
  spawnSync('mkfifo', [join(folder, 'record.json')]);
  expect(await git.staging.discards(repo.path)).toEqual([]);
});

test('only the newest discards are stored', async () => {
  await using repo = await tempRepo({ 'a.txt': 'one\n' });
  for (let count = 0; count < 22; count += 1) {
    await repo.write({ 'a.txt': `${count}\n` });
    await git.staging.discard(repo.path, ['a.txt']);
  }
  const stored = await git.staging.discards(repo.path);
  expect(stored.map(({ id }) => Number(id))).toEqual(Array.from({ length: 20 }, (_, place) => 22 - place));
});
