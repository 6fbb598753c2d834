import { Cron } from 'croner';
import { automationsError } from './errors.ts';
import { instantOf, isSecondTime } from './zone.ts';

/** When an automation runs by itself; times are local to its zone. */
export type Schedule =
  | { kind: 'manual' }
  | { kind: 'hourly'; minute: number }
  | { kind: 'daily'; time: string }
  | { kind: 'weekdays'; time: string }
  | { kind: 'weekly'; time: string; day: number }
  /** From the last run. */
  | { kind: 'every'; minutes: number }
  | { kind: 'cron'; expression: string }
  /** `YYYY-MM-DDTHH:MM`. */
  | { kind: 'once'; at: string };

const MIN_GAP_MS = 5 * 60_000;
const RUNS_LOOKED_AT = 60;
const MOST_SKIPS = 200;
const GRACE_FLOOR_MS = 120_000;
const GRACE_CEILING_MS = 2 * 3_600_000;
const MINUTE_MS = 60_000;

export interface Timing {
  schedule: Schedule;
  zone: string;
}

/**
 * Refuses what can never run or runs too often: AUTOMATION_SCHEDULE_INVALID, _PAST, _TOO_FREQUENT, AUTOMATION_CRON_FIELDS,
 * AUTOMATION_CRON_INVALID. The zone is known to be one.
 */
export function checkSchedule({ schedule, zone }: Timing, now: number): void {
  if (schedule.kind === 'every' && schedule.minutes * MINUTE_MS < MIN_GAP_MS) throw tooFrequent();
  if (schedule.kind === 'once') {
    const at = onceAt({ schedule, zone });
    if (at === undefined) throw automationsError('AUTOMATION_SCHEDULE_INVALID', { reason: 'no-such-time' });
    if (at <= now) throw automationsError('AUTOMATION_SCHEDULE_PAST');
  }
  if (schedule.kind === 'cron') checkCron(schedule.expression, zone, now);
}

function checkCron(expression: string, zone: string, now: number): void {
  if (expression.trim().split(/\s+/).length !== 5) throw automationsError('AUTOMATION_CRON_FIELDS');
  let last: number | undefined;
  try {
    last = nextOf(expression, zone, now);
  } catch (cause) {
    throw automationsError('AUTOMATION_CRON_INVALID', { cause });
  }
  if (last === undefined) throw automationsError('AUTOMATION_CRON_INVALID', { reason: 'never' });
  for (let run = 0; run < RUNS_LOOKED_AT; run += 1) {
    const next = nextOf(expression, zone, last);
    if (next === undefined) return;
    if (next - last < MIN_GAP_MS) throw tooFrequent();
    last = next;
  }
}

const tooFrequent = () => automationsError('AUTOMATION_SCHEDULE_TOO_FREQUENT');

/** The first time strictly after `after`; undefined when it never runs (again) by itself. `lastRunAt` matters to `every` alone. */
export function nextRun({ schedule, zone }: Timing, after: number, lastRunAt: number | null): number | undefined {
  switch (schedule.kind) {
    case 'manual':
      return undefined;
    case 'every': {
      const gap = schedule.minutes * MINUTE_MS;
      // A last run in the future was noted by a clock that was wrong.
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

/** Half the period, at least two minutes and at most two hours: how late a run may begin and still be that run. */
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

/** An hour that the clock leaves out is skipped, not moved; one that it shows twice counts once. */
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
