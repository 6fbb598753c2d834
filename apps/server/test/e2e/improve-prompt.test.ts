import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let sessionId: string;
beforeAll(async () => {
  server = await testServer();
  sessionId = await server.startSession();
  await server.settled(sessionId);
});
afterAll(async () => server[Symbol.asyncDispose]());

const improve = (body: unknown, id = sessionId): Promise<Reply> =>
  server.call('POST', `/sessions/${id}/migliora-prompt`, { body });
const choose = (modello: string): Promise<Reply> =>
  server.call('POST', `/sessions/${sessionId}/settings`, { body: { modello } });

describe('improving a prompt', () => {
  covers(
    'sessions.improve-prompt',
    'asks the session’s model at three depths and sends nothing to the session',
    async () => {
      server.model.script(() => ({
        text: JSON.stringify({ prompt: 'Fix the failing test of pages.', summary: 'Names it.', principles: ['goal'] }),
      }));
      const before = (await server.events(sessionId)).length;
      const depths = [
        [undefined, 'equilibrata'],
        ['concisa', 'concisa'],
        ['concise', 'concisa'],
        ['equilibrata', 'equilibrata'],
        ['balanced', 'equilibrata'],
        ['estesa', 'estesa'],
        ['extended', 'estesa'],
      ] as const;
      for (const [profondita, answered] of depths) {
        const { data } = await improve({ prompt: '  fix it ', ...(profondita && { profondita }) });
        expect(data).toEqual({
          promptMigliorato: 'Fix the failing test of pages.',
          sintesi: 'Names it.',
          principi: ['goal'],
          promptOriginale: 'fix it',
          profondita: answered,
          modello: 'tiny',
          fornitore: 'ollama',
        });
      }
      expect((await server.events(sessionId)).length).toBe(before);
    },
  );

  test('refuses an empty prompt, an unknown depth and a large body', async () => {
    const bad = [
      {},
      { prompt: ' ' },
      { prompt: 'x'.repeat(12_001) },
      { prompt: 'x', profondita: 'deep' },
      { prompt: 7 },
    ];
    for (const body of bad) expect((await improve(body)).code).toBe('QUERY_INVALID');
    expect((await improve({ prompt: 'x'.repeat(70_000) })).code).toBe('PAYLOAD_LIMIT');
    expect((await improve({ prompt: 'x'.repeat(12_000) })).status).toBe(200);
    expect((await improve({ prompt: 'x' }, 'nobody')).code).toBe('NOT_FOUND');
  });

  refuses(
    'sessions.improve-prompt',
    'PROVIDER_RUNTIME_UNAVAILABLE',
    'without a key, or when the provider fails',
    async () => {
      await choose('groq:openai/gpt-oss-20b');
      expect(await improve({ prompt: 'x' })).toMatchObject({ status: 503, code: 'PROVIDER_RUNTIME_UNAVAILABLE' });
      await choose('ollama:tiny');
      server.model.script(() => ({ fault: { kind: 'status', status: 500 } }));
      const { code, error } = await improve({ prompt: 'x' });
      expect(code).toBe('PROVIDER_RUNTIME_UNAVAILABLE');
      expect(error).toMatchObject({ params: { providerMessage: 'Scripted failure 500.' } });
    },
  );
  refuses(
    'sessions.improve-prompt',
    'RUNTIME_NOT_AVAILABLE',
    'for a local model whose engine is not running',
    async () => {
      await choose('local:my.gguf');
      expect(await improve({ prompt: 'x' })).toMatchObject({ status: 503, code: 'RUNTIME_NOT_AVAILABLE' });
      await choose('ollama:tiny');
    },
  );
});
