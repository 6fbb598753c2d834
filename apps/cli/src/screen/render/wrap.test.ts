import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Line } from '../line.ts';
import { createPalette } from './palette.ts';
import { expandTabs, lineWidth, textWidth } from './width.ts';
import { alignLine, cutLine, padLine, textLines, textSpan, wrapLine } from './wrap.ts';

const line = (text: string): Line => [{ text }];
const shown = (lines: readonly Line[]): string[] => lines.map((row) => row.map(({ text }) => text).join(''));

describe('wrapping', () => {
  test('breaks at spaces and starts no row with one', () => {
    expect(shown(wrapLine(line('one two  three'), 8))).toEqual(['one two', 'three']);
  });

  test('keeps leading spaces of a line', () => {
    expect(shown(wrapLine(line('   one two'), 8))).toEqual(['   one', 'two']);
  });

  test('breaks a word only when it is longer than a row', () => {
    expect(shown(wrapLine(line('a abcdefghij b'), 4))).toEqual(['a', 'abcd', 'efgh', 'ij b']);
  });

  test('does not break a word where its style changes', () => {
    const rows = wrapLine([{ text: 'aa b' }, { text: 'b', isBold: true }, { text: 'b cc' }], 6);
    expect(rows).toEqual([[{ text: 'aa b' }, { text: 'b', isBold: true }, { text: 'b' }], [{ text: 'cc' }]]);
  });

  test('breaks between wide characters and never inside one', () => {
    expect(shown(wrapLine(line('日本語テスト'), 5))).toEqual(['日本', '語テ', 'スト']);
    expect(shown(wrapLine(line('👩‍💻👩‍💻'), 3))).toEqual(['👩‍💻', '👩‍💻']);
  });

  test('repeats the prefix on every row', () => {
    expect(shown(wrapLine(line('one two three'), 8, { first: line('• ') }))).toEqual(['• one', '  two', '  three']);
    expect(shown(wrapLine(line('one two'), 6, { first: line('> '), rest: line('| ') }))).toEqual(['> one', '| two']);
  });

  test('keeps every space of preformatted text', () => {
    expect(shown(wrapLine(line('a  b  c'), 3, { isExact: true }))).toEqual(['a  ', 'b  ', 'c']);
  });

  test('gives one row for an empty text', () => {
    expect(wrapLine([], 10)).toEqual([[]]);
  });
});

test('truncating adds an ellipsis', () => {
  expect(shown([cutLine(line('abcdef'), 4), cutLine(line('日本語'), 4), cutLine(line('abc'), 3)])).toEqual([
    'abc…',
    '日…',
    'abc',
  ]);
});

test('padding fills the width', () => {
  expect(padLine(line('日本'), 6, { background: 'raised' })).toEqual([
    { text: '日本' },
    { text: '  ', background: 'raised' },
  ]);
});

test('keeps the right side when two sides do not fit', () => {
  expect(shown([alignLine(line('left'), line('right'), 12), alignLine(line('leftleft'), line('right'), 10)])).toEqual([
    'left   right',
    'lef… right',
  ]);
});

test('a line of only spaces or with a long indent continues on the next row', () => {
  expect(wrapLine(line('      '), 2).map(lineWidth)).toEqual([2, 2, 2]);
  expect(shown(wrapLine(line('     word on'), 4))).toEqual(['    ', ' wor', 'd on']);
});

test('tabs advance to the next multiple of four columns', () => {
  expect(expandTabs('a\tb\t\tc')).toBe('a   b       c');
  expect(expandTabs('日\tb')).toBe('日  b');
});

describe('untrusted text', () => {
  const palette = createPalette({ env: {}, depth: '16M' });
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '\x1b[2J',
      '\x1b]0;x\x07',
      '\u202e',
      '\0',
      '\ud83d',
      '\udc00',
      '\u200b\u200d',
      '\t',
      '\r\n',
      'e\u0301',
      '한글',
      '\u{e0041}',
      '\x9b31m',
      '\u00ad',
    ),
  );
  const texts = fc.array(hostile, { maxLength: 8 }).map((parts) => parts.join(''));
  const OWN_CODES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

  test('prints no control characters and never exceeds its width', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 60 }), fc.boolean(), (text, width, isExact) => {
        for (const whole of textLines(text, { token: 'accent' })) {
          for (const row of wrapLine(whole, width, { isExact, first: line('·') })) {
            expect(lineWidth(row)).toBeLessThanOrEqual(width);
            const painted = palette.paint(row).replace(OWN_CODES, '');
            expect(painted).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2066-\u2069]/u);
            expect(textWidth(painted)).toBeLessThanOrEqual(width);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('wrapping loses no character', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 40 }), (text, width) => {
        for (const whole of textLines(text)) {
          if (whole.some((span) => /\p{M}{8}|\p{Emoji_Modifier}{8}|[\u200c\u200d]{8}/u.test(span.text))) continue;
          const bare = (lines: readonly Line[]): string => shown(lines).join('').replaceAll(' ', '');
          expect(bare(wrapLine(whole, width))).toBe(bare([whole]));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('wraps one line of a million characters', () => {
    const long = 'x'.repeat(500_000) + '日'.repeat(200_000);
    const rows = wrapLine(textLines(long)[0] ?? [], 80);
    expect(rows.every((row) => lineWidth(row) <= 80)).toBe(true);
    expect(lineWidth(cutLine([textSpan(long)], 80))).toBe(80);
  });
});
