import { existsSync } from 'node:fs';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type ToolContext, type ToolResult } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { contextOf, run, toolNamed } from '../../test/run-tool.ts';

const patchOf = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

async function patched(
  files: Record<string, string>,
  patch: string,
  extra: Partial<Parameters<typeof contextOf>[1]> = {},
): Promise<{
  result: ToolResult;
  text(path: string): Promise<string | undefined>;
  context: ToolContext;
  checked: string | undefined;
}> {
  const dir = await tempDir();
  await dir.write(files);
  const context = contextOf(dir.path, extra);
  const checked = await toolNamed('apply_patch').check?.({ input: patch }, context);
  const result = await run('apply_patch', { input: patch }, context);
  const texts = new Map<string, string>();
  for (const path of [...Object.keys(files), 'new/b.txt', 'moved.txt']) {
    if (existsSync(join(dir.path, path))) texts.set(path, await readFile(join(dir.path, path), 'utf8'));
  }
  await dir[Symbol.asyncDispose]();
  return { result, context, checked, text: async (path) => texts.get(path) };
}

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'gone.txt': 'old\n', 'from.txt': 'x\ny\n', 'ab.txt': 'stays\n' };
const ALL = patchOf(
  '*** Add File: new/b.txt',
  '+first',
  '+',
  '+last',
  '*** Update File: a.txt',
  '@@',
  ' one',
  '-two',
  '+TWO',
  ' three',
  '*** Delete File: gone.txt',
  '*** Update File: from.txt',
  '*** Move to: moved.txt',
  '@@',
  '-y',
  '+Y',
);

test('a patch adds, updates, deletes and moves files, and leaves their neighbors', async () => {
  const noted: string[] = [];
  const willChange = async (path: string): Promise<void> => void noted.push(path);
  const { result, text, context, checked } = await patched(FILES, ALL, { willChange });
  expect(checked).toBeUndefined();
  expect(result.isError).toBeUndefined();
  expect(await text('new/b.txt')).toBe('first\n\nlast\n');
  expect(await text('a.txt')).toBe('one\nTWO\nthree\n');
  expect(await text('gone.txt')).toBeUndefined();
  expect(await text('from.txt')).toBeUndefined();
  expect(await text('moved.txt')).toBe('x\nY\n');
  expect(await text('ab.txt')).toBe('stays\n');
  expect(result.changes).toEqual([
    { path: 'new/b.txt', before: null, after: 'first\n\nlast\n' },
    { path: 'a.txt', before: FILES['a.txt'], after: 'one\nTWO\nthree\n' },
    { path: 'gone.txt', before: 'old\n', after: null },
    { path: 'moved.txt', before: null, after: 'x\nY\n' },
    { path: 'from.txt', before: 'x\ny\n', after: null },
  ]);
  expect(noted.sort()).toEqual(['a.txt', 'from.txt', 'gone.txt', 'moved.txt', 'new/b.txt']);
  expect(context.seen.get('new/b.txt')).toBeDefined();
  expect(result.content).toContain('Edited a.txt: 1 replacement at line');
  expect(result.content).toContain('Removed gone.txt.');
});

describe('a change of a patch', () => {
  const updated = async (before: string, ...lines: string[]) => {
    const { result, text } = await patched({ 'a.txt': before }, patchOf('*** Update File: a.txt', ...lines));
    return { content: result.content, isError: result.isError ?? false, after: await text('a.txt') };
  };

  test.each([
    [
      'the first place behind its anchor',
      'def a\n  x\ndef b\n  x\ndef c\n  x\n',
      ['@@ def b', '-  x', '+  y'],
      'def a\n  x\ndef b\n  y\ndef c\n  x\n',
    ],
    [
      'nested anchors',
      'class A\n def f\n  x\nclass B\n def f\n  x\n',
      ['@@ class B', '@@ def f', '-  x', '+  y'],
      'class A\n def f\n  x\nclass B\n def f\n  y\n',
    ],
    ['several places in order', 'x\na\nx\nb\n', ['@@', ' x', '-a', '+A', '@@', ' x', '-b', '+B'], 'x\nA\nx\nB\n'],
    ['the numbers of a unified diff', 'a\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+c'], 'a\nc\n'],
    ['lines added at the end', 'a\n', ['+b'], 'a\nb\n'],
    ['lines added behind an anchor', 'a\nb\n', ['@@ a', '+x'], 'a\nx\nb\n'],
    ['a file without a final line break', 'a\nb', ['@@', ' a', '-b', '+c'], 'a\nc'],
    ['line ends of Windows', 'a\r\nb\r\n', ['@@', ' a', '-b', '+c'], 'a\r\nc\r\n'],
    ['other spaces at the ends of lines', 'a  \nb\n', ['@@', ' a', '-b', '+c'], 'a  \nc\n'],
    ['lines removed', 'a\nb\nc\n', ['@@', ' a', '-b', ' c'], 'a\nc\n'],
    ['the end of the file', 'x\ny\nx\n', ['@@', '-x', '+z', '*** End of File'], 'x\ny\nz\n'],
    ['an empty line without its blank', 'a\n\nb\n', ['@@', ' a', '', '-b', '+c'], 'a\n\nc\n'],
  ])('finds %s', async (_what, before, lines, after) => {
    expect(await updated(before, ...lines)).toMatchObject({ isError: false, after });
  });

  test.each([
    ['text that is not there', 'a\n', ['@@', '-b', '+c'], /Line 3 of the patch: .*does not occur/],
    ['several places', 'x\na\nx\n', ['@@', '-x', '+y'], /Line 3 of the patch: .*occurs 2 times/],
    ['a part of a line', 'ab\n', ['@@', '-b', '+c'], /Line 3 of the patch/],
    ['an anchor that is not there', 'x\n', ['@@ def b', '-x', '+y'], /Line 3 of the patch: no line "def b"/],
    ['a place before the last one', 'b\na\n', ['@@', '-a', '+A', '@@', '-b', '+B'], /Line 6 of the patch/],
    ['a line without a sign', 'x\n', ['@@', '-x', 'y'], /Line 5 of the patch: each line/],
    ['no change', 'x\n', [], /Line 2 of the patch: no change/],
  ])('is refused for %s, with its line', async (_what, before, lines, reason) => {
    const { content, isError, after } = await updated(before, ...lines);
    expect([isError, after]).toEqual([true, before]);
    expect(content).toMatch(/^Nothing was changed\. /);
    expect(content).toMatch(reason);
  });
});

describe('a patch is refused as a whole, before a question, when', () => {
  test.each([
    ['one file does not fit', ['*** Update File: a.txt', '@@', '-none', '+x'], /Line 4 .*none|Line 5 /],
    ['a file is outside the folder', ['*** Add File: ../b.txt', '+x'], /Line 4 .*outside/],
    ['a file is outside by its absolute path', ['*** Add File: /tmp/fucina-b.txt', '+x'], /Line 4 .*outside/],
    ['a file moves outside', ['*** Update File: a.txt', '*** Move to: ../a.txt'], /Line 4 .*outside/],
    ['it names a control file', ['*** Add File: .git/hooks/pre-commit', '+x'], /Line 4 .*control file/],
    ['it moves one to a control file', ['*** Update File: a.txt', '*** Move to: .git/config'], /Line 4 .*control file/],
    ['a new file is there', ['*** Add File: a.txt', '+x'], /Line 4 .*exists already/],
    ['the target of a move is there', ['*** Update File: a.txt', '*** Move to: ab.txt'], /Line 4 .*exists already/],
    ['a file is missing', ['*** Delete File: none.txt'], /Line 4 .*does not exist/],
    ['a file is not text', ['*** Delete File: bin'], /Line 4 .*not text/],
    ['a file is in it twice', ['*** Delete File: new/b.txt'], /Line 4 .*twice/],
    ['a heading is none', ['*** Rename File: a.txt'], /Line 4 /],
  ])('%s', async (_what, lines, reason) => {
    const files = { ...FILES, bin: 'a\0b' };
    const { result, text, checked } = await patched(files, patchOf('*** Add File: new/b.txt', '+x', ...lines), {
      isWholeDisk: true,
    });
    expect(checked).toMatch(reason);
    expect(result).toMatchObject({ isError: true, content: checked });
    expect(result.changes).toBeUndefined();
    expect(await text('new/b.txt')).toBeUndefined();
    for (const [path, before] of Object.entries(files)) expect(await text(path)).toBe(before);
  });

  test.each([
    ['it has no beginning', 'x', /Line 1 /],
    ['it has no end', '*** Begin Patch\n*** Add File: new/b.txt\n+half', /Line 3 .*ends with/],
    ['it is empty', patchOf(), /no file/],
  ])('%s', async (_what, patch, reason) => {
    const { checked, text } = await patched(FILES, patch);
    expect(checked).toMatch(reason);
    expect(await text('new/b.txt')).toBeUndefined();
  });

  test('what it would remove leads through a link', async () => {
    await using dir = await tempDir();
    await dir.write({ 'real/a.txt': 'x\n' });
    await symlink('real', join(dir.path, 'link'));
    const result = await run('apply_patch', { input: patchOf('*** Delete File: link/a.txt') }, contextOf(dir.path));
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('link') });
    expect(existsSync(join(dir.path, 'real/a.txt'))).toBe(true);
  });
});

test('what was written is put back when a later file cannot be removed', async () => {
  await using dir = await tempDir();
  await dir.write({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const patch = patchOf(
    '*** Delete File: b.txt',
    '*** Update File: a.txt',
    '-one',
    '+ONE',
    '*** Add File: new.txt',
    '+n',
  );
  // Somebody else removes it between the check and the patch.
  const willChange = async (path: string): Promise<void> => {
    if (path === 'b.txt') await rm(join(dir.path, path));
  };
  const { isError, content, changes } = await run('apply_patch', { input: patch }, contextOf(dir.path, { willChange }));
  expect([isError, changes]).toEqual([true, undefined]);
  expect(content).toContain('Nothing was changed.');
  expect(await readFile(join(dir.path, 'a.txt'), 'utf8')).toBe('one\n');
  expect(existsSync(join(dir.path, 'new.txt'))).toBe(false);
});

test('the gate judges each file as a call of the tool that writes or edits it', () => {
  const { action, parts } = toolNamed('apply_patch');
  const made = action({ input: ALL }, { folder: '/p', testCommand: null });
  expect(parts?.(made)).toEqual([
    { tipo: 'scrivi', percorso: 'new/b.txt' },
    { tipo: 'file_edit', percorso: 'a.txt' },
    { tipo: 'file_edit', percorso: 'gone.txt' },
    { tipo: 'file_edit', percorso: 'from.txt' },
    { tipo: 'scrivi', percorso: 'moved.txt' },
  ]);
  expect(made).toMatchObject({ tipo: 'apply_patch', patch: ALL });
});
