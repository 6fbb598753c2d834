import { expect, test } from '@jest/globals';
import { firstDifference } from '../../test/agreement.ts';

const STAGES = 10;
const STORIES = 1_000;

test('ten thousand random histories match the reference model', async () => {
  for (let stage = 0; stage < STAGES; stage += 1) expect(await firstDifference(STORIES)).toBeUndefined();
}, 1_200_000);
