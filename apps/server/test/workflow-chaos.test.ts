import { expect, test } from '@jest/globals';
import { chaos } from './workflow-chaos/chaos.ts';

test('three runs survive five kills: each step once, none lost, no budget left reserved', async () => {
  const report = await chaos({ runs: 3, steps: 6, stepMs: [300, 900], lifeMs: [500, 1_300], kills: 5, seed: 20261121 });
  expect(report.problems).toEqual([]);
  expect(report.asked).toBe(18);
  expect(report.kills).toBeGreaterThanOrEqual(3);
  expect(report.slowestStartMs).toBeLessThanOrEqual(2_000);
});

test('a run survives servers stopped during its steps: each stops in time and the next one continues', async () => {
  const report = await chaos({
    runs: 2,
    steps: 4,
    stepMs: [300, 900],
    lifeMs: [500, 1_000],
    kills: 3,
    signal: 'SIGTERM',
    seed: 2,
  });
  expect(report.problems).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(2);
  expect(report.slowestStopMs).toBeLessThanOrEqual(5_000);
});
