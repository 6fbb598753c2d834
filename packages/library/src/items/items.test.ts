import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AppError, Tool, ToolContext } from '@fucina/shared';
import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { needsWithoutResearch } from '../../test/needs-without-research.ts';
import { createLibrary, type Library } from '../library.ts';
import type { Item } from './item-meta.ts';
import { cleanItemName } from './item-name.ts';

let dir: TempDir;
let project: string;
let ambient: FakeAmbient;
let library: Library;
let reads: string[];
beforeEach(async () => {
  dir = await tempDir();
  project = join(dir.path, 'project');
  await dir.write({ 'project/README.md': '# Here\n' });
  ambient = fakeAmbient();
  reads = [];
  library = createLibrary({
    ...needsWithoutResearch,
    ambient,
    dataDir: dir.path,
    async readText({ name, bytes }) {
      reads.push(name);
      return bytes.toString('utf8');
    },
  });
});
afterEach(async () => {
  await library[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

async function add(name: string, content = name, more: Record<string, string> = {}): Promise<Item> {
  await ambient.advance(1_000);
  const item = await library.items.add(project, { name, content: Buffer.from(content), origin: 'uploaded', ...more });
  return item as Item;
}
const folderOf = ({ id }: Item): string => join(project, '.svc/library', id);
async function codeOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    return (error as AppError).code;
  }
  throw new Error('it was done');
}

const CENTURY_MS = 100 * 365 * 24 * 3_600_000;

describe('an item', () => {
  test('is stored, listed by last change, and read back unchanged', async () => {
    const first = await add('report.pdf', '%PDF-1.7 one', { path: 'out/report.pdf', madeBy: 'document_create' });
    await add('photo.PNG');
    expect(first).toMatchObject({
      id: expect.stringMatching(/^lib-/),
      name: 'report.pdf',
      mediaType: 'application/pdf',
      fileType: 'document',
      origin: 'uploaded',
      folder: 'out',
      path: 'out/report.pdf',
    });
    expect((await library.items.list(project)).map(({ name }) => name)).toEqual(['photo.PNG', 'report.pdf']);
    await ambient.advance(1_000);
    await library.items.rename(project, first.id, 'Final report.pdf');
    expect((await library.items.list(project)).map(({ name }) => name)).toEqual(['Final report.pdf', 'photo.PNG']);
    expect(await text((await library.items.open(project, first.id)).content)).toBe('%PDF-1.7 one');
  });

  test('with the same bytes and name is updated instead of stored twice', async () => {
    const first = await add('a.txt', 'same');
    const again = await add('a.txt', 'same');
    expect(again).toEqual({ ...first, updatedAt: ambient.now() });
    await add('a.txt', 'other');
    await add('b.txt', 'same');
    expect(await library.items.list(project)).toHaveLength(3);
  });

  test('is ignored by the project’s git', async () => {
    await add('a.txt');
    expect(await readFile(join(project, '.svc/library/.gitignore'), 'utf8')).toBe('*\n');
  });

  test('that is deleted leaves no files', async () => {
    const item = await add('a.txt');
    expect(await library.items.remove(project, item.id)).toEqual(item);
    expect(await readdir(join(project, '.svc/library'))).toEqual(['.gitignore']);
    expect(await codeOf(() => library.items.read(project, item.id))).toBe('LIBRARY_NOT_FOUND');
  });

  test.each(['', '..', 'a/b', 'x'.repeat(65), 'lib 1'])('is not looked up by the invalid id %j', async (id) => {
    expect(await codeOf(() => library.items.read(project, id))).toBe('LIBRARY_INVALID');
  });
});

describe('item names', () => {
  test.each([
    ['a/b\\c:d*e?f"g<h>i|j.txt', 'a b c d e f g h i j.txt'],
    ['  ..hidden \n file ', 'hidden file'],
    ['ﬁle①.pdf', 'file1.pdf'],
    ['...', undefined],
    ['\u0000 /', undefined],
    ['日本.md', '日本.md'],
  ])('%j becomes %j', (given, kept) => {
    expect(cleanItemName(given)).toBe(kept);
  });

  test('without a letter or digit are refused and the old name stays', async () => {
    const item = await add('a.txt');
    expect(await codeOf(() => library.items.rename(project, item.id, ' ?? '))).toBe('LIBRARY_NAME_EMPTY');
    expect((await library.items.read(project, item.id)).name).toBe('a.txt');
    expect(await library.items.add(project, { name: '??', content: Buffer.from('x'), origin: 'uploaded' })).toBe(
      undefined,
    );
  });
});

describe('a second list', () => {
  test('reads only the items whose files changed', async () => {
    const [one, other] = [await add('a.txt'), await add('b.txt')];
    // Recently changed files are read again: their next change could have the same time.
    await ambient.advance(CENTURY_MS);
    const first = await library.items.list(project);
    expect(await library.items.list(project)).toBe(first);
    await library.items.rename(project, one.id, 'c.txt');
    const [renamed, unchanged] = await library.items.list(project);
    expect(renamed).toMatchObject({ id: one.id, name: 'c.txt' });
    expect(unchanged).toBe(first[0]);
    expect(unchanged?.id).toBe(other.id);
  });

  test('reflects items changed, added and deleted on disk', async () => {
    const [one, other] = [await add('a.txt'), await add('b.txt')];
    await ambient.advance(CENTURY_MS);
    await library.items.list(project);
    const file = join(folderOf(one), 'meta.json');
    const meta = await readFile(file, 'utf8');
    await writeFile(file, meta.replace('a.txt', 'z.txt'));
    await dir.write({ [`project/.svc/library/lib-new/meta.json`]: meta.replace(one.id, 'lib-new') });
    await rm(folderOf(other), { recursive: true });
    const names = (await library.items.list(project)).map(({ id, name }): [string, string] => [id, name]);
    expect(new Map(names)).toEqual(
      new Map([
        ['lib-new', 'a.txt'],
        [one.id, 'z.txt'],
      ]),
    );
  });

  test('skips an item whose folder was replaced by a link', async () => {
    const item = await add('a.txt');
    await ambient.advance(CENTURY_MS);
    await library.items.list(project);
    await dir.write({ 'elsewhere/meta.json': await readFile(join(folderOf(item), 'meta.json'), 'utf8') });
    await rm(folderOf(item), { recursive: true });
    await symlink(join(dir.path, 'elsewhere'), folderOf(item));
    expect(await library.items.list(project)).toEqual([]);
  });
});

describe('damaged items', () => {
  test('with damaged metadata fail the list, and folders without metadata are skipped', async () => {
    const item = await add('a.txt');
    await dir.write({ 'project/.svc/library/empty/other.txt': 'x' });
    expect(await library.items.list(project)).toHaveLength(1);
    await ambient.advance(CENTURY_MS);
    await library.items.list(project);
    for (const bad of ['{', '[]', '{"id":"other"}', '\u0000', JSON.stringify({ id: item.id, nome: 'x' })]) {
      await writeFile(join(folderOf(item), 'meta.json'), bad);
      expect(await codeOf(() => library.items.list(project))).toBe('LIBRARY_MALFORMED');
      expect(await codeOf(() => library.items.open(project, item.id))).toBe('LIBRARY_MALFORMED');
    }
    expect(await library.orNull(() => library.items.list(project))).toBeNull();
  });

  test('with changed or missing content are detected by their hash', async () => {
    const item = await add('a.txt', 'kept');
    await writeFile(join(folderOf(item), 'contenuto.txt'), 'kep!');
    expect(await codeOf(() => library.items.open(project, item.id))).toBe('LIBRARY_MALFORMED');
    await rm(join(folderOf(item), 'contenuto.txt'));
    expect(await codeOf(() => library.items.open(project, item.id))).toBe('LIBRARY_MALFORMED');
  });

  test('never follow a link out of the project', async () => {
    const item = await add('a.txt', 'kept');
    await dir.write({ 'secret.txt': 'secret' });
    await rm(join(folderOf(item), 'contenuto.txt'));
    await symlink(join(dir.path, 'secret.txt'), join(folderOf(item), 'contenuto.txt'));
    expect(await codeOf(() => library.items.open(project, item.id))).toBe('LIBRARY_READ_FAILED');
    const meta = JSON.parse(await readFile(join(folderOf(item), 'meta.json'), 'utf8'));
    await writeFile(join(folderOf(item), 'meta.json'), JSON.stringify({ ...meta, file: '../../../README.md' }));
    expect(await codeOf(() => library.items.open(project, item.id))).toBe('LIBRARY_MALFORMED');
  });

  test('do not prevent new items', async () => {
    const item = await add('a.txt');
    await writeFile(join(folderOf(item), 'meta.json'), '{');
    expect(await add('b.txt')).toMatchObject({ name: 'b.txt' });
  });
});

describe('the preview of an item', () => {
  test.each([
    ['%PDF-1.7', 'x.bin', 'application/pdf'],
    ['\x89PNG\r\n\x1a\n', 'x.txt', 'image/png'],
    ['GIF89a', 'x.gif', 'image/gif'],
    ['RIFF0000WEBPVP8', 'x.webp', 'image/webp'],
    ['\xff\xd8\xff\xe0', 'x.html', 'image/jpeg'],
    ['only words', 'x.txt', 'text/plain; charset=utf-8'],
  ])('of %j is decided by its bytes', async (content, name, mediaType) => {
    const bytes = Buffer.from(content, 'latin1');
    const item = (await library.items.add(project, { name, content: bytes, origin: 'uploaded' })) as Item;
    const shown = await library.items.preview(project, item.id);
    shown.content.destroy();
    expect(shown.mediaType).toBe(mediaType);
  });

  test.each([
    ['<script>', 'x.html'],
    ['<svg onload=a()>', 'x.svg'],
    ['MZ', 'x.exe'],
    ['words', 'x.csv'],
  ])('of %j named %j is not available', async (content, name) => {
    const item = await add(name, content);
    expect(await codeOf(() => library.items.preview(project, item.id))).toBe('LIBRARY_NOT_FOUND');
  });
});

describe('library tools', () => {
  const call = async (name: string, input: unknown) => {
    const tool = library.tools.find((one) => one.name === name) as Tool;
    const context = { folder: project, signal: new AbortController().signal } as ToolContext;
    return tool.run(tool.input.parse(input), context);
  };

  test('page through the list and reject an expired or foreign token', async () => {
    for (let count = 0; count < 12; count += 1) await add(`${count}.txt`);
    const first = (await call('library_list', {})).content;
    expect(first.match(/^- /gm)).toHaveLength(10);
    const [, token] = /page_token (\S+)/.exec(first) ?? [];
    expect((await call('library_list', { page_token: token })).content.match(/^- /gm)).toHaveLength(2);
    expect((await call('library_list', { page_token: token, origin: 'uploaded' })).isError).toBe(true);
    for (let count = 0; count < 128; count += 1) await call('library_list', { page_size: 1 });
    expect((await call('library_list', { page_token: token })).isError).toBe(true);
    expect((await call('library_list', { file_type: 'image' })).content).toBe('No matching items in the library.');
  });

  test('search names before text, read each text once, and return the context', async () => {
    await add('one.txt', 'the tempering of steel in oil');
    await add('tempering.txt', 'nothing else');
    const found = (await call('library_search', { query: 'Tempering' })).content;
    expect(found.indexOf('tempering.txt')).toBeLessThan(found.indexOf('one.txt'));
    expect(found).toContain('tempering of steel');
    await call('library_search', { query: 'oil' });
    expect(reads.sort()).toEqual(['one.txt', 'tempering.txt']);
    expect((await call('library_search', { query: 'absent' })).content).toContain('No matches');
  });

  test('read, report the origin, rename, copy and delete', async () => {
    const item = await add('note.md', 'x'.repeat(13_000), { madeBy: 'document_create', sessionId: 's1' });
    expect((await call('library_read', { id: item.id })).content).toContain('1000 characters more: from 12000');
    expect((await call('library_file_origin', { id: item.id })).content).toContain('made by: document_create');
    await call('library_rename', { id: item.id, name: 'mcp.json' });
    expect((await call('library_export', { reference: 'mcp.json' })).isError).toBe(true);
    expect(existsSync(join(project, 'mcp.json'))).toBe(false);
    await call('library_rename', { id: item.id, name: 'README.md' });
    expect(await call('library_export', { reference: 'README.md' })).toMatchObject({
      content: 'Copied "README.md" to README (2).md',
      changes: [{ path: 'README (2).md' }],
    });
    expect(await readFile(join(project, 'README (2).md'), 'utf8')).toHaveLength(13_000);
    expect((await call('library_delete', { id: item.id })).content).toContain('Deleted');
    expect((await call('library_read', { id: item.id })).isError).toBe(true);
    expect((await call('library_export', { reference: 'none' })).isError).toBe(true);
  });
});
