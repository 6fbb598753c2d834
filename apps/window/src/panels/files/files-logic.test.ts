import { describe, expect, test } from '@jest/globals';
import { markedPieces } from '../../parts/marked-pieces.ts';
import { kindOf } from './file-kind.ts';
import { hitsOf } from './find.ts';
import {
  lastClosedFile,
  NO_OPEN_FILES,
  withEntryMoved,
  withEntryRemoved,
  withFileClosed,
  withFileOpened,
} from './open-files.ts';
import { foldersAbove, movedPath } from './paths.ts';
import { encodingOf, wholeLines } from './pieces.ts';
import { separatorOf, tableOf } from './table.ts';
import { actionOfKey, rowMatchingTyped, treeRows } from './tree-rows.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('paths', () => {
  test('contents of a moved folder move with it', () => {
    expect(movedPath('a/b/c.ts', 'a/b', 'd')).toBe('d/c.ts');
    expect(movedPath('a/b', 'a/b', 'd')).toBe('d');
    expect(movedPath('a/bc', 'a/b', 'd')).toBeUndefined();
    expect(foldersAbove('a/b/c.ts')).toEqual(['a', 'a/b']);
  });
});

describe('the rows of a tree', () => {
  const levels: Record<string, { name: string; isFolder: boolean }[]> = {
    '': [
      { name: 'src', isFolder: true },
      { name: 'alpha.ts', isFolder: false },
      { name: 'beta.ts', isFolder: false },
    ],
    src: [
      { name: 'inner', isFolder: true },
      { name: 'zeta.ts', isFolder: false },
    ],
  };
  const rows = treeRows((folder) => levels[folder], new Set(['src', 'src/inner']));

  test('exclude the .git folder and include other hidden names', () => {
    const hidden = ['.git', '.github', 'src'].map((name) => ({ name, isFolder: true }));
    const names = treeRows(() => [...hidden, { name: '.gitignore', isFolder: false }], new Set()).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['.github', 'src', '.gitignore']);
  });

  test('are those of the expanded folders', () => {
    expect(rows.map(({ path, level, place, siblings }) => [path, level, place, siblings])).toEqual([
      ['src', 1, 1, 3],
      ['src/inner', 2, 1, 2],
      ['src/zeta.ts', 2, 2, 2],
      ['alpha.ts', 1, 2, 3],
      ['beta.ts', 1, 3, 3],
    ]);
  });

  test('are navigated with standard keys', () => {
    expect(actionOfKey(rows, 0, 'ArrowRight')).toEqual({ kind: 'go', at: 1 });
    expect(actionOfKey(rows, 0, 'ArrowLeft')).toEqual({ kind: 'toggle' });
    expect(actionOfKey(rows, 2, 'ArrowLeft')).toEqual({ kind: 'go', at: 0 });
    expect(actionOfKey(rows, 3, 'ArrowLeft')).toBeUndefined();
    expect(actionOfKey(rows, 4, 'ArrowDown')).toEqual({ kind: 'go', at: 4 });
    expect(actionOfKey(rows, 2, 'End')).toEqual({ kind: 'go', at: 4 });
    expect(actionOfKey(rows, 3, 'x')).toBeUndefined();
  });

  test('are found by type-ahead, and repeating a letter moves on', () => {
    expect(rowMatchingTyped(rows, 0, 'be')).toBe(4);
    expect(rowMatchingTyped(rows, 4, 'a')).toBe(3);
    expect(rowMatchingTyped(rows, 0, 'zz')).toBe(2);
    expect(rowMatchingTyped(rows, 0, 'q')).toBeUndefined();
    expect(rowMatchingTyped([], 0, 'q')).toBeUndefined();
  });
});

describe('open file tabs', () => {
  const three = ['a', 'd/b', 'c'].reduce(withFileOpened, NO_OPEN_FILES);

  test('select their neighbor on close and can be reopened', () => {
    const { files, next } = withFileClosed(three, 'd/b');
    expect([files.paths, next, lastClosedFile(files)]).toEqual([['a', 'c'], 'c', 'd/b']);
    expect(withFileClosed(three, 'c').next).toBe('d/b');
    expect(withFileOpened(files, 'd/b')).toEqual({ paths: ['a', 'c', 'd/b'], closed: [] });
  });

  test('follow a renamed folder and close with a deleted one', () => {
    expect(withEntryMoved(three, 'd', 'e').paths).toEqual(['a', 'e/b', 'c']);
    expect(withEntryRemoved(three, 'd').paths).toEqual(['a', 'c']);
  });
});

describe('the preview type', () => {
  test('follows the name, and the bytes when the name is ambiguous', () => {
    expect(kindOf('a.md', bytes('# a'))).toBe('markdown');
    expect(kindOf('a.pdf', bytes('%PDF-1.7'))).toBe('pdf');
    expect(kindOf('a.pdf', bytes('plain'))).toBe('text');
    expect(kindOf('a.docx', bytes('PK\u0003'))).toBe('document');
    expect(kindOf('a.docx', bytes('plain'))).toBe('text');
    expect(kindOf('Makefile', bytes('all:'))).toBe('text');
    expect(kindOf('a.csv', Uint8Array.of(1, 0, 2))).toBe('binary');
    expect(kindOf('a.txt', Uint8Array.of(0xff, 0xfe, 65, 0))).toBe('text');
  });
});

describe('a table', () => {
  test('keeps quoted fields together', () => {
    expect(tableOf('a,"b, ""c""\nd",e\r\nf,g,h', ',', 9)).toEqual({
      rows: [
        ['a', 'b, "c"\nd', 'e'],
        ['f', 'g', 'h'],
      ],
      isCut: false,
    });
    expect(tableOf('a\nb\nc\n', ',', 2)).toEqual({ rows: [['a'], ['b']], isCut: true });
  });

  test('uses the most frequent delimiter', () => {
    expect(separatorOf('a;b;c\n1,5;2;3', 'x.csv')).toBe(';');
    expect(separatorOf('a,b', 'x.tsv')).toBe('\t');
    expect(separatorOf('one column', 'x.csv')).toBe(',');
  });
});

describe('searching a text', () => {
  test('finds every match ignoring case and highlights it across syntax colors', () => {
    const hits = hitsOf(['a Foo', 'foofoo'], 'foo');
    expect(hits).toEqual([
      { line: 0, from: 2, to: 5 },
      { line: 1, from: 0, to: 3 },
      { line: 1, from: 3, to: 6 },
    ]);
    const pieces = [
      { text: 'a F', colour: 'red' },
      { text: 'oo', colour: undefined },
    ];
    expect(markedPieces(pieces, hits.slice(0, 1)).map(({ text, hit }) => [text, hit !== undefined])).toEqual([
      ['a ', false],
      ['F', true],
      ['oo', true],
    ]);
    expect(hitsOf(['x'.repeat(10_000)], 'x')).toHaveLength(5_000);
  });
});

describe('a window of a large file', () => {
  const cut = (text: string, from: number, wholeBytes: number) =>
    wholeLines(bytes(text), from, { wholeBytes, encoding: 'utf-8' });

  test('shows whole lines and leaves partial ones to the adjacent windows', () => {
    expect(cut('one\ntwo\nthr', 0, 100)).toEqual({ lines: ['one', 'two'], from: 0, to: 8 });
    expect(cut('ne\ntwo\nthr', 10, 100)).toEqual({ lines: ['two'], from: 13, to: 17 });
    expect(cut('ne\ntwo\nend', 90, 100)).toEqual({ lines: ['two', 'end'], from: 93, to: 100 });
    expect(cut('no end of a line', 10, 100)).toEqual({ lines: ['no end of a line'], from: 10, to: 26 });
  });

  test('uses the encoding of the beginning of the file', () => {
    expect(encodingOf(bytes('perché').slice(0, 6))).toBe('utf-8');
    expect(encodingOf(Uint8Array.of(0x70, 0xe9, 0x72))).toBe('windows-1252');
    expect(encodingOf(Uint8Array.of(0x70, 0xe9))).toBe('utf-8');
    expect(encodingOf(Uint8Array.of(0x70, 0xe9), true)).toBe('windows-1252');
    expect(encodingOf(Uint8Array.of(0xff, 0xfe))).toBe('utf-16le');
  });
});
