import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { instanceHost } from './instance-host.ts';
import { windowAddresses } from './window-addresses.ts';

/** A server that answers to some Host headers only. */
async function startServer(isOurs: (host: string) => boolean) {
  const hosts: string[] = [];
  const server = createServer(({ headers: { host = '' } }, response) => {
    hosts.push(host);
    response.writeHead(isOurs(host) ? 200 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hosts,
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const resolving =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address }));
const unknown = async () => {
  throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
};
const never = () => new Promise<never>(() => undefined);
const query = '?token=secret';

test('shows the name of the instance where the system resolves it to this computer', async () => {
  await using dir = await tempDir();
  await using server = await startServer(() => true);
  const name = await instanceHost(dir.path);
  const named = `http://${name}:${server.port}/${query}`;
  for (const lookup of [resolving('127.0.0.1'), resolving('::1', '127.255.255.255')])
    expect(await windowAddresses({ url: server.url, folder: dir.path, query }, lookup)).toEqual({
      plain: `${server.url}${query}`,
      named,
      shown: named,
    });
  expect(new Set(server.hosts)).toEqual(new Set([`${name}:${server.port}`]));
});

test('shows the plain address where the system does not resolve the name, and lets the browser try', async () => {
  await using dir = await tempDir();
  await using server = await startServer(() => true);
  const plain = `${server.url}${query}`;
  const named = `http://${await instanceHost(dir.path)}:${server.port}/${query}`;
  for (const lookup of [unknown, never, resolving()])
    expect(await windowAddresses({ url: server.url, folder: dir.path, query }, lookup)).toEqual({
      plain,
      named,
      shown: plain,
    });
});

test('never uses the name where it leads elsewhere, or where the server does not answer to it', async () => {
  await using dir = await tempDir();
  await using ours = await startServer(() => true);
  await using older = await startServer((host) => host.startsWith('127.'));
  for (const [server, lookup] of [
    [ours, resolving('127.0.0.1', '192.0.2.1')],
    [ours, resolving('128.0.0.1')],
    [ours, resolving('::2')],
    [older, resolving('127.0.0.1')],
  ] as const)
    expect(await windowAddresses({ url: server.url, folder: dir.path, query }, lookup)).toEqual({
      plain: `${server.url}${query}`,
      named: undefined,
      shown: `${server.url}${query}`,
    });
});

test('gives the plain address of a server that is gone', async () => {
  await using dir = await tempDir();
  const gone = await startServer(() => true);
  await gone[Symbol.asyncDispose]();
  expect(await windowAddresses({ url: gone.url, folder: dir.path }, resolving('127.0.0.1'))).toEqual({
    plain: gone.url,
    named: undefined,
    shown: gone.url,
  });
});
