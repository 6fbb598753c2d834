import { expect, test } from '@jest/globals';
import { STATUSES } from '../../src/http/statuses.ts';
import { CODES } from './codes.ts';

test('the 272 codes have the documented statuses', () => {
  expect(STATUSES).toEqual(CODES);
  expect(Object.keys(CODES)).toHaveLength(272);
});
