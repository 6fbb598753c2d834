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

/** Reference implementation: checks every minute of the days around `from`; a repeated wall time counts once. */
function byTheClock(zone: string, from: number, to: number, isRun: (wall: Date) => boolean): number[] {
  const seen = new Set<number>();
  const runs: number[] = [];
  // A wall time that occurred before `from` does not count again.
  for (let at = from - 4 * HOUR; at < to; at += 60_000) {
    const wall = wallTime(zone, at);
    const isFirst = !seen.has(wall);
    seen.add(wall);
    if (at > from && isFirst && isRun(new Date(wall))) runs.push(at);
  }
  return runs;
}

test('a daily schedule runs once a day at its hour for a year in five zones, except for skipped hours', () => {
  for (const zone of ZONES) {
    for (const time of ['02:30', '09:00', '00:00', '01:45']) {
      const runs = runsBetween({ kind: 'daily', time }, zone, utc('2026-01-01T12:00'), utc('2027-01-01T12:00'));
      const walls = runs.map((at) => new Date(wallTime(zone, at)).toISOString());
      expect(walls.every((wall) => wall.slice(11, 16) === time)).toBe(true);
      expect(new Set(walls).size).toBe(walls.length);
      expect(walls.length).toBeGreaterThanOrEqual(364);
      expect(walls.length).toBeLessThanOrEqual(366);
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

test('asked in the repeated hour, no time is returned twice', () => {
  const zone = 'Europe/Rome';
  const schedule: Schedule = { kind: 'daily', time: '02:30' };
  for (let at = utc('2026-10-25T00:30'); at < utc('2026-10-25T03:00'); at += 60_000) {
    expect(iso(nextRun({ schedule, zone }, at, null))).toBe('2026-10-26T01:30');
  }
});

test('an interval counts from the last run and never from a future one', () => {
  const timing = { schedule: { kind: 'every', minutes: 10 } as const, zone: 'UTC' };
  const now = utc('2026-01-01T12:00');
  expect(iso(nextRun(timing, now, null))).toBe('2026-01-01T12:10');
  expect(iso(nextRun(timing, now, now - 4 * 60_000))).toBe('2026-01-01T12:06');
  expect(nextRun(timing, now, now - DAY)).toBe(now + 1);
  expect(iso(nextRun(timing, now, now + DAY))).toBe('2026-01-01T12:10');
});

test('a one-time schedule uses the first occurrence and rejects a skipped time', () => {
  const at = (zone: string, when: string) =>
    iso(nextRun({ schedule: { kind: 'once', at: when }, zone }, utc('2026-01-01T00:00'), null));
  expect(at('Europe/Rome', '2026-10-25T02:30')).toBe('2026-10-25T00:30');
  expect(at('America/New_York', '2026-07-04T09:00')).toBe('2026-07-04T13:00');
  expect(at('Europe/Rome', '2026-03-29T02:30')).toBe(false);
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
