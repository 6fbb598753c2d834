import { expect, test } from '@jest/globals';
import { findSymbol, withEdits } from './position.ts';

test('finds a symbol as a whole word, on a line if one is given', () => {
  const text = 'const sized = 1;\nconst size = sized;\nsize;\n';
  expect(findSymbol(text, 'size')).toEqual({ line: 1, character: 6 });
  expect(findSymbol(text, 'size', 3)).toEqual({ line: 2, character: 0 });
  expect(findSymbol(text, 'size', 1)).toBeUndefined();
  expect(findSymbol(text, 'absent')).toBeUndefined();
  expect(findSymbol(text, 'size', 99)).toBeUndefined();
});

test('applies edits in the order of their places, and insertions at one place in their own order', () => {
  const range = (line: number, from: number, to: number) => ({
    start: { line, character: from },
    end: { line, character: to },
  });
  const edits = [
    { range: range(1, 0, 1), newText: 'B' },
    { range: range(0, 0, 0), newText: '1' },
    { range: range(0, 0, 0), newText: '2' },
    { range: range(0, 1, 9), newText: '!' },
  ];
  expect(withEdits('a😀\r\nb\r\n', edits)).toBe('12a!\r\nB\r\n');
});
