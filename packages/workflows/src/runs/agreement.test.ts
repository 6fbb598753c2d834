import { expect, test } from '@jest/globals';
import { firstDifference } from '../../test/agreement.ts';

test('random histories match the reference model', async () => {
  expect(await firstDifference(300)).toBeUndefined();
});
