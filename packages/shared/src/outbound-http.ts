import type { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { Ambient } from './ambient.ts';
import type { Environment } from './child-environment.ts';
import { isPublicAddress } from './outbound-addresses.ts';
import { createOutboundAgents, type OutboundAgents } from './outbound-agents.ts';
import { limitedBody } from './outbound-body.ts';
import { OutboundError } from './outbound-error.ts';
import { type ExchangeAnswer, type ExchangeLimits, type ExchangeRequest, exchange } from './outbound-exchange.ts';

/** The only HTTP client for requests that leave this process. */
export interface OutboundHttp extends AsyncDisposable {
  /**
   * Resolves with the headers; the body is read from the answer. Rejects, and the body throws, only with OutboundError.
   * A status of 400 and above is a normal answer.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Preloads the driver, so that the first request is not delayed. */
  warm(): Promise<void>;
}

export interface OutboundRequest {
  url: string;
  method?: ExchangeRequest['method'];
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /**
   * `configured`: an address that the user entered; any host, this computer included; redirects are not followed.
   * `public`: any other; only public internet addresses, checked at the moment of connecting; at most 5 redirects, each
   * checked the same way, and credentials are dropped when the origin changes.
   */
  policy: 'configured' | 'public';
  /**
   * `answer`: a redirect is returned like any other response, for callers that check the target themselves. Default:
   * according to `policy`.
   */
  redirects?: 'answer';
  /** Called before a redirect is followed; what it throws is the result of the request. */
  redirect?(to: string): Promise<void>;
  signal?: AbortSignal;
  limits?: Partial<OutboundLimits>;
}

export interface OutboundLimits extends ExchangeLimits {
  /** After decompression; 0 for streams without a limit. */
  bodyBytes: number;
}

export interface OutboundAnswer {
  status: number;
  headers: Record<string, string>;
  /** The final address, after redirects. */
  url: string;
  /** May be read once. Leaving the loop early closes the socket. */
  body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Buffer>;
  text(): Promise<string>;
  /** Closes the socket without reading on. */
  discard(): void;
  /** Declares that only the end follows: leaving the loop now preserves the connection if the end arrives soon. */
  settle(): void;
}

export interface OutboundHttpNeeds {
  ambient: Ambient;
  /** The process environment, for its proxies. Default: empty. */
  environment?: Environment;
  /** Default: the system's resolver. */
  lookup?: typeof systemLookup;
  /** Default: `isPublicAddress`. */
  isAllowedAddress?: (address: string) => boolean;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const DEFAULTS: OutboundLimits = {
  connectMs: 10_000,
  firstResponseMs: 60_000,
  idleMs: 60_000,
  totalMs: 0,
  bodyBytes: 33_554_432,
};
const CREDENTIAL_HEADERS = /^(authorization|proxy-authorization|cookie|.*api-?key|.*token)$/i;

export function createOutboundHttp(needs: OutboundHttpNeeds): OutboundHttp {
  let loading: Promise<OutboundAgents> | undefined;
  const agents = (): Promise<OutboundAgents> => {
    loading ??= createOutboundAgents(needs);
    return loading;
  };

  return {
    async send(request) {
      const { signal, policy, method = 'GET', body } = request;
      const limits = { ...DEFAULTS, ...request.limits };
      const headers = { 'accept-encoding': policy === 'public' ? 'gzip, deflate, br' : 'identity', ...request.headers };
      let next: ExchangeRequest = { url: checkedUrl(request.url), method, headers, body, signal, limits };
      const agent = (await agents())[policy];
      for (let hop = 0; ; hop++) {
        if (policy === 'public') checkLiteral(needs, next.url);
        const answer = await exchange(needs.ambient, agent, next);
        if (!isRedirect(answer) || request.redirects === 'answer') return toAnswer(answer, next.url, limits.bodyBytes);
        answer.close();
        if (policy === 'configured' || hop === MAX_REDIRECTS) throw refusal('redirect', next.url, true);
        next = redirected(next, answer);
        await request.redirect?.(next.url.href);
      }
    },
    async warm() {
      await agents();
    },
    async [Symbol.asyncDispose]() {
      if (!loading) return;
      await (await loading)[Symbol.asyncDispose]();
    },
  };
}

/** A literal address does not use the lookup, so it is checked here. */
function checkLiteral({ isAllowedAddress = isPublicAddress }: OutboundHttpNeeds, url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowedAddress(host)) throw refusal('forbidden-address', url, false);
}

function checkedUrl(text: string): URL {
  const url = parsedUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new OutboundError('forbidden-address', { origin: url?.host ?? 'unreadable address', requestSent: false });
  }
  return url;
}

/** Parsed once: `URL.canParse` before it would be a second time. */
function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isRedirect({ status, headers }: ExchangeAnswer): boolean {
  return REDIRECTS.has(status) && headers['location'] !== undefined;
}

function redirected(from: ExchangeRequest, { status, headers: answered }: ExchangeAnswer): ExchangeRequest {
  const location = answered['location'] ?? '';
  if (!URL.canParse(location, from.url.href)) throw refusal('redirect', from.url, true);
  const url = checkedUrl(new URL(location, from.url).href);
  const isSameOrigin = url.origin === from.url.origin;
  const kept = Object.entries(from.headers).filter(([name]) => isSameOrigin || !CREDENTIAL_HEADERS.test(name));
  const keepsMethod = from.method === 'GET' || from.method === 'HEAD' || status === 307 || status === 308;
  const headers = Object.fromEntries(kept.filter(([name]) => keepsMethod || !/^content-/i.test(name)));
  return keepsMethod ? { ...from, url, headers } : { ...from, url, headers, method: 'GET', body: undefined };
}

function toAnswer(answer: ExchangeAnswer, url: URL, bodyBytes: number): OutboundAnswer {
  const maxBytes = bodyBytes > 0 ? bodyBytes : Number.POSITIVE_INFINITY;
  const body = limitedBody(answer.body, answer.headers['content-encoding'], { origin: url.origin, maxBytes });
  const bytes = async (): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return {
    status: answer.status,
    headers: answer.headers,
    url: url.href,
    body,
    bytes,
    text: async () => (await bytes()).toString('utf8'),
    discard: () => answer.close(),
    settle: () => answer.settle(),
  };
}

function refusal(problem: OutboundError['problem'], url: URL, requestSent: boolean): OutboundError {
  return new OutboundError(problem, { origin: url.origin, requestSent });
}
