import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { contentPath } from './content-path.ts';
import { FACTS, type StampedFile } from './disk-messages.ts';
import { createDiskThread } from './disk-thread.ts';
import { stampOfEntry } from './file-version.ts';

async function folderFixture(files: number) {
  const dir = await tempDir();
  const names = Array.from({ length: files }, (_, at) => `f${at}.txt`);
  await Promise.all(names.map((name) => writeFile(join(dir.path, name), name)));
  await mkdir(join(dir.path, 'sub'));
  await symlink('f0.txt', join(dir.path, 'link'));
  const paths = [...names, 'sub', 'link', 'absent', 'f0.txt/inner'].map((name) => join(dir.path, name));
  const closing = new AbortController();
  const reader = createDiskThread({ ambient: systemAmbient('silent'), signal: closing.signal });
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

/** The files of a fixture as they are now. */
const filesOf = (at: { path: string; paths: string[] }, count: number): StampedFile[] =>
  at.paths.slice(0, count).map((path) => ({ path: relative(at.path, path), stamp: stampNow(path) }));

function stampNow(path: string): StampedFile['stamp'] {
  const stamp = stampOfEntry(lstatSync(path));
  if (!stamp) throw new Error(`no file: ${path}`);
  return stamp;
}

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('stores contents', () => {
  test.each([
    ['few, here', 3],
    ['many, in a thread', 300],
  ])('under their hashes: %s', async (_how, count) => {
    await using at = await folderFixture(count);
    await using store = await tempDir();
    const files = filesOf(at, count);
    const keep = () => at.reader.keep({ root: at.path, files, store: store.path, now: 1_000 });
    const kept = await keep();
    expect(kept).toEqual(files.map(({ path }) => createHash('sha256').update(path).digest('hex')));
    const stored = contentPath(store.path, kept[0] ?? '');
    expect(readFileSync(stored, 'utf8')).toBe('f0.txt');
    // Once more: nothing is written, only the age changes.
    const { ino } = lstatSync(stored);
    expect(await keep()).toEqual(kept);
    expect(lstatSync(stored)).toMatchObject({ ino, mtimeMs: 1_000 });
  });

  test('of nothing that changed, is a link, is behind a link, or is outside', async () => {
    await using at = await folderFixture(3);
    await using other = await tempDir();
    await writeFile(join(other.path, 'f0.txt'), 'f0.txt');
    await symlink(other.path, join(at.path, 'out'));
    const [first] = filesOf(at, 1);
    if (!first) throw new Error('no file');
    const files = [
      { path: 'f0.txt', stamp: { ...first.stamp, mtimeMs: first.stamp.mtimeMs - 1 } },
      { path: 'f0.txt', stamp: { ...first.stamp, mode: 0o400 } },
      { path: 'link', stamp: first.stamp },
      { path: 'out/f0.txt', stamp: stampNow(join(other.path, 'f0.txt')) },
      { path: `../${basename(other.path)}/f0.txt`, stamp: stampNow(join(other.path, 'f0.txt')) },
      { path: 'absent', stamp: first.stamp },
      { path: 'sub', stamp: first.stamp },
    ];
    const store = join(at.path, 'store');
    expect(await at.reader.keep({ root: at.path, files, store, now: 1_000 })).toEqual(files.map(() => null));
    expect(existsSync(store)).toBe(false);
  });

  test.each([
    ['here', 3],
    ['in a thread', 300],
  ])('and says why they cannot be stored: %s', async (_how, count) => {
    await using at = await folderFixture(count);
    const store = join(at.path, 'f0.txt');
    const kept = at.reader.keep({ root: at.path, files: filesOf(at, count), store, now: 1_000 });
    await expect(kept).rejects.toThrow('ENOTDIR');
  });
});

test('rejects a request when it ends, and those after it', async () => {
  await using at = await folderFixture(200);
  const asked = at.reader.facts(at.paths);
  at.closing.abort();
  await expect(asked).rejects.toThrow();
  await expect(at.reader.facts(at.paths)).rejects.toThrow();
});
