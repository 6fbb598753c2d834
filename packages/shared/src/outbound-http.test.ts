import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import { isPublicAddress } from './outbound-addresses.ts';
import { OutboundError } from './outbound-error.ts';
import {
  createOutboundHttp,
  type OutboundHttp,
  type OutboundHttpNeeds,
  type OutboundRequest,
} from './outbound-http.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<{ url: string; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host}:${port}`, port };
}

function client(needs: Partial<OutboundHttpNeeds> = {}): OutboundHttp {
  const http = createOutboundHttp({ ambient: systemAmbient('silent'), ...needs });
  cleanups.push(() => http[Symbol.asyncDispose]());
  return http;
}

const configured = (url: string, rest: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  policy: 'configured',
  ...rest,
});

async function problem(promise: Promise<unknown>): Promise<{ problem: string; requestSent: boolean }> {
  const error = await promise.then(
    () => new Error('it worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw error;
  return { problem: error.problem, requestSent: error.requestSent };
}

/** Every spelling points to this computer, its network, a metadata service or nowhere. */
const FORBIDDEN = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.01',
  '１２７.０.０.１',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '0.1.2.3',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:c0a8:101::1]',
  '[2001:0:7f00:1::1]',
  '[2001:db8::1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
];

describe('address checks', () => {
  test.each(FORBIDDEN)('http://%s/ is not public', async (host) => {
    let connections = 0;
    const { port } = await serve((_request, response) => {
      connections += 1;
      response.end();
    }, '0.0.0.0');
    const request: OutboundRequest = { url: `http://${host}:${port}/`, policy: 'public' };
    expect(await problem(client().send(request))).toEqual({ problem: 'forbidden-address', requestSent: false });
    expect(connections).toBe(0);
  });

  test('refuse names that resolve to this computer', async () => {
    const { port } = await serve((_request, response) => response.end());
    for (const name of ['localhost', 'LOCALHOST', 'localhost.']) {
      const found = await problem(client().send({ url: `http://${name}:${port}/`, policy: 'public' }));
      // A resolver may not support the spelling with a trailing dot.
      expect(['forbidden-address', 'dns']).toContain(found.problem);
      expect(found.requestSent).toBe(false);
    }
  });

  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each(['fe80::1%eth0', '', 'example', '1.2.3', '[::1]'])('%j is not a public address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test('connect to the checked address even when DNS changes', async () => {
    const { port } = await serve((_request, response) => response.end('inside'), '127.0.0.2');
    const answers = ['127.0.0.2', '127.0.0.1'];
    const lookup = ((_name: string, _options: object, callback: (error: null, all: object[]) => void) =>
      callback(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }])) as unknown as NonNullable<
      OutboundHttpNeeds['lookup']
    >;
    const http = client({ lookup, isAllowedAddress: (address) => address === '127.0.0.2' });
    const request: OutboundRequest = {
      url: `http://flips.example:${port}/`,
      policy: 'public',
      headers: { connection: 'close' },
    };
    expect(await (await http.send(request)).text()).toBe('inside');
    expect(await problem(http.send(request))).toEqual({ problem: 'forbidden-address', requestSent: false });
  });

  test.each(['ftp://example.org/', 'file:///etc/passwd', 'http://user:pass@example.org/', 'no address', 'data:,x'])(
    'refuse to send %s',
    async (url) => {
      expect((await problem(client().send({ url, policy: 'public' }))).problem).toBe('forbidden-address');
      expect((await problem(client().send(configured(url)))).problem).toBe('forbidden-address');
    },
  );
});

describe('redirects', () => {
  test('of a configured address are an error and keep the credentials', async () => {
    let visits = 0;
    const other = await serve((_request, response) => {
      visits += 1;
      response.end();
    });
    const first = await serve((_request, response) => response.writeHead(307, { location: other.url }).end());
    const request = configured(first.url, { method: 'POST', body: 'x', headers: { authorization: 'Bearer k' } });
    expect(await problem(client().send(request))).toEqual({ problem: 'redirect', requestSent: true });
    expect(visits).toBe(0);
  });

  test('of a public address drop credentials on origin change and are checked again', async () => {
    const seen: Record<string, unknown>[] = [];
    const second = await serve((request, response) => {
      seen.push(request.headers);
      response.end('there');
    }, '127.0.0.3');
    const first = await serve((request, response) => {
      seen.push(request.headers);
      response.writeHead(302, { location: request.url === '/inside' ? 'http://127.0.0.1:1/' : second.url }).end();
    }, '127.0.0.2');
    const http = client({ isAllowedAddress: (address) => address !== '127.0.0.1' });
    const headers = { authorization: 'Bearer k', 'x-api-key': 'k', 'x-subscription-token': 'k', accept: 'text/html' };
    const answer = await http.send({ url: first.url, policy: 'public', headers });
    expect(await answer.text()).toBe('there');
    expect(answer.url).toBe(`${second.url}/`);
    expect(seen[0]).toMatchObject(headers);
    expect(Object.keys(seen[1] ?? {})).toEqual(
      expect.not.arrayContaining(['authorization', 'x-api-key', 'x-subscription-token']),
    );
    expect(seen[1]).toMatchObject({ accept: 'text/html' });
    expect((await problem(http.send({ url: `${first.url}/inside`, policy: 'public' }))).problem).toBe(
      'forbidden-address',
    );
  });

  test('can be returned as a response instead of followed', async () => {
    const { url } = await serve((_request, response) => response.writeHead(302, { location: '/there' }).end());
    for (const policy of ['configured', 'public'] as const) {
      const answer = await client({ isAllowedAddress: () => true }).send({ url, policy, redirects: 'answer' });
      expect([answer.status, answer.headers['location']]).toEqual([302, '/there']);
    }
  });

  test('are limited to five', async () => {
    let hops = 0;
    const { url } = await serve((_request, response) => {
      hops += 1;
      response.writeHead(302, { location: `/${hops}` }).end();
    });
    expect((await problem(client({ isAllowedAddress: () => true }).send({ url, policy: 'public' }))).problem).toBe(
      'redirect',
    );
    expect(hops).toBe(6);
  });
});

describe('time and size limits', () => {
  const limits = { connectMs: 2_000, firstResponseMs: 1_000, idleMs: 100 };

  test('time out a server that never answers', async () => {
    const { url } = await serve(() => {});
    expect(await problem(client().send(configured(url, { limits })))).toEqual({
      problem: 'timeout',
      requestSent: true,
    });
  });

  test('time out a stalled body', async () => {
    const { url } = await serve((_request, response) => void response.write('a'));
    const answer = await client().send(configured(url, { limits }));
    expect((await problem(answer.text())).problem).toBe('timeout');
  });

  test('stop a trickling body at the total time', async () => {
    const { url } = await serve((_request, response) => {
      const handle = setInterval(() => response.write('a'), 20);
      response.once('close', () => clearInterval(handle));
    });
    const answer = await client().send(configured(url, { limits: { ...limits, totalMs: 1_000 } }));
    expect((await problem(answer.text())).problem).toBe('timeout');
  });

  test('do not count a slow reader as idle', async () => {
    const { url } = await serve((_request, response) => void response.end(Buffer.alloc(4_000_000)));
    const answer = await client().send(configured(url, { limits }));
    let total = 0;
    for await (const chunk of answer.body) {
      if (total === 0) await new Promise((resolve) => setTimeout(resolve, 300));
      total += chunk.length;
    }
    expect(total).toBe(4_000_000);
  });

  test('refuse headers over 64 KiB', async () => {
    const { url } = await serve((_request, response) => response.writeHead(200, { pad: 'p'.repeat(100_000) }).end());
    expect(await problem(client().send(configured(url)))).toEqual({ problem: 'too-large', requestSent: true });
  });

  test('count the decompressed size of a body', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const before = process.memoryUsage().rss;
    const answer = await client().send(configured(url, { limits: { bodyBytes: 1_000_000 } }));
    expect((await problem(answer.bytes())).problem).toBe('too-large');
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });

  test('decompress a body and fail on a damaged one', async () => {
    const { url } = await serve((request, response) => {
      const body = request.url === '/bad' ? Buffer.from('not gzip') : gzipSync('text');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    });
    expect(await (await client().send(configured(url))).text()).toBe('text');
    expect((await problem((await client().send(configured(`${url}/bad`))).text())).problem).toBe('unreachable');
  });
});

describe('request failures', () => {
  test('refused connections report that nothing was sent', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await problem(client().send(configured(`http://127.0.0.1:${port}`)))).toEqual({
      problem: 'refused',
      requestSent: false,
    });
  });

  test('an unknown name is a DNS failure', async () => {
    const lookup = ((_name: string, _options: object, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))) as unknown as NonNullable<
      OutboundHttpNeeds['lookup']
    >;
    const found = await problem(client({ lookup }).send({ url: 'http://nowhere.invalid/', policy: 'public' }));
    expect(found).toEqual({ problem: 'dns', requestSent: false });
  });

  test('a connection lost before the answer leaves the outcome unknown', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await problem(client().send(configured(url, { method: 'POST', body: 'x' })))).toEqual({
      problem: 'unreachable',
      requestSent: true,
    });
  });

  test('aborting closes the socket before and during the answer', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serve((request, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      if (request.url === '/stream') response.write('a');
    });
    const http = client();
    const early = new AbortController();
    const waiting = problem(http.send(configured(url, { signal: early.signal })));
    await expectSoon(() => closed.length === 1);
    early.abort();
    expect(await waiting).toEqual({ problem: 'aborted', requestSent: true });
    const late = new AbortController();
    const answer = await http.send(configured(`${url}/stream`, { signal: late.signal }));
    const reading = problem(answer.text());
    late.abort();
    expect((await reading).problem).toBe('aborted');
    await Promise.all(closed);
    expect(await problem(http.send(configured(url, { signal: AbortSignal.abort() })))).toEqual({
      problem: 'aborted',
      requestSent: false,
    });
  });

  test('leaving the loop or discarding closes the socket', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serve((_request, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      response.write('a');
    });
    const http = client();
    for await (const _chunk of (await http.send(configured(url))).body) break;
    (await http.send(configured(url))).discard();
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });

  test('leaving a completed body keeps the connection', async () => {
    const sockets = new Set<Socket>();
    const ended: Promise<unknown>[] = [];
    const { url } = await serve((request, response) => {
      sockets.add(request.socket);
      ended.push(new Promise((resolve) => response.once('close', () => resolve(response.writableFinished))));
      response.write('last');
      setTimeout(() => response.end('\n'), 20);
    });
    const http = client();
    for (let round = 0; round < 3; round++) {
      const answer = await http.send(configured(url));
      for await (const _chunk of answer.body) {
        answer.settle();
        break;
      }
      expect(await ended[round]).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  test('an error names only the origin', async () => {
    const error = await client()
      .send(configured('http://127.0.0.1:1/secret-path?key=secret', { headers: { authorization: 'Bearer secret' } }))
      .catch((reason: unknown) => reason);
    expect(String(error)).toBe('OutboundError: refused: http://127.0.0.1:1');
  });
});

test('requests to one origin share connections', async () => {
  const sockets = new Set<Socket>();
  const { url } = await serve((request, response) => {
    sockets.add(request.socket);
    response.end('ok');
  });
  const http = client();
  for (let round = 0; round < 5; round++) expect(await (await http.send(configured(url))).text()).toBe('ok');
  // The driver rests a socket for one turn of the loop before using it again.
  expect(sockets.size).toBeLessThanOrEqual(2);
});

async function expectSoon(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !condition(); turn++) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(condition()).toBe(true);
}
