import { describe, expect, test } from '@jest/globals';
import { createModelServer, type ModelServer } from './index.ts';

const paths = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/m:streamGenerateContent?alt=sse',
} as const;

async function ask(
  server: ModelServer,
  path: string,
  body: Record<string, unknown> = { stream: true },
): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) });
}

describe('the scripted model server', () => {
  test.each(Object.entries(paths))(
    'streams reasoning, text and a chunked tool call on the %s wire',
    async (wire, path) => {
      await using server = await createModelServer({
        script: [
          {
            reasoning: 'hm',
            text: ['one', 'two'],
            toolCalls: [{ id: 'c1', name: 'leggi', arguments: { percorso: 'a' }, pieces: 3 }],
          },
        ],
      });
      const response = await ask(server, path);
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      const text = await response.text();
      for (const word of ['hm', 'one', 'two', 'leggi']) expect(text).toContain(word);
      expect(server.requests[0]?.wire).toBe(wire);
      for (const line of text.split('\n')) {
        if (line.startsWith('data: {')) expect(() => JSON.parse(line.slice(6)) as unknown).not.toThrow();
      }
    },
  );

  test('sends every one of 20,000 deltas', async () => {
    await using server = await createModelServer({ script: () => ({ text: { count: 20_000 } }) });
    const text = await (await ask(server, paths['openai-chat'])).text();
    expect(text.split('"word "').length).toBe(20_001);
  });

  test('answers in order and reports an exhausted script', async () => {
    await using server = await createModelServer({ script: [{ text: 'first' }] });
    const first = (await (await ask(server, paths['openai-chat'], {})).json()) as {
      choices: { message: { content: string } }[];
    };
    expect(first.choices[0]?.message.content).toBe('first');
    expect((await ask(server, paths['openai-chat'])).status).toBe(400);
  });

  test('rejects unknown keys when keys are configured', async () => {
    await using server = await createModelServer({ keys: ['right'] });
    const status = async (key: string): Promise<number> =>
      (await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await status('right')).toBe(200);
    expect(await status('wrong')).toBe(401);
  });

  test('detects that the client left a hanging stream', async () => {
    await using server = await createModelServer({
      script: [{ text: ['a', 'b'], fault: { kind: 'hang-mid-stream' } }],
    });
    const controller = new AbortController();
    const init = { method: 'POST', body: '{"stream":true}', signal: controller.signal };
    const response = await fetch(server.url + paths['openai-chat'], init);
    await response.body?.getReader().read();
    controller.abort();
    expect(await server.requests[0]?.ended).toBe('client-left');
  });

  test.each([[{ kind: 'refuse' }], [{ kind: 'cut' }], [{ kind: 'huge-headers' }]] as const)(
    'fails a reader on %j',
    async (fault) => {
      await using server = await createModelServer({ script: [{ text: ['a', 'b'], fault }] });
      await expect(ask(server, paths['openai-chat']).then((response) => response.text())).rejects.toThrow();
    },
  );

  test('delays timestamped deltas', async () => {
    await using server = await createModelServer({
      script: [{ text: { count: 21, stamped: true }, deltasPerSecond: 200 }],
    });
    const startedAt = performance.now();
    const text = await (await ask(server, paths['openai-chat'])).text();
    expect(performance.now() - startedAt).toBeGreaterThan(95);
    expect(text.match(/@\d+ word/g)).toHaveLength(21);
  });
});
