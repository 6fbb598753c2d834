import { chmod, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createLauncher } from './launcher.ts';

const LARGE = 1024 * 1024;

/** What git finds in GLIBC_TUNABLES, with an index of this size. */
async function tunablesOf(command: string, indexBytes: number): Promise<string> {
  await using dir = await tempDir();
  const index = join(dir.path, 'index');
  await writeFile(index, '');
  await truncate(index, indexBytes);
  const gitPath = join(dir.path, 'git');
  await writeFile(gitPath, '#!/bin/sh\ncase "$*" in *config*) exit 1;; *) echo "$GLIBC_TUNABLES";; esac\n');
  await chmod(gitPath, 0o755);
  const launcher = createLauncher({ ambient: systemAmbient('silent'), environment: process.env, gitPath });
  const git = await launcher.open(dir.path, { root: dir.path, gitDir: dir.path });
  return (await git.text([command])).trim();
}

const usesLargePages = (tunables: string): boolean => tunables.includes('glibc.malloc.hugetlb=1');
const isLinux = process.platform === 'linux';

test.each([
  ['diff', LARGE, isLinux],
  ['status', LARGE, isLinux],
  ['diff', LARGE - 1, false],
  ['log', LARGE, false],
])('git %s with an index of %i bytes has memory in large pages: %s', async (command, bytes, expected) => {
  expect(usesLargePages(await tunablesOf(command, bytes))).toBe(expected);
});
