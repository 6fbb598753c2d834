import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, TOKEN, testServer } from '../harness.ts';
import { cookie, raw, writeNote } from '../raw-request.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const get = (path: string, host: string, ...lines: string[]): Promise<string> =>
  raw(server, [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, '', ''].join('\r\n'));

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

test('a port that the user forwards reaches the server with the right token only', async () => {
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(statusOf(await get('/api/v1/sessions', `${name}:9000`, cookie))).toBe(200);
    for (const lines of [[], ['Cookie: svc_token=wrong'], [`Cookie: other=${TOKEN}`]]) {
      const refused = await get('/api/v1/sessions', `${name}:9000`, ...lines);
      expect([statusOf(refused), refused.includes('HOST_FORBIDDEN')]).toEqual([400, true]);
    }
  }
  const own = `127.0.0.1:${server.port}`;
  expect([statusOf(await get('/api/v1/sessions', own, cookie)), statusOf(await get('/api/v1/sessions', own))]).toEqual([
    200, 401,
  ]);
});

test('another name stays refused, with any port and the right token', async () => {
  for (const host of [
    'evil.example:9000',
    '127.0.0.1.evil.example:9000',
    '10.0.0.1:9000',
    '127.0.0.1',
    '127.0.0.1:',
    'localhost:0',
  ])
    expect([host, statusOf(await get('/api/v1/sessions', host, cookie))]).toEqual([host, 400]);
});

test('a write under a forwarded port needs the origin of that port', async () => {
  const write = (origin: string): Promise<string> => writeNote(server, { host: 'localhost:9000', origin });
  expect(await write('http://localhost:9001')).toContain('ORIGIN_FORBIDDEN');
  expect(await write('http://localhost:9000')).toMatch(/^HTTP\/1\.1 20[01] /);
});

test('signing in under a forwarded port sets the cookie of the canonical name and keeps the port', async () => {
  const signedIn = await get(`/?token=${TOKEN}`, '127.0.0.1:9000');
  expect([statusOf(signedIn), signedIn.includes(`svc_token=${TOKEN}`)]).toEqual([302, true]);
  const other = await get(`/?token=${TOKEN}`, 'localhost:9000');
  expect(other).toContain(`http://127.0.0.1:9000/?token=${TOKEN}`);
  expect(other.toLowerCase()).not.toContain('set-cookie');
  expect(await get('/?token=wrong', '127.0.0.1:9000')).toContain('HOST_FORBIDDEN');
});
