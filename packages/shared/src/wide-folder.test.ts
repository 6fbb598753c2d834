import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isTooWide } from './wide-folder.ts';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'fucina-')));
  await mkdir(join(root, 'disk', 'ada', 'projects', 'app'), { recursive: true });
  await mkdir(join(root, 'data'));
  await symlink(join(root, 'disk'), join(root, 'home'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const judge = (folder: string): boolean => isTooWide(folder, { HOME: join(root, 'home', 'ada') }, join(root, 'data'));

test('the root, the home folder, its parents and a parent of the data folder are too wide', () => {
  for (const folder of [
    '/',
    root,
    join(root, 'home'),
    join(root, 'disk'),
    join(root, 'disk', 'ada'),
    join(root, 'data'),
  ])
    expect([folder, judge(folder)]).toEqual([folder, true]);
});

test('a project below the home folder or beside it is not too wide', () => {
  for (const folder of [join(root, 'disk', 'ada', 'projects', 'app'), join(root, 'other')])
    expect([folder, judge(folder)]).toEqual([folder, false]);
});
