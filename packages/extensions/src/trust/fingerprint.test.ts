import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { fingerprintOf } from './fingerprint.ts';

type Files = Record<string, string>;
const scripts = (serve: string, version = '1'): string => JSON.stringify({ version, scripts: { serve } });

/** Whether a change of the files changes what a runner in the folder `app` is trusted for. */
async function isSeen(argv: readonly string[], before: Files, after: Files): Promise<boolean> {
  await using project = await tempDir();
  await project.write({ 'app/index.js': '' });
  const contents = { folder: project.path, definition: {}, argv, startFolder: join(project.path, 'app') };
  await project.write(before);
  const first = await fingerprintOf(contents);
  await Promise.all(Object.keys(before).map((path) => rm(join(project.path, path))));
  await project.write(after);
  return (await fingerprintOf(contents)) !== first;
}

test.each([
  [
    'a script of npm',
    ['/usr/bin/npm', 'run', 'serve'],
    { 'app/package.json': scripts('a') },
    { 'app/package.json': scripts('b') },
  ],
  [
    'one of a folder above',
    ['/usr/bin/pnpm', 'serve'],
    { 'package.json': scripts('a') },
    { 'package.json': scripts('b') },
  ],
  ['a file that appears', ['/usr/bin/npm', 'start'], {}, { 'app/package.json': scripts('a') }],
  ['a file that is no JSON', ['/usr/bin/npm', 'start'], { 'app/package.json': '{' }, { 'app/package.json': '{{' }],
  [
    'a script of node',
    ['/usr/bin/node', '--run', 'serve'],
    { 'app/package.json': scripts('a') },
    { 'app/package.json': scripts('b') },
  ],
  ['a makefile', ['/usr/bin/make', 'serve'], { 'app/Makefile': 'serve:\n' }, { 'app/Makefile': 'serve: x\n' }],
] as const)('sees the change of %s', async (_what, argv, before, after) => {
  expect(await isSeen(argv, before, after)).toBe(true);
});

test.each([
  [
    'of dependencies',
    ['/usr/bin/npm', 'run', 'serve'],
    { 'app/package.json': scripts('a') },
    { 'app/package.json': scripts('a', '2') },
  ],
  [
    'of scripts beside a program',
    ['/usr/bin/node', 'x.js'],
    { 'app/package.json': scripts('a') },
    { 'app/package.json': scripts('b') },
  ],
] as const)('does not see a change %s', async (_what, argv, before, after) => {
  expect(await isSeen(argv, before, after)).toBe(false);
});
