import { setImmediate as nextPass } from 'node:timers/promises';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createStore } from './store.ts';

test('a change by another process is read in the next pass of the event loop', async () => {
  await using dir = await tempDir();
  const [ours, theirs] = [createStore(dir.path), createStore(dir.path)];
  try {
    for (const timeoutSeconds of [10, 20, 30]) {
      theirs.saveRuntime('ollama', { timeoutSeconds });
      await nextPass();
      expect(ours.runtime('ollama')).toEqual({ timeoutSeconds });
    }
  } finally {
    ours.close();
    theirs.close();
  }
});
