import { expect, test } from '@jest/globals';
import { timeZonesRow } from './time-zones.ts';

const now = Date.parse('2027-03-01T00:00Z');

test('tells the age of the zone data, and names data of two years ago as old', () => {
  const row = (version: string | undefined) => timeZonesRow(version, now);
  expect(row('2028a')).toMatchObject({ state: 'ok', finding: 'current', params: { years: 0 } });
  expect(row('2026b')).toEqual({
    id: 'time-zones',
    state: 'ok',
    finding: 'current',
    params: { version: '2026b', year: 2026, years: 1 },
  });
  expect(row('2025c')).toMatchObject({ state: 'attention', finding: 'old', params: { years: 2 } });
});

test('says that the version is unknown when the platform does not tell it', () => {
  for (const version of [undefined, '', 'system'])
    expect(timeZonesRow(version, now)).toEqual({ id: 'time-zones', state: 'ok', finding: 'unknown' });
});
