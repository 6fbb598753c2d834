import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { createModelServer, type ModelServerRequest, redirectOrigins, SAMPLE_BUG } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Reply, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
/** Gemini's address is fixed. */
const out = createOutboundHttp({ ambient: systemAmbient('silent') });
beforeAll(async () => {
  const origins: Record<string, string> = {};
  server = await testServer({ http: redirectOrigins(out, origins) });
  origins['https://generativelanguage.googleapis.com'] = server.model.url;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await out[Symbol.asyncDispose]();
});

const post = (path: string, body?: unknown): Promise<Reply> => server.call('POST', `/providers/${path}`, { body });
const rowOf = async (id: string): Promise<any> =>
  (await server.call('GET', '/providers')).data.items.find((row: { id: string }) => row.id === id);

async function connect(provider: string, prefix: string, keys: string[]): Promise<void> {
  await post(`${provider}/runtime`, { endpoint: `${server.model.url}${prefix}`, timeoutSeconds: 30 });
  await post(`${provider}/key/remove`);
  for (const [index, key] of keys.entries()) await post(`${provider}/keys`, { key, priorita: index });
}

async function turn(modello: string): Promise<{ id: string; events: any[]; row: any }> {
  const id = await server.startSession({ modello });
  const row = await server.settled(id);
  return { id, row, events: await server.events(id) };
}

const KEY = 'sk-wire-0123456789';
const bearer = { authorization: `Bearer ${KEY}` };

describe.each([
  ['ollama:tiny', '', '/v1/chat/completions', {}],
  ['deepseek:deepseek-chat', '/v1', '/v1/chat/completions', bearer],
  ['openai:gpt-5.6', '/v1', '/v1/responses', bearer],
  ['zai-anthropic:glm-4.6', '/api/anthropic/v1', '/api/anthropic/v1/messages', bearer],
  ['minimax-anthropic:MiniMax-M2', '/anthropic/v1', '/anthropic/v1/messages', { 'x-api-key': KEY }],
  [
    'gemini:gemini-2.5-pro',
    '/v1beta',
    '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
    { 'x-goog-api-key': KEY },
  ],
  ['azure:my-deployment', '/openai/v1', '/openai/v1/responses', { 'api-key': KEY }],
  ['azure:DeepSeek-V3.2', '/openai/v1', '/openai/v1/chat/completions', { 'api-key': KEY }],
])('a turn with %s', (modello, prefix, path, headers) => {
  const provider = modello.split(':')[0] as string;

  test('streams reasoning, reads a file, answers and continues with the result', async () => {
    if (provider !== 'ollama') await connect(provider, prefix, [KEY]);
    server.model.script((request) => {
      const usage = { promptTokens: 40, completionTokens: 4, cachedTokens: 8 };
      if (request.lastRole === 'tool') return { text: ['It is ', 'there.'], usage };
      if (request.lastText.includes('again')) return { text: 'Yes.', usage };
      return {
        reasoning: 'Let me look.',
        toolCalls: [{ name: 'leggi', arguments: { percorso: SAMPLE_BUG.path }, pieces: 3 }],
        usage,
      };
    });
    const from = server.model.requests.length;
    const { id, row, events } = await turn(modello);
    const types = events.map(({ type }) => type);
    const textOf = (type: string): string =>
      events.flatMap((event) => (event.type === type ? [event.delta] : [])).join('');
    expect(row).toMatchObject({ motivoChiusura: 'fine-lavoro', modello });
    expect(row.usage).toMatchObject({ prompt_tokens: 80, completion_tokens: 8, cached_tokens: 16, giri: 2 });
    expect(textOf('ReasoningMessageContent')).toBe('Let me look.');
    expect(textOf('TextMessageContent')).toBe('It is there.');
    expect(JSON.parse(textOf('ToolCallArgs'))).toEqual({ percorso: SAMPLE_BUG.path });
    expect(events.find(({ type }) => type === 'ToolCallResult').content).toContain(SAMPLE_BUG.before);
    expect([types[0], types.at(-1)]).toEqual(['RunStarted', 'RunFinished']);

    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'And again?' } });
    expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro' });
    const asked = server.model.requests.slice(from);
    expect(asked.map((request) => [request.method, request.path.split('?')[0], request.model])).toEqual(
      Array.from({ length: 3 }, () => ['POST', path, modello.slice(provider.length + 1)]),
    );
    for (const request of asked) expect(sentKeys(request)).toEqual(headers);
    const last = JSON.stringify(asked.at(-1)?.body);
    for (const part of [
      'Fix the failing test.',
      modello.includes('gpt') ? 'read_file' : 'read',
      'const end = start',
      'It is there.',
      'And again?',
    ]) {
      expect(last).toContain(part);
    }
  });
});

function sentKeys({ headers }: ModelServerRequest): Record<string, unknown> {
  const names = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

describe('the key pool during turns', () => {
  test('uses the next key in the same turn after a rate limit, which pauses the first for an hour', async () => {
    await connect('deepseek', '/v1', ['sk-first-0000', 'sk-second-0000']);
    server.model.script(({ headers }) =>
      headers.authorization === 'Bearer sk-first-0000' ? { fault: { kind: 'status', status: 429 } } : { text: 'Here.' },
    );
    const startedAt = Date.now();
    const { events, row } = await turn('deepseek:deepseek-chat');
    expect(row.motivoChiusura).toBe('fine-lavoro');
    const notices = events.filter(({ name }) => name === 'svc.provider-retry');
    expect(notices.map(({ value }) => [value.fase, value.tentativo, value.httpStatus])).toEqual([
      ['attesa', 2, 429],
      ['invio', 2, 429],
      ['fine', 2, 429],
    ]);
    const [first, second] = (await rowOf('deepseek')).pool;
    expect(first).toMatchObject({ priorita: 0, stato: 'in-panchina', causa: 'traffico' });
    const restMs = Date.parse(first.inPanchinaFino) - startedAt;
    expect(restMs).toBeGreaterThanOrEqual(3_600_000);
    expect(restMs).toBeLessThan(3_660_000);
    expect(second).toMatchObject({ priorita: 1, stato: 'disponibile', inPanchinaFino: null, causa: null });
    const before = server.model.requests.length;
    await turn('deepseek:deepseek-chat');
    const used = server.model.requests.slice(before).map(({ headers }) => headers.authorization);
    expect(used).toEqual(['Bearer sk-second-0000']);
  });

  test('ends the turn with the reason when the key is rejected and pauses the key', async () => {
    await connect('kimi', '/v1', ['sk-refused-00']);
    server.model.script(() => ({ fault: { kind: 'status', status: 401, message: 'No access for sk-refused-00' } }));
    const { events, row } = await turn('kimi:kimi-k2');
    expect(events.at(-1)).toMatchObject({
      type: 'RunError',
      code: 'MODEL_CALL_FAILED',
      classe: 'credenziale',
      messaggioFornitore: 'No access for [redacted]',
    });
    expect(row).toMatchObject({ conclusa: true, interrotta: false });
    expect((await rowOf('kimi')).pool[0]).toMatchObject({ stato: 'in-panchina', causa: 'credenziale' });
  });

  test('ends the turn as MODEL_NOT_FOUND when the provider does not offer the model', async () => {
    await connect('kimi', '/v1', ['sk-good-0000']);
    server.model.script(() => ({ fault: { kind: 'status', status: 404, message: 'Unknown model kimi-k9.' } }));
    const { events } = await turn('kimi:kimi-k9');
    expect(events.at(-1)).toMatchObject({
      type: 'RunError',
      code: 'MODEL_NOT_FOUND',
      classe: 'richiesta-rifiutata',
      messaggioFornitore: 'Unknown model kimi-k9.',
    });
    expect((await rowOf('kimi')).pool[0]).toMatchObject({ stato: 'disponibile', causa: null });
  });

  test('never sends a key to another origin than the one it was entered for', async () => {
    await using thief = await createModelServer();
    await connect('zai', '/v1', ['sk-bound-0000']);
    await post('zai/runtime', { endpoint: `${thief.url}/v1` });
    expect(await rowOf('zai')).toMatchObject({
      keyConfigured: false,
      origineChiave: null,
      pool: [{ stato: 'in-panchina', causa: 'indirizzo-cambiato', inPanchinaFino: null }],
    });
    const { events } = await turn('zai:glm-4.6');
    expect(events.at(-1)).toMatchObject({ type: 'RunError', code: 'PROVIDER_KEY_REQUIRED', classe: 'da-configurare' });
    expect((await post('zai/test')).data.esito).toBe('da-configurare');
    expect(thief.requests).toEqual([]);
  });
});

describe('an unusable provider', () => {
  test.each([
    ['groq:openai/gpt-oss-20b', 'PROVIDER_KEY_REQUIRED'],
    ['vertex:google/gemini-2.5-pro', 'PROVIDER_RUNTIME_INVALID'],
    ['anthropic:claude-haiku-4-5', 'PROVIDER_KEY_REQUIRED'],
    ['local:some-model', 'RUNTIME_NOT_AVAILABLE'],
  ])('%s ends the turn with %s before any request and without a receipt', async (modello, code) => {
    const before = server.model.requests.length;
    const { events, row } = await turn(modello);
    const names = events.map(({ name, type }) => name ?? type);
    expect(names).toEqual(['RunStarted', 'svc.contesto-richiesta', 'RunError']);
    expect(events.at(-1)).toMatchObject({ code, classe: 'da-configurare' });
    expect(row.usage).toBeNull();
    expect(server.model.requests).toHaveLength(before);
  });
});
