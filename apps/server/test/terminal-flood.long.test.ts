import { expect, test } from '@jest/globals';
import { flood } from './terminal-flood.ts';

test.each([
  ['short lines', 'yes'],
  ['no line at all', 'cat /dev/zero'],
  [
    'colours and moves',
    "while :; do printf '\\033[%d;%dH\\033[3%dm##\\033[0m' $((RANDOM%24)) $((RANDOM%80)) $((RANDOM%8)); done",
  ],
])('a minute of %s adds less than 64 MiB and delays no other request by 250 ms', async (_name, program) => {
  const report = await flood({ program, seconds: 60 });
  expect(report.isStopped).toBe(true);
  expect(report.grownMib).toBeLessThan(64);
  expect(report.delayMs).toBeLessThan(250);
});
