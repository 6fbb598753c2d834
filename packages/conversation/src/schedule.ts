import { Cron } from 'croner';
import { instantsOf, isSteady, NEAR_MS, skippedAt, wallTime } from './zone.ts';

export { isZone, localDay, wallTime } from './zone.ts';

/**
 * When an automation runs; times are local to its time zone. A time that the clock skips runs at the first instant after
 * the skipped ones, unless the schedule has a run at the moment when it would have come; one that occurs twice runs twice.
 */
export type Schedule =
  | { kind: 'manual' }
  | { kind: 'hourly'; minute: number }
  | { kind: 'daily'; time: string }
  | { kind: 'weekdays'; time: string }
  | { kind: 'weekly'; time: string; day: number }
  /** Counted from the last run. */
  | { kind: 'every'; minutes: number }
  | { kind: 'cron'; expression: string }
  /** `YYYY-MM-DDTHH:MM`; of two such times, the first. */
  | { kind: 'once'; at: string };

const GRACE_FLOOR_MS = 120_000;
const GRACE_CEILING_MS = 2 * 3_600_000;
const MINUTE_MS = 60_000;

export interface Timing {
  schedule: Schedule;
  zone: string;
}

/**
 * The first time strictly after `after`; undefined when it never runs again. `lastRunAt` is used by `every` only.
 * Throws for an invalid cron expression.
 */
export function nextRun({ schedule, zone }: Timing, after: number, lastRunAt: number | null): number | undefined {
  switch (schedule.kind) {
    case 'manual':
      return undefined;
    case 'every': {
      const gap = schedule.minutes * MINUTE_MS;
      // A last run in the future was recorded by a wrong clock.
      const from = lastRunAt === null || lastRunAt > after ? after : lastRunAt;
      return Math.max(from + gap, after + 1);
    }
    case 'once': {
      const at = onceAt({ schedule, zone });
      return at !== undefined && at > after ? at : undefined;
    }
    default:
      return nextOf(expressionOf(schedule), zone, after);
  }
}

/** The next times after `now`, at most `count`. Throws like `nextRun`. */
export function nextRuns(timing: Timing, now: number, count: number): number[] {
  const runs: number[] = [];
  for (let at = now; runs.length < count; ) {
    const next = nextRun(timing, at, null);
    if (next === undefined) break;
    runs.push(next);
    at = next;
  }
  return runs;
}

/** Half the period, between two minutes and two hours: how late a run may start and still count. */
export function graceMs(timing: Timing, at: number): number {
  const next = timing.schedule.kind === 'once' ? undefined : nextRun(timing, at, at);
  if (next === undefined) return GRACE_FLOOR_MS;
  return Math.min(GRACE_CEILING_MS, Math.max(GRACE_FLOOR_MS, (next - at) / 2));
}

function expressionOf(schedule: Exclude<Schedule, { kind: 'manual' | 'every' | 'once' }>): string {
  if (schedule.kind === 'cron') return schedule.expression;
  if (schedule.kind === 'hourly') return `${schedule.minute} * * * *`;
  const [hour, minute] = schedule.time.split(':').map(Number);
  const days = schedule.kind === 'weekly' ? schedule.day : schedule.kind === 'weekdays' ? '1-5' : '*';
  return `${minute} ${hour} * * ${days}`;
}

const crons = new Map<string, Cron>();
const MOST_CRONS = 256;

/** Its times are wall times, as if they were UTC. */
function cronOf(expression: string): Cron {
  let cron = crons.get(expression);
  if (!cron) {
    cron = new Cron(expression.trim(), { timezone: 'UTC', mode: '5-part', paused: true });
    if (crons.size >= MOST_CRONS) crons.clear();
    crons.set(expression, cron);
  }
  return cron;
}

function nextOf(expression: string, zone: string, after: number): number | undefined {
  const cron = cronOf(expression);
  const start = wallTime(zone, after);
  const wall = nextWall(cron, start);
  if (wall !== undefined && isSteady(zone, after)) {
    const at = wall - (start - Math.floor(after / 1000) * 1000);
    if (wallTime(zone, at) === wall && isSteady(zone, at)) return at;
  }
  return firstOf(cron, zone, after);
}

/** Near a clock change wall times and instants differ in order. */
function firstOf(cron: Cron, zone: string, after: number): number | undefined {
  let first: number | undefined;
  let last = Number.POSITIVE_INFINITY;
  let wall = nextWall(cron, wallTime(zone, after) - NEAR_MS);
  for (; wall !== undefined && wall <= last; wall = nextWall(cron, wall)) {
    for (const at of runsAt(cron, zone, wall)) {
      if (at <= after || (first !== undefined && at >= first)) continue;
      first = at;
      last = wallTime(zone, at) + NEAR_MS;
    }
  }
  return first;
}

function runsAt(cron: Cron, zone: string, wall: number): number[] {
  const instants = instantsOf(zone, wall);
  if (instants.length) return instants;
  const { end, shown } = skippedAt(zone, wall);
  return cron.match(new Date(shown)) ? [] : [end];
}

const nextWall = (cron: Cron, wall: number): number | undefined => cron.nextRun(new Date(wall))?.getTime();

function onceAt({ schedule, zone }: { schedule: Extract<Schedule, { kind: 'once' }>; zone: string }) {
  const wall = Date.parse(`${schedule.at}:00Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 16) !== schedule.at) return undefined;
  return instantsOf(zone, wall)[0] ?? skippedAt(zone, wall).end;
}
