import { event as place, places } from '#event-names';
import { fromWire } from '#rename';
import { ApiError, OFFLINE } from './api-error.ts';
import { framesOf } from './frames.ts';
import type { SessionEvent } from './operations.ts';
import type { Send } from './request.ts';

export interface EventsOptions {
  /** Only events after this sequence number (`sequence`). Default: all of the session. */
  after?: number;
  /** Ends after the first end of a turn (`RunFinished` or `RunError`). Default: only the signal ends. */
  until?: 'turn-end';
  signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 200;
const LAST_PAUSE_MS = 5_000;
/** The server sends at least a comment every 15 seconds. */
const SILENCE_MS = 45_000;
const PASSING = new Set([0, 429, 502, 503, 504]);

/**
 * The events of a session, each once and in order. A cut connection is made again from the last event, with growing
 * pauses, for as long as it takes; a refusal (a deleted session, a wrong token) and a first connection that fails
 * throw ApiError. An abort ends the iteration without an error.
 */
export async function* sessionEvents(
  send: Send,
  sessionId: string,
  { after = 0, until, signal }: EventsOptions,
): AsyncGenerator<SessionEvent, void> {
  let last = after;
  let cuts = 0;
  let isConnected = false;
  while (!signal?.aborted) {
    const watch = watchSilence(signal);
    try {
      const headers = last > 0 ? { 'Last-Event-ID': String(last) } : {};
      const options = { path: { sessionId }, headers, signal: watch.signal };
      const { body } = await send('get', '/sessions/{sessionId}/events', options);
      isConnected = true;
      for await (const { id, data } of body ? framesOf(body, watch.onBytes) : []) {
        if (id !== undefined && id <= last) continue;
        last = id ?? last;
        cuts = 0;
        const event = fromWire(places, place, JSON.parse(data)) as SessionEvent;
        yield event;
        if (until && isTurnEnd(event)) return;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isConnected || !(error instanceof ApiError && PASSING.has(error.status))) throw error;
    } finally {
      watch.close();
    }
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** cuts, LAST_PAUSE_MS), signal);
    cuts += 1;
  }
}

function isTurnEnd({ type }: SessionEvent): boolean {
  return type === 'RunFinished' || type === 'RunError';
}

/** A signal for one connection: aborted with the caller's, and when nothing arrives for too long. */
function watchSilence(signal: AbortSignal | undefined): { signal: AbortSignal; onBytes(): void; close(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  const expire = (): void => controller.abort(new ApiError(OFFLINE, { status: 0 }));
  let timer = setTimeout(expire, SILENCE_MS);
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    onBytes() {
      clearTimeout(timer);
      timer = setTimeout(expire, SILENCE_MS);
    },
    close() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
