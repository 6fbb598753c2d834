import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createModelServer } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn } from '../../test/harness.ts';

const VALUE = 'Bearer header-canary-4f1c9d2e';
const MODELS = {
  anthropic: 'anthropic:claude-haiku-4-5',
  gemini: 'gemini:gemini-2.5-flash',
  openai: 'openai:gpt-6-sol',
  deepseek: 'deepseek:m',
};

describe.each(Object.entries(MODELS))('the connection of %s', (provider, model) => {
  test('leads model calls, lists and the test to its own address, with key and headers', async () => {
    await using old = await createHarness();
    await using gateway = await createModelServer();
    const { connections, keys } = old.providers;
    const row = await connections.change(provider, {
      endpoint: `${gateway.url}/team/v1/?tenant=a`,
      headers: [{ name: 'X-Team-Auth', value: VALUE }],
    });
    expect(row).toEqual({
      provider,
      endpoint: `${gateway.url}/team/v1?tenant=a`,
      endpointConfigured: true,
      isChangeable: true,
      headers: [{ name: 'x-team-auth', isSent: true }],
    });
    await keys.add(provider, { key: 'sk-of-the-gateway' });
    expect((await old.ask(model)).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(await old.providers.test(provider)).toMatchObject({ outcome: 'reached' });
    await old.providers.catalog.list(provider);
    expect([gateway.requests.length, gateway.lists.length]).toEqual([1, 2]);
    for (const { path, headers } of [...gateway.requests, ...gateway.lists]) {
      expect(path).toMatch(/^\/team\/v1\/.*[?&]tenant=a$|^\/team\/v1\/models\?tenant=a/);
      expect(headers).toMatchObject({ 'x-team-auth': VALUE });
      expect(JSON.stringify(headers)).toContain('sk-of-the-gateway');
    }
    expect(old.server.requests).toHaveLength(0);
  });
});

describe('an address of its own', () => {
  test.each(['anthropic', 'gemini'])('is not sent the key of the address before (%s)', async (provider) => {
    await using harness = await createHarness();
    await using gateway = await createModelServer();
    const model = MODELS[provider as keyof typeof MODELS];
    await harness.connect(provider, 'sk-of-the-vendor');
    await harness.providers.connections.change(provider, { endpoint: `${gateway.url}/v1` });
    expect(failureIn(await harness.ask(model))).toMatchObject({ code: 'PROVIDER_KEY_REQUIRED' });
    expect(gateway.requests).toHaveLength(0);
    const { endpointConfigured } = await harness.providers.connections.change(provider, { endpoint: null });
    expect(endpointConfigured).toBe(false);
    await harness.ask(model);
    expect(harness.server.requests).toHaveLength(1);
  });

  test('is refused where the interface has a fixed one, and for what has no address', async () => {
    await using harness = await createHarness();
    const { connections, runtime } = harness.providers;
    expect(() => runtime.change('anthropic', { endpoint: 'https://gateway.example' })).toThrow('address-fixed');
    for (const endpoint of ['ftp://x', 'https://user:pass@gateway.example', 'https://gateway.example/#x', 'x']) {
      await expect(connections.change('gemini', { endpoint })).rejects.toThrow('PROVIDER_RUNTIME_INVALID (endpoint)');
    }
    for (const id of ['local', 'esterno']) {
      expect(await connections.get(id)).toMatchObject({ isChangeable: false, headers: [] });
      await expect(connections.change(id, { headers: [] })).rejects.toThrow('no-connection');
    }
    await expect(connections.get('nobody')).rejects.toThrow('PROVIDER_INVALID');
  });
});

describe('extra headers', () => {
  test.each([
    [[{ name: 'Host', value: 'x' }], 'header-refused'],
    [[{ name: 'content-length', value: '1' }], 'header-refused'],
    [[{ name: 'Transfer-Encoding', value: 'chunked' }], 'header-refused'],
    [[{ name: 'Connection', value: 'close' }], 'header-refused'],
    [[{ name: 'Proxy-Authorization', value: 'x' }], 'header-refused'],
    [[{ name: 'two words', value: 'x' }], 'header-name'],
    [[{ name: '', value: 'x' }], 'header-name'],
    [[{ name: 'x-a', value: 'a\r\nx-b: c' }], 'header-value'],
    [[{ name: 'x-a', value: 'a\u0000' }], 'header-value'],
    [[{ name: 'x-a', value: 'snowman ☃' }], 'header-value'],
    [[{ name: 'x-a', value: ' ' }], 'header-value'],
    [[{ name: 'x-a', value: 'v'.repeat(4_097) }], 'header-value'],
    [[{ name: 'x-a' }], 'header-value'],
    [
      [
        { name: 'x-a', value: '1' },
        { name: 'X-A', value: '2' },
      ],
      'header-twice',
    ],
    [Array.from({ length: 17 }, (_, at) => ({ name: `x-${at}`, value: 'v' })), 'headers-too-many'],
  ])('%j are refused', async (headers, reason) => {
    await using harness = await createHarness();
    const { connections } = harness.providers;
    await connections.change('deepseek', { headers: [{ name: 'x-before', value: 'stays' }] });
    await expect(connections.change('deepseek', { headers })).rejects.toThrow(`PROVIDER_RUNTIME_INVALID (${reason})`);
    expect((await connections.get('deepseek')).headers).toEqual([{ name: 'x-before', isSent: true }]);
  });

  test('need an address', async () => {
    await using harness = await createHarness();
    const headers = [{ name: 'x-a', value: 'v' }];
    await expect(harness.providers.connections.change('azure', { headers })).rejects.toThrow('header-no-address');
  });

  test('keep a stored value until another is entered, and are removed with it', async () => {
    await using harness = await createHarness();
    const { connections } = harness.providers;
    await harness.connect('deepseek');
    const sent = async () => {
      await harness.ask('deepseek:m');
      const { 'x-a': a, 'x-b': b } = harness.server.requests.at(-1)?.headers ?? {};
      return [a, b];
    };
    const change = (...headers: { name: string; value?: string }[]) => connections.change('deepseek', { headers });
    await change({ name: 'x-a', value: 'one' }, { name: 'x-b', value: 'two' });
    expect(await sent()).toEqual(['one', 'two']);
    await change({ name: 'x-b' }, { name: 'x-a', value: 'three' });
    expect(await sent()).toEqual(['three', 'two']);
    await change({ name: 'x-b' });
    expect(await sent()).toEqual([undefined, 'two']);
    await change();
    expect(await sent()).toEqual([undefined, undefined]);
  });

  test('replace those of a request, and add to its list of beta features', async () => {
    await using harness = await createHarness();
    await using gateway = await createModelServer();
    await harness.providers.connections.change('anthropic', {
      endpoint: gateway.url,
      headers: [
        { name: 'Authorization', value: VALUE },
        { name: 'X-Api-Key', value: 'of-the-gateway' },
        { name: 'anthropic-beta', value: 'context-1m' },
      ],
    });
    await harness.providers.keys.add('anthropic', { key: 'sk-unused' });
    await harness.ask(MODELS.anthropic);
    const { headers } = gateway.requests[0] ?? {};
    expect(headers).toMatchObject({ authorization: VALUE, 'x-api-key': 'of-the-gateway' });
    expect(headers?.['anthropic-beta']).toMatch(/(^|,)context-1m$/);
  });

  test('are not sent to another address, until they are entered again', async () => {
    await using harness = await createHarness();
    await using other = await createModelServer();
    const { connections, runtime, keys } = harness.providers;
    await harness.connect('deepseek');
    await connections.change('deepseek', { headers: [{ name: 'x-a', value: VALUE }] });
    runtime.change('deepseek', { endpoint: `${other.url}/v1` });
    await keys.add('deepseek', { key: 'sk-of-the-other' });
    await harness.ask('deepseek:m');
    expect((await connections.get('deepseek')).headers).toEqual([{ name: 'x-a', isSent: false }]);
    await connections.change('deepseek', { headers: [{ name: 'x-a' }] });
    await harness.ask('deepseek:m');
    expect(other.requests.map(({ headers }) => headers['x-a'])).toEqual([undefined, undefined]);
    await connections.change('deepseek', { headers: [{ name: 'x-a', value: VALUE }] });
    await harness.ask('deepseek:m');
    expect(other.requests.at(-1)?.headers['x-a']).toBe(VALUE);
  });

  test('reach a local engine, whose requests carry them too', async () => {
    await using harness = await createHarness();
    await harness.connect('lmstudio', 'engine-key-0000');
    await harness.providers.connections.change('lmstudio', { headers: [{ name: 'x-a', value: VALUE }] });
    expect((await harness.providers.reach('lmstudio')).headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer engine-key-0000',
      'x-a': VALUE,
    });
  });

  test('stop a call when their values are gone from the key store', async () => {
    await using harness = await createHarness();
    await harness.connect('lmstudio');
    await harness.providers.connections.change('lmstudio', { headers: [{ name: 'x-a', value: VALUE }] });
    await using again = await createHarness({ needs: { dataDir: harness.dataDir } });
    expect(failureIn(await again.ask('lmstudio:m'))).toMatchObject({ code: 'PROVIDER_STORE_UNAVAILABLE' });
    await expect(again.providers.test('lmstudio')).rejects.toThrow('PROVIDER_STORE_UNAVAILABLE (header-missing)');
    expect(harness.server.requests).toHaveLength(0);
  });

  test('never appear in answers, errors, logs or files', async () => {
    await using harness = await createHarness({
      script: () => ({ fault: { kind: 'status', status: 401, message: 'bad header-canary-4f1c9d2e' } }),
    });
    const { connections, registry, runtime } = harness.providers;
    await harness.connect('deepseek');
    const row = await connections.change('deepseek', { headers: [{ name: 'x-a', value: VALUE }] });
    const events = await harness.ask('deepseek:m');
    harness.ambient.log.info('careless', { header: VALUE });
    const rows = [row, events, await registry.list(), runtime.get('deepseek'), await connections.get('deepseek')];
    const files = await Promise.all(
      ['providers.db', 'providers.db-wal'].map((name) => readFile(join(harness.dataDir, name), 'latin1')),
    );
    const text = [JSON.stringify(rows), ...harness.ambient.lines, ...files].join('\n');
    expect(text).not.toContain('canary');
    expect(failureIn(events).providerMessage).toContain('[redacted]');
  });
});
