import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type ConnectProxy, createConnectProxy } from '@fucina/shared/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Gate, openGate } from './gate.ts';
import { addressRefusal, isThisComputer, pageRefusal } from './gate-rules.ts';

const asked: IncomingMessage[] = [];
let site: Server;
let gate: Gate;
/** Leads to the site. */
let proxy: ConnectProxy;
/** What names resolve to, as a resolver would answer. */
const NAMES: Record<string, readonly string[]> = {
  'rebound.example': ['127.0.0.1'],
  'both.example': ['93.184.215.14', '127.0.0.1'],
  'inside.example': ['10.0.0.7'],
  'here.example': ['127.0.0.1'],
  'public.example': ['93.184.215.14'],
};
let own: Server;
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  site = createServer((request, response) => {
    asked.push(request);
    response.setHeader('set-cookie', ['a=1', 'b=2']).end('page');
  });
  site.on('upgrade', (request: IncomingMessage, socket) => {
    asked.push(request);
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  own = createServer((request, response) => {
    asked.push(request);
    response.end('secret');
  });
  for (const server of [site, own]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await createConnectProxy(portOf(site));
  gate = await openGate({
    ownPorts: () => [portOf(own)],
    environment: { ALL_PROXY: proxy.address },
    lookup: ((name: string, _options: object, done: (error: Error | null, found: object[]) => void) => {
      const found = NAMES[name];
      if (found)
        done(
          null,
          found.map((address) => ({ address, family: 4 })),
        );
      else done(new Error('no such name'), []);
    }) as never,
  });
});
afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  for (const server of [site, own]) {
    server.closeAllConnections();
    server.close();
  }
});

/** The gate's answer to a browser; undefined when the connection ends instead. */
function ask(url: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  const { port } = new URL(gate.url);
  return new Promise((resolve) => {
    const sent = get(
      { host: '127.0.0.1', port, path: url, headers: { host: new URL(url).host, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve(text));
      },
    );
    sent.on('error', () => resolve(undefined));
  });
}

/** The first line received through a tunnel to `target` after sending `words`. */
function tunnel(target: string, words = ''): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(gate.url).port), '127.0.0.1');
    let text = '';
    let hasSaid = false;
    socket.setEncoding('utf8');
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (!hasSaid && text.includes('200')) socket.write(words);
      hasSaid = true;
    });
    const end = (): void => resolve(text.split('\r\n').filter((line) => line.startsWith('HTTP/')));
    socket.on('error', end);
    socket.on('close', end);
  });
}

test('a page of this computer loads, and the server’s own port does not under any name', async () => {
  expect(await ask(`http://127.0.0.1:${portOf(site)}/a`)).toBe('page');
  expect(asked.at(-1)?.headers).toMatchObject({ host: `127.0.0.1:${portOf(site)}` });
  expect(await ask(`http://localhost:${portOf(site)}/a`)).toBe('page');
  const before = asked.length;
  for (const host of [
    '127.0.0.1',
    'localhost',
    'x.localhost',
    '127.1',
    '0.0.0.0',
    '[::1]',
    'rebound.example',
    'both.example',
  ]) {
    expect([host, await ask(`http://${host}:${portOf(own)}/`)]).toEqual([host, undefined]);
    expect(await tunnel(`${host}:${portOf(own)}`)).toEqual(['HTTP/1.1 502 Bad Gateway']);
  }
  expect(asked).toHaveLength(before);
  expect(gate.whyNot(new URL(`http://rebound.example:${portOf(own)}/`))).toBe('own-address');
});

test('blocks itself and private networks', async () => {
  const { port } = new URL(gate.url);
  expect(await ask(`http://127.0.0.1:${port}/`)).toBeUndefined();
  expect(await ask('http://inside.example/')).toBeUndefined();
  expect(gate.whyNot(new URL('http://inside.example/'))).toBe('closed-address');
  expect(await ask('http://nowhere.example/')).toBeUndefined();
  expect(gate.whyNot(new URL('http://nowhere.example/'))).toBe('unreachable');
});

test('web pages may open a local server but not send requests to it', async () => {
  const url = `http://127.0.0.1:${portOf(site)}/`;
  expect(await ask(url, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' })).toBe('page');
  expect(await ask(url, { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' })).toBeUndefined();
  expect(await ask(url, { origin: 'https://evil.example' })).toBeUndefined();
  expect(await ask(url, { referer: 'https://evil.example/' })).toBeUndefined();
  expect(await ask(url, { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' })).toBe('page');
  const shake = (origin: string) =>
    `GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: ${origin}\r\n\r\n`;
  expect(await tunnel(`127.0.0.1:${portOf(site)}`, shake('https://evil.example'))).toHaveLength(1);
  expect(await tunnel(`127.0.0.1:${portOf(site)}`, shake('http://127.0.0.1:5173'))).toHaveLength(2);
});

test('reaches public pages through the proxy of this computer, by the checked address', async () => {
  proxy.asked.length = 0;
  expect(await ask('http://public.example/a')).toBe('page');
  expect(asked.at(-1)?.headers.host).toBe('public.example');
  expect(await tunnel('public.example:443', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toHaveLength(2);
  expect(proxy.asked).toEqual(['93.184.215.14:80', '93.184.215.14:443']);
  expect(await ask('http://inside.example/')).toBeUndefined();
  expect(await ask(`http://127.0.0.1:${portOf(site)}/a`)).toBe('page');
  expect(proxy.asked).toHaveLength(2);
});

test('judges addresses by the resolved target', () => {
  for (const address of ['127.0.0.1', '127.200.1.1', '::1', '::', '0.0.0.0', '::ffff:127.0.0.1']) {
    expect([address, isThisComputer(address)]).toEqual([address, true]);
    expect(addressRefusal(address, 4_000, [4_000])).toBe('own-address');
    expect(addressRefusal(address, 4_001, [4_000])).toBeUndefined();
  }
  for (const address of ['10.0.0.1', '192.168.0.9', '169.254.169.254', 'fe80::1', '64:ff9b::7f00:1', '100.64.0.1']) {
    expect([address, addressRefusal(address, 4_000, [])]).toEqual([address, 'closed-address']);
  }
  expect(addressRefusal('93.184.215.14', 4_000, [4_000])).toBeUndefined();
});

test('blocks a form that another site posts to this computer', () => {
  const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  expect(pageRefusal('POST', headers)).toBe('foreign-page');
  expect(pageRefusal('GET', headers)).toBeUndefined();
  expect(pageRefusal('POST', { origin: 'null' })).toBe('foreign-page');
  expect(pageRefusal('POST', {})).toBeUndefined();
});
