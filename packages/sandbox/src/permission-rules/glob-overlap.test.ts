import { matchesName } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mayOverlap, namesOverlap } from './glob-overlap.ts';

const name = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 5 });
const plain = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });

describe('two names with wildcards', () => {
  test('overlap whenever a name fits both', () => {
    fc.assert(
      fc.property(name, name, plain, (one, other, subject) => {
        if (matchesName(one, subject) && matchesName(other, subject)) expect(namesOverlap(one, other)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ['*.ts', '.env', false],
    ['*', '.env', true],
    ['.e*', '.env', true],
    ['.en?', '.env', true],
    ['.en??', '.env', false],
    ['a*', '*b', true],
    ['*.pem', '*.key', false],
    ['', '', true],
    ['', '*', true],
    ['a', '', false],
    ['x'.repeat(201), 'y', true],
  ])('%s and %s: %s', (one, other, overlap) => {
    expect(namesOverlap(one, other)).toBe(overlap);
    expect(namesOverlap(other, one)).toBe(overlap);
  });
});

test.each([
  ['a/*.ts', 'secret/**', false],
  ['*.ts', 'secret/**', false],
  ['*', 'secret/**', true],
  ['s*/x', 'secret/**', true],
  ['src/*', '**/.env', true],
  ['src/*.md', '**/.env', false],
  ['src', 'src/a/b', true],
  ['src/*', 'src', false],
  ['src/*', 'src/a', true],
])('the glob %s and the pattern %s: %s', (glob, pattern, overlap) => {
  expect(mayOverlap(glob.split('/'), pattern.split('/'))).toBe(overlap);
});
