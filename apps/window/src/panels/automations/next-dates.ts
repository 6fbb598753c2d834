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
  switch (schedule.tipo) {
    case 'manuale':
      return { kind: 'manual' };
    case 'ogni-ora':
      return { kind: 'hourly', minute: schedule.minuto };
    case 'giornaliera':
      return { kind: 'daily', time: schedule.ora };
    case 'feriali':
      return { kind: 'weekdays', time: schedule.ora };
    case 'settimanale':
      return { kind: 'weekly', time: schedule.ora, day: schedule.giorno };
    case 'ogni-n-minuti':
      return { kind: 'every', minutes: schedule.minuti };
    case 'una-volta':
      return { kind: 'once', at: schedule.quando };
    case 'cron':
      return { kind: 'cron', expression: schedule.espressione };
  }
}
