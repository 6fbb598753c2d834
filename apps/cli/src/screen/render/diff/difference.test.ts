import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { translatorFor } from '../../../words/index.ts';
import type { Line } from '../../line.ts';
import { lineWidth } from '../width.ts';
import { compareTexts } from './compare.ts';
import { differenceLines } from './draw.ts';

const say = translatorFor('en');
const shown = (lines: readonly Line[]): string => lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
const draw = (before: string, after: string, width = 60, most?: number): string =>
  shown(differenceLines(compareTexts(before, after), { width, say, ...(most !== undefined && { most }) }));
const many = (count: number): string[] => Array.from({ length: count }, (_item, index) => `line ${index + 1}`);

describe('a diff', () => {
  test('shows line numbers, signs and three lines of context, and folds unchanged lines', () => {
    const next = [...many(30)];
    next[9] = 'line ten';
    next.splice(24, 1);
    expect(draw(many(30).join('\n'), next.join('\n'))).toBe(`   ⋯ 6 unchanged lines
 7   line 7
 8   line 8
 9   line 9
10 - line 10
10 + line ten
11   line 11
12   line 12
13   line 13
   ⋯ 8 unchanged lines
22   line 22
23   line 23
24   line 24
25 - line 25
25   line 26
26   line 27
27   line 28
   ⋯ 2 unchanged lines`);
  });

  test('highlights changed words within a line', () => {
    expect(differenceLines(compareTexts('let a = one(1);', 'let a = two(1);'), { width: 60, say })).toEqual([
      [
        { text: '1 ', token: 'muted' },
        { text: '- ', token: 'danger' },
        { text: 'let a = ', token: 'danger' },
        { text: 'one', token: 'danger', isBold: true, background: 'raised' },
        { text: '(1);', token: 'danger' },
      ],
      [
        { text: '1 ', token: 'muted' },
        { text: '+ ', token: 'success' },
        { text: 'let a = ', token: 'success' },
        { text: 'two', token: 'success', isBold: true, background: 'raised' },
        { text: '(1);', token: 'success' },
      ],
    ]);
  });

  test('highlights no words when two lines have little in common', () => {
    expect(compareTexts('abc def', 'something else').rows).toEqual([
      { kind: 'removed', number: 1, pieces: [{ text: 'abc def', isChanged: false }] },
      { kind: 'added', number: 1, pieces: [{ text: 'something else', isChanged: false }] },
    ]);
  });

  test('shows a new file as added and a deleted one as removed', () => {
    expect(draw('', 'a\nb\n')).toBe('1 + a\n2 + b');
    expect(draw('a\nb\n', '')).toBe('1 - a\n2 - b');
    expect(compareTexts('', 'a\nb\n')).toMatchObject({ added: 2, removed: 0 });
  });

  test('reports a changed line ending', () => {
    expect(draw('a', 'a\n')).toBe('1   a\n2 + ');
    expect(draw('a\r\nb', 'a\nb')).toBe('1 - a␍\n1 + a\n2   b');
    expect(draw('a\r\nb\r\n', 'a\r\nc\r\n')).toBe('1   a\n2 - b\n2 + c');
  });

  test('is truncated after the row limit and says so', () => {
    expect(draw('', many(9).join('\n'), 60, 2)).toBe('1 + line 1\n2 + line 2\n… 7 more lines');
  });

  test('wraps under its text and drops line numbers on a narrow screen', () => {
    expect(draw('', 'abcdefghijklmnopqrstuvwxyz0123456789', 30)).toBe('1 + abcdefghijklmnopqrstuvwxyz\n    0123456789');
    expect(draw('', 'abcdefgh', 6)).toBe('+ abcd\n  efgh');
  });

  test('aligns tabs', () => {
    expect(draw('a\tb', 'a\tc')).toBe('1 - a   b\n1 + a   c');
  });

  test('of equal texts has no rows', () => {
    expect(compareTexts('a\nb', 'a\nb')).toEqual({ rows: [], added: 0, removed: 0 });
  });

  test('of completely different texts is fast', () => {
    const at = performance.now();
    const other = many(20_000).map((line) => `${line} other`);
    expect(compareTexts(many(20_000).join('\n'), other.join('\n'))).toMatchObject({ added: 20_000, removed: 20_000 });
    expect(draw('x'.repeat(1_000_000), 'y', 80).length).toBeLessThan(3_000);
    expect(performance.now() - at).toBeLessThan(15_000);
  });

  test('rebuilds both texts and stays within its width', () => {
    const text = fc.array(
      fc.oneof(fc.constantFrom('a', 'b', '', 'c d', '\tx', '日本', '\x1b[2J', '\u202e'), fc.string({ maxLength: 5 })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(text, text, fc.integer({ min: 3, max: 50 }), (before, after, width) => {
        const [old, next] = [before, after].map((lines) => lines.join('\n').replaceAll('\r', '')) as [string, string];
        const { rows } = compareTexts(old, next, 1_000);
        if (old === next) return expect(rows).toEqual([]);
        const side = (kind: 'added' | 'removed'): string =>
          rows
            .flatMap((row) =>
              row.kind === 'same'
                ? [row.text]
                : row.kind === kind
                  ? [row.pieces.map((piece) => piece.text).join('')]
                  : [],
            )
            .join('\n');
        expect([side('removed'), side('added')].map((whole) => whole.trimEnd())).toEqual(
          [old, next].map((whole) => whole.trimEnd()),
        );
        for (const line of differenceLines(compareTexts(old, next), { width, say })) {
          expect(lineWidth(line)).toBeLessThanOrEqual(width);
          expect(shown([line])).not.toMatch(/[\p{Cc}\u202e]/u);
        }
      }),
    );
  });
});

test('shows only signs without line numbers', () => {
  expect(shown(differenceLines(compareTexts('a\nb', 'a\nc'), { width: 60, say, isNumbered: false }))).toBe(
    '  a\n- b\n+ c',
  );
});
