import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { createHarness } from '../../test/harness.ts';
import { readModelRows } from './model-rows.ts';

const DEAD = 'http://127.0.0.1:1';

describe('the model list of a provider', () => {
  test('contains declared values and unknown otherwise', async () => {
    await using harness = await createHarness({ models: ['one', 'two'] });
    await harness.connect('deepseek');
    const rows = await harness.providers.catalog.list('deepseek');
    expect(rows[0]).toEqual({
      id: 'one',
      name: 'one',
      provider: 'deepseek',
      contextLength: null,
      isContextVerified: false,
      capabilities: { vision: 'unknown', toolUse: 'unknown', reasoning: 'unknown' },
      maxOutputTokens: null,
      price: null,
      quantization: null,
      observedAt: harness.ambient.now(),
    });
    expect(harness.server.lists[0]?.headers.authorization).toMatch(/^Bearer key-of-deepseek/);
  });

  test.each([
    ['anthropic form', 'minimax-anthropic', '/v1/models?limit=1000'],
    ['LM Studio form', 'lmstudio', '/api/v1/models'],
    ['Qwen form from the root', 'qwen', '/api/v1/models'],
  ])('is read in the %s', async (_form, provider, path) => {
    await using harness = await createHarness();
    await harness.connect(provider);
    expect((await harness.providers.catalog.list(provider)).map(({ id }) => id)).toEqual(['scripted-1', 'scripted-2']);
    expect(harness.server.lists[0]?.path).toBe(path);
  });

  test('is refreshed after four hours', async () => {
    await using harness = await createHarness();
    await harness.connect('deepseek');
    const { catalog } = harness.providers;
    await catalog.list('deepseek');
    await catalog.list('deepseek');
    expect(harness.server.lists).toHaveLength(1);
    await harness.ambient.advance(4 * 3_600_000);
    await catalog.list('deepseek');
    expect(harness.server.lists).toHaveLength(2);
  });

  test('is the user’s selection when there is one', async () => {
    await using harness = await createHarness({ models: ['one', 'two'] });
    await harness.connect('deepseek');
    harness.providers.runtime.change('deepseek', { models: ['two', 'mine'] });
    const rows = await harness.providers.catalog.list('deepseek');
    expect(rows.map(({ id, observedAt }) => [id, observedAt !== null])).toEqual([
      ['two', true],
      ['mine', false],
    ]);
  });

  test('of the external agent is the agent itself when configured', async () => {
    await using harness = await createHarness();
    const { catalog, runtime } = harness.providers;
    await expect(catalog.list('esterno')).rejects.toMatchObject({ code: 'CATALOG_CONFIGURATION_REQUIRED' });
    runtime.change('esterno', { agent: { command: '/opt/agents/claude-acp' } });
    expect(await catalog.list('esterno')).toMatchObject([{ id: 'agente', name: 'claude-acp', provider: 'esterno' }]);
    expect((await catalog.listAll()).models).toMatchObject([{ id: 'agente', provider: 'esterno' }]);
  });

  test('falls back to the documented models', async () => {
    await using harness = await createHarness({ modelsReply: { fault: { kind: 'status', status: 404 } } });
    await harness.connect('zai');
    expect((await harness.providers.catalog.list('zai')).map(({ id }) => id)).toContain('glm-4.7');
    await harness.connect('zai-anthropic');
    expect(await harness.providers.catalog.list('zai-anthropic')).toHaveLength(3);
  });

  test.each(['aggregator', 'ollama', 'local', 'nobody'])('of %s is REPORT_UNAVAILABLE', async (provider) => {
    await using harness = await createHarness();
    await expect(harness.providers.catalog.list(provider)).rejects.toMatchObject({ code: 'REPORT_UNAVAILABLE' });
  });

  test.each(['deepseek', 'azure', 'esterno'])('of %s requires its settings first', async (provider) => {
    await using harness = await createHarness();
    await expect(harness.providers.catalog.list(provider)).rejects.toMatchObject({
      code: 'CATALOG_CONFIGURATION_REQUIRED',
    });
  });

  test('is CATALOG_UNREACHABLE without an answer, RUNTIME_UNREACHABLE for a local engine', async () => {
    await using harness = await createHarness({ modelsReply: { fault: { kind: 'status', status: 500 } } });
    const { catalog, runtime } = harness.providers;
    await harness.connect('deepseek');
    await expect(catalog.list('deepseek')).rejects.toMatchObject({ code: 'CATALOG_UNREACHABLE' });
    runtime.change('lmstudio', { endpoint: DEAD, timeoutSeconds: 5 });
    await expect(catalog.list('lmstudio')).rejects.toMatchObject({ code: 'RUNTIME_UNREACHABLE' });
  });
});

describe('the model catalog', () => {
  test('contains every configured provider, the saved engines and the bundled one', async () => {
    await using harness = await createHarness({
      models: ['m'],
      needs: {
        localModels: async () => readModelRows('[{"id":"mine"}]', { form: 'openai', provider: 'local', now: 1 }),
      },
    });
    const { catalog } = harness.providers;
    expect((await catalog.listAll()).models.map(({ provider }) => provider)).toEqual(['local']);
    for (const provider of ['deepseek', 'ollama', 'aggregator', 'zai-anthropic']) await harness.connect(provider);
    const { models } = await catalog.listAll();
    expect([...new Set(models.map(({ provider }) => provider))]).toEqual([
      'deepseek',
      'aggregator',
      'ollama',
      'zai-anthropic',
      'local',
    ]);
  });

  test('is refreshed on request and falls back to the cache when a provider is unreachable', async () => {
    await using harness = await createHarness({ models: ['m'] });
    await harness.connect('deepseek');
    const { catalog } = harness.providers;
    await catalog.listAll();
    await catalog.listAll();
    expect(harness.server.lists).toHaveLength(1);
    await catalog.listAll({ isForced: true });
    expect(harness.server.lists).toHaveLength(2);
    await harness.server.close();
    expect((await catalog.listAll({ isForced: true })).models.map(({ id }) => id)).toEqual(['m']);
  });

  test('uses documented models for a failing provider, and fails when all providers fail', async () => {
    await using harness = await createHarness({ modelsReply: { fault: { kind: 'html' } } });
    const { catalog, runtime } = harness.providers;
    await harness.connect('deepseek');
    await expect(catalog.listAll()).rejects.toMatchObject({ code: 'CATALOG_UPSTREAM_ERROR' });
    await harness.connect('zai-anthropic');
    expect((await catalog.listAll()).models.map(({ id }) => id)).toContain('deepseek-chat');
    await using other = await createHarness();
    other.providers.runtime.change('ollama', { endpoint: DEAD, timeoutSeconds: 5 });
    await expect(other.providers.catalog.listAll()).rejects.toMatchObject({ code: 'CATALOG_UNREACHABLE' });
    expect(runtime.get('deepseek').endpointConfigured).toBe(true);
  });

  test('lists reasoning levels and the value sent for each', async () => {
    await using harness = await createHarness();
    const { directLevels, directWire, catalogWire } = await harness.providers.catalog.listAll();
    expect(directLevels['openai']?.['gpt-5']).toEqual(['minimal', 'low', 'medium', 'high']);
    expect(directWire['openai']?.['gpt-5']).toMatchObject({ max: 'high', none: 'minimal', medium: 'medium' });
    expect(directWire['kimi']?.['kimi-k2.5*']).toMatchObject({ none: 'none', low: 'none', high: 'high', max: 'high' });
    expect(catalogWire['aggregator']?.['*']).toMatchObject({ max: 'xhigh', none: 'none' });
    expect(directLevels['aggregator']).toBeUndefined();
  });
});

describe('a catalog row', () => {
  const read = (entry: Record<string, unknown>) =>
    readModelRows(JSON.stringify({ data: [entry] }), { form: 'openai', provider: 'x', now: 1 })[0];

  test.each([
    [
      {
        id: 'a',
        context_length: 10,
        supported_parameters: ['tools'],
        architecture: { input_modalities: ['text', 'image'] },
      },
      {
        contextLength: 10,
        isContextVerified: true,
        capabilities: { vision: 'observed-yes', toolUse: 'observed-yes', reasoning: 'observed-no' },
      },
    ],
    [
      { id: 'a', capabilities: { function_calling: false, vision: true }, max_context_length: 5 },
      { contextLength: 5, capabilities: { vision: 'observed-yes', toolUse: 'observed-no', reasoning: 'unknown' } },
    ],
    [
      { id: 'a', supports_image_in: false, supports_reasoning: true },
      { capabilities: { vision: 'observed-no', toolUse: 'unknown', reasoning: 'observed-yes' } },
    ],
    [
      { id: 'a', providers: [{ supports_tools: false }, { supports_tools: true }] },
      { capabilities: { toolUse: 'observed-yes' } },
    ],
    [
      { id: 'a', context_length: 'many' },
      { contextLength: null, isContextVerified: false },
    ],
  ])('is made of %j', (entry, expected) => {
    expect(read(entry)).toMatchObject(expected);
  });

  test.each([[{ id: '' }], [{ name: 'x' }], [{ id: 'e', type: 'embedding' }], [{ id: 'x'.repeat(201) }]])(
    'is not made of %j',
    (entry) => {
      expect(read(entry)).toBeUndefined();
    },
  );

  test.each(['null', '"x"', '{}', '{"data":{}}', '<html>'])('is not found in %j', (body) => {
    expect(() => readModelRows(body, { form: 'openai', provider: 'x', now: 1 })).toThrow(SyntaxError);
  });
});

describe('the provider test', () => {
  test('counts the provider’s models', async () => {
    await using harness = await createHarness({ keys: ['right-key-123'] });
    await harness.connect('deepseek', 'right-key-123');
    expect(await harness.providers.test('deepseek')).toEqual({
      outcome: 'reached',
      models: 2,
      latencyMs: 0,
      detail: 'ready',
    });
    await harness.connect('zai', 'wrong-key-123');
    expect(await harness.providers.test('zai')).toMatchObject({
      outcome: 'credential-refused',
      models: null,
      detail: 'key-refused',
    });
  });

  test('reports missing settings', async () => {
    await using harness = await createHarness();
    expect(await harness.providers.test('deepseek')).toEqual({
      outcome: 'to-configure',
      models: null,
      latencyMs: null,
      detail: 'key-missing',
    });
    await harness.providers.keys.add('azure', { key: 'k' });
    expect(await harness.providers.test('azure')).toMatchObject({ outcome: 'to-configure', detail: 'address-missing' });
    expect(await harness.providers.test('esterno')).toMatchObject({
      outcome: 'to-configure',
      detail: 'agent-missing',
    });
    await expect(harness.providers.test('nobody')).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
  });

  test.each([
    [{ kind: 'html' }, 'failed', 'not-a-provider'],
    [{ kind: 'status', status: 500 }, 'failed', 'refused'],
    [{ kind: 'status', status: 403 }, 'credential-refused', 'key-refused'],
    [{ kind: 'status', status: 404 }, 'reached', 'key-not-checked'],
    [{ kind: 'refuse' }, 'unreachable', 'no-answer'],
    [{ kind: 'redirect', location: 'http://127.0.0.2/' }, 'failed', 'refused'],
  ] as const)('after %j reports %s', async (fault, outcome, detail) => {
    await using harness = await createHarness({ modelsReply: { fault } });
    await harness.connect('deepseek');
    expect(await harness.providers.test('deepseek')).toMatchObject({ outcome, detail });
  });

  test('reports when no free check exists or the key is not checked', async () => {
    await using harness = await createHarness();
    await harness.connect('zai-anthropic');
    expect(await harness.providers.test('zai-anthropic')).toMatchObject({ outcome: 'failed', detail: 'no-free-check' });
    expect(harness.server.lists).toHaveLength(0);
    await harness.connect('hub');
    expect(await harness.providers.test('hub')).toMatchObject({ outcome: 'reached', detail: 'key-not-checked' });
  });

  test('checks the key at OpenRouter', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/v1/key' ? 401 : 200, { 'content-type': 'application/json' });
      response.end('{"data":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await using harness = await createHarness();
    harness.providers.runtime.change('aggregator', {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    });
    await harness.providers.keys.add('aggregator', { key: 'some-key' });
    expect(await harness.providers.test('aggregator')).toMatchObject({ outcome: 'credential-refused' });
    server.closeAllConnections();
    server.close();
  });
});
