import { expect, jest, test } from '@jest/globals';
import { sendHistories } from '../../test/histories.ts';

jest.setTimeout(600_000);

test('no vendor refuses one of 10,000 histories', async () => {
  await expect(sendHistories(10_000)).resolves.toBeUndefined();
});
