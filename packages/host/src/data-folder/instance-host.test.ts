import { cp, mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { instanceHost } from './instance-host.ts';

test('a data folder keeps its name, also when it is reached through a link', async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, 'data');
  const name = await instanceHost(folder);
  expect(name).toMatch(/^fucina-[0-9a-f]{20}\.localhost$/);
  await symlink(folder, join(dir.path, 'link'));
  for (const path of [folder, `${folder}/`, join(dir.path, 'link')]) expect(await instanceHost(path)).toBe(name);
  expect((await stat(join(folder, 'instance-id'))).mode & 0o777).toBe(0o600);
});

test('neither a neighbor nor a copy has the same name, nor another folder later at the same place', async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, 'data');
  const name = await instanceHost(folder);
  await cp(folder, join(dir.path, 'data2'), { recursive: true });
  const others = [await instanceHost(join(dir.path, 'data2')), await instanceHost(join(dir.path, 'data-3'))];
  await rename(folder, join(dir.path, 'moved'));
  await mkdir(folder);
  others.push(await instanceHost(folder), await instanceHost(join(dir.path, 'moved')));
  expect(new Set([name, ...others]).size).toBe(5);
});

test('a damaged id is replaced', async () => {
  await using dir = await tempDir();
  const name = await instanceHost(dir.path);
  await writeFile(join(dir.path, 'instance-id'), '');
  const next = await instanceHost(dir.path);
  expect(next).not.toBe(name);
  expect(await instanceHost(dir.path)).toBe(next);
});
