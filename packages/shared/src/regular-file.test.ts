import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readRegularFile } from './regular-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'fucina-'));
afterAll(() => rm(folder, { recursive: true }));

test('reads a regular file, also through a link', async () => {
  await writeFile(join(folder, 'file'), 'text');
  await symlink('file', join(folder, 'link'));
  for (const name of ['file', 'link']) expect(String(await readRegularFile(join(folder, name), 4))).toBe('text');
});

test('reads no missing file, folder, pipe, device or larger file', async () => {
  await writeFile(join(folder, 'large'), 'texts');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const paths = [...['missing', '.', 'pipe', 'large'].map((name) => join(folder, name)), '/dev/zero'];
  expect(await Promise.all(paths.map((path) => readRegularFile(path, 4)))).toEqual(paths.map(() => undefined));
});
