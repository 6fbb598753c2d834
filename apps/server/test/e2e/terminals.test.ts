import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesWith } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';
import { type Refusal, type TerminalClient, terminalClient } from '../terminal-client.ts';

let server: TestServer;
let sessionId: string;
beforeAll(async () => {
  server = await testServer();
  sessionId = await settledSession();
});
afterAll(async () => server[Symbol.asyncDispose]());

async function settledSession(): Promise<string> {
  const id = await server.startSession();
  await server.settled(id);
  return id;
}

/** Its shell responds. */
async function ready(client: TerminalClient): Promise<void> {
  client.type("echo rea''dy");
  await client.sees('ready');
}

const refusal = (attempt: Promise<unknown>): Promise<Refusal> =>
  attempt.then(
    () => Promise.reject(new Error('it was let in')),
    (error: Refusal) => error,
  );

covers('terminals.open', 'names the first terminal after its session and allows eight', async () => {
  const id = await settledSession();
  const first = await server.call('POST', `/sessions/${id}/terminals`);
  expect(first.status).toBe(200);
  expect(first.data).toEqual({
    terminalId: id,
    sessionId: id,
    cartella: server.project.path,
    creatoAlle: expect.stringMatching(/^\d{4}-.*Z$/),
    origine: 'prima-scheda',
    attiva: false,
  });
  const { data } = await server.call('POST', `/sessions/${id}/terminals`, { body: {} });
  expect(data).toMatchObject({ origine: 'rotta', terminalId: expect.stringMatching(/^[\da-f-]{36}$/) });
  expect(data.terminalId).not.toBe(id);
});

refuses('terminals.open', 'TERMINAL_LIMIT_REACHED', 'for a ninth terminal', async () => {
  const id = await settledSession();
  for (let count = 0; count < 8; count += 1) await server.call('POST', `/sessions/${id}/terminals`);
  expect(await server.call('POST', `/sessions/${id}/terminals`)).toMatchObject({
    status: 409,
    code: 'TERMINAL_LIMIT_REACHED',
  });
});

test('terminals of an unknown session are NOT_FOUND, and unknown fields are rejected', async () => {
  const unknown = [
    await server.call('GET', '/sessions/nobody/terminals'),
    await server.call('POST', '/sessions/nobody/terminals'),
    await server.call('POST', '/sessions/nobody/terminals/x/close'),
    await server.call('POST', `/sessions/${sessionId}/terminals/x/close`),
  ];
  expect(unknown.map(({ status, code }) => [status, code])).toEqual(Array(4).fill([404, 'NOT_FOUND']));
  const odd = [
    await server.call('POST', `/sessions/${sessionId}/terminals`, { body: { cols: 80 } }),
    await server.call('GET', `/sessions/${sessionId}/terminals`, { query: { all: '1' } }),
    await server.call('POST', `/sessions/${sessionId}/terminals/${'x'.repeat(201)}/close`),
  ];
  expect(odd.map(({ code }) => code)).toEqual(Array(3).fill('QUERY_INVALID'));
});

covers('terminals.list', 'lists oldest first with the running state', async () => {
  const id = await settledSession();
  expect((await server.call('GET', `/sessions/${id}/terminals`)).data).toEqual({ items: [] });
  const client = await terminalClient(server, id);
  await ready(client);
  await server.call('POST', `/sessions/${id}/terminals`);
  const { data } = await server.call('GET', `/sessions/${id}/terminals`);
  expect(data.items.map(({ origine, attiva }: any) => [origine, attiva])).toEqual([
    ['prima-scheda', true],
    ['rotta', false],
  ]);
  client.close();
});

covers('terminals.close', 'ends the shell, notifies viewers, and refuses other sessions', async () => {
  const id = await settledSession();
  const client = await terminalClient(server, id);
  client.type("echo he''re");
  await client.sees('here');
  expect(await server.call('POST', `/sessions/${sessionId}/terminals/${id}/close`)).toMatchObject({ status: 404 });
  const reply = await server.call('POST', `/sessions/${id}/terminals/${id}/close`);
  expect(reply.data).toEqual({ ok: true, terminalId: id, sessionId: id });
  expect(await client.closed).toEqual({ code: 1000, reason: 'closed' });
  expect((await server.call('GET', `/sessions/${id}/terminals`)).data).toEqual({ items: [] });
});

test('sends the documented frames from open to close', async () => {
  const id = await settledSession();
  const client = await terminalClient(server, id);
  client.type("stty size; echo on''e ☕");
  await client.sees('one ☕');
  client.control({ tipo: 'resize', cols: 101, rows: 31 });
  for (const odd of [Buffer.alloc(0), Buffer.from([1]), Buffer.from([7, 1, 2]), Buffer.from('\u0001{"tipo":'), 'text'])
    client.send(odd);
  for (const odd of [null, 3, { tipo: 'other' }, { tipo: 'resize' }, { tipo: 'resize', cols: 0, rows: 1e9 }])
    client.control(odd);
  client.type('stty size');
  await client.sees('31 101');
  expect(client.kinds.slice(0, 2)).toEqual([1, 0]);
  expect(client.events).toEqual([
    { evento: 'agganciato', ripreso: false, shell: 'posix-shell', comando: expect.stringContaining('bash') },
  ]);

  const second = await terminalClient(server, id);
  await second.sees('one ☕');
  expect(second.events).toMatchObject([{ evento: 'agganciato', ripreso: true }]);
  second.type('exit 3');
  expect(await client.closed).toEqual({ code: 1000, reason: 'exit' });
  expect(await second.closed).toEqual({ code: 1000, reason: 'exit' });
  expect(client.events.at(-1)).toEqual({ evento: 'uscita', codice: 3 });
});

test('a frame above one mebibyte closes the connection and keeps the shell', async () => {
  const id = await settledSession();
  const client = await terminalClient(server, id);
  await ready(client);
  client.raw(Buffer.alloc(1024 * 1024));
  expect((await client.closed).code).toBe(1009);
  expect((await server.call('GET', `/sessions/${id}/terminals`)).data.items[0].attiva).toBe(true);
});

test('answers 403 to a foreign Origin, or to none without a token, and accepts the window and programs with the cookie', async () => {
  const origins = [
    'http://evil.example',
    'null',
    `http://localhost:${server.port}`,
    `https://127.0.0.1:${server.port}`,
  ];
  for (const origin of origins) {
    const { status, body, headers } = await refusal(terminalClient(server, sessionId, { origin }));
    expect([status, body.error.code]).toEqual([403, 'ORIGIN_FORBIDDEN']);
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store', connection: 'close' });
  }
  const crossSite = { 'sec-fetch-site': 'cross-site' };
  const origin = `http://127.0.0.1:${server.port}`;
  expect(await refusal(terminalClient(server, sessionId, { origin, headers: crossSite }))).toMatchObject({
    status: 403,
  });
  expect(await refusal(terminalClient(server, sessionId, { headers: crossSite }))).toMatchObject({ status: 403 });
  (await terminalClient(server, sessionId, { origin })).close();
  await using open = await testServer({ settings: { token: undefined } });
  const id = await open.startSession();
  expect(await refusal(terminalClient(open, id))).toMatchObject({ status: 403 });
  (await terminalClient(open, id, { origin: `http://127.0.0.1:${open.port}` })).close();
});

test('answers 401 without the cookie and 400 under a foreign Host', async () => {
  const anonymous = await refusal(terminalClient(server, sessionId, { isAnonymous: true }));
  expect([anonymous.status, anonymous.body.error.code]).toEqual([401, 'AUTH_REQUIRED']);
  const wrong = { cookie: `svc_token=${'x'.repeat(40)}` };
  expect(await refusal(terminalClient(server, sessionId, { isAnonymous: true, headers: wrong }))).toMatchObject({
    status: 401,
  });
  const rebound = await refusal(terminalClient(server, sessionId, { headers: { host: 'evil.example' } }));
  expect([rebound.status, rebound.body.error.code]).toEqual([400, 'HOST_FORBIDDEN']);
});

test('drops a malformed id silently, answers 403 to an unknown one and starts nothing', async () => {
  const odd = ['', 'id=', 'id=a&id=b', 'id=a&x=1', 'x=1', `id=${'x'.repeat(201)}`];
  for (const search of odd) {
    await expect(terminalClient(server, '', { search })).rejects.toMatchObject({ message: 'socket hang up' });
  }
  const { status, body } = await refusal(terminalClient(server, 'nobody'));
  expect([status, body.error.reason]).toEqual([403, 'unknown-terminal']);
});

test('deleting a session closes its terminals', async () => {
  const id = await settledSession();
  const client = await terminalClient(server, id);
  await ready(client);
  expect(await server.call('POST', `/sessions/${id}/delete`)).toMatchObject({ status: 200 });
  expect(await client.closed).toEqual({ code: 1000, reason: 'closed' });
  expect(await refusal(terminalClient(server, id))).toMatchObject({ status: 403 });
});

test('a stopping server closes connections and leaves no shell', async () => {
  await using own = await testServer();
  const id = await own.startSession();
  await own.settled(id);
  const client = await terminalClient(own, id);
  const nap = `sleep 1004.${process.pid}`;
  client.type(`setsid ${nap} &`);
  await until(async () => processesWith(nap).length > 0 || undefined);
  await own.stop();
  expect(await client.closed).toEqual({ code: 1001, reason: 'shutdown' });
  expect(processesWith(nap)).toEqual([]);
});

test('the shell environment contains no secret of the server', async () => {
  const id = await settledSession();
  const client = await terminalClient(server, id);
  client.type("env | grep -ci -e fucina_ -e token; echo do''ne");
  await client.sees('done');
  expect(client.text()).toMatch(/^0\r?$/m);
  client.close();
});

covers('wsl.read', 'reports that WSL is not available, and the stored choice', async () => {
  expect((await server.call('GET', '/wsl')).data).toEqual({
    preferenze: { usaUtenteNormale: false },
    wsl: { disponibile: false },
  });
});

covers('wsl.choose', 'keeps the choice over a restart', async () => {
  const { data } = await server.call('POST', '/wsl', { body: { usaUtenteNormale: true } });
  expect(data.preferenze).toEqual({ usaUtenteNormale: true });
  await using later = await testServer({ dataDir: await stoppedCopy() });
  expect((await later.call('GET', '/wsl')).data.preferenze).toEqual({ usaUtenteNormale: true });
  for (const body of [{}, { usaUtenteNormale: 'yes' }, { usaUtenteNormale: true, other: 1 }]) {
    expect(await later.call('POST', '/wsl', { body })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  }
});

/** A data folder with this setting, as a stopped server leaves it. */
async function stoppedCopy(): Promise<string> {
  const { tempDir } = await import('@fucina/testkit');
  const copy = await tempDir();
  await copy.write({ 'wsl.json': await (await import('node:fs/promises')).readFile(join(server.dataDir, 'wsl.json')) });
  return copy.path;
}

refuses('wsl.read', 'WSL_STORE_UNAVAILABLE', 'when its file is damaged or is not a file', async () => {
  const file = join(server.dataDir, 'wsl.json');
  for (const damage of ['{', '[]', '{"usesNormalUser":1}', 'null']) {
    writeFileSync(file, damage);
    expect(await server.call('GET', '/wsl')).toMatchObject({ status: 503, code: 'WSL_STORE_UNAVAILABLE' });
  }
  rmSync(file);
});

refuses('wsl.choose', 'WSL_STORE_UNAVAILABLE', 'and does not overwrite a damaged file', async () => {
  const file = join(server.dataDir, 'wsl.json');
  mkdirSync(file);
  expect(await server.call('POST', '/wsl', { body: { usaUtenteNormale: true } })).toMatchObject({
    status: 503,
    code: 'WSL_STORE_UNAVAILABLE',
  });
  rmSync(file, { recursive: true });
});
