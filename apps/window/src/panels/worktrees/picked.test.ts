import { expect, test } from '@jest/globals';
import { withHunk } from './picked.ts';

const file = { sessionId: 's', from: 'c', path: 'a.txt', fingerprint: 'f' };

test('a hunk is added in order and removed again, and the last one ends the choice', () => {
  const one = withHunk(undefined, file, { hunk: 2, count: 3 });
  expect(one).toEqual({ ...file, hunks: [2] });
  const two = withHunk(one, file, { hunk: 0, count: 3 });
  expect(two?.hunks).toEqual([0, 2]);
  expect(withHunk(two, file, { hunk: 2, count: 3 })?.hunks).toEqual([0]);
  expect(withHunk(one, file, { hunk: 2, count: 3 })).toBeUndefined();
});

test('a hunk is removed from the choice of a whole file', () => {
  expect(withHunk(file, file, { hunk: 1, count: 3 })?.hunks).toEqual([0, 2]);
});
