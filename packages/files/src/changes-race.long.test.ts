import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { changesRace } from '../test/changes-race.ts';

test('a minute of renames during file changes never reads or writes outside the folder', async () => {
  await using base = await tempDir();
  const race = await changesRace(base.path, 60_000);
  expect(race.escapes).toEqual([]);
  expect(race.done).toBeGreaterThan(50);
  expect(race.refused).toBeGreaterThan(0);
});
