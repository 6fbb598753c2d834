import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GuardedMcpOptions, type GuardedMcpServer, guardedMcpServer, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

const RETURN = '/ext/mcp/sign-in/callback';
const here = { ambito: 'ovunque' };
let server: TestServer;
const guarded: GuardedMcpServer[] = [];
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const each of guarded) await each[Symbol.asyncDispose]();
});

let count = 0;
/** A server that wants a sign-in, and its name in our list. */
async function add(options: GuardedMcpOptions = {}, to = server): Promise<{ nome: string; remote: GuardedMcpServer }> {
  const remote = await guardedMcpServer(options);
  guarded.push(remote);
  const nome = `guarded-${(count += 1)}`;
  const definizione = { url: remote.url, argomenti: [], ambiente: {}, intestazioni: {} };
  const reply = await to.call('POST', '/ext/mcp', { body: { nome, ...here, definizione } });
  expect(reply.status).toBe(201);
  return { nome, remote };
}
const begin = (nome: string, to = server): Promise<Reply> =>
  to.call('POST', `/ext/mcp/${nome}/sign-in`, { body: here });
/** What the authorization page sends back. */
async function answerOf(indirizzo: string): Promise<Record<string, string>> {
  const { headers } = await fetch(indirizzo, { redirect: 'manual' });
  return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
}
/** As a browser returns: through a link from another site, without the cookie. */
const comeBack = (query: Record<string, string>, to = server): Promise<Response> =>
  fetch(`${to.url}api/v1${RETURN}?${new URLSearchParams(query)}`, {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'accept-language': 'en' },
  });
const rowOf = async (nome: string, to = server) =>
  (await to.call('GET', '/ext/mcp')).data.server.find((row: { nome: string }) => row.nome === nome);
async function signIn(nome: string, to = server): Promise<void> {
  const { data } = await begin(nome, to);
  expect((await comeBack(await answerOf(data.indirizzo), to)).status).toBe(200);
}

covers('ext.mcp.sign-in', 'answers the address to open, which comes back to this server', async () => {
  const { nome } = await add();
  const { data } = await begin(nome);
  expect(data).toEqual({ indirizzo: expect.any(String), scadeTraMs: 600_000 });
  const asked = new URL(data.indirizzo).searchParams;
  expect(asked.get('redirect_uri')).toBe(`${server.url}api/v1${RETURN}`);
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(await rowOf(nome)).toMatchObject({ stato: 'fallito', errore: { motivo: 'sign-in' }, accesso: 'richiesto' });
});

covers('ext.mcp.sign-in-return', 'accepts the browser once, without a cookie, and connects', async () => {
  const { nome } = await add();
  const answer = await answerOf((await begin(nome)).data.indirizzo);
  const page = await comeBack(answer);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Signed in')]);
  expect((await comeBack(answer)).status).toBe(400);
  const { data } = await server.call('POST', `/ext/mcp/${nome}/start`, { body: here });
  expect(data.server).toMatchObject({ stato: 'connesso', accesso: 'attivo', strumenti: [{ nome: 'whoami' }] });
});

covers('ext.mcp.sign-out', 'forgets the tokens', async () => {
  const { nome } = await add();
  await signIn(nome);
  const reply = await server.call('DELETE', `/ext/mcp/${nome}/sign-in`, { query: here });
  expect(reply.data.server).toMatchObject({ nome, accesso: 'nessuno' });
  const { data } = await server.call('POST', `/ext/mcp/${nome}/start`, { body: here });
  expect(data.server).toMatchObject({ accesso: 'richiesto' });
});

refuses('ext.mcp.sign-in', 'MCP_INVALID', 'for a server without a sign-in', async () => {
  const definizione = { comando: 'node', argomenti: [], ambiente: {}, intestazioni: {} };
  await server.call('POST', '/ext/mcp', { body: { nome: 'local', ...here, definizione } });
  const reply = await begin('local');
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'MCP_INVALID', 'no-sign-in']);
});

refuses('ext.mcp.sign-in', 'OAUTH_NON_CONFIGURATO', 'when the server registers no programs', async () => {
  const reply = await begin((await add({ refusesRegistration: true })).nome);
  expect([reply.status, reply.code, reply.reason]).toEqual([503, 'OAUTH_NON_CONFIGURATO', 'mcp-registration']);
  expect(reply.error?.title).toBe('Serve un client ID');
});

refuses('ext.mcp.sign-in', 'OAUTH_RETE', 'when the server is gone', async () => {
  const { nome, remote } = await add();
  await begin(nome);
  await remote[Symbol.asyncDispose]();
  guarded.splice(guarded.indexOf(remote), 1);
  const reply = await begin(nome);
  expect([reply.status, reply.code]).toEqual([502, 'OAUTH_RETE']);
});

refuses('ext.mcp.sign-in', 'OAUTH_RISPOSTA_INATTESA', 'when the server names another resource', async () => {
  const reply = await begin((await add({ isMisplaced: true })).nome);
  expect([reply.status, reply.code]).toEqual([502, 'OAUTH_RISPOSTA_INATTESA']);
});

/** The page's status and title. */
async function refusal(query: Record<string, string>, to = server): Promise<unknown[]> {
  const page = await comeBack(query, to);
  return [page.status, /<h1[^>]*>([^<]+)</.exec(await page.text())?.[1]];
}
const started = async (options: GuardedMcpOptions = {}) => {
  const { nome, remote } = await add(options);
  return { remote, answer: await answerOf((await begin(nome)).data.indirizzo) };
};

refuses('ext.mcp.sign-in-return', 'OAUTH_ATTESA_IGNOTA', 'for an unknown state', async () => {
  expect(await refusal({ state: 'guessed', code: 'x' })).toEqual([400, 'Sign-in request no longer valid']);
  expect(await refusal({})).toEqual([400, 'Sign-in request no longer valid']);
});

refuses('ext.mcp.sign-in-return', 'OAUTH_CODICE_MANCANTE', 'without a code', async () => {
  const { answer } = await started();
  expect(await refusal({ state: answer.state ?? '' })).toEqual([400, 'Sign-in code missing']);
  // The sign-in can still be completed.
  expect((await comeBack(answer)).status).toBe(200);
});

refuses('ext.mcp.sign-in-return', 'OAUTH_SCAMBIO_RIFIUTATO', 'for a rejected code or a denied access', async () => {
  const { answer } = await started();
  expect(await refusal({ ...answer, code: 'wrong' })).toEqual([502, 'Sign-in failed']);
  expect(await refusal((await started({ isDenied: true })).answer)).toEqual([502, 'Access denied']);
});

refuses('ext.mcp.sign-in-return', 'OAUTH_RISPOSTA_INATTESA', 'for an answer of another issuer', async () => {
  const { answer } = await started();
  expect(await refusal({ ...answer, iss: 'http://other.example' })).toEqual([502, 'Unexpected sign-in response']);
});

refuses('ext.mcp.sign-in-return', 'OAUTH_RETE', 'when the server is gone', async () => {
  const { answer, remote } = await started();
  await remote[Symbol.asyncDispose]();
  guarded.splice(guarded.indexOf(remote), 1);
  expect(await refusal(answer)).toEqual([502, 'Sign-in server unreachable']);
});

refuses('ext.mcp.sign-in-return', 'OAUTH_CUSTODIA_FALLITA', 'without a key store', async () => {
  await using other = await testServer({ settings: { keyStore: 'system' } });
  const { nome } = await add({}, other);
  const answer = await answerOf((await begin(nome, other)).data.indirizzo);
  expect(await refusal(answer, other)).toEqual([500, 'Key store not available']);
  expect(await rowOf(nome, other)).toMatchObject({ accesso: 'richiesto' });
});

refuses('ext.mcp.sign-out', 'PROVIDER_STORE_UNAVAILABLE', 'without a key store', async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, 'data');
  await mkdir(dataDir);
  const first = await testServer({ dataDir });
  const { nome } = await add({}, first);
  await signIn(nome, first);
  await first[Symbol.asyncDispose]();
  await using second = await testServer({ dataDir, settings: { keyStore: 'system' } });
  const reply = await second.call('DELETE', `/ext/mcp/${nome}/sign-in`, { query: here });
  expect([reply.status, reply.code]).toEqual([503, 'PROVIDER_STORE_UNAVAILABLE']);
  expect(await rowOf(nome, second)).toMatchObject({ accesso: 'attivo' });
});

refusesEach('WORKSPACE_NOT_AVAILABLE', ['ext.mcp.sign-in', 'ext.mcp.sign-out'], async (operation) => {
  const target = { ambito: 'progetto', cartella: `${server.project.path}/absent` };
  const reply = await (operation === 'ext.mcp.sign-in'
    ? server.call('POST', '/ext/mcp/a/sign-in', { body: target })
    : server.call('DELETE', '/ext/mcp/a/sign-in', { query: target }));
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
});

test('a page of another site cannot start or end a sign-in', async () => {
  const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const method of ['POST', 'DELETE']) {
    const body = method === 'POST' ? { body: here } : {};
    const reply = await server.call(method, '/ext/mcp/guarded-1/sign-in', { headers, ...body });
    expect([reply.status, reply.code]).toEqual([403, 'ORIGIN_FORBIDDEN']);
  }
});

test('a server with client credentials connects without a sign-in, and its secret is not in the answer', async () => {
  const known = { id: 'worker', secret: 'a-secret-of-the-worker' };
  const remote = await guardedMcpServer({ refusesRegistration: true, known });
  guarded.push(remote);
  const client = { id: known.id, modo: 'credenziali', emittente: new URL(remote.url).origin, segreto: known.secret };
  const definizione = { url: remote.url, argomenti: [], ambiente: {}, intestazioni: {}, client };
  const added = await server.call('POST', '/ext/mcp', { body: { nome: 'worker', ...here, definizione } });
  expect(added.text).not.toContain(known.secret);
  expect(added.data.server.definizione.client).toEqual({ ...client, segreto: '${secret:CLIENT_SECRET}' });
  await server.call('POST', '/ext/mcp/worker/start', { body: here });
  expect(await rowOf('worker')).toMatchObject({ stato: 'connesso', errore: null, accesso: 'nessuno' });
  const incomplete = { ...definizione, client: { id: known.id, modo: 'carico' } };
  const refused = await server.call('POST', '/ext/mcp', { body: { nome: 'other', ...here, definizione: incomplete } });
  expect([refused.status, refused.code, refused.reason]).toEqual([422, 'MCP_INVALID', 'definition']);
});
