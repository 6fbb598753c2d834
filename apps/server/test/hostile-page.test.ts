import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readStream, type TestServer, TOKEN, testServer, until } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const COOKIE = `Cookie: svc_token=${TOKEN}\r\n`;

interface Wire {
  socket: Socket;
  received(): string;
  /** Resolves with all data once the other side has closed. */
  closed: Promise<string>;
}

function wire(bytes: string): Wire {
  let text = '';
  const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined); // a reset also closes it
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return { socket, received: () => text, closed };
}

const head = (method: string, target: string, more = ''): string =>
  `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${COOKIE}${more}`;

/** One request, one answer, connection closed. */
const ask = (method: string, target: string, more = ''): Promise<string> =>
  wire(`${head(method, target, more)}Connection: close\r\n\r\n`).closed;

const isWell = async (): Promise<boolean> => (await server.call('GET', '/health')).ok;

describe('unusual request targets', () => {
  test('never answers a malformed target with a 500', async () => {
    const long = 'a'.repeat(300);
    const targets = [
      '//[',
      '//%',
      '/\\[',
      '///',
      '//evil.example/x.js',
      '/\\evil.example/x',
      '/%',
      '/%00.js',
      '/%ff.js',
      `/${long}.js`,
      `/${long}`,
      '/a/../../../etc/passwd.js',
      '/..%2f..%2fpackage.json',
      '/.git/config.json',
      '/?token',
      '/?token=%',
      '/?token=a&token=b',
      '//?token=x',
      '/:@/x.js',
      '//:0/x.js',
      '//a:99999/x.js',
      '/index.html/x.js',
      '/assets/..',
      '/;',
      '/#',
    ];
    for (const target of targets) {
      const answer = await ask('GET', target);
      expect([target, answer.slice(0, 12)]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 [234]\d\d$/)]);
      expect([target, /location: (?!\/|http:\/\/127\.0\.0\.1)/i.test(answer)]).toEqual([target, false]);
    }
    expect(await isWell()).toBe(true);
  });

  test('an endless body does not block the connection of a page', async () => {
    const answers = await Promise.all(
      ['Content-Length: 1000000\r\n', 'Transfer-Encoding: chunked\r\n'].map(
        (framing) => wire(`${head('GET', '/', framing)}\r\n`).closed,
      ),
    );
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 \d{3}[^]*Connection: close\r\n/);
  });
});

describe('bodies and headers', () => {
  test('refuses an unsupported Expect header with all security headers', async () => {
    const answer = await ask('POST', '/api/v1/sessions/custom', 'Expect: the-impossible\r\nContent-Length: 2\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
  });

  test('hundreds of truncated bodies change nothing and leave the server responsive', async () => {
    const before = (await server.call('GET', '/sessions')).data.items.length;
    const more = 'Content-Type: application/json\r\nContent-Length: 5000\r\n';
    const cut = Array.from({ length: 300 }, async (_, index) => {
      const one = wire(`${head('POST', '/api/v1/sessions/custom', more)}\r\n{"consegna":"`);
      await new Promise<void>((resolve) => one.socket.once('connect', () => resolve()));
      if (index % 3 === 0) one.socket.resetAndDestroy();
      else if (index % 3 === 1) one.socket.destroy();
      else one.socket.end();
      await one.closed;
    });
    await Promise.all(cut);
    expect(await isWell()).toBe(true);
    expect((await server.call('GET', '/sessions')).data.items).toHaveLength(before);
  });

  test('refuses or answers too many headers without bypassing the guards', async () => {
    const many = Array.from({ length: 1_900 }, (_, index) => `x${index}:\r\n`).join('');
    const floods = [
      many,
      `X-Big: ${'b'.repeat(20_000)}\r\n`,
      `${'y'.repeat(15_000)}: 1\r\n`,
      'Cookie: a=b\r\n'.repeat(500),
    ];
    for (const flood of floods) {
      const anonymous = `GET /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${flood}`;
      expect(await wire(`${anonymous}Connection: close\r\n\r\n`).closed).toMatch(/^HTTP\/1\.1 4\d\d/);
      const twoHosts = `${head('GET', '/api/v1/sessions', flood)}Host: evil.example\r\n`;
      expect(await wire(`${twoHosts}Connection: close\r\n\r\n`).closed).toMatch(/^HTTP\/1\.1 4\d\d/);
    }
    expect(await isWell()).toBe(true);
  });
});

describe('event streams', () => {
  test('malformed cursors are QUERY_INVALID, and HEAD starts no stream', async () => {
    const id = await server.startSession();
    await server.settled(id);
    const path = `/api/v1/sessions/${id}/events`;
    for (const cursor of [
      '-1',
      '1.5',
      '1e3',
      'abc',
      '0x10',
      '9'.repeat(16),
      '9'.repeat(4_000),
      '1, 2',
      ' ',
      'NaN',
      '１',
    ]) {
      const answer = await ask('GET', path, `Last-Event-ID: ${Buffer.from(cursor).toString('latin1')}\r\n`);
      if (cursor.trim() !== '') expect([cursor, answer]).toEqual([cursor, expect.stringContaining('QUERY_INVALID')]);
      expect([cursor, answer.slice(9, 12)]).toEqual([cursor, '400']);
    }
    expect(await ask('HEAD', path)).toMatch(/^HTTP\/1\.1 200[^]*text\/event-stream/);
    expect(await ask('HEAD', '/api/v1/sessions/none/events')).toMatch(/^HTTP\/1\.1 404/);
  });

  test('serves the next turn after 1,000 readers disconnected at once', async () => {
    server.model.script(() => ({ text: { count: 200 } }));
    const id = await server.startSession();
    await server.settled(id);
    const readers = Array.from({ length: 1_000 }, () => wire(`${head('GET', `/api/v1/sessions/${id}/events`)}\r\n`));
    await until(async () => (readers.every((one) => one.received().includes('RunFinished')) ? true : undefined));
    expect(await isWell()).toBe(true);
    for (const { socket } of readers) socket.destroy();
    await Promise.all(readers.map(({ closed }) => closed));
    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Again.' } });
    await server.settled(id);
    const seen = await readStream(server, id, { isDone: (event) => event.type === 'RunFinished' });
    expect(seen.length).toBeGreaterThan(1);
  });
});
