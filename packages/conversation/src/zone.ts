const formats = new Map<string, Intl.DateTimeFormat>();
const NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,3}$/;
const LOOK_BACK_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;

/** Whether this platform knows a time zone of that name. */
export function isZone(zone: string): boolean {
  if (!NAME.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    // This platform does not know the name.
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
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
      second: 'numeric',
      era: 'short',
    });
    formats.set(zone, format);
  }
  return format;
}

/** The local wall time of the zone at `at`, as if it were UTC ms; whole seconds. */
export function wallTime(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const offsetAt = (zone: string, at: number): number => wallTime(zone, at) - Math.floor(at / 1000) * 1000;

/** Whether this wall time already occurred once before the clock was set back. */
export function isSecondTime(zone: string, at: number): boolean {
  const offset = offsetAt(zone, at);
  const before = offsetAt(zone, at - LOOK_BACK_MS);
  if (before <= offset) return false;
  return offsetAt(zone, at - (before - offset)) === before;
}

/** The first instant with this wall time (as UTC ms); undefined when it never occurs. */
export function instantOf(zone: string, wall: number): number | undefined {
  const candidates = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(zone, near));
  const real = candidates.filter((at) => wallTime(zone, at) === wall);
  return real.length ? Math.min(...real) : undefined;
}

/** The local date of the zone, as YYYY-MM-DD. */
export function localDay(zone: string, at: number): string {
  return new Date(wallTime(zone, at)).toISOString().slice(0, 10);
}
