import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { contextOf } from '../test/run-tool.ts';
import { changeFiles } from './change-files.ts';

const upper = (path: string) => ({ path, change: (text: string) => text.toUpperCase() });

async function files(texts: Record<string, string>) {
  const dir = await tempDir();
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(join(dir.path, path, '..'), { recursive: true });
    await writeFile(join(dir.path, path), text);
  }
  const text = (path: string): Promise<string> => readFile(join(dir.path, path), 'utf8');
  return { path: dir.path, text, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

test('changes several files and announces each before it is written', async () => {
  await using dir = await files({ 'a.txt': 'a\r\n', 'b.txt': 'b' });
  const announced: string[] = [];
  const context = contextOf(dir.path, {
    willChange: async (path) => void announced.push(`${path} ${await dir.text(path)}`),
  });
  expect(await changeFiles([upper('a.txt'), upper('b.txt')], { path: 'a.txt' }, context)).toEqual([
    { path: 'a.txt', before: 'a\r\n', after: 'A\r\n' },
    { path: 'b.txt', before: 'b', after: 'B' },
  ]);
  expect(announced).toEqual(['a.txt a\r\n', 'b.txt b']);
  expect(await dir.text('b.txt')).toBe('B');
});

test.each([
  ['a control file that the approval does not name', '.envrc', /control file/],
  ['a path outside the folder', '../x.txt', /outside the session folder/],
  ['a file that is gone', 'gone.txt', /does not exist/],
  ['a binary file', 'binary.bin', /is not text/],
  ['a link to a control file', 'link.txt', /is a link to the control file/],
  ['a file that changed since it was read', 'stale.txt', /has changed since you read it/],
])('changes nothing when one of the files is %s', async (_what, path, reason) => {
  await using dir = await files({ 'a.txt': 'a', '.envrc': 'x', 'stale.txt': 'new' });
  await writeFile(join(dir.path, 'binary.bin'), Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]));
  await symlink('.envrc', join(dir.path, 'link.txt'));
  const context = contextOf(dir.path, { seen: new Map([['stale.txt', 'another']]) });
  const result = await changeFiles([upper('a.txt'), upper(path)], { path: 'a.txt' }, context);
  expect(result).toMatchObject({ isError: true, content: expect.stringMatching(reason) });
  expect(await dir.text('a.txt')).toBe('a');
});

test('changes a control file that the approval names', async () => {
  await using dir = await files({ '.envrc': 'x' });
  const result = await changeFiles([upper('.envrc')], { path: '.envrc' }, contextOf(dir.path));
  expect(result).toEqual([{ path: '.envrc', before: 'x', after: 'X' }]);
});
