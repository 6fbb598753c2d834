import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { diffLines, type LineRun } from './line-diff.ts';

const without = (runs: readonly LineRun[], kind: LineRun['kind']): string[] =>
  runs.filter((run) => run.kind !== kind).flatMap(({ lines }) => lines);
const texts = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'long line'), { maxLength: 30 });

test('rebuilds both texts for random input', () => {
  fc.assert(
    fc.property(texts, texts, (old, next) => {
      const runs = diffLines(old, next);
      expect(without(runs, 'added')).toEqual(old);
      expect(without(runs, 'removed')).toEqual(next);
      expect(runs.every(({ lines }) => lines.length > 0)).toBe(true);
    }),
  );
});

test('pairs unchanged lines', () => {
  expect(diffLines(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
    { kind: 'same', lines: ['a'] },
    { kind: 'removed', lines: ['b'] },
    { kind: 'added', lines: ['x'] },
    { kind: 'same', lines: ['c'] },
  ]);
  expect(diffLines(['a'], ['a'])).toEqual([{ kind: 'same', lines: ['a'] }]);
});

test('shows texts with little in common as replaced', () => {
  const lines = (prefix: string) => Array.from({ length: 2_000 }, (_, at) => `${prefix}${at}`);
  const runs = diffLines(['same', ...lines('old')], ['same', ...lines('new')]);
  expect(runs.map(({ kind, lines: { length } }) => [kind, length])).toEqual([
    ['same', 1],
    ['removed', 2_000],
    ['added', 2_000],
  ]);
});
