import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GuardedMcpOptions, guardedMcpServer } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { fixture } from '../../test/mcp-fixture.ts';

const RETURN_TO = 'http://127.0.0.1:4174/return';
const reference = { scope: 'everywhere', folder: null, id: 'guarded' } as const;

async function place(options: GuardedMcpOptions = {}, client?: { id: string; secret?: string }) {
  const server = await guardedMcpServer(options);
  const local = await fixture();
  const definition = { url: server.url, args: [], environment: {}, headers: {}, ...(client && { client }) };
  await local.mcp.servers.add({ ...reference, definition, secrets: {} });
  const { servers } = local.mcp;
  const visit = async (address: string) => {
    const { headers } = await fetch(address, { redirect: 'manual' });
    return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
  };
  return {
    ...local,
    server,
    servers,
    visit,
    row: () => servers.row(reference, undefined),
    async signIn() {
      await servers.finishSignIn(await visit((await servers.signIn(reference, undefined, RETURN_TO)).address));
    },
    callTool: async () => local.call((await local.tools())[0]),
    async [Symbol.asyncDispose]() {
      await local[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function textsBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

describe('the sign-in at an MCP server', () => {
  test('is asked for, done in the browser, and stays without new questions', async () => {
    await using at = await place();
    expect(await at.tools()).toEqual([]);
    expect(await at.row()).toMatchObject({ state: 'failed', failure: { reason: 'sign-in' }, signIn: 'needed' });
    await at.signIn();
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
    expect(await at.row()).toMatchObject({ state: 'connected', failure: null, signIn: 'signed-in' });
    expect([...at.server.clients.values()]).toMatchObject([{ client_name: 'Fucina', redirect_uris: [RETURN_TO] }]);
    const asked = at.server.requests.find(({ path }) => path === '/authorize')?.form;
    expect(asked?.get('code_challenge_method')).toBe('S256');
    expect(asked?.get('resource')).toBe(at.server.url);
    const other = at.open();
    const [tool] = await other.tools(at.session);
    expect(await at.call(tool)).toEqual({ content: 'you are signed in' });
    await other[Symbol.asyncDispose]();
  });

  test('keeps tokens in the key store only, and masks them in the log', async () => {
    await using at = await place();
    await at.signIn();
    await at.callTool();
    const stored = [...at.keyStore.entries()].find(([account]) => account.startsWith('mcp-sign-in/'))?.[1] ?? '';
    const { tokens } = JSON.parse(stored) as { tokens: { access_token: string } };
    expect(await textsBelow(at.dataDir)).not.toContain(tokens.access_token);
    expect(JSON.stringify(await at.servers.log(reference))).not.toContain(tokens.access_token);
    expect(JSON.stringify(await at.row())).not.toContain(tokens.access_token);
  });

  test('is renewed with the refresh token, once for calls at the same time', async () => {
    await using at = await place();
    await at.signIn();
    const tools = await at.tools();
    at.server.expireTokens();
    const answers = await Promise.all([at.call(tools[0]), at.call(tools[0]), at.call(tools[0])]);
    expect(answers).toEqual(Array(3).fill({ content: 'you are signed in' }));
    const refreshes = at.server.requests.filter(({ form }) => form.get('grant_type') === 'refresh_token');
    expect(refreshes).toHaveLength(1);
    expect(await at.row()).toMatchObject({ state: 'connected', signIn: 'signed-in' });
  });

  test('is asked for again after it was revoked', async () => {
    await using at = await place();
    await at.signIn();
    const tools = await at.tools();
    at.server.revoke();
    expect(await at.call(tools[0])).toMatchObject({ isError: true });
    expect(await at.row()).toMatchObject({ signIn: 'needed' });
    await at.signIn();
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
  });

  test('asks for more permissions when a call needs them, and keeps those it has', async () => {
    await using at = await place();
    await at.signIn();
    const tools = await at.tools();
    at.server.requireScope('write');
    expect(await at.call(tools[0])).toMatchObject({ isError: true });
    expect(await at.row()).toMatchObject({ state: 'connected', signIn: 'more' });
    await at.signIn();
    const scopes = at.server.requests.filter(({ path }) => path === '/authorize').map(({ form }) => form.get('scope'));
    expect(scopes).toEqual(['read', 'read write']);
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
  });

  test('ends with the sign-out, and with the removal of the server', async () => {
    await using at = await place();
    await at.signIn();
    await at.servers.signOut(reference);
    expect([...at.keyStore.keys()]).toEqual([]);
    expect(await at.tools()).toEqual([]);
    await at.signIn();
    await at.servers.remove(reference);
    expect([...at.keyStore.keys()]).toEqual([]);
  });

  test('is not asked for by the connection that a sign-out ends', async () => {
    await using at = await place();
    await at.signIn();
    await at.servers.signOut(reference);
    expect(await at.row()).toMatchObject({ signIn: 'none' });
  });

  test('is not sent to another address', async () => {
    await using other = await guardedMcpServer();
    await using at = await place();
    await at.signIn();
    const definition = { url: other.url, args: [], environment: {}, headers: {} };
    await at.servers.change({ ...reference, definition, secrets: {} });
    expect(await at.tools()).toEqual([]);
    expect(await at.row()).toMatchObject({ signIn: 'needed' });
    expect([...at.keyStore.keys()]).toEqual([]);
  });

  test('uses the client that the user registered', async () => {
    const known = { id: 'my-client', secret: 'my-client-secret' };
    await using at = await place({ refusesRegistration: true, known }, known);
    expect((await at.row()).definition.client).toEqual({ id: 'my-client', secret: '${secret:CLIENT_SECRET}' });
    await at.signIn();
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
  });

  test('says what is wrong', async () => {
    await using closed = await place({ refusesRegistration: true });
    await expect(closed.signIn()).rejects.toMatchObject({ code: 'OAUTH_NON_CONFIGURATO', reason: 'mcp-registration' });
    await using denied = await place({ isDenied: true });
    await expect(denied.signIn()).rejects.toMatchObject({ code: 'OAUTH_SCAMBIO_RIFIUTATO', reason: 'mcp-denied' });
    await using at = await place();
    const { address } = await at.servers.signIn(reference, undefined, RETURN_TO);
    const answer = await at.visit(address);
    const finish = (more: object) => at.servers.finishSignIn({ ...answer, ...more });
    await expect(finish({ state: 'guessed' })).rejects.toMatchObject({ code: 'OAUTH_ATTESA_IGNOTA' });
    await expect(finish({ code: '' })).rejects.toMatchObject({ code: 'OAUTH_CODICE_MANCANTE' });
    await expect(finish({ iss: 'http://other.example' })).rejects.toMatchObject({ code: 'OAUTH_RISPOSTA_INATTESA' });
    await expect(finish({})).rejects.toMatchObject({ code: 'OAUTH_ATTESA_IGNOTA' });
    await at.server[Symbol.asyncDispose]();
    await expect(at.servers.signIn(reference, undefined, RETURN_TO)).rejects.toMatchObject({ code: 'OAUTH_RETE' });
  });

  test('is not offered for a server that does not ask for it', async () => {
    await using at = await fixture();
    const add = (id: string, definition: object) =>
      at.mcp.servers.add({
        ...reference,
        id,
        definition: { args: [], environment: {}, headers: {}, ...definition },
        secrets: {},
      });
    await add('local', { command: 'node' });
    await add('keyed', { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${secret:X}' } });
    for (const id of ['local', 'keyed']) {
      const asked = at.mcp.servers.signIn({ ...reference, id }, undefined, RETURN_TO);
      await expect(asked).rejects.toMatchObject({ code: 'MCP_INVALID' });
    }
  });
});
