import { expect, test } from '@jest/globals';
import { waitingIn } from './badge.ts';

test('reads the number of waiting sessions from the start of a title', () => {
  expect(waitingIn('(12) parser · Fucina')).toBe(12);
  expect(waitingIn('(1) Fucina')).toBe(1);
  expect(waitingIn('Fucina')).toBe(0);
  // The window puts an invisible character before a name that begins like a number.
  expect(waitingIn('\u2060(3) parsers · Fucina')).toBe(0);
});
