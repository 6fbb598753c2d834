import type { Schedule } from '@fucina/conversation/schedule';
import { expect, test } from '@jest/globals';
import { checkSchedule } from './check-schedule.ts';

const utc = (text: string) => Date.parse(`${text}Z`);
const code = (schedule: Schedule, zone = 'Europe/Rome', now = utc('2026-01-01T12:00')) => {
  try {
    checkSchedule({ schedule, zone }, now);
    return 'fits';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('accepts a single time in the future of a real day, also one that the clock skips', () => {
  expect(code({ kind: 'once', at: '2026-03-29T02:30' })).toBe('fits');
  expect(code({ kind: 'once', at: '2026-02-30T02:30' })).toBe('AUTOMATION_SCHEDULE_INVALID');
  expect(code({ kind: 'once', at: '2026-01-01T12:59' })).toBe('AUTOMATION_SCHEDULE_PAST');
  expect(code({ kind: 'once', at: '2026-01-01T13:01' })).toBe('fits');
});

test('accepts cron with five valid fields that occur and are at least five minutes apart', () => {
  const cron = (expression: string) => code({ kind: 'cron', expression });
  for (const fields of ['* * * *', '0 0 * * * *', '@daily', '', 'x'])
    expect([fields, cron(fields)]).toEqual([fields, 'AUTOMATION_CRON_FIELDS']);
  for (const odd of ['61 * * * *', 'a b c d e', '*/0 * * * *', '0 0 30 2 *', '0 24 * * *'])
    expect([odd, cron(odd)]).toEqual([odd, 'AUTOMATION_CRON_INVALID']);
  for (const dense of ['* * * * *', '*/4 * * * *', '0,3 * * * *', '59,0 9 * * *', '58,1 * * * *']) {
    expect([dense, cron(dense)]).toEqual([
      dense,
      dense === '59,0 9 * * *' ? 'fits' : 'AUTOMATION_SCHEDULE_TOO_FREQUENT',
    ]);
  }
  for (const fine of ['*/5 * * * *', '0 9 * * 1-5', '30 2 29 2 *', '0 0 1 */3 *'])
    expect([fine, cron(fine)]).toEqual([fine, 'fits']);
  expect(code({ kind: 'every', minutes: 4 })).toBe('AUTOMATION_SCHEDULE_TOO_FREQUENT');
});
