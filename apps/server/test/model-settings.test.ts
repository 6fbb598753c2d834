import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { failToStart } from './child-server.ts';

test.each(['0', '11', '2.5', 'many'])('a server that is to call a model %s times does not start', async (tries) => {
  await using dir = await tempDir();
  const { code, stderr } = await failToStart({ dataDir: dir.path, env: { FUCINA_MODEL_TRIES: tries } });
  expect([code, stderr]).toEqual([78, expect.stringContaining('model-tries')]);
});

test('a server that is to use a dialect that does not exist does not start, and names those that do', async () => {
  await using dir = await tempDir();
  const env = { FUCINA_DIALECTS: 'claude,openai:gpt-5=codex' };
  const { code, stderr } = await failToStart({ dataDir: dir.path, env });
  expect([code, stderr]).toEqual([78, expect.stringMatching(/"codex.*claude, gpt, default/)]);
});
