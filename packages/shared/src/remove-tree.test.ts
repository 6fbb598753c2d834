import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { withExactFolder } from './exact-folder.ts';
import { removeTree } from './remove-tree.ts';
import { PathError } from './safe-name.ts';
import { swapNames } from './swapped-names.ts';

let base: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'fucina-remove-')));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const ROUNDS = 150;

describe('the removal of a tree', () => {
  test('takes a folder, a file and a link, not what the link leads to, and accepts a missing one', async () => {
    await mkdir(join(base, 'tree/below'), { recursive: true });
    for (const name of ['tree/below/file', 'kept', 'file']) await writeFile(join(base, name), 'x');
    await symlink(join(base, 'kept'), join(base, 'tree/link'));
    await symlink('kept', join(base, 'link'));
    for (const name of ['tree', 'file', 'link', 'missing']) await removeTree(join(base, name));
    expect(await readdir(base)).toEqual(['kept']);
  });

  test('takes a tree that is deeper than a process may open folders, or a path is long', async () => {
    const name = 'd'.repeat(200);
    let at = join(base, 'deep');
    await mkdir(at);
    // Renamed into each other from the inside: no path of the whole depth is ever needed.
    for (let depth = 0; depth < 600; depth += 1) {
      await mkdir(join(base, 'outer'));
      await rename(at, join(base, 'outer', name));
      at = join(base, 'deep');
      await rename(join(base, 'outer'), at);
    }
    await removeTree(at);
    expect(await readdir(base)).toEqual([]);
  });

  test('changes nothing outside while a folder in it is exchanged with a link', async () => {
    await mkdir(join(base, 'outside/below'), { recursive: true });
    await writeFile(join(base, 'outside/below/file'), 'kept');
    await symlink(join(base, 'outside'), join(base, 'other'));
    for (let round = 0; round < ROUNDS; round += 1) {
      await mkdir(join(base, 'tree/a/below'), { recursive: true });
      await writeFile(join(base, 'tree/a/below/file'), 'x');
      await symlink(join(base, 'outside'), join(base, 'tree/b'));
      {
        await using _ = await swapNames(join(base, 'tree/a'), join(base, 'tree/b'));
        // A tree that changes faster than it is removed stays: that is an error, and no damage.
        await removeTree(join(base, 'tree')).catch((error: unknown) =>
          expect(error).toMatchObject({ problem: 'denied' }),
        );
      }
      await removeTree(join(base, 'tree'));
    }
    expect(await readFile(join(base, 'outside/below/file'), 'utf8')).toBe('kept');
  }, 60_000);
});

test('an exact folder is refused behind a link, also one to the inside', async () => {
  await mkdir(join(base, 'real/below'), { recursive: true });
  await symlink('real', join(base, 'link'));
  const problem = (path: string) =>
    withExactFolder(base, path, (folder) => readdir(folder)).catch((error: unknown) => (error as PathError).problem);
  expect([await problem('real'), await problem('')]).toEqual([['below'], ['link', 'real']]);
  expect([await problem('link'), await problem('link/below'), await problem('no/x')]).toEqual([
    'outside',
    'outside',
    'missing',
  ]);
});

test('an exact folder is never one outside while it is exchanged with a link', async () => {
  await mkdir(join(base, 'root/a/in'), { recursive: true });
  await mkdir(join(base, 'outside/in'), { recursive: true });
  await symlink(join(base, 'outside'), join(base, 'root/b'));
  await using _ = await swapNames(join(base, 'root/a'), join(base, 'root/b'));
  let refused = 0;
  let made = 0;
  while (refused < ROUNDS || made < ROUNDS) {
    try {
      await withExactFolder(join(base, 'root'), 'a/in', (folder) => writeFile(join(folder, 'made'), 'x'));
      made += 1;
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      refused += 1;
    }
  }
  expect(await readdir(join(base, 'outside/in'))).toEqual([]);
}, 60_000);
