import { describe, expect, test } from '@jest/globals';
import { diffTexts } from './line-diff.ts';

const shown = (before: string | null, after: string | null, context?: number): string[] =>
  diffTexts(before, after, context).hunks.map((hunk) =>
    hunk.lines.map((line) => ({ same: ' ', added: '+', removed: '-' })[line.kind] + line.text).join('\n'),
  );
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at).join('\n');

/** Applies the diff to the old text; must give the new one. */
function applied(before: string, after: string): string {
  const { hunks } = diffTexts(before, after, Number.MAX_SAFE_INTEGER);
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== 'removed');
  return lines.length > 0 ? lines.map((line) => line.text).join('\n') : before;
}

describe('diffTexts', () => {
  test('shows a replaced line in context with both line numbers', () => {
    const diff = diffTexts('a\nb\nc\n', 'a\nB\nc\n');
    expect(diff).toMatchObject({ added: 1, removed: 1 });
    expect(diff.hunks[0]?.lines.map((line) => [line.kind, line.old, line.new])).toEqual([
      ['same', 1, 1],
      ['removed', 2, undefined],
      ['added', undefined, 2],
      ['same', 3, 3],
    ]);
  });

  test('shows a new file as added, a removed one as removed, and no rows for equal texts', () => {
    expect(shown(null, 'a\nb\n')).toEqual(['+a\n+b']);
    expect(shown('a\nb\n', null)).toEqual(['-a\n-b']);
    expect(shown('a\n', 'a\n')).toEqual([]);
  });

  test('splits distant changes into hunks and joins close ones', () => {
    const before = numbers(1, 40);
    expect(shown(before, before.replace('\n5\n', '\nfive\n').replace('\n30\n', '\nthirty\n'))).toHaveLength(2);
    expect(shown(before, before.replace('\n5\n', '\nfive\n').replace('\n9\n', '\nnine\n'))).toEqual([
      ' 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12',
    ]);
  });

  test('highlights changed words inside a line', () => {
    const [line] = diffTexts('const total = 1;', 'const total = 42;').hunks[0]?.lines ?? [];
    expect(line?.mark).toEqual([14, 15]);
  });

  test('converts the old text to the new one for random texts', () => {
    let seed = 7;
    const chance = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    for (let round = 0; round < 300; round += 1) {
      const before = Array.from({ length: Math.floor(chance() * 12) + 1 }, () => 'abcd'[Math.floor(chance() * 4)]);
      const after = before.flatMap((line) => (chance() < 0.25 ? [] : chance() < 0.25 ? [line, 'x'] : [line]));
      if (after.length === 0) after.push('y');
      expect(applied(before.join('\n'), after.join('\n'))).toBe(after.join('\n'));
    }
  });

  test('reports two long texts without a common line as replaced', () => {
    const diff = diffTexts(numbers(1, 4_000), numbers(10_001, 14_000));
    expect(diff).toMatchObject({ added: 4_000, removed: 4_000 });
  });
});
