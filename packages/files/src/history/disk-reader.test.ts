import { lstatSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createDiskReader } from './disk-reader.ts';
import { FACTS } from './stamp-messages.ts';

async function folderFixture(files: number) {
  const dir = await tempDir();
  const names = Array.from({ length: files }, (_, at) => `f${at}.txt`);
  await Promise.all(names.map((name) => writeFile(join(dir.path, name), name)));
  await mkdir(join(dir.path, 'sub'));
  await symlink('f0.txt', join(dir.path, 'link'));
  const paths = [...names, 'sub', 'link', 'absent', 'f0.txt/inner'].map((name) => join(dir.path, name));
  const closing = new AbortController();
  const reader = createDiskReader({ ambient: systemAmbient('silent'), signal: closing.signal });
  return {
    ...dir,
    paths,
    reader,
    closing,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test.each([
  ['few paths, asked here', 3],
  ['many, asked in a thread', 300],
])('says what the system says: %s', async (_how, files) => {
  await using at = await folderFixture(files);
  const facts = await at.reader.facts(at.paths);
  const there = at.paths.slice(0, -2);
  const factsOf = (each: (typeof facts)[number]) => each && FACTS.map((name) => each[name]);
  expect(facts.slice(0, -2).map(factsOf)).toEqual(there.map((path) => factsOf(lstatSync(path))));
  expect(facts.slice(-2)).toEqual([undefined, undefined]);
  const [, link] = (await at.reader.facts(at.paths, { followsLinks: true })).slice(-4);
  expect(link?.ino).toBe(facts[0]?.ino);
});

test('answers each of several requests with its own paths', async () => {
  await using at = await folderFixture(200);
  const [all, reversed] = await Promise.all([at.reader.facts(at.paths), at.reader.facts(at.paths.toReversed())]);
  expect(reversed.toReversed()).toEqual(all);
});

test('rejects a request when it ends, and those after it', async () => {
  await using at = await folderFixture(200);
  const asked = at.reader.facts(at.paths);
  at.closing.abort();
  await expect(asked).rejects.toThrow();
  await expect(at.reader.facts(at.paths)).rejects.toThrow();
});
