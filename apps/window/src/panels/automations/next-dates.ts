import { nextRuns, type Schedule as Timed } from '@fucina/conversation/schedule';
import type { Schedule } from '../../wire/automations.ts';

/**
 * The next scheduled times of an automation, computed like on the server. Undefined for an invalid expression; empty if
 * it never runs.
 */
export function nextDates(
  schedule: Schedule,
  zone: string,
  { now, count }: { now: number; count: number },
): number[] | undefined {
  try {
    return nextRuns({ schedule: timedOf(schedule), zone }, now, count);
  } catch {
    // Incomplete or invalid.
    return undefined;
  }
}

function timedOf(schedule: Schedule): Timed {
  switch (schedule.kind) {
    case 'manual':
      return { kind: 'manual' };
    case 'hourly':
      return { kind: 'hourly', minute: schedule.minute };
    case 'daily':
      return { kind: 'daily', time: schedule.time };
    case 'weekdays':
      return { kind: 'weekdays', time: schedule.time };
    case 'weekly':
      return { kind: 'weekly', time: schedule.time, day: schedule.day };
    case 'every-minutes':
      return { kind: 'every', minutes: schedule.minutes };
    case 'once':
      return { kind: 'once', at: schedule.at };
    case 'cron':
      return { kind: 'cron', expression: schedule.expression };
  }
}
