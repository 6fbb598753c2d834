import { createHash } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { archive, gitIn, type TempDir, tempDir } from '@fucina/testkit';
import { type TestServerOptions, testServer } from './harness.ts';

const PROGRAM = '#!/bin/sh\necho "gh version 9.9.9 (2026-01-01)"\n';
export const BUILD = archive([{ name: 'bin/gh.exe', content: PROGRAM }]);

/** A server whose release is on this machine; it identifies as a system with a build. */
export async function installFixture(
  listener: RequestListener,
  { build = BUILD, windowFolder }: { build?: Buffer } & Pick<TestServerOptions, 'windowFolder'> = {},
) {
  const programs = await onlyGit();
  const releases = createServer(listener);
  await new Promise<void>((resolve) => releases.listen(0, '127.0.0.1', resolve));
  const http = createOutboundHttp({ ambient: systemAmbient('silent'), isAllowedAddress: () => true });
  const server = await testServer({
    http,
    windowFolder,
    settings: { environment: { HOME: programs.path, PATH: programs.path } },
    codeHostBuild: {
      platform: 'win32',
      release: {
        version: '9.9.9',
        url: `http://127.0.0.1:${(releases.address() as AddressInfo).port}/gh.zip`,
        sha256: createHash('sha256').update(build).digest('hex'),
        entry: 'bin/gh.exe',
      },
    },
  });
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      releases.closeAllConnections();
      releases.close();
      await programs[Symbol.asyncDispose]();
    },
  };
}

/** A folder for PATH with only git. */
export async function onlyGit(): Promise<TempDir> {
  const place = await tempDir();
  await symlink(join((await gitIn(place.path)('--exec-path')).trim(), 'git'), join(place.path, 'git'));
  return place;
}
