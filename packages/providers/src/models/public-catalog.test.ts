import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { createModelServer, type ModelServer, redirectOrigins, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createProviders, type Providers } from '../index.ts';

const HOURS = 3_600_000;
/** In the format of models.dev, written by us. */
const CATALOG = {
  deepseek: {
    id: 'deepseek',
    name: 'DeepSeek',
    models: {
      'scripted-1': {
        id: 'scripted-1',
        attachment: false,
        reasoning: true,
        tool_call: true,
        modalities: { input: ['text'], output: ['text'] },
        cost: { input: 0.28, output: 0.42, cache_read: 0.028 },
        limit: { context: 128_000, output: 8_192 },
      },
      'scripted-2': { id: 'scripted-2', cost: { input: -1, output: 'free' }, limit: { context: 'long' } },
    },
  },
  openrouter: { models: { 'a/b': { cost: { input: 9, output: 9 } } } },
  unknown: { models: { x: {} } },
};

interface Place extends AsyncDisposable {
  providers: Providers;
  ambient: ReturnType<typeof fakeAmbient>;
  model: ModelServer;
  visits(): number;
  say(answer: unknown): void;
  /** A restart on the same data folder, without any server. */
  offline(): Promise<Providers>;
}

async function place(isOn = true): Promise<Place> {
  const dir = await tempDir();
  const model = await createModelServer();
  let answer: unknown = CATALOG;
  let visits = 0;
  const server = createServer((_request, response) => {
    visits += 1;
    if (answer === 'hang') return;
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ambient = fakeAmbient();
  const out = createOutboundHttp({ ambient: systemAmbient('silent') });
  const open = async (origin: string): Promise<Providers> => {
    const http = redirectOrigins(out, { 'https://models.dev': origin });
    const providers = createProviders({ ambient, dataDir: dir.path, keyStore: 'memory', http, publicCatalog: isOn });
    await providers.keys.add('deepseek', { key: 'sk-deepseek-0' });
    return providers;
  };
  const opened = [await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)];
  const providers = opened[0] as Providers;
  providers.runtime.change('deepseek', { endpoint: `${model.url}/v1` });
  await providers.keys.add('deepseek', { key: 'sk-deepseek-0' });
  return {
    providers,
    ambient,
    model,
    visits: () => visits,
    say: (next) => {
      answer = next;
    },
    async offline() {
      opened.push(await open('http://127.0.0.1:1'));
      return opened.at(-1) as Providers;
    },
    async [Symbol.asyncDispose]() {
      for (const each of opened) await each[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await model.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const PRICE = { promptPerMillion: 0.28, completionPerMillion: 0.42, cachedPerMillion: 0.028, currency: 'USD' };

describe('the public catalog', () => {
  test('fills values the provider does not declare and leaves others unknown', async () => {
    await using at = await place();
    const { models, publicCatalog } = await at.providers.catalog.listAll();
    expect(publicCatalog).toEqual({ isOn: true, observedAt: at.ambient.now() });
    expect(models[0]).toMatchObject({
      id: 'scripted-1',
      contextLength: 128_000,
      isContextVerified: false,
      maxOutputTokens: 8_192,
      price: PRICE,
      capabilities: { vision: 'observed-no', toolUse: 'observed-yes', reasoning: 'observed-yes' },
    });
    expect(models[1]).toMatchObject({
      contextLength: null,
      price: null,
      capabilities: { vision: 'unknown', toolUse: 'unknown', reasoning: 'unknown' },
    });
    const { priceOf, windowOf } = at.providers.knowledge;
    expect([priceOf('deepseek:scripted-1'), windowOf('deepseek:scripted-1')]).toEqual([PRICE, 128_000]);
    for (const id of ['deepseek:scripted-2', 'deepseek:constructor', 'ollama:x', 'nobody', '']) {
      expect([id, priceOf(id), windowOf(id)]).toEqual([id, null, null]);
    }
    // The aggregator was never listed: its facts come from the catalog only.
    expect(priceOf('a/b')).toMatchObject({ promptPerMillion: 9, cachedPerMillion: null });
  });

  test('is refreshed after four hours or on request', async () => {
    await using at = await place();
    await at.providers.catalog.listAll();
    await at.ambient.advance(4 * HOURS - 1);
    await at.providers.catalog.listAll();
    expect(at.visits()).toBe(1);
    await at.ambient.advance(1);
    await at.providers.catalog.listAll();
    await at.providers.catalog.listAll({ isForced: true });
    expect(at.visits()).toBeGreaterThanOrEqual(2);
  });

  test('uses the cached copy offline, even after a restart, and reports its age', async () => {
    await using at = await place();
    const before = at.ambient.now();
    await at.providers.catalog.listAll();
    await at.ambient.advance(9 * HOURS);
    await at.model.close();
    const providers = await at.offline();
    const { models, publicCatalog } = await providers.catalog.listAll();
    expect(publicCatalog.observedAt).toBe(before);
    expect(models.map(({ id, observedAt, price }) => [id, observedAt, price])).toEqual([
      ['scripted-1', before, PRICE],
      ['scripted-2', before, null],
    ]);
    expect(await providers.catalog.list('deepseek')).toHaveLength(2);
    expect(providers.knowledge.priceOf('deepseek:scripted-1')).toEqual(PRICE);
  });

  test.each([['<html>'], ['{}'], ['[]'], ['{"deepseek":7,"openai":{"models":[]}}'], ['hang']])(
    'answering %j changes nothing and delays little',
    async (answer) => {
      await using at = await place();
      at.say(answer);
      const listed = at.providers.catalog.listAll();
      const wait = new AbortController();
      // Time stands still in this test; only the time limit of the list may elapse.
      if (answer === 'hang') await at.model.nextRequest().then(() => at.ambient.advance(3_000));
      const { models } = await listed;
      wait.abort();
      expect(models).toHaveLength(2);
      expect(models[0]?.price).toBeNull();
    },
  );

  test('is never requested when switched off', async () => {
    await using at = await place(false);
    const { publicCatalog, models } = await at.providers.catalog.listAll({ isForced: true });
    expect([publicCatalog.isOn, publicCatalog.observedAt, models[0]?.price]).toEqual([false, null, null]);
    expect(at.visits()).toBe(0);
  });

  test('is not used for local engines', async () => {
    await using at = await place();
    await at.providers.keys.removeAll('deepseek');
    at.providers.runtime.change('ollama', { endpoint: at.model.url, timeoutSeconds: 30 });
    await at.providers.catalog.listAll();
    expect(at.visits()).toBe(0);
  });
});

test('prices of OpenRouter win and are converted to a million tokens', async () => {
  await using at = await place();
  const data = [
    { id: 'a/b', pricing: { prompt: '0.00000015', completion: '0.0000006', input_cache_read: '0.000000075' } },
    { id: 'a/free', pricing: { prompt: '0', completion: '0' } },
    { id: 'a/auto', pricing: { prompt: '-1', completion: '-1' } },
  ];
  await using list = await createModelServer({
    modelsReply: { fault: { kind: 'status', status: 200, body: JSON.stringify({ data }) } },
  });
  at.providers.runtime.change('aggregator', { endpoint: `${list.url}/v1` });
  await at.providers.keys.add('aggregator', { key: 'sk-or-000000' });
  await at.providers.catalog.listAll();
  const { priceOf } = at.providers.knowledge;
  expect(priceOf('a/b')).toEqual({
    promptPerMillion: 0.15,
    completionPerMillion: 0.6,
    cachedPerMillion: 0.075,
    currency: 'USD',
  });
  expect(priceOf('a/free')).toMatchObject({ promptPerMillion: 0, completionPerMillion: 0 });
  expect(priceOf('a/auto')).toBeNull();
});
