import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient, type ToolContext } from '@fucina/shared';
import { redirectOrigins } from '@fucina/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createHarness, type Harness } from '../../test/harness.ts';

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, '__fixtures__', name), 'utf8');
const ANSWERS = JSON.parse(fixture('answers.json')) as Record<string, unknown>;
const FORGE = { title: 'How a forge works', url: 'https://forge.example/guide', snippet: 'A forge heats iron.' };

interface Place extends AsyncDisposable {
  harness: Harness;
  url: string;
  requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[];
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that replaces every source; `answer` decides the response. */
async function place(answer: (response: ServerResponse, path: string) => void): Promise<Place> {
  const requests: Place['requests'] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    answer(response, request.url ?? '');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const out = createOutboundHttp({ ambient: systemAmbient('silent') });
  const origins = ['https://html.duckduckgo.com', 'https://api.tavily.com', 'https://api.search.brave.com'];
  const http = redirectOrigins(out, Object.fromEntries(origins.map((origin) => [origin, url])));
  const harness = await createHarness({ needs: { http } });
  return {
    harness,
    url,
    requests,
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
    },
  };
}

const json = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value));
const question = { query: 'blacksmith forge', maxResults: 5 };

describe('search sources', () => {
  test('read DuckDuckGo results from its page without ads', async () => {
    await using at = await place((response) => void response.end(fixture('duckduckgo.html')));
    const { search } = at.harness.providers;
    expect(await search.find(question)).toEqual([
      {
        title: 'How a forge works & why',
        url: 'https://forge.example/guide?a=1&b=2',
        snippet: "A blacksmith's forge heats iron.",
      },
      { title: 'Plain link', url: 'https://plain.example/page', snippet: '' },
    ]);
    expect(at.requests[0]?.path).toBe('/html/?q=blacksmith+forge');
    expect(await search.find({ ...question, maxResults: 1 })).toHaveLength(1);
  });

  test('send the key to Tavily as a bearer token', async () => {
    await using at = await place(json(ANSWERS['tavily']));
    const { search } = at.harness.providers;
    await search.saveKey('tavily', ' tvly-key-000 ');
    await search.choose('tavily');
    expect(await search.find(question)).toEqual([
      FORGE,
      { title: 'untitled.example', url: 'https://untitled.example/', snippet: 'x' },
    ]);
    expect(at.requests[0]).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer tvly-key-000' } });
    expect(JSON.parse(at.requests[0]?.body ?? '')).toMatchObject({ query: 'blacksmith forge', max_results: 5 });
  });

  test('send the key to Brave in its own header and accept an answer without results', async () => {
    let answer: unknown = ANSWERS['brave'];
    await using at = await place((response) => json(answer)(response));
    const { search } = at.harness.providers;
    await search.saveKey('brave', 'brave-key-000');
    await search.choose('brave');
    expect(await search.find(question)).toEqual([FORGE]);
    expect(at.requests[0]).toMatchObject({ headers: { 'x-subscription-token': 'brave-key-000' } });
    answer = ANSWERS['braveEmpty'];
    expect(await search.find(question)).toEqual([]);
  });

  test.each([
    ['', '/search?q=blacksmith+forge&format=json'],
    ['/searx/search', '/searx/search?q=blacksmith+forge&format=json'],
  ])('use the configured SearXNG address (%j)', async (path, asked) => {
    await using at = await place(json(ANSWERS['searxng']));
    const { search } = at.harness.providers;
    expect(await search.choose('searxng', `${at.url}${path}/`)).toMatchObject({ readiness: 'ready' });
    expect(await search.find(question)).toEqual([FORGE]);
    expect(at.requests[0]?.path).toBe(asked);
  });

  test.each([
    ['custom', '/find', '/find?q=blacksmith+forge'],
    ['customList', '/find/{query}?n=5', '/find/blacksmith%20forge?n=5'],
  ])('of the user can contain a query placeholder (%s)', async (answer, path, asked) => {
    await using at = await place(json(ANSWERS[answer]));
    const { search } = at.harness.providers;
    await search.choose('custom', `${at.url}${path}`);
    expect(await search.find(question)).toEqual([FORGE]);
    expect(at.requests[0]?.path).toBe(asked);
    expect(at.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('of the user send their key only to the origin it was entered for', async () => {
    await using at = await place(json(ANSWERS['custom']));
    const { search } = at.harness.providers;
    await search.choose('custom', at.url);
    await search.saveKey('custom', 'custom-key-000');
    await search.find(question);
    expect(at.requests[0]?.headers.authorization).toBe('Bearer custom-key-000');
    const other = await search.choose('custom', at.url.replace('127.0.0.1', 'localhost'));
    expect(other.sources.find(({ id }) => id === 'custom')).toMatchObject({ keyConfigured: false });
    await search.find(question);
    expect(at.requests[1]?.headers.authorization).toBeUndefined();
  });
});

describe('a failed search', () => {
  const html =
    (name: string, status = 200) =>
    (response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': 'text/html' }).end(fixture(name));
  test.each([
    ['a page that waits for a person', html('duckduckgo-blocked.html'), 'SEARCH_BLOCKED'],
    ['202 without results', (response: ServerResponse) => void response.writeHead(202).end('<p>…'), 'SEARCH_BLOCKED'],
    ['403', html('duckduckgo-empty.html', 403), 'SEARCH_BLOCKED'],
    ['429', html('duckduckgo-empty.html', 429), 'SEARCH_BLOCKED'],
    ['500', html('duckduckgo-empty.html', 500), 'SEARCH_FAILED'],
    ['another page', (response: ServerResponse) => void response.end('<h1>Sign in</h1>'), 'SEARCH_FAILED'],
    [
      'a redirect',
      (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end(),
      'SEARCH_FAILED',
    ],
    ['a closed connection', (response: ServerResponse) => void response.socket?.destroy(), 'SEARCH_UNREACHABLE'],
  ])('at %s has its error code', async (_name, answer, code) => {
    await using at = await place(answer);
    await expect(at.harness.providers.search.find(question)).rejects.toMatchObject({ code });
  });

  test('differs from an empty result', async () => {
    await using at = await place(html('duckduckgo-empty.html'));
    expect(await at.harness.providers.search.find(question)).toEqual([]);
  });

  test('is SEARCH_FAILED for a malformed JSON answer', async () => {
    await using at = await place((response) => void response.end('{"results": 7}'));
    await at.harness.providers.search.choose('searxng', at.url);
    await expect(at.harness.providers.search.find(question)).rejects.toMatchObject({ code: 'SEARCH_FAILED' });
  });

  test('is aborted with its caller', async () => {
    await using at = await place(() => {});
    const controller = new AbortController();
    const found = at.harness.providers.search.find({ ...question, signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(found).rejects.toThrow('left');
  });

  test('never connects to this computer through a public source', async () => {
    await using harness = await createHarness({
      needs: { http: createOutboundHttp({ ambient: systemAmbient('silent'), lookup: loopback }) },
    });
    await expect(harness.providers.search.find(question)).rejects.toMatchObject({
      code: 'SEARCH_UNREACHABLE',
      reason: 'forbidden-address',
    });
  });
});

const loopback = ((_name: string, _options: object, callback: (error: null, all: object[]) => void) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as NonNullable<
  Parameters<typeof createOutboundHttp>[0]['lookup']
>;

describe('the web_search tool', () => {
  const context = { signal: new AbortController().signal } as ToolContext;

  test('lists results up to its limit', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      title: `Page ${index}`,
      url: `https://forge.example/${index}`,
      content: 'x'.repeat(600),
    }));
    await using at = await place(json({ results: many }));
    const [tool] = await at.harness.providers.tools();
    await at.harness.providers.search.choose('searxng', at.url);
    const { content, isError } = (await tool?.run({ query: 'forge', maxResults: 10 }, context)) ?? { content: '' };
    expect(isError).toBeUndefined();
    expect(content).toContain('1. Page 0\n   https://forge.example/0\n   xxx');
    expect(content.length).toBeLessThanOrEqual(4_000);
    expect(await tool?.dependency?.()).toEqual({ state: 'ready', detail: 'SearXNG' });
  });

  test('reports missing settings and rejects other arguments', async () => {
    await using at = await place(() => {});
    const [tool] = await at.harness.providers.tools();
    await at.harness.providers.search.choose('off');
    const answer = await tool?.run({ query: 'forge' }, context);
    expect(answer).toMatchObject({ isError: true });
    expect(answer?.content).toContain('not configured');
    expect(await tool?.dependency?.()).toEqual({ state: 'missing', detail: 'web search is off' });
    for (const bad of [{}, { query: ' ' }, { query: 'x', maxResults: 11 }, { query: 'x', more: 1 }]) {
      expect(tool?.input.safeParse(bad).success).toBe(false);
    }
    expect(tool).toMatchObject({ effect: 'network', gate: null });
  });
});
