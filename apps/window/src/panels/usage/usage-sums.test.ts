import { expect, test } from '@jest/globals';
import type { UsageRow } from '../../wire/usage.ts';
import { barsOf, daysBetween, lastDays, scaleTop, sumsBy, totalOf, usageCsv } from './usage-sums.ts';

const row = (more: Partial<UsageRow>): UsageRow => ({
  day: '2026-11-01',
  folder: '/p',
  model: 'a:one',
  calls: 1,
  promptTokens: 10,
  completionTokens: 5,
  cachedTokens: 0,
  costUsd: null,
  callsWithoutCost: 0,
  durationMs: 100,
  ...more,
});
const ROWS = [
  row({ costUsd: 2 }),
  row({ model: 'a:two', callsWithoutCost: 1 }),
  row({ day: '2026-11-03', costUsd: 1 }),
];

test('sums keep an unknown cost apart from a cost of zero', () => {
  expect(totalOf(ROWS)).toMatchObject({ calls: 3, input: 30, output: 15, usd: 3, callsWithoutCost: 1, ms: 300 });
  expect(sumsBy(ROWS, 'model').map(({ key, usd }) => [key, usd])).toEqual([
    ['a:one', 3],
    ['a:two', null],
  ]);
});

test('there is a bar for every day, with a part for each model', () => {
  const days = daysBetween('2026-11-01', '2026-11-03');
  expect(days).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
  expect(barsOf(ROWS, days, 'tokens').map(({ value, parts }) => [value, parts.length])).toEqual([
    [30, 2],
    [0, 0],
    [15, 1],
  ]);
  expect(barsOf(ROWS, days, 'cost').map(({ value }) => value)).toEqual([2, 0, 1]);
});

test('days pass over the end of a month and a change of the clock', () => {
  expect(lastDays(new Date(2026, 2, 1, 0, 30).getTime(), 2)).toEqual(['2026-02-28', '2026-03-01']);
  expect(daysBetween('2026-03-28', '2026-03-30')).toHaveLength(3);
  expect(daysBetween('2026-10-24', '2026-10-26')).toHaveLength(3);
});

test.each([
  [0, 1],
  [0.03, 0.05],
  [1, 1],
  [12, 20],
  [99, 100],
])('the scale of %d ends at %d', (highest, top) => expect(scaleTop(highest)).toBeCloseTo(top, 9));

test('the CSV has one line for each row', () => {
  expect(usageCsv(ROWS).split('\r\n')[1]).toBe('2026-11-01,/p,a:one,1,10,5,0,2,0,100');
});
