import { existsSync, readFileSync } from 'node:fs';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { startChild } from './child-server.ts';
import { TOKEN } from './harness.ts';

test('no process of the same user can read the server’s secrets from its initial environment', async () => {
  await using dir = await tempDir();
  await using server = await startChild({
    dataDir: dir.path,
    env: { FUCINA_SHUTDOWN_TOKEN: `${TOKEN}-stop`, FUCINA_LAUNCHER_TOKEN: `${TOKEN}-launch` },
  });
  expect((await server.call('GET', '/health')).ok).toBe(true);
  const file = `/proc/${server.pid}/environ`;
  const kept = existsSync(file) ? readFileSync(file, 'latin1') : '';
  expect(kept).not.toContain(TOKEN);
  if (kept) expect(kept).toContain(`FUCINA_DATA_DIR=${dir.path}`);
});
