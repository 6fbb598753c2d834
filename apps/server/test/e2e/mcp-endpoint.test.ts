import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type TestServer, TOKEN, testServer } from '../harness.ts';
import { researchFixture } from '../research-fixture.ts';

const MCP_TOKEN = 'a-token-of-the-mcp-server-0123456789';
const bearer = { authorization: `Bearer ${MCP_TOKEN}` };
let server: TestServer;
beforeAll(async () => {
  server = await testServer({ settings: { mcpToken: MCP_TOKEN } });
});
afterAll(async () => server[Symbol.asyncDispose]());

const address = (of = server) => new URL('api/v1/ext/mcp-server', of.url);

/** Another agent, with the revision that it speaks. */
async function agent(headers: Record<string, string> = bearer, mode: 'legacy' | 'auto' = 'legacy', of = server) {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(address(of), { requestInit: { headers } }));
  const call = async (name: string, args: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    return { ...result, text, data: result.structuredContent as any };
  };
  return { client, call, [Symbol.asyncDispose]: () => client.close() };
}

test.each(['legacy', 'auto'] as const)(
  'another agent (%s) starts a session, waits for it, and reads its changes and its history',
  async (mode) => {
    await using other = await agent(bearer, mode);
    const names = (await other.client.listTools()).tools.map(({ name }) => name);
    expect(names.sort()).toEqual([
      'library_read',
      'library_search',
      'read_changes',
      'read_session',
      'research_list',
      'research_read',
      'research_start',
      'search_sessions',
      'send_message',
      'start_session',
      'wait_for_session',
    ]);
    const path = `made-${mode}.txt`;
    server.model.script(({ body }) =>
      (body.messages as { role: string }[]).at(-1)?.role === 'tool'
        ? { text: 'Written.' }
        : { toolCalls: [{ name: 'scrivi', arguments: { percorso: path, contenuto: 'new line\n' } }] },
    );
    const folder = server.project.path;
    const started = await other.call('start_session', { message: 'Write it.', folder, model: 'ollama:tiny' });
    const { sessionId } = started.data;
    const waited = await other.call('wait_for_session', { sessionId, timeoutSeconds: 30 });
    expect(waited.data).toMatchObject({ sessionId, state: 'finished', waitsFor: null, answer: 'Written.' });
    server.model.script(() => ({ text: 'Second answer.' }));
    expect((await other.call('send_message', { sessionId, message: 'And now?' })).data).toEqual({
      sessionId,
      isQueued: false,
    });
    await other.call('wait_for_session', { sessionId, timeoutSeconds: 30 });
    expect((await other.call('read_session', { sessionId })).data.answer).toBe('Second answer.');
    const found = await other.call('search_sessions', { text: 'Second answer' });
    expect(found.data.sessions.map((row: { sessionId: string }) => row.sessionId)).toContain(sessionId);
    const { text } = await other.call('read_changes', { sessionId });
    expect(text).toContain(`--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,1 @@\n+new line\n`);
    expect((await other.call('research_list', { folder })).text).toBe('No research reports found.');
  },
);

test('another agent starts research in a session and reads its report', async () => {
  await using fixture = await researchFixture({ settings: { mcpToken: MCP_TOKEN } });
  await using other = await agent(bearer, 'legacy', fixture.server);
  const asked = { sessionId: fixture.session, question: 'How is steel quenched?' };
  const started = await other.call('research_start', asked);
  const [, id = ''] = /\(id ([^)]+)\)/.exec(started.text) ?? [];
  await fixture.ended(id);
  const folder = fixture.server.project.path;
  expect((await other.call('research_read', { folder, id })).text).toContain('## Cooling');
  const absent = await other.call('research_start', { ...asked, sessionId: 'absent' });
  expect([absent.isError, absent.text.split(':')[0]]).toEqual([true, 'NOT_FOUND']);
});

test('an error is the result of the call, in words', async () => {
  await using other = await agent();
  for (const [name, args, code] of [
    ['read_session', { sessionId: 'absent' }, 'NOT_FOUND'],
    ['start_session', { message: 'x' }, 'QUERY_INVALID'],
    ['start_session', { message: 'x', folder: `${server.project.path}/absent` }, 'WORKSPACE_NOT_AVAILABLE'],
  ] as const) {
    const result = await other.call(name, args);
    expect([name, result.isError, result.text.split(':')[0]]).toEqual([name, true, code]);
  }
  const full = await other.call('start_session', { message: 'x', folder: '/', permissions: 'Full access' });
  expect(full.isError).toBe(true);
});

test('a session that the user gave Full access takes no message of another agent', async () => {
  await using other = await agent();
  const sessionId = await server.startSession({ permessi: 'Full access' });
  await server.settled(sessionId);
  const before = server.model.requests.length;
  const refused = await other.call('send_message', { sessionId, message: 'Leave the folder.' });
  expect([refused.isError, refused.text.split(':')[0]]).toEqual([true, 'PERMISSIONS_INVALID']);
  await server.settled(sessionId);
  expect(server.model.requests).toHaveLength(before);
});

const post = (headers: Record<string, string>, path = address()) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });

test('the endpoint wants the cookie or its own token, which opens nothing else', async () => {
  expect((await post({})).status).toBe(401);
  expect((await post({ authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await post({ authorization: `Bearer ${TOKEN}` })).status).toBe(401);
  expect((await fetch(new URL('api/v1/sessions', server.url), { headers: bearer })).status).toBe(401);
  await using _withCookie = await agent({ cookie: `svc_token=${TOKEN}` });
});

test('the endpoint rejects pages of other sites, unknown sessions, and other media types', async () => {
  const foreign = await post({ ...bearer, origin: 'http://evil.example' });
  expect([foreign.status, (await foreign.text()).match(/ORIGIN_FORBIDDEN/)?.[0]]).toEqual([403, 'ORIGIN_FORBIDDEN']);
  expect((await post({ ...bearer, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const unknown = await post({ ...bearer, 'mcp-session-id': 'unknown' });
  expect([unknown.status, (await unknown.json()).error.message]).toEqual([404, 'Session not found']);
  expect((await post({ ...bearer, 'content-type': 'text/plain' })).status).toBe(400);
});
