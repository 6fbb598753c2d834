import { test } from '@jest/globals';
import { changesAreShownAndUndone } from '../../test/large-folder.ts';

test.each([25_000, 60_000])('a command’s changes anywhere among %i files are shown and undone', (size) =>
  changesAreShownAndUndone(size),
);
