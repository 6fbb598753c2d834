import { expect, test } from '@jest/globals';
import { changesAreShownAndUndone, largeFolder, pastTheClockStep } from '../../test/large-folder.ts';

test('a command’s changes anywhere among 1,000 files are shown and undone', () => changesAreShownAndUndone(1_000));

test('what someone else changes is not a command’s, and what the user commits is known to the next one', async () => {
  await using large = await largeFolder(10);
  const { folder, history, file, write } = large;
  await history.capture(folder);
  await write(file(1), 'of the user\n');
  await large.git('commit', '-q', '-a', '-m', 'By the user');
  await write(file(2), 'edited since\n');
  await history.capture(folder);
  await pastTheClockStep();
  const command = history.command(folder);
  await write(file(1), 'of the command\n');
  await write(file(2), 'of the command\n');
  const { changes } = await command.look();
  command.end();
  const before = await Promise.all(
    changes.map(async (one) => (await history.read(one.before?.sha256 ?? ''))?.toString()),
  );
  expect(changes.map(({ path }) => path)).toEqual([file(1), file(2)]);
  expect(before).toEqual(['of the user\n', 'edited since\n']);
});
