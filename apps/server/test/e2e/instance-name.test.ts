import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { instanceHost, windowAddresses } from '@fucina/host';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, TOKEN, testServer } from '../harness.ts';
import { cookie, get, raw, writeNote } from '../raw-request.ts';

let server: TestServer;
let neighbor: TestServer;
let name: string;
beforeAll(async () => {
  server = await testServer();
  neighbor = await testServer();
  name = await instanceHost(server.dataDir);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await neighbor[Symbol.asyncDispose]();
});

const ask = (path: string, host: string, ...lines: string[]): Promise<string> =>
  raw(server, get(path, [`Host: ${host}`, ...lines]));
const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

test('the API answers under the name of its instance with the cookie alone, and to no other such name', async () => {
  const own = `${name}:${server.port}`;
  expect(statusOf(await ask('/api/v1/sessions', own, cookie))).toBe(200);
  expect(statusOf(await ask('/api/v1/sessions', own.toUpperCase(), cookie))).toBe(200);
  expect(statusOf(await ask('/api/v1/sessions', own))).toBe(401);
  const others = [
    await instanceHost(neighbor.dataDir),
    `a.${name}`,
    `${name}.`,
    `${name}.evil.example`,
    name.replace('.localhost', ''),
    name.slice(0, -1),
    'fucina.localhost',
  ];
  expect(others).not.toContain(name);
  for (const host of others) {
    const answer = await ask('/api/v1/sessions', `${host}:${server.port}`, cookie);
    expect([host, statusOf(answer), answer.includes('HOST_FORBIDDEN')]).toEqual([host, 400, true]);
  }
});

test('another port of the name is one that the user forwards: only with the right token', async () => {
  for (const [lines, status] of [
    [[cookie], 200],
    [['Cookie: svc_token=other', cookie], 200],
    [[], 400],
    [['Cookie: svc_token=wrong'], 400],
  ] as const)
    expect([lines, statusOf(await ask('/api/v1/health', `${name}:9000`, ...lines))]).toEqual([lines, status]);
});

test('signing in under the name sets the cookie there, and its pages stay under it', async () => {
  const own = `${name}:${server.port}`;
  const signedIn = await ask(`/?token=${TOKEN}`, own);
  expect(signedIn).toMatch(/^HTTP\/1\.1 302 /);
  expect(signedIn).toMatch(/^Location: \/\r$/m);
  expect(signedIn).toMatch(new RegExp(`^Set-Cookie: svc_token=${TOKEN}; Path=/; HttpOnly; SameSite=Strict\r$`, 'm'));
  expect(await ask('/sessions/x', own)).not.toMatch(/^HTTP\/1\.1 302 /);
  // The other local names lead to the canonical one, as ever.
  expect(await ask('/', `localhost:${server.port}`)).toContain(`Location: http://127.0.0.1:${server.port}/`);
});

test('a write under the name needs the origin of the name', async () => {
  const own = `${name}:${server.port}`;
  const write = (origin: string): Promise<string> => writeNote(server, { host: own, origin });
  for (const origin of [`http://127.0.0.1:${server.port}`, `http://${name}:${server.port + 1}`, `http://${name}`])
    expect([origin, (await write(origin)).includes('ORIGIN_FORBIDDEN')]).toEqual([origin, true]);
  expect(await write(`http://${own}`)).toMatch(/^HTTP\/1\.1 20[01] /);
});

test('a provider returns from its sign-in to the loopback address', async () => {
  const begun = await server.call('POST', '/auth/aggregator/inizia', {
    body: {},
    headers: { host: `${name}:${server.port}` },
  });
  expect(begun.ok).toBe(true);
  expect(decodeURIComponent(begun.data.indirizzo)).toContain(`http://127.0.0.1:${server.port}/api/v1/auth/`);
});

/** What listens on the same port of ::1; undefined when nothing does, or this computer has no such address. */
function onOther(port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host: `${name}:${port}`, cookie: `svc_token=${TOKEN}` };
    request({ host: '::1', port, path: '/api/v1/health', headers, agent: false }, (answer) => {
      text(answer).then(resolve, reject);
    })
      .on('error', () => resolve(undefined))
      .end();
  });
}

const listenAlone = (host: string, port: number): Promise<AsyncDisposable & { port: number }> =>
  new Promise((resolve, reject) => {
    const other = createServer().once('error', reject);
    other.listen(port, host, () =>
      resolve({
        port: (other.address() as AddressInfo).port,
        [Symbol.asyncDispose]: () => new Promise((done) => other.close(() => done())),
      }),
    );
  });

test('the port of the other loopback address is the server’s too, until it stops', async () => {
  const own = await testServer({ dataDir: server.dataDir.replace(/$/, '-third') });
  const { port } = own;
  try {
    name = await instanceHost(own.dataDir);
    expect(await onOther(port)).toContain('"status":"ok"');
    await expect(listenAlone('::1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  } finally {
    await own[Symbol.asyncDispose]();
    name = await instanceHost(server.dataDir);
  }
  expect(await onOther(port)).toBeUndefined();
  await using free = await listenAlone('::1', port);
  expect(free.port).toBe(port);
});

test('where another program listens on that port, the server answers only to its addresses', async () => {
  await using taken = await listenAlone('::1', 0);
  const own = await testServer({ settings: { port: taken.port, isPortExact: true } });
  try {
    const host = await instanceHost(own.dataDir);
    const answer = await raw(own, get('/api/v1/health', [`Host: ${host}:${own.port}`, cookie]));
    expect(answer).toContain('HOST_FORBIDDEN');
    expect((await own.call('GET', '/health')).status).toBe(200);
    const opened = await windowAddresses({ url: own.url, folder: own.dataDir }, async () => [{ address: '127.0.0.1' }]);
    expect(opened).toEqual({ plain: own.url, named: undefined, shown: own.url });
  } finally {
    await own[Symbol.asyncDispose]();
  }
});
