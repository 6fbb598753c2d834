import { OutboundError, type OutboundHttp, type OutboundRequest, type Secret } from '@fucina/shared';
import { providersError } from '../errors.ts';
import { parseBrave, parseCustom, parseSearxng, parseTavily } from './parsers.ts';
import { firstResults, type SearchResult } from './results.ts';
import type { SearchSource } from './sources.ts';

/** One query to one source, fully specified. */
export interface SearchCall {
  http: OutboundHttp;
  source: SearchSource;
  /** '' for a source with a fixed one. */
  endpoint: string;
  key: Secret | undefined;
  query: string;
  /** 1 to 10. */
  maxResults: number;
  signal: AbortSignal | undefined;
}

const LIMITS = { connectMs: 8_000, firstResponseMs: 15_000, idleMs: 10_000, totalMs: 25_000, bodyBytes: 1_048_576 };

/** Throws SEARCH_BLOCKED, SEARCH_UNREACHABLE or SEARCH_FAILED; rejects with the signal's reason when aborted. */
export async function askSource(call: SearchCall): Promise<SearchResult[]> {
  const way = WAYS[call.source.id];
  if (!way) throw providersError('SEARCH_SOURCE_INVALID');
  try {
    const request = way.request(call);
    const answer = await call.http.send({ ...request, limits: LIMITS, ...(call.signal && { signal: call.signal }) });
    if (answer.status >= 300) {
      answer.discard();
      throw refusal(answer.status);
    }
    const text = await answer.text();
    return firstResults(await way.read(text, answer.status), call.maxResults);
  } catch (cause) {
    call.signal?.throwIfAborted();
    throw asSearchError(cause);
  }
}

interface Way {
  request(call: SearchCall): OutboundRequest;
  /** Throws SyntaxError for an invalid response. */
  read(text: string, status: number): SearchResult[] | Promise<SearchResult[]>;
}

const WAYS: Record<string, Way> = {
  duckduckgo: {
    request: ({ source, query }) => ({
      url: withQuery(`${source.origin}/html/`, { q: query }),
      policy: 'public',
      headers: { accept: 'text/html', 'accept-language': 'en,it;q=0.8', 'user-agent': PAGE_READER },
    }),
    async read(text, status) {
      const { readDuckDuckGoPage } = await import('./duckduckgo-page.ts');
      const page = readDuckDuckGoPage(text);
      // Status 202 means that it shows a captcha.
      if (page.kind === 'blocked' || (status === 202 && page.kind === 'unreadable')) throw refusal(429);
      if (page.kind === 'unreadable') throw new SyntaxError('no page of results');
      return page.results;
    },
  },
  tavily: {
    request: ({ source, key, query, maxResults }) => ({
      url: `${source.origin}/search`,
      method: 'POST',
      policy: 'public',
      headers: { ...JSON_HEADERS, ...bearer(key) },
      body: JSON.stringify({ query, max_results: maxResults, search_depth: 'basic' }),
    }),
    read: parseTavily,
  },
  brave: {
    request: ({ source, key, query, maxResults }) => ({
      url: withQuery(`${source.origin}/res/v1/web/search`, { q: query, count: String(maxResults) }),
      policy: 'public',
      headers: { accept: 'application/json', ...(key && { 'x-subscription-token': key.reveal() }) },
    }),
    read: parseBrave,
  },
  searxng: {
    request: ({ endpoint, query }) => ({
      url: withQuery(pathAfter(endpoint, '/search'), { q: query, format: 'json' }),
      policy: 'configured',
      headers: { accept: 'application/json' },
    }),
    read: parseSearxng,
  },
  custom: {
    request: ({ endpoint, key, query }) => ({
      url: endpoint.includes(PLACE)
        ? endpoint.replaceAll(PLACE, encodeURIComponent(query.toWellFormed()))
        : withQuery(endpoint, { q: query }),
      policy: 'configured',
      headers: { accept: 'application/json', ...bearer(key) },
    }),
    read: parseCustom,
  },
};

/** Where a custom address expects the query; by default in `q`. */
const PLACE = '{query}';
const PAGE_READER = 'Mozilla/5.0 (compatible; Fucina/0.1)';
const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

function bearer(key: Secret | undefined): Record<string, string> {
  return key ? { authorization: `Bearer ${key.reveal()}` } : {};
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The user may enter the address with the path that is appended anyway. */
function pathAfter(endpoint: string, path: string): string {
  const url = new URL(endpoint);
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = base.endsWith(path) ? base : base + path;
  return url.href;
}

function refusal(status: number): Error {
  const params = { status };
  if (status === 403 || status === 429) return providersError('SEARCH_BLOCKED', { params });
  return providersError('SEARCH_FAILED', { reason: status === 401 ? 'key-refused' : 'refused', params });
}

function asSearchError(cause: unknown): unknown {
  if (cause instanceof SyntaxError) return providersError('SEARCH_FAILED', { reason: 'unreadable', cause });
  if (!(cause instanceof OutboundError)) return cause;
  if (cause.problem === 'redirect' || cause.problem === 'too-large') {
    return providersError('SEARCH_FAILED', { reason: cause.problem, cause });
  }
  return providersError('SEARCH_UNREACHABLE', { reason: cause.problem, cause });
}
