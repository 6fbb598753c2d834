import { expect, test } from '@jest/globals';
import { graceMs, isZone, nextRun, nextRuns, type Schedule } from './schedule.ts';
import { wallTime } from './zone.ts';

const ZONES = ['Europe/Rome', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/St_Johns'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number | undefined) => at !== undefined && new Date(at).toISOString().slice(0, 16);
const utc = (text: string) => Date.parse(`${text}Z`);
function runsBetween(schedule: Schedule, zone: string, from: number, to: number): number[] {
  const runs: number[] = [];
  for (let at = from; ; ) {
    const next = nextRun({ schedule, zone }, at, null);
    if (next === undefined || next >= to) return runs;
    runs.push(next);
    at = next;
  }
}

/** Reference implementation: walks the clock minute by minute. */
function byTheClock(zone: string, from: number, to: number, isRun: (wall: Date) => boolean): number[] {
  const runs: number[] = [];
  for (let at = from + 60_000; at < to; at += 60_000) {
    const [before, wall] = [wallTime(zone, at - 60_000), wallTime(zone, at)];
    const jump = wall - before - 60_000;
    const skipped = Array.from({ length: Math.max(0, jump / 60_000) }, (_, index) => before + (index + 1) * 60_000);
    const isLost = skipped.some((time) => isRun(new Date(time)) && !isRun(new Date(time + jump)));
    if (isRun(new Date(wall)) || isLost) runs.push(at);
  }
  return runs;
}

test('a daily schedule runs on each day of a year in five zones', () => {
  for (const zone of ZONES) {
    for (const time of ['02:30', '09:00', '00:00', '01:45']) {
      const runs = runsBetween({ kind: 'daily', time }, zone, utc('2026-01-01T12:00'), utc('2027-01-01T12:00'));
      const days = new Set(runs.map((at) => new Date(wallTime(zone, at)).toISOString().slice(0, 10)));
      expect([zone, time, days.size]).toEqual([zone, time, 365]);
      expect(runs.length - days.size).toBeLessThanOrEqual(1);
    }
  }
});

test('runs around every clock change of 2026 match the local clock', () => {
  const kinds: [Schedule, (wall: Date) => boolean][] = [
    [{ kind: 'hourly', minute: 15 }, (wall) => wall.getUTCMinutes() === 15],
    [{ kind: 'daily', time: '02:30' }, (wall) => wall.toISOString().slice(11, 16) === '02:30'],
    [
      { kind: 'cron', expression: '*/20 1-3 * * *' },
      (wall) => wall.getUTCMinutes() % 20 === 0 && [1, 2, 3].includes(wall.getUTCHours()),
    ],
    [
      { kind: 'weekly', time: '01:30', day: 0 },
      (wall) => wall.getUTCDay() === 0 && wall.toISOString().slice(11, 16) === '01:30',
    ],
    [
      { kind: 'weekdays', time: '03:00' },
      (wall) => ![0, 6].includes(wall.getUTCDay()) && wall.toISOString().slice(11, 16) === '03:00',
    ],
  ];
  for (const zone of ZONES) {
    for (let at = utc('2026-01-01T00:00'); at < utc('2027-01-01T00:00'); at += DAY) {
      const isChange = wallTime(zone, at) - at !== wallTime(zone, at + DAY) - (at + DAY);
      if (!isChange) continue;
      const [from, to] = [at - DAY, at + 3 * DAY];
      for (const [schedule, isRun] of kinds) {
        expect([zone, iso(at), schedule, runsBetween(schedule, zone, from, to).map(iso)]).toEqual([
          zone,
          iso(at),
          schedule,
          byTheClock(zone, from, to, isRun).map(iso),
        ]);
      }
    }
  }
});

test('a time that the clock skips runs at the first instant after the skipped ones', () => {
  const [from, to] = [utc('2027-03-27T12:00'), utc('2027-03-29T12:00')];
  const runs = (schedule: Schedule) => runsBetween(schedule, 'Europe/Rome', from, to).map(iso);
  const daily = (time: string) => runs({ kind: 'daily', time });
  expect(daily('01:59')).toEqual(['2027-03-28T00:59', '2027-03-28T23:59']);
  expect(daily('02:00')).toEqual(['2027-03-28T01:00', '2027-03-29T00:00']);
  expect(daily('02:30')).toEqual(['2027-03-28T01:00', '2027-03-29T00:30']);
  expect(daily('02:59')).toEqual(['2027-03-28T01:00', '2027-03-29T00:59']);
  expect(daily('03:00')).toEqual(['2027-03-28T01:00', '2027-03-29T01:00']);
  expect(runs({ kind: 'weekly', time: '02:30', day: 0 })).toEqual(['2027-03-28T01:00']);
  expect(runs({ kind: 'cron', expression: '10,40 2 * * 0' })).toEqual(['2027-03-28T01:00']);
});

test('asked at any minute before the skipped hour, a daily schedule runs after it', () => {
  const timing = { schedule: { kind: 'daily', time: '02:30' } as const, zone: 'Europe/Rome' };
  for (let at = utc('2027-03-27T01:30'); at < utc('2027-03-28T01:00'); at += 60_000)
    expect(iso(nextRun(timing, at, null))).toBe('2027-03-28T01:00');
  expect(iso(nextRun(timing, utc('2027-03-28T01:00'), null))).toBe('2027-03-29T00:30');
});

test('an hourly schedule keeps its distance over the skipped hour', () => {
  const runs = runsBetween(
    { kind: 'hourly', minute: 15 },
    'Europe/Rome',
    utc('2027-03-28T00:00'),
    utc('2027-03-28T03:00'),
  );
  expect(runs.map(iso)).toEqual(['2027-03-28T00:15', '2027-03-28T01:15', '2027-03-28T02:15']);
});

test('a time that occurs twice runs twice, and its neighbors once', () => {
  const [from, to] = [utc('2027-10-30T12:00'), utc('2027-10-31T12:00')];
  const daily = (time: string) => runsBetween({ kind: 'daily', time }, 'Europe/Rome', from, to).map(iso);
  expect(daily('01:59')).toEqual(['2027-10-30T23:59']);
  expect(daily('02:00')).toEqual(['2027-10-31T00:00', '2027-10-31T01:00']);
  expect(daily('02:59')).toEqual(['2027-10-31T00:59', '2027-10-31T01:59']);
  expect(daily('03:00')).toEqual(['2027-10-31T02:00']);
});

test('asked in the repeated hour, a daily schedule runs once more', () => {
  const timing = { schedule: { kind: 'daily', time: '02:30' } as const, zone: 'Europe/Rome' };
  for (let at = utc('2027-10-31T00:30'); at < utc('2027-10-31T01:30'); at += 60_000)
    expect(iso(nextRun(timing, at, null))).toBe('2027-10-31T01:30');
  expect(iso(nextRun(timing, utc('2027-10-31T01:30'), null))).toBe('2027-11-01T01:30');
});

test('an interval counts from the last run and never from a future one', () => {
  const timing = { schedule: { kind: 'every', minutes: 10 } as const, zone: 'UTC' };
  const now = utc('2026-01-01T12:00');
  expect(iso(nextRun(timing, now, null))).toBe('2026-01-01T12:10');
  expect(iso(nextRun(timing, now, now - 4 * 60_000))).toBe('2026-01-01T12:06');
  expect(nextRun(timing, now, now - DAY)).toBe(now + 1);
  expect(iso(nextRun(timing, now, now + DAY))).toBe('2026-01-01T12:10');
});

test('a one-time schedule runs once, at the first occurrence or after the skipped hour', () => {
  const at = (zone: string, when: string) =>
    iso(nextRun({ schedule: { kind: 'once', at: when }, zone }, utc('2026-01-01T00:00'), null));
  expect(at('Europe/Rome', '2026-10-25T02:30')).toBe('2026-10-25T00:30');
  expect(at('America/New_York', '2026-07-04T09:00')).toBe('2026-07-04T13:00');
  expect(at('Europe/Rome', '2026-03-29T02:30')).toBe('2026-03-29T01:00');
  expect(at('Europe/Rome', '2026-02-30T02:30')).toBe(false);
  const timing = { schedule: { kind: 'once', at: '2026-10-25T02:30' } as const, zone: 'Europe/Rome' };
  expect(nextRun(timing, utc('2026-10-25T00:30'), null)).toBeUndefined();
});

test('a run may be late by half its interval, between two minutes and two hours', () => {
  const at = utc('2026-06-01T10:15');
  const grace = (schedule: Schedule) => graceMs({ schedule, zone: 'UTC' }, at) / 60_000;
  expect(grace({ kind: 'hourly', minute: 15 })).toBe(30);
  expect(grace({ kind: 'daily', time: '10:15' })).toBe(120);
  expect(grace({ kind: 'every', minutes: 5 })).toBe(2.5);
  expect(grace({ kind: 'manual' })).toBe(2);
  expect(grace({ kind: 'once', at: '2026-06-01T10:15' })).toBe(2);
});

test('lists next runs from now until the schedule ends', () => {
  const runs = (schedule: Schedule, count = 2) =>
    nextRuns({ schedule, zone: 'UTC' }, utc('2026-06-01T10:00'), count).map(iso);
  expect(runs({ kind: 'every', minutes: 90 })).toEqual(['2026-06-01T11:30', '2026-06-01T13:00']);
  expect(runs({ kind: 'once', at: '2026-07-04T09:00' })).toEqual(['2026-07-04T09:00']);
  expect(runs({ kind: 'manual' })).toEqual([]);
  expect(() => runs({ kind: 'cron', expression: 'every day' })).toThrow();
});

test('accepts time zones the platform knows', () => {
  expect([isZone('Asia/Kolkata'), isZone('Mars/Olympus'), isZone('')]).toEqual([true, false, false]);
});
