import type { RequestListener, ServerResponse } from 'node:http';
import { systemAmbient } from '@fucina/shared';
import { freePort } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { fixture, toolNamed } from '../../test/mcp-fixture.ts';
import { everythingAt, served } from '../../test/mcp-http-fixture.ts';

interface Message {
  id?: number;
  method?: string;
  params?: { protocolVersion?: string };
}

/** A server that misbehaves during a call; everything before the call is correct. */
function hostile(onCall: (response: ServerResponse, id: number | undefined) => void): RequestListener {
  return async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Message;
    const { id, method } = message;
    const json = (result: object): void => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (method === 'initialize') {
      const serverInfo = { name: 'hostile', version: '1' };
      return json({ protocolVersion: message.params?.protocolVersion, capabilities: { tools: {} }, serverInfo });
    }
    if (method === 'tools/list') return json({ tools: [{ name: 'good', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call') return onCall(response, id);
    if (id === undefined) return void response.writeHead(202).end();
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } }));
  };
}

describe('a remote MCP server', () => {
  test('is called after trust, and a changed address revokes trust', async () => {
    const port = await freePort();
    await using _server = await everythingAt(port);
    await using place = await fixture();
    const declared = {
      id: 'far',
      url: `http://127.0.0.1:${port}/mcp`,
      allowlist: ['echo', 'trigger-elicitation-request'],
    };
    await place.declare(declared);
    expect(await place.tools()).toEqual([]);
    await place.mcp.trust(place.folder, 'far');
    expect(await place.mcp.list(place.folder)).toEqual({
      rows: [{ id: 'far', command: declared.url, args: [], allowlist: declared.allowlist, isTrusted: true }],
    });
    const tools = await place.tools();
    expect(await place.call(toolNamed(tools, 'mcp__far__echo'), { message: 'ciao' })).toMatchObject({
      content: expect.stringContaining('ciao'),
    });
    const asking = place.call(toolNamed(tools, 'mcp__far__trigger-elicitation-request'));
    while (place.events.length === 0) await new Promise((done) => setTimeout(done, 10));
    const { value } = place.events[0] as unknown as { value: { requestId: string } };
    await place.mcp.answer('s1', value.requestId, { action: 'decline' });
    expect((await asking).content).toMatch(/declin/i);

    await place.declare({ ...declared, url: `${declared.url}?more` });
    expect(await place.mcp.list(place.folder)).toMatchObject({ rows: [{ isTrusted: false }] });
    expect(await place.tools()).toEqual([]);
  });

  test('reconnects after a restart', async () => {
    const port = await freePort();
    await using place = await fixture();
    await place.declare({ id: 'far', url: `http://127.0.0.1:${port}/mcp`, allowlist: ['echo'] });
    await place.mcp.trust(place.folder, 'far');
    const first = await everythingAt(port);
    const echo = toolNamed(await place.tools(), 'mcp__far__echo');
    expect(await place.call(echo, { message: 'one' })).toMatchObject({ content: expect.stringContaining('one') });
    await first[Symbol.asyncDispose]();
    expect(await place.call(echo, { message: 'two' })).toMatchObject({ isError: true });
    await using _second = await everythingAt(port);
    expect(await place.call(echo, { message: 'three' })).toMatchObject({ content: expect.stringContaining('three') });
  });

  test.each([
    'http://example.com/mcp',
    'https://user:secret@example.com/mcp',
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    'no address',
  ])('%s is not a valid server address', async (url) => {
    await using place = await fixture();
    await place.declare({ id: 'far', url, allowlist: ['echo'] });
    expect(await place.mcp.list(place.folder)).toHaveProperty('problem');
    await expect(place.mcp.trust(place.folder, 'far')).rejects.toMatchObject({ code: 'MCP_INVALID' });
  });

  test('rejects a server with both command and address', async () => {
    await using place = await fixture();
    for (const both of [{ comando: 'node', url: 'https://example.com' }, {}]) {
      await place.declare({ id: 'far', ...both, allowlist: ['echo'] });
      expect(await place.mcp.list(place.folder)).toHaveProperty('problem');
    }
  });
});

describe('a hostile remote MCP server', () => {
  /** A call that says nothing is given up early. */
  const hurried = () => {
    const ambient = systemAmbient('silent');
    return { ...ambient, timer: (ms: number, act: () => void) => ambient.timer(ms === 60_000 ? 300 : ms, act) };
  };
  const stream = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { 'content-type': 'text/event-stream' });
  test.each<[string, (response: ServerResponse) => void]>([
    [
      'an answer that is huge',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('y'.repeat(3_000_000)),
    ],
    ['an event that is huge', (response) => void stream(response).write(`data: ${'y'.repeat(3_000_000)}`)],
    [
      'an event without end',
      (response) => {
        stream(response);
        const timer = setInterval(() => response.write(`data: ${'z'.repeat(65_536)}\n`), 1);
        response.on('close', () => clearInterval(timer));
      },
    ],
    [
      'a redirect to another place',
      (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    ],
    ['no permission', (response) => void response.writeHead(401).end()],
    ['trouble', (response) => void response.writeHead(500).end('x')],
  ])('that answers a call with %s fails the call and is reconnected by the next', async (_what, onCall) => {
    await using server = await served(hostile(onCall));
    await using place = await fixture(hurried());
    await place.declare({ id: 'bad', url: server.url, allowlist: ['good'] });
    await place.mcp.trust(place.folder, 'bad');
    const [tool] = await place.tools();
    for (let times = 0; times < 2; times += 1) {
      expect(await place.call(tool)).toMatchObject({ isError: true, content: expect.stringContaining('good failed') });
    }
  });

  test('that closes a stream without an answer does not block', async () => {
    await using server = await served(hostile((response) => void stream(response).end(': nothing\n\n')));
    await using place = await fixture(hurried());
    await place.declare({ id: 'bad', url: server.url, allowlist: ['good'] });
    await place.mcp.trust(place.folder, 'bad');
    const [tool] = await place.tools();
    expect(await place.call(tool)).toMatchObject({ isError: true });
  });

  test.each(['application/json', 'text/event-stream'])(
    'fails only a call whose answer is longer than 32 MiB, as %s, and its tools reach a service',
    async (type) => {
      let size = 0;
      const answer = (response: ServerResponse, id: number | undefined): void => {
        const [begin, end] = [`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`, '"}]}}'];
        const text = `${begin}${'y'.repeat(size)}${end}`;
        const isStream = type === 'text/event-stream';
        response.writeHead(200, { 'content-type': type }).end(isStream ? `event: message\ndata: ${text}\n\n` : text);
      };
      await using server = await served(hostile(answer));
      await using place = await fixture();
      await place.declare({ id: 'bad', url: server.url, allowlist: ['good'] });
      await place.mcp.trust(place.folder, 'bad');
      const [tool] = await place.tools();
      expect(tool).toMatchObject({ effect: 'process', reaches: 'service' });
      size = 33 * 1024 * 1024;
      expect(await place.call(tool)).toMatchObject({ isError: true, content: expect.stringContaining('32 MiB') });
      size = 2 * 1024 * 1024;
      expect(await place.call(tool)).toMatchObject({ content: expect.stringMatching(/^y{20000}/) });
    },
  );
});
