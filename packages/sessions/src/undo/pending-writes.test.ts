import { expect, test } from '@jest/globals';
import { createPendingWrites } from './pending-writes.ts';

test('a write is pending for its file and the folders around it until each of its writes has ended', () => {
  const writes = createPendingWrites();
  const ends = [writes.add('s', ['a/b/c.txt']), writes.add('s', ['a/b/c.txt', 'a/d.txt'])];
  const pending = (): string[] => ['a', 'a/b', 'a/b/c.txt', 'a/d.txt', 'a/b/c'].filter((path) => writes.has('s', path));
  expect(pending()).toEqual(['a', 'a/b', 'a/b/c.txt', 'a/d.txt']);
  expect(writes.has('other', 'a/d.txt')).toBe(false);
  ends[1]?.();
  expect(pending()).toEqual(['a', 'a/b', 'a/b/c.txt']);
  ends[0]?.();
  expect(pending()).toEqual([]);
});
