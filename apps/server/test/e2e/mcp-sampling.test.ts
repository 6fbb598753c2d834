import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EVERYTHING } from '../everything-server.ts';
import { type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
let sessionId: string;
beforeEach(async () => {
  server = await testServer();
  sessionId = await server.startSession();
  await server.settled(sessionId);
});
afterEach(async () => server[Symbol.asyncDispose]());

interface AskedEvent {
  name?: string;
  value?: Record<string, unknown> & { stato: string; requestId: string };
}

async function events(name: string): Promise<NonNullable<AskedEvent['value']>[]> {
  const all = (await server.events(sessionId)) as AskedEvent[];
  return all.flatMap((event) => (event.name === name && event.value ? [event.value] : []));
}

/** The model calls the tool, the server asks the model. */
async function callAndAnswer(action: 'accept' | 'decline'): Promise<string> {
  await server.call('POST', '/ext/mcp', {
    body: {
      nome: 'all',
      ambito: 'ovunque',
      calls: 'allow',
      definizione: { comando: 'node', argomenti: [EVERYTHING], ambiente: {}, intestazioni: {} },
    },
  });
  const call = { name: 'mcp__all__trigger-sampling-request', arguments: { prompt: 'What is a forge?' } };
  server.model.script(({ lastRole, lastText }) => {
    if (lastText.includes('What is a forge?') && lastRole === 'user') return { text: 'A place of fire.' };
    return lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: [call] };
  });
  await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: 'Ask it.' } });
  const asked = await until(async () => {
    const last = (await events('svc.mcp-elicitation')).at(-1);
    return last?.stato === 'in-attesa' ? last : undefined;
  });
  expect(asked).toMatchObject({ server: 'all', modo: 'modello', modello: expect.any(String) });
  expect(asked.messaggio).toContain('What is a forge?');
  const risposta = { action, ...(action === 'accept' && { content: {} }) };
  const body = { requestId: asked.requestId, risposta };
  await server.call('POST', `/sessions/${sessionId}/mcp-elicitation`, { body });
  await server.settled(sessionId);
  const results = (await server.events(sessionId)).filter(({ type }) => type === 'ToolCallResult');
  return String((results.at(-1) as { content?: string }).content);
}

test('a request of an MCP server to the model is answered when the user allows it, and counted', async () => {
  const before = (await events('svc.ricevuta-consumo')).length;
  expect(await callAndAnswer('accept')).toContain('A place of fire.');
  // The call of the tool, the request of the server, and the end of the turn.
  expect((await events('svc.ricevuta-consumo')).length - before).toBe(3);
  const asked = server.model.requests.find(({ lastText }) => lastText.includes('What is a forge?'));
  expect(JSON.stringify(asked)).not.toContain('Ask it.');
});

test('a request of an MCP server to the model carries the extra headers of the provider', async () => {
  const intestazioni = [{ nome: 'X-Gateway', valore: 'of-the-gateway' }];
  expect(await server.call('POST', '/ext/providers/ollama/connection', { body: { intestazioni } })).toMatchObject({
    ok: true,
  });
  await callAndAnswer('accept');
  const asked = server.model.requests.find(({ lastText }) => lastText.includes('What is a forge?'));
  expect(asked?.headers['x-gateway']).toBe('of-the-gateway');
});

test('a request of an MCP server to the model that the user declines reaches no model', async () => {
  expect(await callAndAnswer('decline')).toContain('-1');
  expect(
    server.model.requests.some(
      ({ lastRole, lastText }) => lastRole === 'user' && lastText.includes('What is a forge?'),
    ),
  ).toBe(false);
});
