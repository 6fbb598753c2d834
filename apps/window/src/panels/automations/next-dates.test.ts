import { expect, test } from '@jest/globals';
import type { Schedule } from '../../wire/automations.ts';
import { nextDates } from './next-dates.ts';

const utc = (text: string) => Date.parse(`${text}Z`);
const next = (schedule: Schedule, now: string, zone = 'Europe/Rome', count = 3) =>
  nextDates(schedule, zone, { now: utc(now), count })?.map((at) => new Date(at).toISOString().slice(0, 16));

test('lists dates per schedule type in the automation’s time zone', () => {
  expect(next({ kind: 'manual' }, '2026-06-01T10:00')).toEqual([]);
  expect(next({ kind: 'hourly', minute: 15 }, '2026-06-01T10:15')).toEqual([
    '2026-06-01T11:15',
    '2026-06-01T12:15',
    '2026-06-01T13:15',
  ]);
  expect(next({ kind: 'daily', time: '09:00' }, '2026-06-01T10:00')).toEqual([
    '2026-06-02T07:00',
    '2026-06-03T07:00',
    '2026-06-04T07:00',
  ]);
  expect(next({ kind: 'weekdays', time: '09:00' }, '2026-06-05T08:00')).toEqual([
    '2026-06-08T07:00',
    '2026-06-09T07:00',
    '2026-06-10T07:00',
  ]);
  expect(next({ kind: 'weekly', time: '08:30', day: 0 }, '2026-06-01T10:00')?.[0]).toBe('2026-06-07T06:30');
  expect(next({ kind: 'every-minutes', minutes: 90 }, '2026-06-01T10:00')?.[1]).toBe('2026-06-01T13:00');
  expect(next({ kind: 'once', at: '2026-07-04T09:00' }, '2026-06-01T10:00')).toEqual(['2026-07-04T07:00']);
  expect(next({ kind: 'once', at: '2020-07-04T09:00' }, '2026-06-01T10:00')).toEqual([]);
});

test('moves a time missing at a clock change behind it and counts a repeated one twice', () => {
  expect(next({ kind: 'daily', time: '02:30' }, '2026-03-28T12:00', 'Europe/Rome', 2)).toEqual([
    '2026-03-29T01:00',
    '2026-03-30T00:30',
  ]);
  expect(next({ kind: 'daily', time: '02:30' }, '2026-10-24T12:00', 'Europe/Rome', 3)).toEqual([
    '2026-10-25T00:30',
    '2026-10-25T01:30',
    '2026-10-26T01:30',
  ]);
  expect(next({ kind: 'hourly', minute: 15 }, '2026-10-24T23:30')).toEqual([
    '2026-10-25T00:15',
    '2026-10-25T01:15',
    '2026-10-25T02:15',
  ]);
});

test('lists the dates of the server for a cron expression, and none for an invalid one', () => {
  const cron = (expression: string) => next({ kind: 'cron', expression }, '2026-06-01T10:00', 'UTC', 2);
  expect(cron('*/20 9-11 * * 1-5')).toEqual(['2026-06-01T10:20', '2026-06-01T10:40']);
  expect(cron('30 2 29 2 *')).toEqual(['2028-02-29T02:30', '2032-02-29T02:30']);
  expect(cron('0 0 13 * 5')).toEqual(['2026-06-05T00:00', '2026-06-12T00:00']);
  expect(cron('0 12 * * 7')).toEqual(['2026-06-07T12:00', '2026-06-14T12:00']);
  expect(cron('0 9 * * MON')).toEqual(['2026-06-08T09:00', '2026-06-15T09:00']);
  expect(cron('0 9 L * *')).toEqual(['2026-06-30T09:00', '2026-07-31T09:00']);
  expect(cron('0 9 31 2 *')).toEqual([]);
  for (const unread of ['61 * * * *', '* * * *', 'every day', '']) {
    expect([unread, cron(unread)]).toEqual([unread, undefined]);
  }
});
