import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namesIn } from './folder-names.ts';

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
