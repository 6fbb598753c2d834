import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFileAtomically } from './atomic-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fucina-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('replaces a file as a whole, private to its owner', async () => {
  const file = join(folder, 'a');
  await writeFileAtomically(file, 'one');
  await writeFileAtomically(file, Buffer.from('two'));
  expect(await readFile(file, 'utf8')).toBe('two');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['a']);
});

test('concurrent writers leave one complete text and no temporary file', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
  await Promise.all(texts.map((text) => writeFileAtomically(join(folder, 'a'), text)));
  expect(texts).toContain(await readFile(join(folder, 'a'), 'utf8'));
  expect(await readdir(folder)).toEqual(['a']);
});

test('replaces a symlink instead of following it', async () => {
  await writeFile(join(folder, 'target'), 'kept');
  await symlink('target', join(folder, 'link'));
  await writeFileAtomically(join(folder, 'link'), 'new');
  expect(await readFile(join(folder, 'target'), 'utf8')).toBe('kept');
});

test('a failed write keeps the old file and no temporary one', async () => {
  await writeFileAtomically(join(folder, 'a'), 'old', { mode: 0o640 });
  await expect(writeFileAtomically(join(folder, 'a'), 'new', { ifExists: 'fail' })).rejects.toThrow('EEXIST');
  await expect(writeFileAtomically(folder, 'new')).rejects.toThrow();
  await expect(writeFileAtomically(join(folder, 'no/a'), 'new')).rejects.toThrow('ENOENT');
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['a']);
});

test('writes a stream completely, or nothing when it fails', async () => {
  async function* pieces(last: 'end' | 'break'): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one ');
    if (last === 'break') throw new Error('cut');
    yield Buffer.from('two');
  }
  const file = join(folder, 'a');
  await writeFileAtomically(file, pieces('end'));
  expect(await readFile(file, 'utf8')).toBe('one two');
  await expect(writeFileAtomically(file, pieces('break'))).rejects.toThrow('cut');
  expect(await readFile(file, 'utf8')).toBe('one two');
  expect(await readdir(folder)).toEqual(['a']);
});
