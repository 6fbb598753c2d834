import { expect, test } from '@jest/globals';
import { flood } from './terminal-flood.ts';

test('endless output uses little memory, delays no other request and stops at Ctrl+C', async () => {
  const report = await flood({ program: 'yes', seconds: 8 });
  expect(report.isStopped).toBe(true);
  expect(report.grownMib).toBeLessThan(64);
  expect(report.delayMs).toBeLessThan(250);
  expect(report.megabytes).toBeGreaterThan(10);
});
