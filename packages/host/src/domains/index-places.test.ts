import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createIndexPlaces } from './index-places.ts';

test('removes copies of ended processes, leaves those of running ones, and its own with its end', async () => {
  await using dir = await tempDir();
  const all = join(dir.path, 'git-indexes');
  // No process has a number above the system's highest.
  for (const pid of ['99999999', String(process.ppid), String(process.pid)]) {
    await mkdir(join(all, pid, 'left'), { recursive: true });
  }
  const places = createIndexPlaces(dir.path);
  const index = await places.of('/project');
  expect(index).not.toBe(await places.of('/project2'));
  await mkdir(dirname(index), { recursive: true });
  await writeFile(index, '');
  expect((await readdir(all)).sort()).toEqual([String(process.pid), String(process.ppid)].sort());
  expect(await readdir(join(all, String(process.pid)))).toHaveLength(1);
  await places[Symbol.asyncDispose]();
  expect(await readdir(all)).toEqual([String(process.ppid)]);
});
