import { moduleBeside, OutboundError, type OutboundHttp, runInWorker, textStart, WorkerError } from '@fucina/shared';
import { isLocal, isOwn, pageAddress, underOtherName } from './addresses.ts';
import { contentKind, decodedText } from './decoded-text.ts';
import { browserError } from './errors.ts';
import type { OverlayRequest } from './overlay-page.ts';
import { MAX_PAGE_BYTES } from './page-reader.ts';

const TOTAL_MS = 30_000;
const WORKER = { timeoutMs: 10_000, memoryMiB: 384 };
const entry = moduleBeside(import.meta.url, 'overlay-worker');

/**
 * The page of a development server on this computer, with its base address and the overlay that picks an element. The
 * request carries nothing of the caller (no cookie, no authorization); only the page is returned.
 */
export async function localPage(
  http: OutboundHttp,
  address: string,
  { ownOrigin, signal }: { ownOrigin: string; signal: AbortSignal },
): Promise<Buffer> {
  const url = pageAddress(address);
  if (!isLocal(url)) throw browserError('BROWSER_PROXY_SOLO_LOCALE', { reason: 'not-this-computer' });
  if (isOwn(url, ownOrigin)) throw browserError('BROWSER_PROXY_SOLO_LOCALE', { reason: 'own-address' });
  const html = await fetched(http, url, signal);
  const request: OverlayRequest = {
    html,
    pageUrl: url.href,
    baseUrl: underOtherName(url, ownOrigin).href,
    windowOrigin: ownOrigin,
  };
  try {
    return Buffer.from(await runInWorker<string>(entry, request, { ...WORKER, signal }));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof WorkerError)) throw error;
    throw browserError('BROWSER_PROXY_NON_HTML', { reason: 'unreadable', cause: error });
  }
}

async function fetched(http: OutboundHttp, url: URL, signal: AbortSignal): Promise<string> {
  try {
    const answer = await http.send({
      url: url.href,
      policy: 'configured',
      signal,
      headers: { accept: 'text/html,application/xhtml+xml' },
      limits: { bodyBytes: MAX_PAGE_BYTES, totalMs: TOTAL_MS },
    });
    const { mediaType, charset } = contentKind(answer.headers['content-type'] ?? '');
    if (mediaType !== 'text/html' && mediaType !== 'application/xhtml+xml') {
      answer.discard();
      throw browserError('BROWSER_PROXY_NON_HTML', { params: { mediaType: textStart(mediaType, 100) } });
    }
    return await decodedText(await answer.bytes(), charset);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    signal.throwIfAborted();
    if (error.problem === 'too-large') throw browserError('BROWSER_PROXY_TROPPO_GRANDE', { cause: error });
    throw browserError('BROWSER_PROXY_IRRAGGIUNGIBILE', { reason: error.problem, cause: error });
  }
}
