import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { entriesBelow } from './folder-names.ts';

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'fucina-names-'));
});
afterEach(() => rm(place, { recursive: true }));

test('everything below a folder is listed, and what links lead to is not', async () => {
  const [folder, outside] = [join(place, 'folder'), join(place, 'outside')];
  for (const each of [join(folder, 'one/two'), outside]) await mkdir(each, { recursive: true });
  for (const file of [join(folder, 'one/two/file'), join(outside, 'secret')]) await writeFile(file, '');
  await symlink(outside, join(folder, 'one/link'));

  const entries = await entriesBelow(folder);

  const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  expect(paths.sort()).toEqual(['one', 'one/link', 'one/two', 'one/two/file']);
});
