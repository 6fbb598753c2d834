import { expect, test } from '@jest/globals';
import { sorted } from './sorted.ts';

const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;

test.each([0, 1, 2_000, 2_001, 9_999])('%d items are sorted stably', async (count) => {
  const items = Array.from({ length: count }, (_, place) => ({ key: (place * 7_919) % 997, place }));
  expect(await sorted(items, byKey)).toEqual([...items].sort(byKey));
});

test('sorting many items does not block other work', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    pending = setImmediate(count);
  };
  let pending = setImmediate(count);
  const items = Array.from({ length: 100_000 }, (_, place) => ({ key: place % 1_000 }));
  await sorted(items, byKey);
  clearImmediate(pending);
  expect(turns).toBeGreaterThanOrEqual(50);
});
