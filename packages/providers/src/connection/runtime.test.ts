import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { createHarness } from '../../test/harness.ts';
import { joinAddress } from './runtime.ts';

describe('provider settings', () => {
  test('use the defaults until changed', async () => {
    await using harness = await createHarness();
    const { runtime } = harness.providers;
    expect(runtime.get('openai')).toEqual({
      provider: 'openai',
      endpoint: 'https://api.openai.com/v1',
      endpointConfigured: false,
      timeoutSeconds: 60,
      models: null,
    });
    expect(runtime.get('aggregator')).toMatchObject({ excluded: [], models: null });
    expect(runtime.get('esterno')).toEqual({
      provider: 'esterno',
      endpoint: null,
      endpointConfigured: false,
      timeoutSeconds: 180,
      agent: null,
    });
    expect(runtime.get('azure')).toMatchObject({ endpoint: null, endpointConfigured: false });
    expect(runtime.get('local')).toEqual({
      provider: 'local',
      endpoint: null,
      endpointConfigured: false,
      timeoutSeconds: 60,
    });
  });

  test('keep omitted fields, and a reset restores only the address', async () => {
    await using harness = await createHarness();
    const { runtime } = harness.providers;
    runtime.change('openai', { endpoint: 'https://proxy.example/v1///', timeoutSeconds: 5 });
    expect(runtime.change('openai', { models: ['a', 'b/c:d'] })).toEqual({
      provider: 'openai',
      endpoint: 'https://proxy.example/v1',
      endpointConfigured: true,
      timeoutSeconds: 5,
      models: ['a', 'b/c:d'],
    });
    expect(runtime.change('openai', { models: null }).models).toBeNull();
    expect(runtime.reset('openai')).toMatchObject({
      endpoint: 'https://api.openai.com/v1',
      endpointConfigured: false,
      timeoutSeconds: 5,
    });
  });

  test('of the external agent contain only its program', async () => {
    await using harness = await createHarness();
    const { runtime } = harness.providers;
    const agent = { command: 'my-agent', args: ['--acp'], settings: { mode: 'fast' } };
    expect(runtime.change('esterno', { agent }).agent).toEqual(agent);
    expect(runtime.change('esterno', { agent: { command: 'other' } }).agent).toEqual({
      command: 'other',
      args: [],
      settings: {},
    });
    expect(runtime.reset('esterno').agent).toBeNull();
  });

  test.each([
    ['openai', { endpoint: 'ftp://x' }, 'endpoint'],
    ['openai', { endpoint: 'http://user:pw@x/' }, 'endpoint'],
    ['openai', { endpoint: 'https://x/#a' }, 'endpoint'],
    ['openai', { endpoint: '' }, 'endpoint'],
    ['openai', { timeoutSeconds: 4 }, 'timeout'],
    ['openai', { timeoutSeconds: 301 }, 'timeout'],
    ['openai', { timeoutSeconds: 5.5 }, 'timeout'],
    ['openai', { models: ['a', 'a'] }, 'models'],
    ['openai', { models: ['a b'] }, 'models'],
    ['openai', { agent: { command: 'x' } }, 'no-agent'],
    ['anthropic', { endpoint: 'https://x' }, 'address-fixed'],
    ['ollama', { endpoint: 'http://127.0.0.1:1' }, 'fields-missing'],
    ['ollama', { timeoutSeconds: 60 }, 'fields-missing'],
    ['ollama', { endpoint: 'http://127.0.0.1:1', timeoutSeconds: 60, models: ['a'] }, 'no-models'],
    ['local', { endpoint: 'http://127.0.0.1:1', timeoutSeconds: 60 }, 'address-decided-here'],
    ['esterno', { timeoutSeconds: 60 }, 'agent-only'],
    ['esterno', { agent: { command: 'x' }, timeoutSeconds: 60 }, 'agent-only'],
    ['esterno', { agent: { command: ' ' } }, 'agent'],
    ['esterno', { agent: { command: 'a\0b' } }, 'agent'],
    ['esterno', { agent: { command: 'a', settings: { text: 'x'.repeat(1_048_576) } } }, 'agent'],
  ])('of %s reject %j', async (provider, change, reason) => {
    await using harness = await createHarness();
    expect(() => harness.providers.runtime.change(provider, change)).toThrow(`PROVIDER_RUNTIME_INVALID (${reason})`);
  });

  test('of an unknown provider are PROVIDER_INVALID', async () => {
    await using harness = await createHarness();
    const { runtime } = harness.providers;
    for (const act of [() => runtime.get('x'), () => runtime.change('x', {}), () => runtime.reset('x')]) {
      expect(act).toThrow('PROVIDER_INVALID');
    }
  });

  test('without a store are PROVIDER_STORE_UNAVAILABLE', async () => {
    await using harness = await createHarness();
    await mkdir(join(harness.dataDir, 'providers.db'));
    expect(() => harness.providers.runtime.get('openai')).toThrow('PROVIDER_STORE_UNAVAILABLE');
    await expect(harness.providers.registry.list()).rejects.toMatchObject({ code: 'PROVIDER_STORE_UNAVAILABLE' });
    await expect(harness.providers.catalog.listAll()).rejects.toMatchObject({ code: 'REPORT_UNAVAILABLE' });
  });

  test('that cannot be saved are PROVIDER_RUNTIME_UNAVAILABLE and stay unchanged', async () => {
    await using harness = await createHarness();
    const { runtime } = harness.providers;
    runtime.change('openai', { timeoutSeconds: 33 });
    const other = openDatabase(join(harness.dataDir, 'providers.db'), { migrations: ['', ''] });
    other.exec('BEGIN IMMEDIATE');
    expect(() => runtime.change('openai', { timeoutSeconds: 44 })).toThrow('PROVIDER_RUNTIME_UNAVAILABLE');
    other.exec('ROLLBACK');
    other.close();
    expect(runtime.get('openai').timeoutSeconds).toBe(33);
  });

  test('survive a restart', async () => {
    await using harness = await createHarness();
    harness.providers.runtime.change('openai', { timeoutSeconds: 33 });
    await using again = await createHarness({ needs: { dataDir: harness.dataDir } });
    expect(again.providers.runtime.get('openai').timeoutSeconds).toBe(33);
  });
});

test('a path is inserted before the query of an address', () => {
  expect(joinAddress('https://x/v1?api-version=3', '/chat/completions')).toBe(
    'https://x/v1/chat/completions?api-version=3',
  );
  expect(joinAddress('https://x', '/models')).toBe('https://x/models');
});
