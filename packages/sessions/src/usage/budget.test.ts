import { expect, test } from '@jest/globals';
import { NO_LIMITS, parseLimits, stateOf } from './budget.ts';

const spent = (usd: number, tokens = 0) => ({ usd, tokens, callsWithoutCost: 0 });
const none = { day: false, session: false };

test('without limits nothing warns and nothing stops', () => {
  expect(stateOf(NO_LIMITS, { day: spent(1e6), session: spent(1e6) }, none)).toMatchObject({
    level: 'within',
    scope: null,
  });
  expect(parseLimits(JSON.stringify({ ...NO_LIMITS }))).toBe(NO_LIMITS);
});

test.each([
  [7.9, 'within'],
  [8, 'warning'],
  [10, 'stopped'],
])('a limit of 10 with %d spent is %s', (usd, level) => {
  const state = stateOf({ ...NO_LIMITS, dayUsd: 10 }, { day: spent(usd), session: null }, none);
  expect(state).toEqual({ level, scope: 'day', unit: 'usd', spent: usd, limit: 10 });
});

test('the limit that stops is shown, and one that the user let pass does not hide it', () => {
  const limits = { ...NO_LIMITS, dayUsd: 10, sessionTokens: 100 };
  const used = { day: spent(20), session: spent(0, 150) };
  expect(stateOf(limits, used, none)).toMatchObject({ level: 'stopped', scope: 'day' });
  expect(stateOf(limits, used, { day: true, session: false })).toMatchObject({ level: 'stopped', scope: 'session' });
  expect(stateOf(limits, used, { day: true, session: true })).toMatchObject({ level: 'allowed', scope: 'day' });
});

test('limits that are not positive numbers are refused', () => {
  for (const dayUsd of [0, -1, '5', undefined]) {
    expect(parseLimits(JSON.stringify({ ...NO_LIMITS, dayUsd }))).toBeUndefined();
  }
});
