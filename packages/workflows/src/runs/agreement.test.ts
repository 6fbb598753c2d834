import { expect, test } from '@jest/globals';
import { firstDifference } from '../../test/agreement.ts';

test('whatever is asked, finishes, fails or ends in the middle, a run is what the reference says', async () => {
  expect(await firstDifference(300)).toBeUndefined();
}, 60_000);
