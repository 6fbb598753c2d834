import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createFileChanges } from './changes.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function fixture() {
  const folder = await tempDir();
  const changes = createFileChanges({ ambient: systemAmbient('silent'), homeDir: folder.path });
  await writeFile(join(folder.path, 'a.txt'), 'one\r\ntwo\n');
  return {
    folder,
    changes,
    at: (name: string) => join(folder.path, name),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('saving the text of a file', () => {
  test('replaces it whole and keeps its permissions', async () => {
    await using g = await fixture();
    await chmod(g.at('a.txt'), 0o754);
    const text = 'one\r\ntwo\nthree è 🙂\n';
    const saved = await g.changes.write(g.folder.path, { path: 'a.txt', text, expected: hashOf('one\r\ntwo\n') });
    expect(saved).toEqual({ hash: hashOf(text), sizeBytes: Buffer.byteLength(text) });
    expect(await readFile(g.at('a.txt'), 'utf8')).toBe(text);
    expect((await stat(g.at('a.txt'))).mode & 0o777).toBe(0o754);
  });

  test('refuses a file that changed since it was read, and leaves it', async () => {
    await using g = await fixture();
    const write = g.changes.write(g.folder.path, { path: 'a.txt', text: 'mine', expected: hashOf('older') });
    await expect(write).rejects.toMatchObject({ code: 'FILE_EXISTS', reason: 'changed' });
    expect(await readFile(g.at('a.txt'), 'utf8')).toBe('one\r\ntwo\n');
    expect(await readdir(g.folder.path)).toEqual(['a.txt']);
  });

  test('treats a file that became too large as changed', async () => {
    await using g = await fixture();
    await writeFile(g.at('a.txt'), Buffer.alloc(5 * 1024 * 1024));
    const write = g.changes.write(g.folder.path, { path: 'a.txt', text: 'mine', expected: hashOf('one\r\ntwo\n') });
    await expect(write).rejects.toMatchObject({ code: 'FILE_EXISTS', reason: 'changed' });
  });

  test('creates a new file only where there is none', async () => {
    await using g = await fixture();
    await g.changes.write(g.folder.path, { path: 'b.txt', text: 'new', expected: null });
    expect(await readFile(g.at('b.txt'), 'utf8')).toBe('new');
    const again = g.changes.write(g.folder.path, { path: 'b.txt', text: 'other', expected: null });
    await expect(again).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    const gone = g.changes.write(g.folder.path, { path: 'c.txt', text: 'x', expected: hashOf('x') });
    await expect(gone).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(await readdir(g.folder.path)).toEqual(['a.txt', 'b.txt']);
  });

  test('refuses links that point outside, folders, and texts above 2 MiB', async () => {
    await using g = await fixture();
    await using outside = await tempDir();
    await writeFile(join(outside.path, 'secret'), 'secret');
    await symlink(join(outside.path, 'secret'), g.at('link'));
    await mkdir(g.at('folder'));
    const write = (path: string, text: string, expected: string | null) =>
      g.changes.write(g.folder.path, { path, text, expected });
    await expect(write('link', 'x', hashOf('secret'))).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    await expect(write('folder', 'x', hashOf(''))).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await expect(write('../out', 'x', null)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    await expect(write('b.txt', 'x'.repeat(2 * 1024 * 1024 + 1), null)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    expect(await readFile(join(outside.path, 'secret'), 'utf8')).toBe('secret');
  });
});
