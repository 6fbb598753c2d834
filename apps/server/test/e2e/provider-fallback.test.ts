import type { Reply as ModelReply, ModelServerRequest } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

const PRIMARY = 'deepseek:deepseek-chat';
const RESERVES = [
  { provider: 'kimi', model: 'kimi-k2.5' },
  { provider: 'groq', model: 'openai/gpt-oss-120b' },
];
let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  for (const provider of ['deepseek', 'kimi', 'groq']) {
    await server.call('POST', `/providers/${provider}/runtime`, { body: { endpoint: `${server.model.url}/v1` } });
    await server.call('POST', `/providers/${provider}/key`, { body: { key: `key-of-${provider}-0` } });
  }
});
afterAll(async () => server[Symbol.asyncDispose]());

const later: ModelReply = { fault: { kind: 'status', status: 429, retryAfter: 3_600 } };

/** Replies by the requested model; the events that were stored when each request came. */
function script(replies: Record<string, ModelReply>): { asked: string[]; start(): Promise<string> } {
  const asked: string[] = [];
  server.model.script(({ model }: ModelServerRequest) => {
    asked.push(model);
    return replies[model] ?? { text: 'Here.' };
  });
  return { asked, start: () => server.startSession({ modello: PRIMARY, fallbackProviders: RESERVES }) };
}

const notices = (events: any[]): any[] => events.filter(({ name }) => name === 'svc.provider-fallback');

describe('fallback models', () => {
  test('take over from a model that asks for a long wait and stay for later turns', async () => {
    const { asked, start } = script({ 'deepseek-chat': later, 'kimi-k2.5': { text: 'Kimi here.' } });
    const id = await start();
    expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro' });
    const events = (await server.events(id)) as any[];
    expect(notices(events).map(({ value }) => value)).toMatchObject([
      {
        da: { provider: 'deepseek', modello: 'deepseek-chat' },
        a: { provider: 'kimi', modello: 'kimi-k2.5' },
        causa: 'rate-limit',
        httpStatus: 429,
      },
    ]);
    const order = events.map(({ type, name }) => name ?? type);
    expect(order.indexOf('svc.provider-fallback')).toBeLessThan(order.indexOf('TextMessageStart'));
    expect(asked).toEqual(['deepseek-chat', 'kimi-k2.5']);

    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'And again?' } });
    await server.settled(id);
    expect(asked).toEqual(['deepseek-chat', 'kimi-k2.5', 'kimi-k2.5']);
    expect(notices((await server.events(id)) as any[])).toHaveLength(1);
  });

  test('take over after four failed calls, one after the other', async () => {
    const busy: ModelReply = { fault: { kind: 'status', status: 503, retryAfter: 0 } };
    const { asked, start } = script({
      'deepseek-chat': busy,
      'kimi-k2.5': busy,
      'openai/gpt-oss-120b': { text: 'Groq.' },
    });
    const id = await start();
    expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro' });
    expect(asked).toEqual([...Array(4).fill('deepseek-chat'), 'kimi-k2.5', 'openai/gpt-oss-120b']);
    expect(notices((await server.events(id)) as any[])).toHaveLength(2);
  });

  test('take over an answer that breaks off four times, and continue it', async () => {
    const { asked, start } = script({
      'deepseek-chat': { text: ['a', 'b'], fault: { kind: 'cut' } },
      'kimi-k2.5': { text: 'And the rest.' },
    });
    const id = await start();
    expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro' });
    expect(asked).toEqual([...Array(4).fill('deepseek-chat'), 'kimi-k2.5']);
    const events = (await server.events(id)) as any[];
    expect(notices(events).map(({ value }) => value.causa)).toEqual(['stream-interrupted']);
    expect(JSON.stringify(server.model.requests.at(-1)?.body['messages'])).toContain('broke off');
  });

  test.each([
    ['a refused key', { fault: { kind: 'status', status: 401 } }],
    ['an empty account', { fault: { kind: 'credit' } }],
    ['a conversation too long', { fault: { kind: 'context-too-long' } }],
  ] as [string, ModelReply][])('are not used after %s', async (_name, reply) => {
    const { asked, start } = script({ 'deepseek-chat': reply });
    const id = await start();
    await server.settled(id);
    expect(asked).toEqual(['deepseek-chat']);
    expect(notices((await server.events(id)) as any[])).toEqual([]);
  });
});
