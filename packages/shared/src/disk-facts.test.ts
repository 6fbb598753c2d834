import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { entryAt, isMissing, readSmallFileNow, realPathAt, statsAt } from './disk-facts.ts';

let place: string;
const at = (name: string): string => join(place, name);
beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'fucina-facts-')));
  await mkdir(at('folder'));
  await writeFile(at('folder/file'), 'text');
  await symlink('folder/file', at('link'));
  await symlink('nowhere', at('dangling'));
});
afterAll(() => rm(place, { recursive: true, force: true }));

test('counts a dangling link as present', () => {
  expect(isMissing(at('dangling'))).toBe(false);
  expect(isMissing(at('nowhere'))).toBe(true);
});

test('follows links for the facts and the real path, not for the entry', () => {
  expect(statsAt(at('link'))?.size).toBe(4);
  expect(entryAt(at('link'))?.isSymbolicLink()).toBe(true);
  expect(realPathAt(at('link'))).toBe(at('folder/file'));
});

test.each(['nowhere', 'folder/file/inner', 'x'.repeat(300)])('knows nothing of %s', (name) => {
  expect([statsAt(at(name)), entryAt(at(name)), realPathAt(at(name))]).toEqual([undefined, undefined, undefined]);
});

test('knows the entry of a dangling link only', () => {
  expect([statsAt(at('dangling')), realPathAt(at('dangling'))]).toEqual([undefined, undefined]);
  expect(entryAt(at('dangling'))?.isSymbolicLink()).toBe(true);
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('reads a small plain file, and leaves whatever is in doubt to others', async () => {
  const root = at('root');
  await mkdir(at('root/src'), { recursive: true });
  await writeFile(at('root/src/plain'), 'hello');
  await writeFile(at('root/empty'), '');
  await symlink('plain', at('root/src/link'));
  await symlink('src', at('root/linked'));
  await symlink('../folder', at('root/away'));
  expect(readSmallFileNow(root, 'src/plain', 5)?.toString()).toBe('hello');
  expect(readSmallFileNow(root, 'empty', 5)).toHaveLength(0);
  expect(readSmallFileNow(root, 'src/plain', 4)).toBeUndefined();
  const doubtful = ['src/link', 'linked/plain', 'away/file', '../folder/file', '/etc/hostname', 'src', 'absent'];
  for (const path of doubtful) expect([path, readSmallFileNow(root, path, 100)]).toEqual([path, undefined]);
});
