import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ConnectProxy, createConnectProxy, testAuthority } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startChild } from '../child-server.ts';

const ENGLISH = { headers: { 'accept-language': 'en' } };
let dir: TempDir;
let server: Server;
let proxy: ConnectProxy;
let file: string;

/** A provider with a certificate of a private authority, reached through a proxy. */
beforeAll(async () => {
  dir = await tempDir();
  const authority = testAuthority();
  file = join(dir.path, 'authority.pem');
  await writeFile(file, authority.cert);
  server = createServer(authority.issue('models.test'), (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"m"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await createConnectProxy((server.address() as AddressInfo).port);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await proxy[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

async function tested(env: Record<string, string>): Promise<{ result: any; row: any }> {
  await using folder = await tempDir();
  const https = { HTTPS_PROXY: `http://${proxy.address}` };
  await using child = await startChild({ dataDir: folder.path, env: { ...https, ...env } });
  await child.call('POST', '/providers/deepseek/runtime', { body: { endpoint: 'https://models.test/v1' } });
  await child.call('POST', '/providers/deepseek/key', { body: { key: 'sk-0123456789abcdef' } });
  const { data } = await child.call('POST', '/providers/deepseek/test', ENGLISH);
  const report = (await child.call('GET', '/doctor', ENGLISH)).data;
  return { result: data, row: report.voci.find(({ id }: any) => id === 'certificates') };
}

test('an unknown issuer is reported with the next step', async () => {
  const { result, row } = await tested({});
  expect(result).toMatchObject({
    esito: 'irraggiungibile',
    dettaglio:
      'https://models.test: The issuer of the certificate is unknown: set NODE_EXTRA_CA_CERTS to the file with its certificate and restart Fucina.',
  });
  expect(row).toMatchObject({ stato: 'ok', dettaglio: 'Authorities included in Node.' });
});

test.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
  'the authority in %s is accepted by the built server',
  async (name) => {
    const { result, row } = await tested({ [name]: file });
    expect(result).toMatchObject({ esito: 'raggiunto', modelli: 1 });
    expect(row).toMatchObject({ stato: 'ok', dettaglio: expect.stringContaining(`${file} (${name})`) });
  },
);

test('a file that cannot be read is reported', async () => {
  const { row } = await tested({ SSL_CERT_FILE: join(dir.path, 'none.pem') });
  expect(row).toMatchObject({ stato: 'attenzione', azione: expect.stringContaining('Correct the path') });
});
