import { expect, test } from '@jest/globals';
import { chaos } from './workflow-chaos/chaos.ts';

test('fifty runs of ten steps survive kills every 5 to 20 s: each step once, none lost, no budget left reserved', async () => {
  const report = await chaos({
    runs: 50,
    steps: 10,
    stepMs: [1_000, 5_000],
    lifeMs: [5_000, 20_000],
    kills: Number.POSITIVE_INFINITY,
    seed: 6,
  });
  expect(report.problems).toEqual([]);
  expect(report.asked).toBe(500);
  expect(report.kills).toBeGreaterThanOrEqual(5);
});
