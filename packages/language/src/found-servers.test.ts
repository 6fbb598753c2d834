import { execFileSync } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createFoundServers } from './found-servers.ts';
import { SERVER_KINDS } from './server-table.ts';

test('finds no server whose version is in a pipe, without waiting for it', async () => {
  const kind = SERVER_KINDS.find(({ since }) => since?.package === 'typescript');
  await using dir = await tempDir();
  const program = `node_modules/.bin/${kind?.program}`;
  const manifest = join(dir.path, 'node_modules/typescript/package.json');
  await dir.write({ [program]: '#!/bin/sh\n', 'node_modules/typescript/package.json': '{"version":"7.0.0"}' });
  await chmod(join(dir.path, program), 0o755);
  const found = async () => {
    const servers = createFoundServers({ ambient: systemAmbient('silent'), environment: {} });
    return (await servers.of(dir.path)).map((server) => server.kind);
  };
  expect(await found()).toContain(kind);
  await rm(manifest);
  execFileSync('mkfifo', [manifest]);
  expect(await found()).not.toContain(kind);
});
