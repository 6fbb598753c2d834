import { localDay } from '@fucina/conversation/schedule';
import type { LegacyAutomation } from './records.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MOST_HOURS = 30;

/** When the legacy form runs next: a fixed interval after the last run, within its daily limit. */
export function nextLegacyRun(record: LegacyAutomation, now: number, zone: string): number {
  const from = record.lastRunAt === null || record.lastRunAt > now ? now : record.lastRunAt;
  const next = Math.max(from + record.intervalMinutes * MINUTE_MS, now + 1);
  const isUsedUp = executedOn(record, localDay(zone, next)) >= record.dailyLimit;
  return isUsedUp ? nextDay(zone, next) : next;
}

function executedOn({ countedDay, executedToday }: LegacyAutomation, day: string): number {
  return countedDay === day ? executedToday : 0;
}

/** The record after another run that started at `at`. */
export function countedRun(record: LegacyAutomation, at: number, zone: string): LegacyAutomation {
  const day = localDay(zone, at);
  return { ...record, lastRunAt: at, countedDay: day, executedToday: executedOn(record, day) + 1 };
}

/** The first whole hour of the next local day. */
function nextDay(zone: string, at: number): number {
  const today = localDay(zone, at);
  let hour = Math.floor(at / HOUR_MS) * HOUR_MS;
  for (let step = 0; step < MOST_HOURS && localDay(zone, hour) === today; step += 1) hour += HOUR_MS;
  return hour;
}
