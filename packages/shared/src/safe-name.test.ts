import { describe, expect, test } from '@jest/globals';
import { accepted, PathError, parseAbsolutePath, parseFileName, parseRelativePath } from './safe-name.ts';

const problemOf = (act: () => unknown): string => {
  try {
    act();
    return 'accepted';
  } catch (error) {
    return error instanceof PathError ? error.problem : `threw ${String(error)}`;
  }
};

const onSystem = (platform: string, act: () => void): void => {
  const { platform: own } = process;
  Object.defineProperty(process, 'platform', { value: platform });
  try {
    act();
  } finally {
    Object.defineProperty(process, 'platform', { value: own });
  }
};

const CLIMBING_OR_ABSOLUTE = [
  '..',
  '../x',
  'a/../b',
  'a/..',
  './..',
  'a/../../x',
  '/',
  '/etc/passwd',
  '//server/share',
  '///x',
];
const FOREIGN = ['\\\\server\\share', '\\\\.\\pipe\\x', '\\\\?\\C:\\x', '..\\x', 'a\\b', 'C:\\x'];
const DRIVES = ['C:', 'c:/x', 'C:x'];
const DOTS = ['...', '. .', ' '];
const STREAMS_AND_RESERVED = [
  'file.txt:stream',
  'file::$DATA',
  'a/b:c/d',
  'NUL',
  'nul.txt',
  'CON',
  'con .txt',
  'aux',
  'PRN.log',
  'CONIN$',
];
const RESERVED_OR_TRAILING = [
  'COM1',
  'com9.x',
  'COM¹',
  'lpt²',
  'LPT0',
  'a/con/b',
  'CONOUT$',
  'COM1 .txt',
  'name.',
  'name ',
  'a./b',
  'a /b',
];
const CONTROLS = ['a\0b', 'a\nb', 'a\rb', '\tx', 'a\u0007', 'a\u007fb', 'a\u0085b', 'a\u2028b', '\ud800x'];
const TOO_LONG = ['x'.repeat(256), `a/${'è'.repeat(128)}`, 'a/'.repeat(3000), '..'.concat('/..'.repeat(9))];

describe('a relative path', () => {
  test.each([
    ['a.txt', 'a.txt'],
    ['./src//deep/./file.ts', 'src/deep/file.ts'],
    ['src/', 'src'],
    ['-rf', '-rf'],
    ['.hidden', '.hidden'],
    ['conto.txt', 'conto.txt'],
    ['console', 'console'],
    ['a b/città è.md', 'a b/città è.md'],
    ['...x', '...x'],
  ])('%j is %j', (text, path) => expect(parseRelativePath(text)).toBe(path));

  test('is the folder itself only where allowed', () => {
    expect(parseRelativePath('', { allowRoot: true })).toBe('');
    expect(parseRelativePath('./', { allowRoot: true })).toBe('');
    expect(problemOf(() => parseRelativePath(''))).toBe('invalid');
    expect(problemOf(() => parseRelativePath('/', { allowRoot: true }))).toBe('invalid');
  });

  test.each([...CLIMBING_OR_ABSOLUTE, ...FOREIGN, ...CONTROLS, ...TOO_LONG])('%j is refused', (text) =>
    expect(problemOf(() => parseRelativePath(text))).toBe('invalid'),
  );

  const NOT_PORTABLE = [...DRIVES, ...DOTS, ...STREAMS_AND_RESERVED, ...RESERVED_OR_TRAILING, 'aux.c', 'src/nul.ts'];
  test.each(NOT_PORTABLE)('%j is a file on Linux and macOS, and refused on Windows', (text) => {
    for (const platform of ['linux', 'darwin']) onSystem(platform, () => expect(parseRelativePath(text)).toBe(text));
    onSystem('win32', () => expect(problemOf(() => parseRelativePath(text))).toBe('invalid'));
  });
});

describe('a new file name', () => {
  test.each(['a.txt', 'senza titolo', '.env.example', 'è'])('%j is accepted', (name) => {
    expect(parseFileName(name)).toBe(name);
  });
  test.each(['', '.', '..', './a', 'a/', 'a/b', '-rf', 'gpj.\u202etxt', 'x\u200e'])('%j is refused', (name) => {
    expect(problemOf(() => parseFileName(name))).toBe('invalid');
  });
});

describe('a new name that Windows reserves', () => {
  test.each(['NUL', 'a.', 'aux.c', 'a:b', 'com1.log', 'trail '])('%j is refused on Windows only', (name) => {
    for (const platform of ['linux', 'darwin']) onSystem(platform, () => expect(parseFileName(name)).toBe(name));
    onSystem('win32', () => expect(problemOf(() => parseFileName(name))).toBe('invalid'));
  });
});

describe('an absolute path', () => {
  test.each([
    ['/', '/'],
    ['/tmp/', '/tmp'],
    ['/tmp//a/./b', '/tmp/a/b'],
    ['/a:b/aux', '/a:b/aux'],
  ])('%j is %j', (text, path) => expect(parseAbsolutePath(text)).toBe(path));
  test.each([
    '',
    'tmp',
    './tmp',
    '//server/share',
    '\\\\server\\share',
    '/tmp/../etc',
    '/a\0b',
    '/a\nb',
    `/${'x'.repeat(256)}`,
  ])('%j is refused', (text) => expect(problemOf(() => parseAbsolutePath(text))).toBe('invalid'));
});

test('reads a text with its parser, or returns nothing, and rethrows other errors', () => {
  expect([accepted(parseRelativePath, 'a//b/'), accepted(parseRelativePath, '../b')]).toEqual(['a/b', undefined]);
  const broken = (): string => {
    throw new TypeError('a bug');
  };
  expect(() => accepted(broken, 'a')).toThrow('a bug');
});
