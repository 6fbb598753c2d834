import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAttachments } from './attachments.ts';

let dir: TempDir;
beforeEach(async () => {
  dir = await tempDir();
  await mkdir(join(dir.path, 'work'));
});
afterEach(async () => dir[Symbol.asyncDispose]());

const { save } = createAttachments();
const work = (...parts: string[]): string => join(dir.path, 'work', ...parts);
async function* of(...pieces: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield Buffer.from(piece);
  }
}
const refusal = (name: string, content = of('x')): Promise<unknown> =>
  save(work(), { name, content }).then(
    () => 'done',
    (error: { code?: string; reason?: string; message: string }) =>
      error.code ? `${error.code} ${error.reason}` : error.message,
  );

test('stores a file under allegati and returns its details', async () => {
  const saved = await save(work(), { name: 'perché.txt', content: of('one ', 'two') });
  const sha256 = createHash('sha256').update('one two').digest('hex');
  expect(saved).toEqual({ name: 'perché.txt', path: 'allegati/perché.txt', sizeBytes: 7, sha256 });
  expect(await readFile(work('allegati', 'perché.txt'), 'utf8')).toBe('one two');
  expect(await save(work(), { name: 'empty', content: of() })).toMatchObject({ sizeBytes: 0 });
  expect(await readdir(work('allegati'))).toEqual(['empty', 'perché.txt']);
});

test('never replaces an existing file or folder', async () => {
  await save(work(), { name: 'a', content: of('first') });
  await mkdir(work('allegati', 'b'));
  expect(await refusal('a', of('second'))).toBe('FILE_EXISTS path-exists');
  expect(await refusal('b')).toBe('FILE_EXISTS path-not-a-file');
  expect(await readFile(work('allegati', 'a'), 'utf8')).toBe('first');
});

test('of two concurrent uploads with one name, one is refused', async () => {
  const both = await Promise.all([refusal('a', of('x'.repeat(100_000))), refusal('a', of('y'.repeat(100_000)))]);
  expect(new Set(both)).toEqual(new Set(['FILE_EXISTS path-exists', 'done']));
  expect(await readdir(work('allegati'))).toEqual(['a']);
});

test('an aborted upload leaves nothing behind', async () => {
  expect(await refusal('a', of('half', new Error('cut')))).toBe('cut');
  expect(await readdir(work())).toEqual([]);
  await save(work(), { name: 'kept', content: of('x') });
  expect(await refusal('a', of('half', new Error('cut')))).toBe('cut');
  expect(await readdir(work('allegati'))).toEqual(['kept']);
});

test('accepts only a plain file name', async () => {
  const bad = ['', '.', '..', 'a/b', '../a', '/etc/x', 'a\\b', 'a\0', 'a\nb', '-rf', '\u202egpj.exe'];
  for (const name of [...bad, 'x'.repeat(241), 'é'.repeat(128)])
    expect([name, await refusal(name)]).toEqual([name, 'QUERY_INVALID path-invalid']);
  // Names that only Windows reserves are files elsewhere.
  for (const name of ['x'.repeat(240), 'aux.c', 'a:b', 'a.']) expect(await refusal(name)).toBe('done');
});

test('follows no link that leads out and recreates no deleted folder', async () => {
  await mkdir(join(dir.path, 'outside'));
  await symlink(join(dir.path, 'outside'), work('allegati'));
  expect(await refusal('a')).toBe('QUERY_INVALID path-outside');
  expect(await readdir(join(dir.path, 'outside'))).toEqual([]);
  await rm(work(), { recursive: true });
  expect(await refusal('a')).toBe('NOT_FOUND path-missing');
});
