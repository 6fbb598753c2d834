import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createHarness, type Harness } from '../../test/harness.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** An aggregator that lists the hosts of a model. */
async function withAggregator(harness: Harness, status: number, body: string): Promise<string[]> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  harness.providers.runtime.change('aggregator', {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
  });
  return paths;
}

const ENDPOINTS = JSON.stringify({
  data: {
    endpoints: [
      { provider_name: 'Slow Host', tag: 'slow-host/fp8' },
      { provider_name: 'Other', tag: null },
    ],
  },
});

describe('excluded OpenRouter providers', () => {
  test('are stored in lower case without duplicates, at most thirty', async () => {
    await using harness = await createHarness();
    const { exclusions, registry, runtime } = harness.providers;
    expect(exclusions.change({ excluded: [' Slow-Host ', 'slow-host', 'a/b'] }).excluded).toEqual(['slow-host', 'a/b']);
    expect(await registry.row('aggregator')).toMatchObject({ excluded: ['slow-host', 'a/b'] });
    expect(runtime.get('aggregator').excluded).toEqual(['slow-host', 'a/b']);
    expect(exclusions.change({ builtIn: [] }).excluded).toEqual(['slow-host', 'a/b']);
    const many = Array.from({ length: 31 }, (_, index) => `host-${index}`);
    expect(() => exclusions.change({ excluded: many })).toThrow('PROVIDER_RUNTIME_INVALID');
    expect(() => exclusions.change({ excluded: ['a b'] })).toThrow('PROVIDER_RUNTIME_INVALID');
    expect(() => exclusions.change({ builtIn: [{ model: 'a/b', slug: 'x', isActive: false }] })).toThrow(
      'PROVIDER_RUNTIME_INVALID',
    );
  });

  test('are found by the provider name of an answer', async () => {
    await using harness = await createHarness();
    const paths = await withAggregator(harness, 200, ENDPOINTS);
    const { exclusions } = harness.providers;
    const answer = { providerName: 'slow host', model: '~vendor/name:free' };
    expect(await exclusions.fromAnswer(answer)).toEqual({
      slug: 'slow-host',
      wasExcluded: false,
      excluded: ['slow-host'],
    });
    expect(await exclusions.fromAnswer(answer)).toMatchObject({ wasExcluded: true });
    expect(paths[0]).toBe('/api/v1/models/vendor/name%3Afree/endpoints');
  });

  test.each([
    { status: 200, body: ENDPOINTS, providerName: 'Nobody', code: 'AGGREGATOR_PROVIDER_NOT_FOUND' },
    { status: 200, body: ENDPOINTS, providerName: 'Other', code: 'AGGREGATOR_PROVIDER_NOT_FOUND' },
    { status: 404, body: '{}', providerName: 'Other', code: 'AGGREGATOR_PROVIDER_NOT_FOUND' },
    { status: 500, body: '{}', providerName: 'Other', code: 'AGGREGATOR_ENDPOINTS_UNAVAILABLE' },
    { status: 200, body: '<html>', providerName: 'Other', code: 'AGGREGATOR_ENDPOINTS_UNAVAILABLE' },
  ])('are not found after %j', async ({ status, body, providerName, code }) => {
    await using harness = await createHarness();
    await withAggregator(harness, status, body);
    await expect(harness.providers.exclusions.fromAnswer({ providerName, model: 'a/b' })).rejects.toMatchObject({
      code,
    });
  });

  test('cannot be looked up while OpenRouter is unreachable, and the error keeps the cause', async () => {
    await using harness = await createHarness();
    harness.providers.runtime.change('aggregator', { endpoint: 'http://127.0.0.1:1' });
    const answer = { providerName: 'x', model: 'a/b' };
    await expect(harness.providers.exclusions.fromAnswer(answer)).rejects.toMatchObject({
      code: 'AGGREGATOR_ENDPOINTS_UNAVAILABLE',
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
  });
});

test('built-in exclusions apply to their model until the user disables them', async () => {
  await using harness = await createHarness();
  await harness.connect('aggregator');
  const { exclusions } = harness.providers;
  exclusions.change({ excluded: ['slow-host'] });
  const ignoredOf = async (model: string): Promise<unknown> => {
    await harness.ask(model);
    return (harness.server.requests.at(-1)?.body['provider'] as { ignore: unknown } | undefined)?.ignore;
  };
  const kimi = 'moonshotai/kimi-k2-0905';
  expect(await ignoredOf(kimi)).toEqual(['slow-host', 'atlas-cloud', 'baseten', 'nebius', 'together']);
  expect(await ignoredOf(`~${kimi}:exacto`)).toEqual(['slow-host', 'atlas-cloud', 'baseten', 'nebius', 'together']);
  expect(await ignoredOf('a/b')).toEqual(['slow-host']);
  exclusions.change({ excluded: [], builtIn: [{ model: kimi, slug: 'nebius', isActive: false }] });
  expect(await ignoredOf(kimi)).toEqual(['atlas-cloud', 'baseten', 'together']);
  expect(await ignoredOf('a/b')).toBeUndefined();
});
