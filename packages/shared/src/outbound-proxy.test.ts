import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import type { Environment } from './child-environment.ts';
import { type ConnectProxy, createConnectProxy } from './connect-proxy.ts';
import { OutboundError } from './outbound-error.ts';
import { createOutboundHttp, type OutboundHttpNeeds } from './outbound-http.ts';
import { readProxies } from './outbound-proxy.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function used(environment: Environment, address: string): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  return readProxies(environment).proxyOf({ protocol, hostname, port })?.origin;
}

describe('the proxies of the environment', () => {
  test.each([
    [{ HTTPS_PROXY: 'http://a:1' }, 'http://a:1'],
    [{ HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2' }, 'http://b:2'],
    [{ HTTPS_PROXY: '', ALL_PROXY: 'http://c:3' }, 'http://c:3'],
    [{ all_proxy: 'c:3' }, 'http://c:3'],
    [{ HTTPS_PROXY: 'https://a' }, 'https://a'],
    [{ HTTP_PROXY: 'http://d:4' }, undefined],
    [{}, undefined],
  ])('%j sends https through %s', (environment, expected) => {
    expect(used(environment, 'https://models.test/v1')).toBe(expected);
  });

  test('chooses by the scheme of the request', () => {
    const environment = { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' };
    expect(used(environment, 'http://models.test/')).toBe('http://b:2');
    expect(readProxies(environment).all.map(({ variable }) => variable)).toEqual(['HTTPS_PROXY', 'HTTP_PROXY']);
  });

  test.each(['http://localhost:1', 'https://a.localhost', 'http://127.9.9.9', 'https://[::1]:8', 'http://0.0.0.0'])(
    'never sends %s through a proxy',
    (address) => {
      expect(used({ ALL_PROXY: 'http://a:1' }, address)).toBeUndefined();
    },
  );

  test.each([
    ['models.test', 'https://models.test', true],
    ['models.test', 'https://eu.models.test', true],
    ['.models.test', 'https://eu.models.test', true],
    ['*.models.test', 'https://eu.models.test', true],
    ['models.test', 'https://othermodels.test', false],
    ['one.test, MODELS.test two.test', 'https://models.test', true],
    ['models.test:8443', 'https://models.test', false],
    ['models.test:443', 'https://models.test', true],
    ['10.0.0.0/8', 'http://10.1.2.3', true],
    ['10.0.0.0/8', 'http://11.1.2.3', false],
    ['10.0.0.0/99', 'http://10.1.2.3', false],
    ['fd00::/8', 'http://[fd00::1]', true],
    ['[fd00::1]:80', 'http://[fd00::1]', true],
    ['fd00::1', 'http://[fd00::1]', true],
    ['*', 'https://models.test', true],
  ])('NO_PROXY=%s exempts %s: %s', (exempt, address, isExempt) => {
    expect(used({ ALL_PROXY: 'http://a:1', no_proxy: exempt }, address) === undefined).toBe(isExempt);
  });

  test('keeps credentials out of everything that prints', () => {
    const { all } = readProxies({ HTTPS_PROXY: 'http://ann:p%40ss@a:1' });
    expect(JSON.stringify(all)).not.toMatch(/ann|p%40ss|p@ss/);
    expect(all[0]?.authorization?.reveal()).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
  });
});

async function proxy(to: number | { status: number }): Promise<ConnectProxy> {
  const made = await createConnectProxy(to);
  cleanups.push(() => made[Symbol.asyncDispose]());
  return made;
}

async function service(): Promise<number> {
  const server = createHttpServer((request, response) => response.end(`${request.headers.host}${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function client(environment: Environment, needs: Partial<OutboundHttpNeeds> = {}) {
  const http = createOutboundHttp({ ambient: systemAmbient('silent'), environment, ...needs });
  cleanups.push(() => http[Symbol.asyncDispose]());
  return http;
}

async function failure(promise: Promise<unknown>): Promise<OutboundError> {
  const error = await promise.then(
    () => new Error('it worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error;
}

const resolvesTo = (address: string) =>
  ((_name: string, _options: object, callback: (error: null, all: object[]) => void) =>
    callback(null, [{ address, family: 4 }])) as unknown as NonNullable<OutboundHttpNeeds['lookup']>;

describe('requests through a proxy', () => {
  test('reach a configured address by its name, with the credentials of the proxy', async () => {
    const { address, asked } = await proxy(await service());
    const http = client({ HTTP_PROXY: `http://ann:secret@${address}` });
    const answer = await http.send({ url: 'http://models.test/v1', policy: 'configured' });
    expect(await answer.text()).toBe('models.test/v1');
    expect(asked).toEqual([`models.test:80 Basic ${Buffer.from('ann:secret').toString('base64')}`]);
  });

  test('reuse tunnels for later requests', async () => {
    const { address, asked } = await proxy(await service());
    const http = client({ HTTP_PROXY: `http://${address}` });
    for (const path of ['a', 'b', 'c', 'd', 'e']) {
      const answer = await http.send({ url: `http://models.test/${path}`, policy: 'configured' });
      expect(await answer.text()).toBe(`models.test/${path}`);
    }
    // The second request may start before the first connection is free again.
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  test('reach a public name by the checked address', async () => {
    const { address, asked } = await proxy(await service());
    const http = client({ HTTP_PROXY: `http://${address}` }, { lookup: resolvesTo('93.184.216.34') });
    const answer = await http.send({ url: 'http://models.test/v1', policy: 'public' });
    expect(await answer.text()).toBe('models.test/v1');
    expect(asked).toEqual(['93.184.216.34:80']);
  });

  test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254'])(
    'refuse a public name that resolves to %s before the proxy is asked',
    async (resolved) => {
      const { address, asked } = await proxy(await service());
      const http = client({ HTTP_PROXY: `http://${address}` }, { lookup: resolvesTo(resolved) });
      const error = await failure(http.send({ url: 'http://models.test/', policy: 'public' }));
      expect([error.problem, error.requestSent]).toEqual(['forbidden-address', false]);
      expect(asked).toEqual([]);
    },
  );

  test('refuse a private address literal before the proxy is asked', async () => {
    const { address, asked } = await proxy(await service());
    const http = client({ HTTP_PROXY: `http://${address}` });
    const error = await failure(http.send({ url: 'http://10.0.0.1/', policy: 'public' }));
    expect(error.problem).toBe('forbidden-address');
    expect(asked).toEqual([]);
  });

  test('go directly to this computer', async () => {
    const { address, asked } = await proxy({ status: 403 });
    const http = client({ ALL_PROXY: `http://${address}` });
    const port = await service();
    const answer = await http.send({ url: `http://127.0.0.1:${port}/x`, policy: 'configured' });
    expect(await answer.text()).toBe(`127.0.0.1:${port}/x`);
    expect(asked).toEqual([]);
  });

  test.each([403, 407, 502])('fail with the name of a proxy that answers %d', async (status) => {
    const { address } = await proxy({ status });
    const http = client({ HTTPS_PROXY: `http://ann:secret@${address}` });
    const error = await failure(http.send({ url: 'https://models.test/v1', policy: 'configured' }));
    expect([error.problem, error.requestSent]).toEqual(['proxy', false]);
    expect(error.facts).toEqual({ proxy: `http://${address}`, reason: `status-${status}` });
    expect(error.message).not.toContain('secret');
  });

  test('fail with the name of a proxy that does not listen', async () => {
    const { address } = await proxy({ status: 403 });
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    const error = await failure(
      client({ HTTPS_PROXY: address }).send({ url: 'https://models.test/', policy: 'configured' }),
    );
    expect(error.facts).toEqual({ proxy: `http://${address}`, reason: 'refused' });
  });

  test.each(['socks5://ann:secret@127.0.0.1:1', 'http://', 'http://%zz@127.0.0.1:1'])(
    'fail with the variable when it is %s, and never go directly',
    async (value) => {
      const http = client({ ALL_PROXY: value });
      const error = await failure(http.send({ url: 'https://models.test/', policy: 'configured' }));
      expect([error.problem, error.facts]).toEqual(['proxy', { proxy: 'ALL_PROXY', reason: 'not-usable' }]);
      expect(error.message).not.toContain('secret');
    },
  );
});
