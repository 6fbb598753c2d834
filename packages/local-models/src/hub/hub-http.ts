import { type OutboundAnswer, OutboundError, type OutboundHttp, type OutboundRequest } from '@fucina/shared';
import { localModelsError } from '../errors.ts';

/** The hub's address; other hosts are contacted only by its redirects, and only its own. */
export const HUB = 'https://huggingface.co';
const OWN_HOST = 'huggingface.co';
/** Hosts of the hub's large files and images. */
const OWN_DOMAINS = ['.huggingface.co', '.hf.co'] as const;

const LIMITS = { connectMs: 10_000, firstResponseMs: 20_000, idleMs: 20_000, totalMs: 60_000, bodyBytes: 4_194_304 };
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

export interface HubRequest extends Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'signal' | 'limits'> {
  /** Absolute; on the hub. */
  url: string;
  /** The code of failures without a code of their own. */
  failure: 'HUB_HUB_UPSTREAM' | 'HUB_DOWNLOAD_FAILED';
  /** Called with the headers of every response of a redirect chain; its errors are rethrown. */
  look?(headers: Readonly<Record<string, string>>): void;
}

export function isHubHost(host: string): boolean {
  return host === OWN_HOST || OWN_DOMAINS.some((domain) => host.endsWith(domain) && host.length > domain.length);
}

/**
 * A response below 400. Sends no credentials, so a redirect cannot leak any. HUB_REDIRECT_INVALID,
 * HUB_REDIRECT_HOST_REJECTED, HUB_REPOSITORY_GATED, HUB_RATE_LIMITED, or `failure`, whose reason is `not-found` for
 * 404.
 */
export async function askHub(http: OutboundHttp, { url, failure, look, ...rest }: HubRequest): Promise<OutboundAnswer> {
  const limits = { ...LIMITS, ...rest.limits };
  let next = { ...rest, url: hubUrl(url), limits };
  for (let hop = 0; ; hop++) {
    const answer = await send(http, next, failure);
    if (look) lookAt(answer, look);
    if (!REDIRECTS.has(answer.status)) return checkedStatus(answer, failure);
    answer.discard();
    if (hop === MAX_REDIRECTS) throw localModelsError('HUB_REDIRECT_INVALID', { reason: 'too-many' });
    const isKept = answer.status === 307 || answer.status === 308;
    next = { ...next, url: redirectOf(answer, next.url), ...(!isKept && { method: 'GET', body: undefined }) };
  }
}

function lookAt(answer: OutboundAnswer, look: NonNullable<HubRequest['look']>): void {
  try {
    look(answer.headers);
  } catch (error) {
    answer.discard();
    throw error;
  }
}

async function send(
  http: OutboundHttp,
  request: Omit<HubRequest, 'failure' | 'look'>,
  failure: HubRequest['failure'],
): Promise<OutboundAnswer> {
  try {
    return await http.send({ ...request, policy: 'public', redirects: 'answer' });
  } catch (error) {
    throw asHubError(error, failure);
  }
}

/** Network errors become `failure`; other errors are unchanged. */
export function asHubError(error: unknown, failure: HubRequest['failure']): unknown {
  if (!(error instanceof OutboundError)) return error;
  return localModelsError(failure, { reason: error.problem, cause: error });
}

function hubUrl(text: string): string {
  const url = new URL(text);
  if (url.origin !== HUB) throw localModelsError('HUB_REDIRECT_HOST_REJECTED');
  return url.href;
}

/** The redirect's target, if it is a host of the hub. */
function redirectOf(answer: OutboundAnswer, from: string): string {
  const location = answer.headers['location'] ?? '';
  if (location === '' || !URL.canParse(location, from)) throw localModelsError('HUB_REDIRECT_INVALID');
  const url = new URL(location, from);
  const isPlain = url.username === '' && url.password === '' && url.port === '';
  if (url.protocol !== 'https:' || !isPlain || !isHubHost(url.hostname)) {
    throw localModelsError('HUB_REDIRECT_HOST_REJECTED');
  }
  return url.href;
}

function checkedStatus(answer: OutboundAnswer, failure: HubRequest['failure']): OutboundAnswer {
  const { status } = answer;
  if (status < 300) return answer;
  answer.discard();
  if (status === 401 || status === 403) throw localModelsError('HUB_REPOSITORY_GATED');
  if (status === 429) throw localModelsError('HUB_RATE_LIMITED');
  throw localModelsError(failure, { reason: status === 404 ? 'not-found' : `status-${status}` });
}

/** The whole text of a response; HUB_HUB_RESPONSE_INVALID above the size limit of its request. */
export async function textOf(answer: OutboundAnswer): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    if (error instanceof OutboundError && error.problem === 'too-large') {
      throw localModelsError('HUB_HUB_RESPONSE_INVALID', { reason: 'too-large', cause: error });
    }
    throw asHubError(error, 'HUB_HUB_UPSTREAM');
  }
}
