import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cartTotal, lineTotal } from '../src/cart.js';

test('a line without a discount is price times quantity', () => {
  assert.equal(lineTotal({ priceCents: 250, quantity: 4 }), 1000);
});

test('a discounted line is rounded once, as a whole', () => {
  assert.equal(lineTotal({ priceCents: 333, quantity: 3, discountPercent: 10 }), 899);
});

test('a cart is the sum of its lines', () => {
  const lines = [
    { priceCents: 250, quantity: 1 },
    { priceCents: 1000, quantity: 2, discountPercent: 50 },
  ];
  assert.equal(cartTotal(lines), 1250);
});

test('an empty cart costs nothing', () => {
  assert.equal(cartTotal([]), 0);
});
