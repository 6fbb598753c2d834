import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { entriesBelow, namesIn } from './folder-names.ts';

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'fucina-names-'));
});
afterAll(() => rm(place, { recursive: true, force: true }));

test('lists a folder, and nothing where there is none', async () => {
  await mkdir(join(place, 'full'));
  await writeFile(join(place, 'full/a.txt'), '');
  expect(await namesIn(join(place, 'full'))).toEqual(['a.txt']);
  expect(await namesIn(join(place, 'absent'))).toEqual([]);
  expect(await namesIn(join(place, 'full/a.txt'))).toEqual([]);
  expect(await namesIn(join(place, 'full/a.txt/inner'))).toEqual([]);
  await expect(namesIn(`${place}/${'x'.repeat(300)}`)).rejects.toThrow('ENAMETOOLONG');
});

test('lists everything below a folder, but not what links lead to', async () => {
  const [folder, outside] = [join(place, 'folder'), join(place, 'outside')];
  for (const each of [join(folder, 'one/two'), outside]) await mkdir(each, { recursive: true });
  for (const file of [join(folder, 'one/two/file'), join(outside, 'secret')]) await writeFile(file, '');
  await symlink(outside, join(folder, 'one/link'));
  const entries = await entriesBelow(folder);
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  expect(paths.sort()).toEqual(['one', 'one/link', 'one/two', 'one/two/file']);
});
