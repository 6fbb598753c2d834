import { expect, test } from '@jest/globals';
import { crash } from './crash/rounds.ts';

test('two hundred kills during work lose nothing that was acknowledged or sent', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const report = await crash({ kills: 50, seed });
    expect([seed, report.problems]).toEqual([seed, []]);
    expect(report.kills).toBe(50);
    expect(report.slowestStartMs).toBeLessThanOrEqual(2_000);
  }
});
