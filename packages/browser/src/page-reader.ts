import {
  isSameSite,
  moduleBeside,
  OutboundError,
  type OutboundHttp,
  type OutboundRequest,
  runInWorker,
  WorkerError,
} from '@fucina/shared';
import { contentKind, decodedText } from './decoded-text.ts';
import type { PageText } from './page-text.ts';

export interface ReadPage extends PageText {
  /** The final address, after redirects. */
  url: string;
}

/** Why there is no readable text. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly problem: 'address' | 'unreachable' | 'refused' | 'kind' | 'too-large' | 'unreadable';

  constructor(problem: PageError['problem'], cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** A redirect to another site, which was not followed. */
export class LeavesSite extends Error {
  override readonly name = 'LeavesSite';
  readonly to: string;

  constructor(to: string) {
    super('redirect to another site');
    this.to = to;
  }
}

export interface ReadOptions {
  /** A redirect to another site throws LeavesSite. Default: it is followed. */
  staysOnSite?: boolean;
}

export interface PageReader {
  /** The text of a public page. Throws PageError; runs no scripts. */
  read(url: string, signal?: AbortSignal, options?: ReadOptions): Promise<ReadPage>;
}

interface PageReaderNeeds {
  http: OutboundHttp;
  /** The text of a document that is not HTML (PDF …); undefined when it has none. */
  readDocument(file: { name: string; bytes: Buffer }, signal: AbortSignal): Promise<string | undefined>;
}

/** The page as received. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const TOTAL_MS = 30_000;
const WORKER = { timeoutMs: 8_000, memoryMiB: 256 };
const ACCEPT = 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1';
const entry = moduleBeside(import.meta.url, 'page-worker');

export function createPageReader({ http, readDocument }: PageReaderNeeds): PageReader {
  return {
    async read(address, signal = new AbortController().signal, { staysOnSite = false } = {}) {
      const from = checkedAddress(address);
      const redirect = async (to: string): Promise<void> => {
        if (staysOnSite && !(await isSameSite(from, to))) throw new LeavesSite(to);
      };
      const { url, mediaType, charset, bytes } = await fetched(http, { url: from, redirect }, signal);
      if (mediaType === 'application/pdf' || bytes.subarray(0, 5).toString('latin1') === '%PDF-') {
        const text = await readDocument({ name: url, bytes }, signal);
        if (!text) throw new PageError('unreadable');
        return { url, title: lastSegment(url), text, publishedAt: null };
      }
      const isPage = mediaType === 'text/html' || mediaType === 'application/xhtml+xml';
      if (!isPage && !mediaType.startsWith('text/') && mediaType !== 'application/json') throw new PageError('kind');
      const text = await decodedText(bytes, charset);
      if (!isPage) return { url, title: lastSegment(url), text, publishedAt: null };
      return { url, ...(await inWorker(text, signal)) };
    },
  };
}

function checkedAddress(address: string): string {
  if (!URL.canParse(address)) throw new PageError('address');
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new PageError('address');
  if (url.username || url.password) throw new PageError('address');
  return url.href;
}

async function fetched(http: OutboundHttp, to: Pick<OutboundRequest, 'url' | 'redirect'>, signal: AbortSignal) {
  try {
    const answer = await http.send({
      ...to,
      policy: 'public',
      signal,
      headers: { accept: ACCEPT, 'accept-language': 'en, it;q=0.9, *;q=0.5' },
      limits: { bodyBytes: MAX_PAGE_BYTES, totalMs: TOTAL_MS },
    });
    if (answer.status !== 200) {
      answer.discard();
      throw new PageError('refused');
    }
    const kind = contentKind(answer.headers['content-type'] ?? 'text/html');
    return { url: answer.url, ...kind, bytes: await answer.bytes() };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    signal.throwIfAborted();
    throw new PageError(error.problem === 'too-large' ? 'too-large' : 'unreachable', error);
  }
}

async function inWorker(html: string, signal: AbortSignal): Promise<PageText> {
  try {
    return await runInWorker<PageText>(entry, html, { ...WORKER, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof WorkerError)) throw error;
    throw new PageError('unreadable', error);
  }
}

function lastSegment(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // a literal percent sign
  }
}
