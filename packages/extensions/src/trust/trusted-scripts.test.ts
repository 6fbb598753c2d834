import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createTrustStore } from './trust-store.ts';
import { createTrustedScripts } from './trusted-scripts.ts';

test('trusts a script of a project until its content changes', async () => {
  await using data = await tempDir();
  const scripts = createTrustedScripts(createTrustStore({ ambient: systemAmbient('silent'), dataDir: data.path }));
  const script = { id: 'worktree', folder: '/project/.git', sha256: 'a'.repeat(64) };
  expect(await scripts.isTrusted(script)).toBe(false);
  await scripts.trust(script);
  expect(await scripts.isTrusted(script)).toBe(true);
  expect(await scripts.isTrusted({ ...script, sha256: 'b'.repeat(64) })).toBe(false);
  expect(await scripts.isTrusted({ ...script, folder: '/other/.git' })).toBe(false);
});
