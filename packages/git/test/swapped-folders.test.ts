import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { swapNames } from '@fucina/shared/testing';
import { OPEN_TO_ALL, type TempDir, tempDir, tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createGit } from '../src/git.ts';
import { openMovedEntries } from '../src/repository/aside-folder.ts';
import { copyRaw, copyRawEntry, rawHash } from '../src/repository/raw-files.ts';

const git = createGit({ ambient: systemAmbient('silent'), environment: process.env });
const ROUNDS = 25;

/** Names and contents below a folder. */
async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const pairs = names.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length), await readFile(path, 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** Files of the user outside the repository, with the names of those that are discarded. */
async function outsideOf(dir: TempDir): Promise<string> {
  await dir.write({ 'outside/a.txt': 'mine\n', 'outside/gone.txt': 'mine\n', 'outside/new.txt': 'mine\n' });
  return join(dir.path, 'outside');
}

test.each(['files', 'a hunk', 'a stash', 'an undone discard'])(
  'a folder that changes places with a link leads no change of %s outside',
  async (what) => {
    await using dir = await tempDir('fucina-swap-', OPEN_TO_ALL);
    const outside = await outsideOf(dir);
    const before = await contents(outside);
    const files = { 'd/a.txt': 'a\n', 'd/gone.txt': 'g\n', 'd/pre-commit': 'x\n' };
    await using repo = await tempRepo({ ...files, '.gitignore': 'other\n' });
    const [folder, other] = [join(repo.path, 'd'), join(repo.path, 'other')];
    const acts: Record<string, () => Promise<unknown>> = {
      files: () => git.staging.discard(repo.path, ['d']),
      'a hunk': async () => {
        const { fingerprint } = await git.reading.diff(repo.path, 'd/a.txt', 'work');
        const hunk = { path: 'd/a.txt', area: 'work', index: 0, action: 'discard' } as const;
        await git.staging.hunk(repo.path, { ...hunk, fingerprint });
      },
      'a stash': () => git.stashes.push(repo.path, { hasNew: true }),
      'an undone discard': async () => {
        const [newest] = await git.staging.discards(repo.path);
        await git.staging.undoDiscard(repo.path, newest?.id ?? '');
      },
    };
    const change = async (): Promise<void> => {
      await rm(folder, { recursive: true, force: true });
      await rm(other, { recursive: true, force: true });
      await mkdir(folder);
      for (const [name, text] of Object.entries({ 'a.txt': 'changed\n', 'pre-commit': 'x\n', 'new.txt': 'n\n' }))
        await writeFile(join(folder, name), text);
      if (what === 'an undone discard') await git.staging.discard(repo.path, ['d']);
      await symlink(outside, other);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await change();
      await using _swapping = await swapNames(folder, other);
      // Most are refused: the folder is a link at some moment. What counts is the outside.
      await acts[what]?.().catch(() => undefined);
    }
    expect(await contents(outside)).toEqual(before);
  },
);

test('a folder of records that changes places with a link deletes and adds nothing outside', async () => {
  await using dir = await tempDir('fucina-swap-', OPEN_TO_ALL);
  const days = Array.from({ length: 40 }, (_, day) => [`outside/${20240101 + day}/photo`, `${day}`]);
  await dir.write(Object.fromEntries(days));
  const before = await contents(join(dir.path, 'outside'));
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  const [records, other] = [join(repo.path, '.git/fucina-discarded'), join(repo.path, '.git/other')];
  await mkdir(records);
  await symlink(join(dir.path, 'outside'), other);
  {
    await using _swapping = await swapNames(records, other);
    for (let round = 0; round < 4 * ROUNDS; round += 1) {
      await repo.write({ 'a.txt': `${round}\n` });
      await git.staging.discard(repo.path, ['a.txt']).catch(() => undefined);
    }
  }
  expect(await contents(join(dir.path, 'outside'))).toEqual(before);
});

test('records behind a link are no discards, and are not deleted', async () => {
  await using dir = await tempDir();
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  await repo.write({ 'a.txt': 'mine\n' });
  await git.staging.discard(repo.path, ['a.txt']);
  const records = join(repo.path, '.git/fucina-discarded');
  await rename(records, join(dir.path, 'records'));
  await symlink(join(dir.path, 'records'), records);
  expect(await git.staging.discards(repo.path)).toEqual([]);
  await expect(git.staging.undoDiscard(repo.path, '00000001')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await readdir(join(dir.path, 'records'))).sort()).toEqual(['00000001']);
});

test('files that are moved aside go into the folder that was made for them, whatever takes its name', async () => {
  await using dir = await tempDir('fucina-swap-', OPEN_TO_ALL);
  await dir.write({ 'outside/0': 'mine\n' });
  await using repo = await tempRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const gitDir = join(repo.path, '.git');
  const moved = await openMovedEntries({ root: repo.path, gitDir });
  const [name = ''] = (await readdir(gitDir)).filter((one) => one.startsWith('fucina-aside-'));
  await rename(join(gitDir, name), join(gitDir, 'elsewhere'));
  await symlink(join(dir.path, 'outside'), join(gitDir, name));
  await moved.take('a.txt');
  expect(await contents(join(dir.path, 'outside'))).toEqual({ '/0': 'mine\n' });
  await moved.putBack();
  expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('a\n');
  expect(await contents(join(dir.path, 'outside'))).toEqual({ '/0': 'mine\n' });
});

test('copies for an undo are those of files, never of what a link leads to', async () => {
  await using dir = await tempDir('fucina-swap-', OPEN_TO_ALL);
  await dir.write({ secret: 'secret\n', 'out/x': '' });
  await using repo = await tempRepo({ 'a.txt': 'a\n' });
  await symlink(join(dir.path, 'secret'), join(repo.path, 'link'));
  const to = (name: string) => join(dir.path, 'out', name);
  await expect(copyRaw(repo.path, 'link', to('one'))).rejects.toMatchObject({ code: 'ELOOP' });
  await copyRawEntry(repo.path, 'link', to('two'));
  expect(await rawHash(repo.path, 'link')).toMatch(/^link:/);
  const [file, link] = [join(repo.path, 'a.txt'), join(repo.path, 'link')];
  {
    await using _swapping = await swapNames(file, link);
    for (let round = 0; round < 20 * ROUNDS; round += 1)
      await copyRawEntry(repo.path, 'a.txt', to(`n${round}`)).catch(() => undefined);
  }
  expect(Object.values(await contents(join(dir.path, 'out')))).not.toContain('secret\n');
});
