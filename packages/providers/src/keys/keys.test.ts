import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn } from '../../test/harness.ts';

const sha = (key: string): string => createHash('sha256').update(key).digest('hex');
const keySeen = (headers: Record<string, unknown> | undefined): string =>
  String(headers?.['authorization']).replace('Bearer ', '');

describe('the pool of keys', () => {
  test('identifies a key by fingerprint and never shows it', async () => {
    await using harness = await createHarness();
    const { keys, registry } = harness.providers;
    await keys.add('deepseek', { key: '  sk-canary-1  ' });
    const [row] = await keys.list('deepseek');
    expect(row).toEqual({
      fingerprint: sha('sk-canary-1'),
      name: 'Chiave 1',
      priority: 0,
      origin: 'saved',
      state: 'available',
      cooldownUntil: null,
      cause: null,
    });
    expect(JSON.stringify(await registry.list())).not.toContain('canary');
  });

  test('stores the same key once with its new priority', async () => {
    await using harness = await createHarness();
    const { keys } = harness.providers;
    await keys.add('deepseek', { key: 'sk-1', priority: 5 });
    await keys.add('deepseek', { key: 'sk-2', priority: 1 });
    await keys.add('deepseek', { key: 'sk-1', priority: -3 });
    expect((await keys.list('deepseek')).map(({ name, priority }) => [name, priority])).toEqual([
      ['Chiave 1', -3],
      ['Chiave 2', 1],
    ]);
  });

  test.each([
    ['   ', 'PROVIDER_KEY_REQUIRED'],
    ['a\nb', 'PROVIDER_KEY_INVALID'],
    ['a\0b', 'PROVIDER_KEY_INVALID'],
    ['x'.repeat(4097), 'PROVIDER_KEY_INVALID'],
  ])('rejects %j', async (key, code) => {
    await using harness = await createHarness();
    await expect(harness.providers.keys.add('deepseek', { key })).rejects.toMatchObject({ code });
    await expect(harness.providers.keys.set('deepseek', key)).rejects.toMatchObject({ code });
  });

  test('rejects keys for providers without keys, unknown providers and fingerprints, and invalid priorities', async () => {
    await using harness = await createHarness();
    const { keys } = harness.providers;
    await expect(keys.add('local', { key: 'k' })).rejects.toMatchObject({ code: 'PROVIDER_KEY_INVALID' });
    await expect(keys.add('deepseek', { key: 'k', priority: 1001 })).rejects.toMatchObject({
      code: 'PROVIDER_KEY_INVALID',
    });
    await expect(keys.add('nobody', { key: 'k' })).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
    await expect(keys.list('nobody')).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
    await expect(keys.removeAll('nobody')).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
    await expect(keys.remove('deepseek', sha('other'))).rejects.toMatchObject({ code: 'PROVIDER_KEY_NOT_FOUND' });
  });

  test('keeps at most eight keys under concurrent writes', async () => {
    await using harness = await createHarness();
    const { keys } = harness.providers;
    await Promise.all(Array.from({ length: 8 }, (_, index) => keys.add('deepseek', { key: `sk-${index}` })));
    await expect(keys.add('deepseek', { key: 'sk-9' })).rejects.toMatchObject({ code: 'PROVIDER_POOL_FULL' });
    await keys.add('deepseek', { key: 'sk-3', priority: 2 });
    expect(await keys.list('deepseek')).toHaveLength(8);
  });

  test('setting the single key replaces all, and removing deletes all', async () => {
    await using harness = await createHarness();
    const { keys } = harness.providers;
    await keys.add('deepseek', { key: 'sk-1' });
    await keys.add('deepseek', { key: 'sk-2' });
    await keys.set('deepseek', 'sk-3');
    expect((await keys.list('deepseek')).map(({ fingerprint }) => fingerprint)).toEqual([sha('sk-3')]);
    await keys.remove('deepseek', sha('sk-3'));
    expect(await keys.list('deepseek')).toEqual([]);
    await keys.set('deepseek', 'sk-4');
    await keys.removeAll('deepseek');
    expect(await keys.list('deepseek')).toEqual([]);
  });
});

describe('choosing a key', () => {
  test('takes the highest priority, pauses it after a failure and takes the next', async () => {
    await using harness = await createHarness({
      script: [{ fault: { kind: 'status', status: 429 } }, { text: 'ok' }, { text: 'ok' }],
    });
    await harness.connect('deepseek', 'sk-second');
    const { keys } = harness.providers;
    await keys.add('deepseek', { key: 'sk-first', priority: -1 });
    const used = async (): Promise<string> => {
      await harness.ask('deepseek:m');
      return keySeen(harness.server.requests.at(-1)?.headers);
    };
    expect(await used()).toBe('sk-first');
    expect((await keys.list('deepseek'))[0]).toMatchObject({
      state: 'unavailable',
      cause: 'rate-limit',
      cooldownUntil: harness.ambient.now() + 3_600_000,
    });
    expect(await used()).toBe('sk-second');
    await harness.ambient.advance(3_600_000);
    expect((await keys.list('deepseek'))[0]).toMatchObject({ state: 'available', cause: null });
    expect(await used()).toBe('sk-first');
  });

  test.each([
    [{ kind: 'status', status: 429, retryAfter: 90 }, 'rate-limit', 90_000],
    [{ kind: 'status', status: 429 }, 'rate-limit', 3_600_000],
    [{ kind: 'status', status: 401 }, 'credential', 300_000],
    [{ kind: 'status', status: 402 }, 'credit', 3_600_000],
    [{ kind: 'status', status: 500 }, 'server', 60_000],
    [{ kind: 'refuse' }, 'network', 60_000],
    [{ kind: 'cut' }, 'stream-interrupted', 60_000],
  ] as const)('after %j pauses the key for %s, %s ms', async (fault, cause, ms) => {
    await using harness = await createHarness({ script: [{ text: ['a', 'b'], fault }] });
    await harness.connect('deepseek');
    await harness.ask('deepseek:m');
    const [row] = await harness.providers.keys.list('deepseek');
    expect(row).toMatchObject({ state: 'unavailable', cause, cooldownUntil: harness.ambient.now() + ms });
  });

  test.each([{ kind: 'status', status: 404 }, { kind: 'context-too-long' }] as const)(
    'does not pause the key after %j',
    async (fault) => {
      await using harness = await createHarness({ script: [{ fault }] });
      await harness.connect('deepseek');
      await harness.ask('deepseek:m');
      expect(await harness.providers.keys.list('deepseek')).toMatchObject([{ state: 'available' }]);
    },
  );

  test('with every key paused uses the one available first', async () => {
    await using harness = await createHarness({ script: [{ fault: { kind: 'status', status: 500 } }, { text: 'ok' }] });
    await harness.connect('deepseek');
    await harness.ask('deepseek:m');
    expect((await harness.ask('deepseek:m')).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test('a permission failure does not pause an optional key', async () => {
    await using harness = await createHarness({ script: [{ fault: { kind: 'status', status: 403 } }] });
    await harness.connect('lmstudio');
    expect(failureIn(await harness.ask('lmstudio:m')).class).toBe('credential');
    expect(await harness.providers.keys.list('lmstudio')).toMatchObject([{ state: 'available' }]);
  });

  test('sends a key only to the origin it was entered for', async () => {
    await using harness = await createHarness();
    await harness.connect('deepseek', 'sk-bound');
    const { keys, runtime, registry } = harness.providers;
    runtime.change('deepseek', { endpoint: `${harness.server.url}/other/path` });
    expect((await harness.ask('deepseek:m')).at(-1)).toMatchObject({ type: 'finish' });
    const seen = harness.server.requests.length;
    runtime.change('deepseek', { endpoint: harness.server.url.replace('127.0.0.1', 'localhost') });
    expect(failureIn(await harness.ask('deepseek:m'))).toMatchObject({
      class: 'not-configured',
      code: 'PROVIDER_KEY_REQUIRED',
    });
    expect(harness.server.requests).toHaveLength(seen);
    expect(await registry.row('deepseek')).toMatchObject({
      keyConfigured: false,
      keyOrigin: null,
      pool: [{ state: 'unavailable', cause: 'address-changed', cooldownUntil: null }],
    });
    await keys.add('deepseek', { key: 'sk-bound' });
    expect(await registry.row('deepseek')).toMatchObject({ keyConfigured: true, pool: [{ state: 'available' }] });
  });

  test('binds a key saved before addresses were recorded at its first use', async () => {
    await using harness = await createHarness();
    const { keys, runtime, registry } = harness.providers;
    await keys.add('azure', { key: 'azure-key-1' });
    expect(failureIn(await harness.ask('azure:gpt-5'))).toMatchObject({ code: 'PROVIDER_RUNTIME_INVALID' });
    runtime.change('azure', { endpoint: `${harness.server.url}/openai/v1` });
    await harness.ask('azure:gpt-5');
    expect(harness.server.requests[0]?.headers).toMatchObject({ 'api-key': 'azure-key-1' });
    expect(harness.server.requests[0]?.headers.authorization).toBeUndefined();
    runtime.change('azure', { endpoint: 'http://other.invalid' });
    expect(await registry.row('azure')).toMatchObject({ keyConfigured: false });
  });

  test('without a key sends nothing where one is required, and no header otherwise', async () => {
    await using harness = await createHarness();
    const { runtime } = harness.providers;
    runtime.change('deepseek', { endpoint: harness.server.url });
    expect(failureIn(await harness.ask('deepseek:m'))).toMatchObject({
      class: 'not-configured',
      code: 'PROVIDER_KEY_REQUIRED',
      isOutcomeKnown: true,
    });
    expect(harness.server.requests).toHaveLength(0);
    runtime.change('ollama', { endpoint: harness.server.url, timeoutSeconds: 60 });
    expect((await harness.ask('ollama:qwen3:8b')).at(-1)).toMatchObject({ type: 'finish' });
    expect(harness.server.requests[0]).toMatchObject({ path: '/v1/chat/completions', model: 'qwen3:8b' });
    expect(harness.server.requests[0]?.headers.authorization).toBeUndefined();
  });
});
