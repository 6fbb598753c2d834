import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import type { Environment } from './child-environment.ts';
import { createConnectProxy } from './connect-proxy.ts';
import { OutboundError } from './outbound-error.ts';
import { createOutboundHttp, type OutboundHttpNeeds } from './outbound-http.ts';
import { isClientCertificateUsable, readCertificateFiles } from './outbound-trust.ts';
import { type TestCertificate, testAuthority } from './test-certificates.ts';

const authority = testAuthority();
const client = authority.issue('a client');
let folder: string;
let files: { authority: string; clientCert: string; clientKey: string };
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fucina-trust-'));
  files = {
    authority: await saved('authority.pem', authority.cert),
    clientCert: await saved('client.pem', client.cert),
    clientKey: await saved('client-key.pem', client.key),
  };
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function saved(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Resolves with the port. */
async function secureService(certificate: TestCertificate, options: ServerOptions = {}): Promise<number> {
  const server = createServer({ ...certificate, ...options }, (_request, response) => response.end('secure'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function ask(
  port: number,
  environment: Environment,
  { policy = 'configured', ...needs }: Partial<OutboundHttpNeeds> & { policy?: 'configured' | 'public' } = {},
): Promise<string | OutboundError> {
  const proxy = await createConnectProxy(port);
  cleanups.push(() => proxy[Symbol.asyncDispose]());
  const env = { HTTPS_PROXY: `http://${proxy.address}`, ...environment };
  const http = createOutboundHttp({ ambient: systemAmbient('silent'), environment: env, ...needs });
  cleanups.push(() => http[Symbol.asyncDispose]());
  try {
    return await (await http.send({ url: 'https://models.test/', policy })).text();
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
}

describe('a server with a certificate of a private authority', () => {
  test('is refused when its issuer is unknown', async () => {
    const error = await ask(await secureService(authority.issue('models.test')), {});
    expect(error).toMatchObject({
      problem: 'certificate',
      requestSent: false,
      origin: 'https://models.test',
      facts: { reason: 'unknown-issuer' },
    });
  });

  test('is reached with the authority in SSL_CERT_FILE, by both policies', async () => {
    const port = await secureService(authority.issue('models.test'));
    const environment = { SSL_CERT_FILE: files.authority };
    expect(await ask(port, environment)).toBe('secure');
    const lookup = ((_name: string, _options: object, callback: (error: null, all: object[]) => void) =>
      callback(null, [{ address: '93.184.216.34', family: 4 }])) as unknown as NonNullable<OutboundHttpNeeds['lookup']>;
    expect(await ask(port, environment, { policy: 'public', lookup })).toBe('secure');
  });

  test.each([
    ['wrong-name', 'other.test', undefined],
    ['expired', 'models.test', { from: new Date('2020-01-01'), to: new Date('2021-01-01') }],
    ['not-yet-valid', 'models.test', { from: new Date('2047-01-01'), to: new Date('2048-01-01') }],
  ] as const)('is refused with the reason %s', async (reason, host, valid) => {
    const port = await secureService(authority.issue(host, valid));
    const error = await ask(port, { SSL_CERT_FILE: files.authority });
    expect(error).toMatchObject({ problem: 'certificate', facts: { reason } });
  });
});

describe('a server that asks for a client certificate', () => {
  const mutual = { requestCert: true, rejectUnauthorized: true, ca: authority.cert };

  test('gets the one of the environment', async () => {
    const port = await secureService(authority.issue('models.test'), mutual);
    const environment = {
      SSL_CERT_FILE: files.authority,
      FUCINA_CLIENT_CERT: files.clientCert,
      FUCINA_CLIENT_KEY: files.clientKey,
    };
    expect(await ask(port, environment)).toBe('secure');
    expect(await isClientCertificateUsable(environment)).toBe(true);
  });

  test('is not reached without one', async () => {
    const port = await secureService(authority.issue('models.test'), mutual);
    expect(await ask(port, { SSL_CERT_FILE: files.authority })).toMatchObject({ problem: 'unreachable' });
  });

  test.each([
    { FUCINA_CLIENT_CERT: 'authority' },
    { FUCINA_CLIENT_CERT: 'authority', FUCINA_CLIENT_KEY: 'clientKey' },
    { FUCINA_CLIENT_CERT: 'clientKey', FUCINA_CLIENT_KEY: 'clientKey' },
  ] as const)('is not asked while %j cannot be used', async (named) => {
    const paths = Object.entries(named).map(([name, file]) => [name, files[file as keyof typeof files]]);
    const environment = { SSL_CERT_FILE: files.authority, ...Object.fromEntries(paths) };
    const error = await ask(await secureService(authority.issue('models.test'), mutual), environment);
    expect(error).toMatchObject({ problem: 'certificate', facts: { reason: 'client-not-usable' } });
    expect(await isClientCertificateUsable(environment)).toBe(false);
  });
});

test('files without a certificate are listed as empty', async () => {
  const broken = await saved('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  const found = await readCertificateFiles({ NODE_EXTRA_CA_CERTS: join(folder, 'missing.pem'), SSL_CERT_FILE: broken });
  expect(found.map(({ variable, certificates }) => [variable, certificates.length])).toEqual([
    ['NODE_EXTRA_CA_CERTS', 0],
    ['SSL_CERT_FILE', 0],
  ]);
  expect(await readCertificateFiles({ SSL_CERT_FILE: files.authority })).toHaveLength(1);
  expect(await isClientCertificateUsable({})).toBeUndefined();
});
