import { chmod, readdir, readFile, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTemplates } from './templates.ts';

let dir: TempDir;
beforeEach(async () => {
  dir = await tempDir();
});
afterEach(async () => dir[Symbol.asyncDispose]());

const words = { short: 'Short.', assignment: 'Do it.' };
const template = (fields: object): string =>
  JSON.stringify({ project: 'p', difficulty: 'easy', testCommand: 'true', it: words, en: words, ...fields });
const open = (templatesDir: string | undefined = join(dir.path, 'catalog'), now = 10_000_000) =>
  createTemplates({ ambient: fakeAmbient(now), dataDir: join(dir.path, 'data'), templatesDir });
const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

test('lists templates easiest first and finds them by exact id', async () => {
  await dir.write({
    'catalog/b/template.json': template({ difficulty: 'hard' }),
    'catalog/a/template.json': template({ difficulty: 'medium' }),
    'catalog/c/template.json': template({}),
  });
  const templates = open();
  expect((await templates.list()).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  expect(await templates.find('a')).toMatchObject({ project: 'p', testCommand: 'true', words: { it: words } });
  for (const id of ['A', '', '.', '../catalog/a', 'd']) expect(await code(templates.find(id))).toBe('TASK_NOT_ALLOWED');
});

test('has no templates while the catalog is missing, empty or damaged', async () => {
  expect(await code(open('').list())).toBe('TASK_CATALOG_UNAVAILABLE');
  const templates = open();
  expect(await code(templates.find('a'))).toBe('TASK_CATALOG_UNAVAILABLE');
  for (const broken of ['{', '[]', template({ difficulty: 'x' }), template({ it: {} })]) {
    await dir.write({ 'catalog/a/template.json': broken });
    expect([broken, await code(templates.list())]).toEqual([broken, 'TASK_CATALOG_UNAVAILABLE']);
  }
  await dir.write({ 'catalog/a/template.json': template({}) });
  expect(await code(templates.list())).toBe('done');
});

test('gives each session its own writable copy', async () => {
  await dir.write({ 'catalog/a/template.json': template({}), 'catalog/a/project/src/x.js': '1' });
  await chmod(join(dir.path, 'catalog/a/project/src/x.js'), 0o444);
  const templates = open();
  const found = await templates.find('a');
  const copy = await templates.copy(found);
  await dir.write({ [`${copy.slice(dir.path.length + 1)}/src/x.js`]: '2' });
  expect(await readFile(join(await templates.copy(found), 'src/x.js'), 'utf8')).toBe('1');
  await templates.discard(copy);
  expect(await readdir(join(dir.path, 'data/tasks'))).toHaveLength(1);
});

test('removes unused copies after an hour', async () => {
  await dir.write({ 'catalog/a/template.json': template({}), 'catalog/a/project/x.js': '1' });
  expect(await open().sweep(async () => [])).toBe(0);
  const templates = open(undefined, Date.now());
  const found = await templates.find('a');
  const [used, old, fresh] = [await templates.copy(found), await templates.copy(found), await templates.copy(found)];
  for (const copy of [used, old]) await utimes(dirname(copy), 1_000, 1_000);
  expect(await templates.sweep(async () => ['/elsewhere', used])).toBe(1);
  const kept = (await readdir(join(dir.path, 'data/tasks'))).sort();
  expect(kept).toEqual([used, fresh].map((copy) => basename(dirname(copy))).sort());
});
