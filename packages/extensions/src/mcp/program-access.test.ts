import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GuardedMcpOptions, guardedMcpServer } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { fixture } from '../../test/mcp-fixture.ts';
import type { ServerClient } from './known-server.ts';

const reference = { scope: 'everywhere', folder: null, id: 'guarded' } as const;
const known = { id: 'worker', secret: 'a-secret-of-the-worker' };

async function place(options: GuardedMcpOptions, clientOf: (origin: string, dataDir: string) => ServerClient) {
  const server = await guardedMcpServer({ refusesRegistration: true, ...options });
  const local = await fixture();
  const client = clientOf(new URL(server.url).origin, local.dataDir);
  const definition = { url: server.url, args: [], environment: {}, headers: {}, client };
  await local.mcp.servers.add({ ...reference, definition, secrets: {} });
  return {
    ...local,
    server,
    row: () => local.mcp.servers.row(reference, undefined),
    callTool: async () => local.call((await local.tools())[0]),
    tokenRequests: () => server.requests.filter(({ path }) => path === '/token').map(({ form }) => form),
    async [Symbol.asyncDispose]() {
      await local[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const withSecret = (issuer: string): ServerClient => ({ ...known, grant: 'client-credentials', issuer });

describe('a server that the program signs in to by itself', () => {
  test('gets a token with client credentials, and a new one when it ran out', async () => {
    await using at = await place({ known }, withSecret);
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
    expect(await at.row()).toMatchObject({ state: 'connected', signIn: 'none' });
    expect((await at.row()).definition.client).toMatchObject({ secret: '${secret:CLIENT_SECRET}' });
    at.server.expireTokens();
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
    const asked = at.tokenRequests();
    expect(asked.map((form) => form.get('grant_type'))).toEqual(['client_credentials', 'client_credentials']);
    expect(asked[0]?.get('resource')).toBe(at.server.url);
    expect([...at.keyStore.keys()].filter((account) => account.startsWith('mcp-sign-in/'))).toEqual([]);
  });

  test('asks for the permission that a call lacked at the next call', async () => {
    await using at = await place({ known }, withSecret);
    await at.callTool();
    at.server.requireScope('write');
    expect(await at.callTool()).toMatchObject({ isError: true });
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
    expect(at.tokenRequests().at(-1)?.get('scope')?.split(' ').sort()).toEqual(['read', 'write']);
  });

  test('reads the token of the workload from its file each time', async () => {
    let tokenFile = '';
    const workload = { id: 'pod', assertion: 'token-of-the-pod' };
    await using at = await place({ workload }, (issuer, dataDir) => {
      tokenFile = join(dataDir, 'token');
      return { id: 'pod', grant: 'workload', issuer, tokenFile };
    });
    expect(await at.tools()).toEqual([]);
    expect(await at.row()).toMatchObject({ failure: { reason: 'key-file' } });
    await writeFile(tokenFile, 'token-of-the-pod\n');
    await at.mcp.servers.connect(reference, undefined);
    expect(await at.row()).toMatchObject({ state: 'connected' });
    expect(await at.callTool()).toEqual({ content: 'you are signed in' });
  });

  test('does not try again after a refusal', async () => {
    await using at = await place({ known }, (issuer) => ({ ...withSecret(issuer), secret: 'another-secret' }));
    expect(await at.tools()).toEqual([]);
    expect(await at.row()).toMatchObject({ failure: { reason: 'unauthorized' }, signIn: 'none' });
    expect(at.tokenRequests()).toHaveLength(1);
  });

  test('sends nothing to an authorization server other than the one that the user named', async () => {
    await using at = await place({ known }, () => withSecret('https://login.example'));
    expect(await at.tools()).toEqual([]);
    expect(await at.row()).toMatchObject({ failure: { reason: 'unauthorized' } });
    expect(at.tokenRequests()).toEqual([]);
  });

  test('needs the fields of its way', async () => {
    await using at = await fixture();
    const add = (client: ServerClient) => {
      const definition = { url: 'https://a.example/mcp', args: [], environment: {}, headers: {}, client };
      return at.mcp.servers.add({ ...reference, definition, secrets: {} });
    };
    const issuer = 'https://login.example';
    const incomplete: ServerClient[] = [
      { ...known, grant: 'client-credentials' },
      { id: 'worker', grant: 'client-credentials', issuer },
      { id: 'pod', grant: 'workload', issuer },
      { id: 'pod', grant: 'workload', issuer, tokenFile: 'relative' },
      { ...known, grant: 'company', issuer, tokenFile: '/run/token' },
    ];
    for (const client of incomplete) {
      await expect(add(client)).rejects.toMatchObject({ code: 'MCP_INVALID', reason: 'definition' });
    }
  });
});
