import { Cron } from 'croner';
import type { Schedule } from '../../wire/automations.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_SKIPS = 200;

/**
 * The next times an automation runs by itself, as the server counts them: a time that the clock leaves out is skipped, one
 * it shows twice counts once. Undefined for an expression that is none; empty for one that never comes.
 */
export function nextDates(
  schedule: Schedule,
  zone: string,
  { now, count }: { now: number; count: number },
): number[] | undefined {
  if (schedule.tipo === 'manuale') return [];
  if (schedule.tipo === 'ogni-n-minuti') {
    return Array.from({ length: count }, (_, turn) => now + (turn + 1) * schedule.minuti * MINUTE_MS);
  }
  if (schedule.tipo === 'una-volta') {
    const at = instantOf(zone, Date.parse(`${schedule.quando}:00Z`));
    return at !== undefined && at > now ? [at] : [];
  }
  const cron = cronOf(expressionOf(schedule), zone);
  return cron && datesOf(cron, zone, { now, count });
}

function cronOf(expression: string, zone: string): Cron | undefined {
  try {
    return new Cron(expression, { timezone: zone, mode: '5-part', paused: true });
  } catch {
    // Half typed, or never one.
    return undefined;
  }
}

function datesOf(cron: Cron, zone: string, { now, count }: { now: number; count: number }): number[] {
  const found: number[] = [];
  let at = now;
  for (let skips = 0; found.length < count && skips < MOST_SKIPS; ) {
    const next = cron.nextRun(new Date(at))?.getTime();
    if (next === undefined) break;
    if (next > at && cron.match(new Date(next)) && instantOf(zone, wallTime(zone, next)) === next) found.push(next);
    else skips += 1;
    at = Math.max(next, at + 1_000);
  }
  return found;
}

type Timed = Exclude<Schedule, { tipo: 'manuale' | 'ogni-n-minuti' | 'una-volta' }>;

function expressionOf(schedule: Timed): string {
  if (schedule.tipo === 'cron') return schedule.espressione.trim();
  if (schedule.tipo === 'ogni-ora') return `${schedule.minuto} * * * *`;
  const [hour, minute] = schedule.ora.split(':').map(Number);
  const days = schedule.tipo === 'settimanale' ? schedule.giorno : schedule.tipo === 'feriali' ? '1-5' : '*';
  return `${minute} ${hour} * * ${days}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallTime(zone: string, at: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** When the clock of the zone shows `wall` (as ms of UTC) first; undefined where it never does. */
function instantOf(zone: string, wall: number): number | undefined {
  const candidates = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - (wallTime(zone, near) - near));
  const real = candidates.filter((at) => wallTime(zone, at) === wall);
  return real.length > 0 ? Math.min(...real) : undefined;
}

export function isZone(zone: string): boolean {
  try {
    wallTime(zone, 0);
    return true;
  } catch {
    // The platform knows no such name.
    return false;
  }
}
