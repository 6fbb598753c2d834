import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { changesRace } from '../test/changes-race.ts';

test('renames during file changes never read or write outside the folder', async () => {
  await using base = await tempDir();
  const race = await changesRace(base.path, 2_000);
  expect(race.escapes).toEqual([]);
  expect(race.done).toBeGreaterThan(50);
  expect(race.refused).toBeGreaterThan(0);
});
