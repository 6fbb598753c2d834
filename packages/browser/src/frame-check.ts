import { OutboundError, type OutboundHttp } from '@fucina/shared';
import { isLocal, isOwn, pageAddress } from './addresses.ts';
import { type FrameRefusal, frameRefusal } from './frame-rules.ts';

export interface FrameVerdict {
  canBeFramed: boolean;
  /** `allowed` when it can be framed. */
  reason: FrameRefusal | 'allowed' | 'own-address' | 'not-secure' | 'unreachable' | 'download';
  /** The final address, after redirects. */
  url: string;
  /** How to show it: in a frame, through the proxy for pages of this computer, or in the live browser. */
  via: 'frame' | 'proxy' | 'live';
  viaReason: 'public-page' | 'local-server' | 'own-address' | 'refuses-frames';
}

export interface FrameCheckNeeds {
  http: OutboundHttp;
  /** Whether a live browser is available for a page that forbids framing. */
  canDrive(): Promise<boolean>;
}

const TOTAL_MS = 15_000;

/**
 * Whether a page may be shown in a frame of the window at `ownOrigin`, which frames only https and this computer.
 * Fetches the headers of a public page, and nothing from this computer. Throws QUERY_INVALID for an invalid address.
 */
export async function checkFrame(
  { http, canDrive }: FrameCheckNeeds,
  address: string,
  { ownOrigin, signal }: { ownOrigin: string; signal: AbortSignal },
): Promise<FrameVerdict> {
  const url = pageAddress(address);
  if (isOwn(url, ownOrigin)) {
    return { canBeFramed: false, reason: 'own-address', url: url.href, via: 'frame', viaReason: 'own-address' };
  }
  if (isLocal(url)) {
    return { canBeFramed: true, reason: 'allowed', url: url.href, via: 'proxy', viaReason: 'local-server' };
  }
  const { reason, found } = await askPublic(http, url, { ownOrigin, signal });
  if (NEEDS_BROWSER.has(reason) && (await canDrive()))
    return { canBeFramed: false, reason, url: found, via: 'live', viaReason: 'refuses-frames' };
  return { canBeFramed: reason === 'allowed', reason, url: found, via: 'frame', viaReason: 'public-page' };
}

/** A page that exists but that the window may not frame. */
const NEEDS_BROWSER: ReadonlySet<FrameVerdict['reason']> = new Set([
  'frame-ancestors',
  'x-frame-options',
  'not-secure',
]);

async function askPublic(
  http: OutboundHttp,
  url: URL,
  { ownOrigin, signal }: { ownOrigin: string; signal: AbortSignal },
): Promise<{ reason: FrameVerdict['reason']; found: string }> {
  try {
    const answer = await http.send({
      url: url.href,
      policy: 'public',
      signal,
      headers: { accept: 'text/html,*/*;q=0.1' },
      limits: { totalMs: TOTAL_MS },
    });
    answer.discard();
    const page = new URL(answer.url);
    const saved = /^\s*attachment/i.test(answer.headers['content-disposition'] ?? '');
    const refusal = frameRefusal(answer.headers, { page, parent: new URL(ownOrigin) });
    const reason = page.protocol === 'http:' ? 'not-secure' : (refusal ?? (saved ? 'download' : 'allowed'));
    return { reason, found: page.href };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    signal.throwIfAborted();
    return { reason: 'unreachable', found: url.href };
  }
}
