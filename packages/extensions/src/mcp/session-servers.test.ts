import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processesWith } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { fixture, program, serverWithEverything, toolNamed } from '../../test/mcp-fixture.ts';

const MARK = `session-servers-${process.pid}`;
const EVERYTHING = {
  id: 'all',
  command: process.execPath,
  args: [program('server-everything'), 'stdio', MARK],
  environment: { OWN_TOKEN: 'kept' },
};

/** A server of one tool at an address, and the headers it received. */
async function echoAt() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    seen.push(request.headers);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const json = (result: object): void => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    const serverInfo = { name: 'echo', version: '1' };
    if (method === 'initialize')
      return json({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
    if (method === 'tools/list') return json({ tools: [{ name: 'say', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call') return json({ content: [{ type: 'text', text: 'heard' }] });
    if (id === undefined) return void response.writeHead(202).end();
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('servers of an editor for one session', () => {
  test('run without trust with all tools and their own environment, and end with the session', async () => {
    await using place = await fixture();
    await place.mcp.useServers('s1', [EVERYTHING]);
    const tools = await place.tools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['mcp__all__echo', 'mcp__all__get-sum']));
    const { content } = await place.call(toolNamed(tools, 'mcp__all__get-env'));
    expect(content).toContain('"OWN_TOKEN": "kept"');
    expect(content).not.toContain('canary');
    expect(processesWith(MARK)).not.toEqual([]);
    await place.mcp.useServers('s1', []);
    expect(await place.tools()).toEqual([]);
    expect(processesWith(MARK)).toEqual([]);
  });

  test('are not visible to other sessions', async () => {
    await using place = await fixture();
    await place.mcp.useServers('s1', [EVERYTHING]);
    expect(await place.mcp.tools({ sessionId: 's2', folder: place.folder })).toEqual([]);
  });

  test('do not transfer trust to a project server with the same id', async () => {
    await using place = await fixture();
    await place.declare(serverWithEverything(['echo']));
    expect(await place.tools()).toEqual([]);
    await place.mcp.useServers('s1', [EVERYTHING]);
    expect((await place.tools()).length).toBeGreaterThan(1);
    await place.mcp.useServers('s1', []);
    expect(await place.tools()).toEqual([]);
    expect(await place.mcp.list(place.folder)).toMatchObject({ rows: [{ id: 'all', isTrusted: false }] });
  });

  test('at an address get their headers on every request', async () => {
    await using place = await fixture();
    await using echo = await echoAt();
    await place.mcp.useServers('s1', [{ id: 'web', url: echo.url, headers: { Authorization: 'Bearer own' } }]);
    const tools = await place.tools();
    expect((await place.call(toolNamed(tools, 'mcp__web__say'))).content).toContain('heard');
    expect(echo.seen.every(({ authorization }) => authorization === 'Bearer own')).toBe(true);
  });

  test.each([
    [{ id: 'a', command: 'no-such-program', args: [], environment: {} }, 'program-not-found'],
    [{ id: 'a', url: 'http://example.com/mcp', headers: {} }, 'address'],
    [{ id: 'a', url: 'file:///etc/passwd', headers: {} }, 'address'],
  ])('that cannot be reached block nothing, and the others run', async (server, reason) => {
    await using place = await fixture();
    await using echo = await echoAt();
    await place.mcp.useServers('s1', [server, { id: 'web', url: echo.url, headers: {} }]);
    const tools = await place.tools();
    expect(tools.map(({ name }) => name)).toEqual(['mcp__web__say']);
    expect((await place.call(tools[0])).content).toContain('heard');
    expect(place.logged).toContainEqual(
      expect.objectContaining({
        server: 'a',
        error: expect.objectContaining({ message: expect.stringContaining(reason) }),
      }),
    );
  });
});
