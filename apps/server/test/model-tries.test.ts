import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { failToStart } from './child-server.ts';

test.each(['0', '11', '2.5', 'many'])('a server that is to call a model %s times does not start', async (tries) => {
  await using dir = await tempDir();
  const { code, stderr } = await failToStart({ dataDir: dir.path, env: { FUCINA_MODEL_TRIES: tries } });
  expect([code, stderr]).toEqual([78, expect.stringContaining('model-tries')]);
});
