import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProxyTunnels, type Environment } from '@fucina/shared';
import { type ConnectProxy, createConnectProxy } from '@fucina/shared/testing';
import { afterEach, describe, expect, test } from '@jest/globals';
import { lookupOf, type StartedProxy, startProxy } from '../../test/network/started-proxy.ts';
import type { ProxyAnswer, ProxyNeeds } from './proxy.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function service(): Promise<number> {
  const server = createServer((request, response) => response.end(`${request.headers.host}${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function upstream(to: number | { status: number }): Promise<ConnectProxy> {
  const made = await createConnectProxy(to);
  cleanups.push(() => made[Symbol.asyncDispose]());
  return made;
}

const NAMED: ProxyAnswer = { isAllowed: true, opensPrivate: false, isNamed: true };
const UNNAMED: ProxyAnswer = { isAllowed: true, opensPrivate: false, isNamed: false };

async function start(environment: Environment, answer: ProxyAnswer, needs: Partial<ProxyNeeds>): Promise<StartedProxy> {
  const tunnels = createProxyTunnels(environment);
  const started = await startProxy({ tunnels, decide: async () => answer, ...needs });
  cleanups.push(() => tunnels[Symbol.asyncDispose](), started.close);
  return started;
}

const PUBLIC = '93.184.216.34';
const CONNECT = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n';
const INSIDE = 'GET /a HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n';
const PLAIN = 'GET http://example.org/b HTTP/1.1\r\nHost: example.org\r\n\r\n';

describe('the proxy of this computer', () => {
  test('gets the name of a host that was named, also when only the proxy resolves it', async () => {
    for (const addresses of [[PUBLIC], []]) {
      const { address, asked } = await upstream(await service());
      const environment = { HTTPS_PROXY: `http://ann:secret@${address}` };
      const { talk, refusals } = await start(environment, NAMED, lookupOf(addresses));
      expect(await talk(CONNECT + INSIDE)).toMatch(/^HTTP\/1\.1 200 Connection established[^]*example\.org\/a$/);
      expect(asked).toEqual([`example.org:443 Basic ${Buffer.from('ann:secret').toString('base64')}`]);
      expect(refusals).toEqual([]);
    }
  });

  test('gets the checked address of a host that nobody named', async () => {
    const { address, asked } = await upstream(await service());
    const { talk } = await start({ ALL_PROXY: address }, UNNAMED, lookupOf([PUBLIC]));
    expect(await talk(CONNECT + INSIDE)).toMatch(/example\.org\/a$/);
    expect(await talk(PLAIN)).toMatch(/example\.org\/b/);
    expect(asked).toEqual([`${PUBLIC}:443`, `${PUBLIC}:80`]);
    const { talk: talkUnresolved } = await start({ ALL_PROXY: address }, UNNAMED, lookupOf([]));
    expect(await talkUnresolved(CONNECT)).toContain('502 example.org was not found.');
    expect(asked).toHaveLength(2);
  });

  test('gets a plain request with its whole address', async () => {
    const { address, asked } = await upstream(await service());
    const { talk } = await start({ HTTP_PROXY: `http://ann:secret@${address}` }, NAMED, lookupOf([]));
    expect(await talk(PLAIN)).toMatch(/example\.org\/b\s/);
    expect(asked).toEqual([`http://example.org/b Basic ${Buffer.from('ann:secret').toString('base64')}`]);
  });

  test('is not asked for private addresses, our own ports and this computer', async () => {
    const { address, asked } = await upstream({ status: 500 });
    const own = await service();
    const environment = { ALL_PROXY: address };
    const { talk } = await start(environment, NAMED, lookupOf(['10.0.0.1']));
    expect(await talk(CONNECT)).toContain('it is a private or local address');
    const { talk: talkOwn } = await start(environment, NAMED, { ...lookupOf([]), ownPorts: () => [443] });
    expect(await talkOwn(CONNECT)).toContain("it is Fucina's own port");
    const opened = { ...NAMED, opensPrivate: true };
    const { talk: talkLocal } = await start(environment, opened, lookupOf(['127.0.0.1']));
    for (const host of ['127.0.0.1', 'example.org'])
      expect(await talkLocal(CONNECT.replace('example.org:443', `${host}:${own}`) + INSIDE)).toMatch(/org\/a$/);
    expect(asked).toEqual([]);
  });

  test.each([
    [{ status: 407 }, 'requires a user name and a password in its address (status 407).'],
    [{ status: 403 }, 'refused the connection (status 403).'],
  ])('is named without its credentials when it answers %j', async (answer, reason) => {
    const { address } = await upstream(answer);
    const { talk, refusals } = await start({ HTTPS_PROXY: `http://ann:secret@${address}` }, NAMED, lookupOf([PUBLIC]));
    const [line] = (await talk(CONNECT)).split('\r\n');
    expect(line).toBe(
      `HTTP/1.1 502 example.org:443 cannot be reached through the proxy. The proxy http://${address} ${reason}`,
    );
    expect(refusals).toEqual(['example.org:443 proxy']);
  });

  test('is not bypassed when its variable cannot be used', async () => {
    const { talk, refusals } = await start({ ALL_PROXY: 'socks5://127.0.0.1:1' }, NAMED, lookupOf(['127.0.0.1']));
    expect(await talk(CONNECT)).toContain('private');
    const { talk: talkPublic } = await start({ ALL_PROXY: 'socks5://127.0.0.1:1' }, NAMED, lookupOf([PUBLIC]));
    expect(await talkPublic(PLAIN)).toContain('ALL_PROXY does not contain the http or https address of a proxy.');
    expect(refusals).toEqual(['example.org:443 private']);
  });

  test('is not used for the hosts of NO_PROXY', async () => {
    const { address, asked } = await upstream({ status: 500 });
    const environment = { ALL_PROXY: address, NO_PROXY: 'example.org' };
    const { talk } = await start(environment, NAMED, lookupOf([]));
    expect(await talk(CONNECT)).toContain('502 example.org was not found.');
    expect(asked).toEqual([]);
  });
});
