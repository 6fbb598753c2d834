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
