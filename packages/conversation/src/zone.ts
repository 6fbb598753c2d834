const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();
const NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,3}$/;
/** More than any clock is set forward or back. */
export const NEAR_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const MOST_OFFSETS = 4_096;

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
  return Math.floor(at / 1000) * 1000 + offsetAt(zone, at);
}

/** Formatting costs much more than looking up. Since 1973, clocks change only at quarter hours of UTC. */
function offsetAt(zone: string, at: number): number {
  const quarter = Math.floor(at / QUARTER_MS);
  const known = offsets.get(zone) ?? new Map<number, number>();
  if (known.size === 0 || known.size >= MOST_OFFSETS) {
    known.clear();
    offsets.set(zone, known);
  }
  let offset = known.get(quarter);
  if (offset === undefined) {
    offset = formattedTime(zone, quarter * QUARTER_MS) - quarter * QUARTER_MS;
    known.set(quarter, offset);
  }
  return offset;
}

function formattedTime(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The instants with this wall time (as UTC ms), in order: two where the clock is set back, none where it is skipped. */
export function instantsOf(zone: string, wall: number): number[] {
  const candidates = new Set(around(zone, wall));
  return [...candidates].filter((at) => wallTime(zone, at) === wall).sort((a, b) => a - b);
}

/** What the clock shows instead of a wall time that it skips. */
export interface Skipped {
  /** The first instant after the skipped times. */
  end: number;
  /** The wall time when the skipped one would have come, had the clock not been set forward. */
  shown: number;
}

/** Of a wall time without instants. */
export function skippedAt(zone: string, wall: number): Skipped {
  const [late, early] = around(zone, wall);
  const offset = offsetAt(zone, late);
  let end = Math.ceil(early / QUARTER_MS) * QUARTER_MS;
  while (end < late && offsetAt(zone, end) !== offset) end += QUARTER_MS;
  return { end, shown: wallTime(zone, late) };
}

/** The wall time by the offset of the day before and by that of the day after. */
function around(zone: string, wall: number): [number, number] {
  return [wall - offsetAt(zone, wall - DAY_MS), wall - offsetAt(zone, wall + DAY_MS)];
}

/** Whether the clock is neither set forward nor back within three hours of `at`. */
export function isSteady(zone: string, at: number): boolean {
  return offsetAt(zone, at - NEAR_MS) === offsetAt(zone, at + NEAR_MS);
}

/** The local date of the zone, as YYYY-MM-DD. */
export function localDay(zone: string, at: number): string {
  return new Date(wallTime(zone, at)).toISOString().slice(0, 10);
}
