import type { RequestListener, ServerResponse } from 'node:http';
import { freePort } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { fixture, toolNamed } from '../../test/mcp-fixture.ts';
import { everythingAt, served } from '../../test/mcp-http-fixture.ts';

const everywhere = { scope: 'everywhere' as const, folder: null, id: 'old' };
const at = (url: string, headers: Record<string, string> = {}) => ({
  ...everywhere,
  definition: { url, args: [], environment: {}, headers },
  secrets: {},
});

/** A server of the older transport: `POST` to its address is refused; messages go to `/message`. */
function older(options: { refusal?: number; endpoint?: string; token?: string } = {}) {
  const seen: { method: string; path: string; key: string | undefined }[] = [];
  const streams = new Set<ServerResponse>();
  const listener: RequestListener = async (request, response) => {
    const { method = '', url = '' } = request;
    seen.push({ method, path: url, key: request.headers['x-key'] as string | undefined });
    if (options.token && request.headers.authorization !== `Bearer ${options.token}`) {
      return void response.writeHead(401).end();
    }
    if (method === 'GET') {
      streams.add(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write(`event: endpoint\ndata: ${options.endpoint ?? '/message?session=1'}\n\n`);
    }
    if (!url.startsWith('/message')) return void response.writeHead(options.refusal ?? 405).end();
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string };
    };
    response.writeHead(202).end('Accepted');
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      },
      'tools/list': { tools: [{ name: 'good', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'called' }] },
    };
    if (message.id === undefined) return;
    const answer = { jsonrpc: '2.0', id: message.id, result: results[message.method] ?? {} };
    for (const stream of streams) stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
  };
  return {
    listener,
    seen,
    end() {
      for (const stream of streams) stream.end();
      streams.clear();
    },
    say(text: string) {
      for (const stream of streams) stream.write(text);
    },
  };
}

describe('an MCP server with the older HTTP+SSE transport', () => {
  test('of the official SDK offers its tools and asks the user', async () => {
    const port = await freePort();
    await using _server = await everythingAt(port, 'sse');
    await using place = await fixture();
    await place.mcp.servers.add(at(`http://127.0.0.1:${port}/sse`));
    const tools = await place.tools();
    expect(await place.call(toolNamed(tools, 'mcp__old__echo'), { message: 'ciao' })).toMatchObject({
      content: expect.stringContaining('ciao'),
    });
    const asking = place.call(toolNamed(tools, 'mcp__old__trigger-elicitation-request'));
    while (place.events.length === 0) await new Promise((done) => setTimeout(done, 10));
    const { value } = place.events[0] as unknown as { value: { requestId: string } };
    await place.mcp.answer('s1', value.requestId, { action: 'decline' });
    expect((await asking).content).toMatch(/declin/i);
    const [row] = (await place.mcp.servers.list(undefined)).rows;
    expect(row).toMatchObject({ state: 'connected', failure: null });
  });

  test.each([400, 404, 405])('is found when its address answers %i to the first message', async (refusal) => {
    const old = older({ refusal });
    await using server = await served(old.listener);
    await using place = await fixture();
    await place.mcp.servers.add(at(server.url, { 'x-key': 'mine' }));
    const [tool] = await place.tools();
    expect(await place.call(tool)).toMatchObject({ content: 'called' });
    // The header of the user goes with every request, on both ways.
    expect(new Set(old.seen.map(({ key }) => key))).toEqual(new Set(['mine']));
    expect(old.seen.map(({ method }) => method)).toContain('GET');
  });

  test.each([401, 403, 429, 500])('is not looked for after %i', async (refusal) => {
    const old = older({ refusal });
    await using server = await served(old.listener);
    await using place = await fixture();
    await place.mcp.servers.add(at(server.url));
    expect(await place.tools()).toEqual([]);
    expect(old.seen.map(({ method }) => method)).not.toContain('GET');
  });

  test('cannot name an address of another origin for its messages', async () => {
    const old = older({ endpoint: 'http://127.0.0.1:9/message' });
    await using server = await served(old.listener);
    await using place = await fixture();
    await place.mcp.servers.add(at(server.url));
    expect(await place.tools()).toEqual([]);
    const [row] = (await place.mcp.servers.list(undefined)).rows;
    expect(row).toMatchObject({ state: 'failed', failure: { detail: expect.stringContaining('origin') } });
  });

  test('is connected anew after its stream ended', async () => {
    const old = older();
    await using server = await served(old.listener);
    await using place = await fixture();
    await place.mcp.servers.add(at(server.url));
    const [tool] = await place.tools();
    old.end();
    await expectEnded(place);
    expect(await place.call(tool)).toMatchObject({ content: 'called' });
  });

  test('that sends a message over 32 MiB stays connected, and the next message is read', async () => {
    const old = older();
    await using server = await served(old.listener);
    await using place = await fixture();
    await place.mcp.servers.add(at(server.url));
    const [tool] = await place.tools();
    old.say(`data: ${'y'.repeat(33 * 1024 * 1024)}\n\n`);
    expect(await place.call(tool)).toMatchObject({ content: 'called' });
    const log = await place.mcp.servers.log({ scope: 'everywhere', folder: null, id: 'old' });
    expect(log).toContainEqual(expect.objectContaining({ text: 'a message longer than 32 MiB was skipped' }));
    expect((await place.mcp.servers.list(undefined)).rows).toMatchObject([{ state: 'connected' }]);
  });

  test('that answers neither transport fails with its first answer', async () => {
    await using server = await served((_request, response) => void response.writeHead(404).end());
    await using place = await fixture();
    await place.mcp.servers.add(at(server.url));
    expect(await place.tools()).toEqual([]);
    const [row] = (await place.mcp.servers.list(undefined)).rows;
    expect(row).toMatchObject({
      state: 'failed',
      failure: { reason: 'protocol', detail: expect.stringContaining('404') },
    });
  });
});

async function expectEnded(place: Awaited<ReturnType<typeof fixture>>): Promise<void> {
  const state = async () => (await place.mcp.servers.list(undefined)).rows[0]?.state;
  while ((await state()) === 'connected') await new Promise((done) => setTimeout(done, 10));
  expect(await state()).toBe('failed');
}
