import type { AnyAutomation, Schedule } from '../wire/automations.ts';
import { isCurrent } from '../wire/automations.ts';
import type { Words } from '../words/words.ts';

/** A Sunday: weekday names come from the platform. */
const SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

export const weekdayName = (language: string, day: number): string =>
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(SUNDAY + day * DAY_MS);

/** A schedule as a short sentence. */
export function scheduleWords(schedule: Schedule, { say, number, language }: Words): string {
  switch (schedule.tipo) {
    case 'manuale':
      return say('automation.when.manuale');
    case 'ogni-ora':
      return say('automation.when.ogni-ora', { minute: String(schedule.minuto).padStart(2, '0') });
    case 'giornaliera':
      return say('automation.when.giornaliera', { time: schedule.ora });
    case 'feriali':
      return say('automation.when.feriali', { time: schedule.ora });
    case 'settimanale':
      return say('automation.when.settimanale', { day: weekdayName(language, schedule.giorno), time: schedule.ora });
    case 'ogni-n-minuti':
      return say('automation.when.ogni-n-minuti', { minutes: number(schedule.minuti) });
    case 'cron':
      return say('automation.when.cron', { expression: schedule.espressione });
    case 'una-volta':
      return say('automation.when.una-volta', {
        at: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
          new Date(`${schedule.quando}:00Z`),
        ),
      });
  }
}

export function scheduleSummary(record: AnyAutomation, words: Words): string {
  if (isCurrent(record)) return scheduleWords(record.pianificazione, words);
  return words.say('automation.when.ogni-n-minuti', { minutes: words.number(record.intervalloMinuti) });
}

/** A full date in the zone's local time. */
export function formatDate(at: number | string, zone: string, language: string): string {
  return new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
    timeZoneName: 'short',
  }).format(new Date(at));
}
