import { expect, test } from '@jest/globals';
import { flood } from './terminal-flood.ts';

test('endless output uses little memory, delays no other request and stops at Ctrl+C', async () => {
  const report = await flood({ program: 'yes', seconds: 8 });
  expect(report.isStopped).toBe(true);
  expect(report.grownMib).toBeLessThan(64);
  expect(report.slowestMs).toBeLessThan(250);
  // The one that stopped reading held the others up for five seconds at most.
  expect(report.megabytes).toBeGreaterThan(10);
});
