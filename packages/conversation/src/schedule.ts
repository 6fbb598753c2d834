import { Cron } from 'croner';
import { instantOf, isSecondTime } from './zone.ts';

export { isZone, localDay, wallTime } from './zone.ts';

/** When an automation runs; times are local to its time zone. */
export type Schedule =
  | { kind: 'manual' }
  | { kind: 'hourly'; minute: number }
  | { kind: 'daily'; time: string }
  | { kind: 'weekdays'; time: string }
  | { kind: 'weekly'; time: string; day: number }
  /** Counted from the last run. */
  | { kind: 'every'; minutes: number }
  | { kind: 'cron'; expression: string }
  /** `YYYY-MM-DDTHH:MM`. */
  | { kind: 'once'; at: string };

const MOST_SKIPS = 200;
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

function cronOf(expression: string, zone: string): Cron {
  const key = `${zone} ${expression}`;
  let cron = crons.get(key);
  if (!cron) {
    cron = new Cron(expression.trim(), { timezone: zone, mode: '5-part', paused: true });
    if (crons.size >= MOST_CRONS) crons.clear();
    crons.set(key, cron);
  }
  return cron;
}

/** A wall time that a clock change skips is skipped, not moved; one that occurs twice counts once. */
function nextOf(expression: string, zone: string, after: number): number | undefined {
  const cron = cronOf(expression, zone);
  let at = after;
  for (let skip = 0; skip < MOST_SKIPS; skip += 1) {
    const next = cron.nextRun(new Date(at))?.getTime();
    if (next === undefined) return undefined;
    if (next > after && cron.match(new Date(next)) && !isSecondTime(zone, next)) return next;
    at = Math.max(next, at + 1_000);
  }
  return undefined;
}

function onceAt({ schedule, zone }: { schedule: Extract<Schedule, { kind: 'once' }>; zone: string }) {
  const wall = Date.parse(`${schedule.at}:00Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 16) !== schedule.at) return undefined;
  return instantOf(zone, wall);
}
