import { expect, test } from '@jest/globals';
import { isQuietAt, settingsFrom } from './notification-settings.ts';

const quiet = (from: string, to: string) => settingsFrom({ quietHours: { from, to } });

test('quiet hours of one day begin at their first minute and end before their last', () => {
  const settings = quiet('12:00', '13:30');
  expect(['11:59', '12:00', '13:29', '13:30'].map((clock) => isQuietAt(settings, clock))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('quiet hours over midnight cover the evening and the morning', () => {
  const settings = quiet('22:00', '07:00');
  expect(['21:59', '23:00', '00:00', '06:59', '07:00', '12:00'].map((clock) => isQuietAt(settings, clock))).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('quiet hours that begin when they end are never quiet', () => {
  expect(isQuietAt(quiet('09:00', '09:00'), '09:00')).toBe(false);
});

test('stored settings of another shape count as missing', () => {
  const defaults = settingsFrom({});
  expect(defaults).toEqual({
    isOn: false,
    kinds: ['waiting', 'finished', 'failed'],
    hasSound: false,
    quietHours: undefined,
    mutedSessions: [],
  });
  const odd = { isOn: 'yes', kinds: 'all', hasSound: 1, quietHours: { from: '25:00', to: '07:00' }, mutedSessions: {} };
  expect(settingsFrom(odd)).toEqual(defaults);
  expect(settingsFrom({ kinds: ['failed', 'other'], mutedSessions: ['a', 2] })).toMatchObject({
    kinds: ['failed'],
    mutedSessions: ['a'],
  });
});
