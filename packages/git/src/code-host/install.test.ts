import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createInstalls, type InstallNeeds, type Release } from './install.ts';

const ambient = systemAmbient('silent');
const ARCHIVE = Buffer.from('the archive');
const PROGRAM = Buffer.from('the program');
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A server of releases; loopback addresses count as public here. */
async function fixture(listener: RequestListener, needs: Partial<InstallNeeds> = {}) {
  const dir = await tempDir();
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = createOutboundHttp({ ambient, isAllowedAddress: () => true });
  const release: Release = {
    version: '9.9.9',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gh.zip`,
    sha256: hash(ARCHIVE),
    entry: 'bin/gh.exe',
  };
  const asked: string[] = [];
  const installs = createInstalls({
    ambient,
    dataDir: dir.path,
    http: () => http,
    async unzip(archive, entry) {
      asked.push(`${archive.toString()} ${entry}`);
      return PROGRAM;
    },
    platform: 'win32',
    release,
    ...needs,
  });
  return {
    installs,
    asked,
    dataDir: dir.path,
    left: () => readdir(join(dir.path, 'tools', 'gh', '9.9.9')).catch(() => []),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const serves: RequestListener = (_request, response) => void response.end(ARCHIVE);

describe('installing gh', () => {
  test('downloads, verifies and unpacks it and leaves no other file', async () => {
    await using place = await fixture(serves);
    expect(place.installs.version).toBe('9.9.9');
    await Promise.all([place.installs.install(), place.installs.install()]);
    expect(place.asked).toEqual(['the archive bin/gh.exe']);
    expect(await readFile(place.installs.program)).toEqual(PROGRAM);
    expect(await place.left()).toEqual(['gh.exe']);
    expect(place.installs.current()).toEqual({ isRunning: false, error: null });
  });

  test('is refused on systems with their own package', async () => {
    await using place = await fixture(serves, { platform: 'linux' });
    await expect(place.installs.install()).rejects.toMatchObject({ code: 'HOST_UNSUPPORTED_PLATFORM' });
    expect([place.installs.version, await place.left()]).toEqual([undefined, []]);
  });

  test('reports a failure, keeps nothing, and can be retried', async () => {
    const answers: [RequestListener, string][] = [
      [(_request, response) => void response.writeHead(404).end(), 'HOST_DOWNLOAD_FAILED'],
      [(request) => void request.socket.destroy(), 'HOST_DOWNLOAD_FAILED'],
      [(_request, response) => void response.end('other bytes'), 'HOST_CHECKSUM_MISMATCH'],
      [
        (_request, response) => {
          response.writeHead(200, { 'Content-Length': 65 * 1024 * 1024 });
          response.end(Buffer.alloc(65 * 1024 * 1024));
        },
        'HOST_DOWNLOAD_FAILED',
      ],
    ];
    let answer: RequestListener = serves;
    await using place = await fixture((request, response) => answer(request, response));
    for (const [next, code] of answers) {
      answer = next;
      await expect(place.installs.install()).rejects.toMatchObject({ code });
      expect(place.installs.current()).toEqual({ isRunning: false, error: code });
      expect(await place.left()).toEqual([]);
    }
    answer = serves;
    await place.installs.install();
    expect(await place.left()).toEqual(['gh.exe']);
  });

  test('a damaged archive or one without the program changes nothing', async () => {
    const unreadable = { unzip: () => Promise.reject(new Error('not an archive')) };
    const without = { unzip: () => Promise.resolve(undefined) };
    for (const needs of [unreadable, without]) {
      await using place = await fixture(serves, needs);
      await expect(place.installs.install()).rejects.toMatchObject({ code: 'HOST_EXTRACT_FAILED' });
      expect(await place.left()).toEqual([]);
    }
  });

  test('a read-only folder is reported', async () => {
    await using place = await fixture(serves);
    await mkdir(join(place.dataDir, 'tools'));
    await writeFile(join(place.dataDir, 'tools', 'gh'), 'a file in the way');
    await expect(place.installs.install()).rejects.toMatchObject({ code: 'HOST_STORE_UNAVAILABLE' });
  });

  test('times out after five minutes', async () => {
    let limit: () => void = () => undefined;
    const hurried = {
      ...ambient,
      timer(ms: number, act: () => void) {
        if (ms === 300_000) limit = act;
        return ambient.timer(ms, act);
      },
    };
    await using place = await fixture(() => limit(), { ambient: hurried });
    await expect(place.installs.install()).rejects.toMatchObject({ code: 'HOST_TIMEOUT' });
  });
});
