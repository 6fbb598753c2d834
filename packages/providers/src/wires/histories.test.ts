import { test } from '@jest/globals';
import { sendHistories } from '../../test/histories.ts';

test('no vendor refuses a history, whatever messages it has and in whatever order', async () => {
  await sendHistories(500);
});
