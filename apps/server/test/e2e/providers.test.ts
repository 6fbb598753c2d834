import { join } from 'node:path';
import { sqliteDriver } from '@fucina/shared/testing';
import { createModelServer } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type Reply, serverWithDamagedProviders, type TestServer, testServer } from '../harness.ts';

/** Id, whether a key is required, default address, whether it can be changed: in the interface's order. */
const ROWS: [string, boolean, string | null, boolean][] = [
  ['esterno', false, null, false],
  ['openai', true, 'https://api.openai.com/v1', true],
  ['deepseek', true, 'https://api.deepseek.com', true],
  ['kimi', true, 'https://api.moonshot.ai/v1', true],
  ['minimax', true, 'https://api.minimax.io/v1', true],
  ['qwen', true, 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', true],
  ['zai', true, 'https://api.z.ai/api/paas/v4', true],
  ['anthropic', true, 'https://api.anthropic.com/v1', false],
  ['gemini', true, 'https://generativelanguage.googleapis.com/v1beta', false],
  ['aggregator', true, 'https://openrouter.ai/api/v1', true],
  ['ollama', false, 'http://127.0.0.1:11434', true],
  ['lmstudio', false, 'http://127.0.0.1:1234', true],
  ['groq', true, 'https://api.groq.com/openai/v1', true],
  ['cerebras', true, 'https://api.cerebras.ai/v1', true],
  ['mistral', true, 'https://api.mistral.ai/v1', true],
  ['together', true, 'https://api.together.ai/v1', true],
  ['fireworks', true, 'https://api.fireworks.ai/inference/v1', true],
  ['deepinfra', true, 'https://api.deepinfra.com/v1/openai', true],
  ['novita', true, 'https://api.novita.ai/openai/v1', true],
  ['nebius', true, 'https://api.tokenfactory.nebius.com/v1', true],
  ['xai', true, 'https://api.x.ai/v1', true],
  ['ollama-cloud', true, 'https://ollama.com/v1', true],
  ['hub', true, 'https://router.huggingface.co/v1', true],
  ['zai-anthropic', true, 'https://api.z.ai/api/anthropic/v1', true],
  ['minimax-anthropic', true, 'https://api.minimax.io/anthropic/v1', true],
  ['azure', true, null, true],
  ['bedrock', true, null, true],
  ['vertex', true, null, true],
  ['local', false, null, false],
];
const CLOSED = 'http://127.0.0.1:9';
const UNKNOWN = { visione: 'unknown', toolUse: 'unknown', reasoning: 'unknown' };
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

let server: TestServer;
let broken: TestServer;
beforeAll(async () => {
  server = await testServer();
  broken = await serverWithDamagedProviders();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
});

const read = (path: string): Promise<Reply> => server.call('GET', path);
const post = (path: string, body?: unknown): Promise<Reply> => server.call('POST', `/providers/${path}`, { body });

async function expectBroken(method: string, path: string, body?: unknown): Promise<void> {
  const reply = await broken.call(method, path, { body });
  expect(reply).toMatchObject({ status: 503, code: 'PROVIDER_STORE_UNAVAILABLE' });
  expect(reply.text).not.toContain(broken.dataDir);
}

describe('the provider list', () => {
  covers('providers.list', 'returns the 29 rows in order', async () => {
    const { data } = await read('/providers');
    expect(data.items.map((row: any) => [row.id, row.requiresKey, row.defaultEndpoint, row.supportsEndpoint])).toEqual(
      ROWS,
    );
  });

  covers('providers.list', 'returns every field of every row', async () => {
    const { items } = (await read('/providers')).data;
    for (const row of items) {
      expect(row).toEqual({
        id: expect.any(String),
        label: expect.stringMatching(/\S/),
        requiresKey: expect.any(Boolean),
        keyConfigured: false,
        pool: [],
        modelliDiRiserva: expect.any(Array),
        defaultEndpoint: row.id === 'azure' ? null : row.defaultEndpoint,
        supportsEndpoint: expect.any(Boolean),
        supportsTimeout: !['esterno', 'local'].includes(row.id),
        endpoint: row.id === 'ollama' ? server.model.url : row.defaultEndpoint,
        endpointConfigured: row.id === 'ollama',
        timeoutSeconds: { ollama: 30, esterno: 180 }[row.id as string] ?? 60,
        execution:
          { esterno: 'agent', ollama: 'local', lmstudio: 'local', local: 'local' }[row.id as string] ?? 'cloud',
        supportsOAuth: row.id === 'aggregator',
        origineChiave: null,
        ...(row.id === 'aggregator' && { esclusi: [], esclusiDiSerie: expect.any(Array) }),
      });
    }
    expect((await read('/providers?x=1')).code).toBe('QUERY_INVALID');
  });

  refuses('providers.list', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('GET', '/providers'),
  );
});

describe('the models of one provider', () => {
  covers('providers.models', 'lists the provider’s models and marks undeclared values as unknown', async () => {
    await post('lmstudio/runtime', { endpoint: server.model.url, timeoutSeconds: 30 });
    const { data } = await read('/providers/lmstudio/models');
    expect(data.provider).toBe('lmstudio');
    expect(data.modelli[0]).toEqual({
      id: 'scripted-1',
      nome: 'scripted-1',
      provider: 'lmstudio',
      contextLength: 8192,
      contestoVerificato: true,
      capacita: { visione: 'osservato-no', toolUse: 'osservato-si', reasoning: 'unknown' },
      quantizzazione: 'Q4_K_M',
      uscitaMassima: null,
      prezzo: null,
      osservatoAlle: ISO,
    });
    await post('deepseek/runtime', { endpoint: `${server.model.url}/v1` });
    await post('deepseek/key', { key: 'sk-deepseek-models' });
    expect((await read('/providers/deepseek/models')).data.modelli).toEqual(
      ['scripted-1', 'scripted-2'].map((id) => ({
        id,
        nome: id,
        provider: 'deepseek',
        contextLength: null,
        contestoVerificato: false,
        capacita: UNKNOWN,
        quantizzazione: null,
        uscitaMassima: null,
        prezzo: null,
        osservatoAlle: ISO,
      })),
    );
  });

  covers('providers.models', 'falls back to the documented models or the user’s selection without a list', async () => {
    await post('zai-anthropic/key', { key: 'sk-zai' });
    const reserve = (await read('/providers')).data.items.find(({ id }: any) => id === 'zai-anthropic');
    const rows = (await read('/providers/zai-anthropic/models')).data.modelli;
    expect(rows.map(({ id }: any) => id)).toEqual(reserve.modelliDiRiserva);
    expect(rows[0]).toMatchObject({ osservatoAlle: null, capacita: UNKNOWN });
    await post('zai-anthropic/runtime', { modelli: ['glm-mine'] });
    expect((await read('/providers/zai-anthropic/models')).data.modelli.map(({ id }: any) => id)).toEqual(['glm-mine']);
  });

  refuses(
    'providers.models',
    'REPORT_UNAVAILABLE',
    'for an unknown provider, one without a list, or damaged settings',
    async () => {
      for (const id of ['ollama', 'aggregator', 'local', 'nobody', '__proto__']) {
        expect(await read(`/providers/${id}/models`)).toMatchObject({ status: 404, code: 'REPORT_UNAVAILABLE' });
      }
      expect((await broken.call('GET', '/providers/openai/models')).code).toBe('REPORT_UNAVAILABLE');
    },
  );

  refuses('providers.models', 'RUNTIME_UNREACHABLE', 'when a local engine does not answer', async () => {
    await post('lmstudio/runtime', { endpoint: CLOSED, timeoutSeconds: 5 });
    expect((await read('/providers/lmstudio/models')).code).toBe('RUNTIME_UNREACHABLE');
    await post('lmstudio/runtime/reset');
  });

  refuses('providers.models', 'CATALOG_CONFIGURATION_REQUIRED', 'without a key or an address', async () => {
    for (const id of ['openai', 'azure', 'esterno']) {
      expect((await read(`/providers/${id}/models`)).code).toBe('CATALOG_CONFIGURATION_REQUIRED');
    }
  });

  refuses(
    'providers.models',
    'CATALOG_UNREACHABLE',
    'when a provider does not answer or does not return a list',
    async () => {
      await post('groq/runtime', { endpoint: CLOSED });
      await post('groq/key', { key: 'sk-groq' });
      expect((await read('/providers/groq/models')).code).toBe('CATALOG_UNREACHABLE');
      await using odd = await createModelServer({ modelsReply: { fault: { kind: 'html' } } });
      await post('groq/runtime', { endpoint: odd.url });
      await post('groq/key', { key: 'sk-groq' });
      expect((await read('/providers/groq/models')).code).toBe('CATALOG_UNREACHABLE');
      await post('groq/key/remove');
    },
  );
});

describe('the whole catalog', () => {
  covers('models.list', 'lists every configured provider with its reasoning levels', async () => {
    await using own = await testServer();
    const { data } = await own.call('GET', '/models');
    expect(Object.keys(data)).toEqual(['modelli', 'livelliDiretti', 'filoDiretti', 'filoCatalogo', 'catalogoPubblico']);
    expect(data.catalogoPubblico).toEqual({ attivo: false, osservatoAlle: null });
    expect(data.modelli.map(({ id, provider }: any) => [provider, id])).toEqual([
      ['ollama', 'scripted-1'],
      ['ollama', 'scripted-2'],
    ]);
    expect(data.livelliDiretti.openai['gpt-5-*']).toEqual(['minimal', 'low', 'medium', 'high']);
    expect(data.filoDiretti.openai['gpt-5-*']).toMatchObject({ low: 'low', max: 'high' });
    expect(Object.keys(data.filoCatalogo)).toEqual(['aggregator']);
    expect(data.livelliDiretti.aggregator).toBeUndefined();
  });

  covers('models.list', 'answers from its cache until a refresh is requested', async () => {
    await using own = await testServer();
    const lists = (): number => own.model.lists.length;
    await own.call('GET', '/models');
    await own.call('GET', '/models');
    expect(lists()).toBe(1);
    await own.call('GET', '/models', { query: { forza: '1' } });
    expect(lists()).toBe(2);
    for (const query of [{ forza: '0' }, { forza: '' }, { force: '1' }] as Record<string, string>[]) {
      expect((await own.call('GET', '/models', { query })).code).toBe('QUERY_INVALID');
    }
    expect(lists()).toBe(2);
  });

  refuses('models.list', 'REPORT_UNAVAILABLE', 'when the settings are damaged', async () => {
    expect(await broken.call('GET', '/models')).toMatchObject({ status: 404, code: 'REPORT_UNAVAILABLE' });
  });

  refuses('models.list', 'CATALOG_UNREACHABLE', 'when no provider answers', async () => {
    await using own = await testServer();
    await own.call('POST', '/providers/ollama/runtime', { body: { endpoint: CLOSED, timeoutSeconds: 5 } });
    expect((await own.call('GET', '/models')).code).toBe('CATALOG_UNREACHABLE');
  });

  refuses('models.list', 'CATALOG_UPSTREAM_ERROR', 'when every answer is invalid', async () => {
    await using own = await testServer();
    await using odd = await createModelServer({ modelsReply: { fault: { kind: 'status', status: 500 } } });
    await own.call('POST', '/providers/ollama/runtime', { body: { endpoint: odd.url, timeoutSeconds: 5 } });
    expect((await own.call('GET', '/models')).code).toBe('CATALOG_UPSTREAM_ERROR');
  });
});

describe('testing a provider', () => {
  const outcome = async (id: string): Promise<string> => (await post(`${id}/test`)).data.esito;

  covers('providers.test', 'reports the number of models and the time, in the requested language', async () => {
    expect((await post('ollama/test')).data).toEqual({
      esito: 'raggiunto',
      modelli: 2,
      latenzaMs: expect.any(Number),
      dettaglio: 'Il provider risponde.',
    });
    const english = await server.call('POST', '/providers/ollama/test', { headers: { 'accept-language': 'en' } });
    expect(english.data.dettaglio).toBe('The provider responds.');
  });

  covers('providers.test', 'reports missing settings, no answer, a rejected key and a failure', async () => {
    expect((await post('openai/test')).data).toMatchObject({ esito: 'da-configurare', modelli: null, latenzaMs: null });
    expect(await outcome('azure')).toBe('da-configurare');
    await post('xai/runtime', { endpoint: CLOSED, timeoutSeconds: 5 });
    await post('xai/key', { key: 'sk-xai' });
    expect(await outcome('xai')).toBe('irraggiungibile');
    await using strict = await createModelServer({
      modelsReply: { fault: { kind: 'status', status: 401, message: 'No: a-xai-key' } },
    });
    await post('xai/runtime', { endpoint: strict.url });
    await post('xai/key', { key: 'a-xai-key' });
    const refused = { esito: 'credenziale-rifiutata', messaggioFornitore: 'No: [redacted]' };
    expect((await post('xai/test')).data).toMatchObject(refused);
    await using odd = await createModelServer({ modelsReply: { fault: { kind: 'html' } } });
    await post('xai/runtime', { endpoint: odd.url });
    await post('xai/key', { key: 'sk-xai' });
    expect(await outcome('xai')).toBe('fallito');
    expect([strict.requests.length, strict.lists.length]).toEqual([0, 1]);
  });

  refuses('providers.test', 'PROVIDER_INVALID', 'for an unknown provider', async () => {
    for (const id of ['nobody', 'OpenAI', 'constructor']) {
      expect(await post(`${id}/test`)).toMatchObject({ status: 422, code: 'PROVIDER_INVALID' });
    }
    expect((await post('ollama/test', { x: 1 })).code).toBe('QUERY_INVALID');
  });
  refuses('providers.test', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('POST', '/providers/ollama/test'),
  );
});

describe('address and limits', () => {
  const plain = (provider: string, endpoint: string | null) => ({
    provider,
    endpoint,
    endpointConfigured: false,
    timeoutSeconds: 60,
  });

  covers('providers.runtime', 'returns the settings with the fields of that provider', async () => {
    expect((await read('/providers/mistral/runtime')).data).toEqual({
      ...plain('mistral', 'https://api.mistral.ai/v1'),
      modelli: null,
    });
    expect((await read('/providers/aggregator/runtime')).data).toEqual({
      ...plain('aggregator', 'https://openrouter.ai/api/v1'),
      esclusi: [],
      modelli: null,
    });
    expect((await read('/providers/esterno/runtime')).data).toEqual({
      ...plain('esterno', null),
      timeoutSeconds: 180,
      agente: null,
    });
    expect((await read('/providers/local/runtime')).data).toEqual(plain('local', null));
  });

  covers('providers.change-runtime', 'changes, normalizes and stores only the sent fields', async () => {
    const changed = await post('mistral/runtime', { endpoint: ' http://localhost:8080/v1/// ', modelli: ['a/b:c'] });
    expect(changed.data).toEqual({
      provider: 'mistral',
      endpoint: 'http://localhost:8080/v1',
      endpointConfigured: true,
      timeoutSeconds: 60,
      modelli: ['a/b:c'],
    });
    await post('mistral/runtime', { timeoutSeconds: 300 });
    await post('mistral/runtime', { modelli: null });
    const { data } = await read('/providers/mistral/runtime');
    expect(data).toEqual({ ...changed.data, timeoutSeconds: 300, modelli: null });
    const agente = { command: 'agent', args: ['--acp'], settings: { colour: 'red' } };
    expect((await post('esterno/runtime', { agente })).data.agente).toEqual(agente);
  });

  refuses('providers.change-runtime', 'PROVIDER_RUNTIME_INVALID', 'for fields the provider does not have', async () => {
    const bad: [string, unknown][] = [
      ...['ftp://x', 'x', '', 'http://u:p@x', 'http://x/#y', 'file:///etc', `http://${'x'.repeat(2_100)}`].map(
        (endpoint): [string, unknown] => ['kimi', { endpoint }],
      ),
      ...[4, 301, 5.5, -1].map((timeoutSeconds): [string, unknown] => ['kimi', { timeoutSeconds }]),
      ...[['a', 'a'], [''], ['a b'], ['../x'], ['x'.repeat(201)]].map((modelli): [string, unknown] => [
        'kimi',
        { modelli },
      ]),
      ['kimi', { agente: { command: 'x' } }],
      ['anthropic', { endpoint: 'http://localhost:1' }],
      ['gemini', { endpoint: 'http://localhost:1' }],
      ['lmstudio', { endpoint: 'http://localhost:1' }],
      ['lmstudio', { timeoutSeconds: 10 }],
      ['lmstudio', { endpoint: 'http://localhost:1', timeoutSeconds: 10, modelli: ['x'] }],
      ['local', { endpoint: 'http://localhost:1', timeoutSeconds: 10 }],
      ['esterno', { endpoint: 'http://localhost:1' }],
      ['esterno', { agente: { command: ' ' } }],
      ['esterno', { agente: { command: 'a\0b' } }],
      ['esterno', { agente: { command: 'x' }, timeoutSeconds: 10 }],
    ];
    const before = (await read('/providers')).text.replace(/"generatedAt":"[^"]+"/, '');
    for (const [id, body] of bad) {
      const { status, code } = await post(`${id}/runtime`, body);
      expect([id, body, status, code]).toEqual([id, body, 422, 'PROVIDER_RUNTIME_INVALID']);
    }
    for (const body of [{}, { endpoint: 7 }, { timeoutSeconds: '60' }, { modelli: 'x' }, { x: 1 }, '[]']) {
      expect((await post('kimi/runtime', body)).code).toBe('QUERY_INVALID');
    }
    expect((await read('/providers')).text.replace(/"generatedAt":"[^"]+"/, '')).toBe(before);
  });

  refuses('providers.change-runtime', 'PROVIDER_RUNTIME_UNAVAILABLE', 'when the store cannot be written', async () => {
    await using full = await testServer();
    const db = new (sqliteDriver())(join(full.dataDir, 'providers.db'));
    db.exec("CREATE TRIGGER full BEFORE INSERT ON runtime BEGIN SELECT RAISE(ABORT, 'full'); END");
    db.close();
    const reply = await full.call('POST', '/providers/kimi/runtime', { body: { timeoutSeconds: 90 } });
    expect(reply).toMatchObject({ status: 503, code: 'PROVIDER_RUNTIME_UNAVAILABLE' });
    expect((await full.call('GET', '/providers/kimi/runtime')).data.timeoutSeconds).toBe(60);
  });

  covers('providers.reset-runtime', 'restores the default address and keeps the limits', async () => {
    await post('together/runtime', { endpoint: 'http://localhost:1', timeoutSeconds: 99 });
    expect((await post('together/runtime/reset', {})).data).toEqual({
      ...plain('together', 'https://api.together.ai/v1'),
      timeoutSeconds: 99,
      modelli: null,
    });
    expect((await post('esterno/runtime/reset')).data.agente).toBeNull();
    expect((await post('together/runtime/reset', { endpoint: 'x' })).code).toBe('QUERY_INVALID');
  });

  for (const id of ['nobody', '__proto__']) {
    refuses('providers.runtime', 'PROVIDER_INVALID', id, async () => {
      expect(await read(`/providers/${id}/runtime`)).toMatchObject({ status: 422, code: 'PROVIDER_INVALID' });
    });
    refuses('providers.change-runtime', 'PROVIDER_INVALID', id, async () => {
      expect((await post(`${id}/runtime`, { timeoutSeconds: 60 })).code).toBe('PROVIDER_INVALID');
    });
    refuses('providers.reset-runtime', 'PROVIDER_INVALID', id, async () => {
      expect((await post(`${id}/runtime/reset`)).code).toBe('PROVIDER_INVALID');
    });
  }
  refuses('providers.runtime', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('GET', '/providers/openai/runtime'),
  );
  refuses('providers.change-runtime', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('POST', '/providers/openai/runtime', { timeoutSeconds: 60 }),
  );
  refuses('providers.reset-runtime', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('POST', '/providers/openai/runtime/reset'),
  );
});
