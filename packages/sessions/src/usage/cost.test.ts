import { expect, test } from '@jest/globals';
import { costOf } from './cost.ts';

const usage = { promptTokens: 1_000_000, completionTokens: 500_000, cachedTokens: 400_000 };
const price = { promptPerMillion: 2, completionPerMillion: 10, cachedPerMillion: 0.5 };

test('uses the cost reported by the provider before the catalog', () => {
  expect(costOf({ ...usage, declaredCostUsd: 0.25 }, price)).toEqual({ usd: 0.25, source: 'provider' });
});

test('prices cached tokens separately when the catalog states their price', () => {
  expect(costOf(usage, price)).toEqual({ usd: 1.2 + 0.2 + 5, source: 'catalog' });
  expect(costOf(usage, { ...price, cachedPerMillion: null })).toEqual({ usd: 7, source: 'catalog' });
  expect(costOf({ ...usage, cachedTokens: null }, price)).toEqual({ usd: 7, source: 'catalog' });
});

test('is unknown, not zero, without a price or a count', () => {
  expect(costOf(usage, null)).toBeNull();
  expect(costOf(null, price)).toBeNull();
});

test('prices tokens that are written to a cache, for an hour at twice the price of others', () => {
  const written = { ...usage, cachedTokens: 0, completionTokens: 0, cacheWriteTokens: 400_000 };
  expect(costOf(written, { ...price, cacheWritePerMillion: 2.5 })).toEqual({ usd: 1.2 + 1, source: 'catalog' });
  expect(costOf(written, price)).toEqual({ usd: 2, source: 'catalog' });
  expect(costOf({ ...written, isHourCache: true }, { ...price, cacheWritePerMillion: 2.5 })?.usd).toBeCloseTo(2.8);
  expect(costOf({ ...written, cachedTokens: 900_000 }, { ...price, cacheWritePerMillion: 2.5 })?.usd).toBeCloseTo(0.7);
});
