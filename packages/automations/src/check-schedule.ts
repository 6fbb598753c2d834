import { isZone, nextRun, type Timing } from '@fucina/conversation/schedule';
import { automationsError } from './errors.ts';

const MIN_GAP_MS = 5 * 60_000;
const RUNS_LOOKED_AT = 60;
const MINUTE_MS = 60_000;

/** Throws AUTOMATION_TIMEZONE_INVALID if it is not an IANA name. */
export function checkZone(zone: string): void {
  if (!isZone(zone)) throw automationsError('AUTOMATION_TIMEZONE_INVALID', { params: { field: 'fusoOrario' } });
}

/**
 * Rejects a schedule that can never run or runs too often: AUTOMATION_SCHEDULE_INVALID, _PAST, _TOO_FREQUENT,
 * AUTOMATION_CRON_FIELDS, AUTOMATION_CRON_INVALID. The time zone was validated before.
 */
export function checkSchedule({ schedule, zone }: Timing, now: number): void {
  if (schedule.kind === 'every' && schedule.minutes * MINUTE_MS < MIN_GAP_MS) throw tooFrequent();
  if (schedule.kind === 'once') {
    const at = nextRun({ schedule, zone }, -Infinity, null);
    if (at === undefined) throw automationsError('AUTOMATION_SCHEDULE_INVALID', { reason: 'no-such-time' });
    if (at <= now) throw automationsError('AUTOMATION_SCHEDULE_PAST');
  }
  if (schedule.kind === 'cron') checkCron(schedule.expression, zone, now);
}

function checkCron(expression: string, zone: string, now: number): void {
  const nextOf = (after: number) => nextRun({ schedule: { kind: 'cron', expression }, zone }, after, null);
  if (expression.trim().split(/\s+/).length !== 5) throw automationsError('AUTOMATION_CRON_FIELDS');
  let last: number | undefined;
  try {
    last = nextOf(now);
  } catch (cause) {
    throw automationsError('AUTOMATION_CRON_INVALID', { cause });
  }
  if (last === undefined) throw automationsError('AUTOMATION_CRON_INVALID', { reason: 'never' });
  for (let run = 0; run < RUNS_LOOKED_AT; run += 1) {
    const next = nextOf(last);
    if (next === undefined) return;
    if (next - last < MIN_GAP_MS) throw tooFrequent();
    last = next;
  }
}

const tooFrequent = () => automationsError('AUTOMATION_SCHEDULE_TOO_FREQUENT');
