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
  switch (schedule.kind) {
    case 'manual':
      return say('automation.when.manual');
    case 'hourly':
      return say('automation.when.hourly', { minute: String(schedule.minute).padStart(2, '0') });
    case 'daily':
      return say('automation.when.daily', { time: schedule.time });
    case 'weekdays':
      return say('automation.when.weekdays', { time: schedule.time });
    case 'weekly':
      return say('automation.when.weekly', { day: weekdayName(language, schedule.day), time: schedule.time });
    case 'every-minutes':
      return say('automation.when.every-minutes', { minutes: number(schedule.minutes) });
    case 'cron':
      return say('automation.when.cron', { expression: schedule.expression });
    case 'once':
      return say('automation.when.once', {
        at: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
          new Date(`${schedule.at}:00Z`),
        ),
      });
  }
}

export function scheduleSummary(record: AnyAutomation, words: Words): string {
  if (isCurrent(record)) return scheduleWords(record.schedule, words);
  return words.say('automation.when.every-minutes', { minutes: words.number(record.intervalMinutes) });
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
