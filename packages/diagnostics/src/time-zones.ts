import type { DoctorRow } from './doctor.ts';

const RELEASE = /^(\d{4})[a-z]$/;
const OLD_YEARS = 2;

/** The age of the zone data by the year in its version (`2026b`); `undefined` when the platform does not tell it. */
export function timeZonesRow(version: string | undefined, now: number): DoctorRow {
  const year = Number(version && RELEASE.exec(version)?.[1]);
  if (!version || !year) return { id: 'time-zones', state: 'ok', finding: 'unknown' };
  const years = Math.max(0, new Date(now).getUTCFullYear() - year);
  const isOld = years >= OLD_YEARS;
  return {
    id: 'time-zones',
    state: isOld ? 'attention' : 'ok',
    finding: isOld ? 'old' : 'current',
    params: { version, year, years },
  };
}
