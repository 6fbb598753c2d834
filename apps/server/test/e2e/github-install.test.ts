import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archive } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { BUILD, installFixture } from '../github-install-fixture.ts';
import { type TestServer, testServer } from '../harness.ts';

const install = (server: TestServer) => server.call('POST', '/github/install');

describe('installing gh', () => {
  covers('github.install', 'downloads, verifies, unpacks and detects the program', async () => {
    await using place = await installFixture((_request, response) => void response.end(BUILD));
    const before = await place.server.call('GET', '/github/status');
    expect(before.data).toMatchObject({
      versioneSvc: '9.9.9',
      installabile: true,
      installazione: { inCorso: false, errore: null },
      gh: { trovato: false, origine: null, versione: null },
    });
    const reply = await install(place.server);
    expect(reply).toMatchObject({
      status: 200,
      data: { ok: true, gh: { trovato: true, origine: 'svc', versione: '9.9.9' } },
    });
    const after = await place.server.call('GET', '/github/status');
    expect(after.data.gh).toEqual({ trovato: true, origine: 'svc', versione: '9.9.9', sistemaTroppoVecchio: false });
  });

  refuses('github.install', 'HOST_UNSUPPORTED_PLATFORM', 'when no build exists for the system', async () => {
    await using server = await testServer();
    const { data } = await server.call('GET', '/github/status');
    expect([data.installabile, data.versioneSvc]).toEqual([false, null]);
    expect(await install(server)).toMatchObject({ status: 409, code: 'HOST_UNSUPPORTED_PLATFORM' });
  });
  refuses('github.install', 'HOST_DOWNLOAD_FAILED', 'when the release cannot be downloaded', async () => {
    await using place = await installFixture((_request, response) => void response.writeHead(503).end());
    expect(await install(place.server)).toMatchObject({ status: 502, code: 'HOST_DOWNLOAD_FAILED' });
    const { data } = await place.server.call('GET', '/github/status');
    expect(data.installazione).toEqual({ inCorso: false, errore: 'HOST_DOWNLOAD_FAILED' });
  });
  refuses('github.install', 'HOST_CHECKSUM_MISMATCH', 'when the checksum differs', async () => {
    await using place = await installFixture((_request, response) => void response.end('something else'));
    expect(await install(place.server)).toMatchObject({ status: 502, code: 'HOST_CHECKSUM_MISMATCH' });
  });
  refuses('github.install', 'HOST_EXTRACT_FAILED', 'when the archive does not contain the program', async () => {
    const build = archive([{ name: 'bin/other', content: 'x' }]);
    await using place = await installFixture((_request, response) => void response.end(build), { build });
    expect(await install(place.server)).toMatchObject({ status: 502, code: 'HOST_EXTRACT_FAILED' });
  });
  refuses('github.install', 'HOST_STORE_UNAVAILABLE', 'when a file blocks the target folder', async () => {
    await using place = await installFixture((_request, response) => void response.end(BUILD));
    await mkdir(join(place.server.dataDir, 'tools'));
    await writeFile(join(place.server.dataDir, 'tools', 'gh'), 'a file in the way');
    expect(await install(place.server)).toMatchObject({ status: 503, code: 'HOST_STORE_UNAVAILABLE' });
  });

  test('rejects a body or a query', async () => {
    await using server = await testServer();
    const replies = [
      await server.call('POST', '/github/install', { body: { force: true } }),
      await server.call('POST', '/github/install', { query: { force: '1' } }),
    ];
    expect(replies.map(({ code }) => code)).toEqual(['QUERY_INVALID', 'QUERY_INVALID']);
  });
});
