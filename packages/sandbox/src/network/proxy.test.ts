import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemAmbient } from '@fucina/shared';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ALLOWED, hurried, lookupOf, type StartedProxy, startProxy } from '../../test/network/started-proxy.ts';
import type { ProxyAnswer, ProxyNeeds } from './proxy.ts';

const system = systemAmbient('silent');

let upstream: ReturnType<typeof createServer>;
let port: number;
let seen: IncomingMessage[] = [];
const closers: (() => void)[] = [];

async function start(needs: Partial<ProxyNeeds> = {}): Promise<StartedProxy> {
  const started = await startProxy(needs);
  closers.push(started.close);
  return started;
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    seen.push(request);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => response.end(`${request.method} ${request.url} ${body}`));
  });
  upstream.listen(0, '127.0.0.1');
  await new Promise((resolve) => upstream.once('listening', resolve));
  port = (upstream.address() as AddressInfo).port;
});

afterEach(() => {
  seen = [];
  for (const close of closers.splice(0)) close();
});

afterAll(() => {
  upstream.close();
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: inside\r\nConnection: close\r\n\r\n`;
const socks = (host: string, to: number): Buffer[] => [
  Buffer.from([5, 1, 0]),
  Buffer.concat([Buffer.from([5, 1, 0, 3, host.length]), Buffer.from(host), Buffer.from([to >> 8, to & 255])]),
];

describe('the proxy', () => {
  test('tunnels CONNECT with data that follows the head immediately', async () => {
    const { talk, asked } = await start();
    const answer = await talk(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n${get('/a')}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*GET \/a $/);
    expect(asked).toEqual([`localhost:${port}`]);
  });

  test('forwards a plain request with the host of its address and without the headers between client and proxy', async () => {
    const { talk } = await start();
    const answer = await talk(
      `POST http://127.0.0.1:${port}/b?c=d HTTP/1.1\r\nHost: other.example\r\nProxy-Authorization: Basic eDp5\r\n` +
        'X-Kept: 1\r\nConnection: X-Dropped\r\nX-Dropped: 1\r\nContent-Length: 4\r\n\r\nbody',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*POST \/b\?c=d body/);
    expect(seen[0]?.rawHeaders.join(' ')).toBe(`Host 127.0.0.1:${port} X-Kept 1 Content-Length 4 Connection close`);
  });

  test('forwards a body of unknown length', async () => {
    const { talk } = await start();
    const answer = await talk(
      `PUT http://127.0.0.1:${port}/e HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '3\r\nabc\r\n',
      '0\r\n\r\n',
    );
    expect(answer).toContain('PUT /e abc');
  });

  test('tunnels SOCKS5, its request in pieces', async () => {
    const { talk, asked } = await start();
    const [hello = Buffer.alloc(0), request = Buffer.alloc(0)] = socks('localhost', port);
    const answer = await talk(hello, request.subarray(0, 3), request.subarray(3), get('/f'));
    expect(answer.startsWith(`\x05\x00\x05\x00\x00\x01${'\x00'.repeat(6)}HTTP/1.1 200 OK`)).toBe(true);
    expect(answer).toContain('GET /f ');
    expect(asked).toEqual([`localhost:${port}`]);
  });

  test('tunnels SOCKS5 whose bytes come all at once', async () => {
    const { talk } = await start();
    expect(await talk(Buffer.concat([...socks('127.0.0.1', port), Buffer.from(get('/g'))]))).toContain('GET /g ');
  });

  test('delivers an answer to a client that ended its own half', async () => {
    const { open } = await start();
    const socket = open();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.end(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n${get('/h')}`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text).toContain('GET /h ');
  });

  test('refuses with 403, or SOCKS reply 2, and a sentence in reason, header and body', async () => {
    const { talk, refusals } = await start({ decide: async () => ({ isAllowed: false, reason: 'not-allowed' }) });
    const sentence = 'Fucina blocks example.org for this session. Allow it with the rule Network(example.org).';
    for (const request of ['CONNECT example.org:443 HTTP/1.1', 'GET http://example.org:443/ HTTP/1.1']) {
      const answer = await talk(`${request}\r\nHost: example.org\r\n\r\n`);
      expect(answer.split('\r\n')[0]).toBe(`HTTP/1.1 403 ${sentence}`);
      expect(answer.toLowerCase()).toContain(`x-fucina-refusal: ${sentence.toLowerCase()}`);
      expect(answer).toMatch(/\r\n\r\n(?:[0-9a-f]+\r\n)?Fucina blocks/);
    }
    expect(await talk(...socks('example.org', 443))).toBe('\x05\x00\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00');
    expect(refusals).toEqual(Array(3).fill('example.org:443 not-allowed'));
  });

  test.each([
    ['an origin form', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    ['an https address in plain', 'GET https://example.org/ HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    ['a CONNECT without a port', 'CONNECT example.org HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    ['a CONNECT to port 0', 'CONNECT example.org:0 HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    ['a CONNECT with a user name', 'CONNECT a@example.org:1 HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    ['garbage', '\x00\x01\x02garbage\r\n\r\n', '400'],
    [
      'two lengths',
      `POST http://127.0.0.1/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      '400',
    ],
    ['a huge header', `GET http://a/ HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, '400'],
  ])('answers %s with an error and connects to nothing', async (_what, bytes, status) => {
    const { talk, asked } = await start();
    expect(await talk(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(asked).toEqual([]);
  });

  test.each([
    ['BIND', Buffer.from([5, 2, 0, 1, 127, 0, 0, 1, 0, 80]), '\x05\x00\x05\x07'],
    ['UDP', Buffer.from([5, 3, 0, 1, 127, 0, 0, 1, 0, 80]), '\x05\x00\x05\x07'],
    ['an unknown kind of address', Buffer.from([5, 1, 0, 9, 1, 1]), '\x05\x00\x05\x08'],
    ['a name that is none', Buffer.from([5, 1, 0, 3, 1, 32, 0, 80]), '\x05\x00\x05\x08'],
  ])('refuses SOCKS5 %s', async (_what, request, answer) => {
    const { talk, asked } = await start();
    expect((await talk(Buffer.from([5, 1, 0]), request)).slice(0, answer.length)).toBe(answer);
    expect(asked).toEqual([]);
  });

  test('refuses SOCKS5 with a password alone, and SOCKS4', async () => {
    const { talk, asked } = await start();
    expect(await talk(Buffer.from([5, 1, 2]))).toBe('\x05\xff');
    expect(await talk(Buffer.from([4, 1, 0, 80, 127, 0, 0, 1, 0]))).toMatch(/^HTTP\/1\.1 400/);
    expect(asked).toEqual([]);
  });

  test.each([
    ['says nothing', ''],
    ['stops in the middle of a head', 'CONNECT example.org:443 HT'],
    ['stops in the middle of a SOCKS request', Buffer.from([5, 1, 0, 5, 1])],
  ])('cuts a client that %s', async (_what, bytes) => {
    const { talk, asked } = await start({ ambient: hurried });
    await talk(bytes);
    expect(asked).toEqual([]);
  });

  test('serves others while 256 clients wait, and cuts the one after', async () => {
    const waiting = new Set<() => void>();
    const { open } = await start({
      decide: () => new Promise((resolve) => waiting.add(() => resolve({ isAllowed: false, reason: 'not-allowed' }))),
    });
    const sockets = Array.from({ length: 256 }, open);
    for (const socket of sockets)
      socket.on('error', () => undefined).write('CONNECT a.example:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    while (waiting.size < 256) await system.sleep(5);
    const late = open();
    await new Promise((resolve) => late.on('error', () => undefined).once('close', resolve));
    const first = new Promise<string>((resolve) =>
      sockets[0]?.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    for (const answer of waiting) answer();
    expect(await first).toContain('403');
    for (const socket of sockets) socket.destroy();
  });

  test('aborts the decision when the client disconnects', async () => {
    let isAsked = false;
    let isGone = false;
    const { open } = await start({
      decide: ({ signal }) =>
        new Promise((resolve) => {
          isAsked = true;
          signal.addEventListener('abort', () => {
            isGone = true;
            resolve(ALLOWED);
          });
        }),
    });
    const socket = open();
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: a\r\n\r\n`);
    while (!isAsked) await system.sleep(5);
    socket.destroy();
    while (!isGone) await system.sleep(5);
  });
});

describe('the address that is connected to', () => {
  const open: ProxyAnswer = { isAllowed: true, opensPrivate: false, isNamed: true };
  const ask = (host: string): string => `CONNECT ${host}:${port} HTTP/1.1\r\nHost: a\r\n\r\n`;

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['0.0.0.0'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['192.168.1.1'],
    ['fd00::1'],
    ['fe80::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
  ])('is never %s for a name that resolves to it', async (address) => {
    const { talk, refusals } = await start({ decide: async () => open, ...lookupOf([address]) });
    expect(await talk(ask('localtest.example'))).toContain('private or local address');
    expect(refusals).toEqual([`localtest.example:${port} private`]);
  });

  test('is refused as a whole where one of several is private', async () => {
    const { talk } = await start({ decide: async () => open, ...lookupOf(['93.184.216.34', '127.0.0.1']) });
    expect(await talk(ask('mixed.example'))).toContain('403');
  });

  test('is the one that was checked: a name is looked up once', async () => {
    const { lookup, calls } = lookupOf(['127.0.0.1'], ['93.184.216.34']);
    const { talk } = await start({ lookup });
    expect(await talk(`${ask('rebinding.example')}${get('/i')}`)).toContain('GET /i ');
    expect(calls()).toBe(1);
  });

  test('is never our own port, even by a rule', async () => {
    const { talk } = await start({ ownPorts: () => [port], ...lookupOf(['127.0.0.1']) });
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0.0.0.0', 'a.example']) {
      expect(await talk(ask(host))).toContain("it is Fucina's own port");
    }
    expect(seen).toEqual([]);
  });

  test('is reported as not found, or not reachable, with 502', async () => {
    const { talk } = await start({ ...lookupOf([]) });
    expect(await talk(ask('nowhere.example'))).toMatch(/^HTTP\/1\.1 502 nowhere\.example was not found\./);
    expect(await talk('CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 502 127\.0\.0\.1:1 cannot be reached\./,
    );
  });
});
