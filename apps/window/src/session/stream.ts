import { type Conversation, EMPTY, fold, parseEvent, REPLAY_END, type StreamEvent } from '@fucina/conversation';
import { later, monotonic, nextFrame } from '../ambient.ts';
import { address, read, WireError } from '../wire/call.ts';
import { checkServer } from '../wire/server-state.ts';

/** `lost`: the stream broke and is reconnecting; the content may be outdated. */
export type StreamState = 'connecting' | 'live' | 'lost';

export interface SessionStream {
  conversation(): Conversation;
  link(): StreamState;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** A hidden page closes its connection: a browser has six of them per server for all tabs. */
const OUT_OF_SIGHT_MS = 60_000;
const REPLAY_PAINT_MS = 300;
const RETRY_MS = 2_000;
/** After a slow redraw, this multiple of its duration is left for the user. */
const REST = 3;
const QUICK_MS = 8;
const REMEMBERED = 4;

/** Recently left conversations, so that returning shows them at once; the replay skips known events. */
const remembered = new Map<string, Conversation>();

function remember(sessionId: string, conversation: Conversation): void {
  remembered.delete(sessionId);
  remembered.set(sessionId, conversation);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

let ahead: { sessionId: string; stream: SessionStream } | undefined;

/**
 * Prefetches events before the page is drawn. The first follower of that session takes the stream over. Resolves when
 * the stored events have arrived.
 */
export function prefetchStream(sessionId: string): Promise<void> {
  const stream = openStream(sessionId);
  ahead = { sessionId, stream };
  return new Promise((resolve) => {
    const unsubscribe = stream.subscribe(() => {
      if (!stream.conversation().isReplayed) return;
      unsubscribe();
      resolve();
    });
  });
}

/** The prefetched stream, not taken over: its events can be drawn at once. */
export function prefetchedStream(sessionId: string): SessionStream | undefined {
  return ahead?.sessionId === sessionId ? ahead.stream : undefined;
}

/** The prefetched stream, or a new one: the caller must close it. */
export function takeStream(sessionId: string): SessionStream {
  const stream = prefetchedStream(sessionId);
  if (stream) ahead = undefined;
  return stream ?? openStream(sessionId);
}

/** For a page that does not need the prefetched stream. */
export function closePrefetchedStream(): void {
  ahead?.stream.close();
  ahead = undefined;
}

/** Follows the events of a session: listeners are called at most once per frame. */
function openStream(sessionId: string): SessionStream {
  const listeners = new Set<() => void>();
  let conversation = remembered.get(sessionId) ?? EMPTY;
  let link: StreamState = 'connecting';
  let arrived: StreamEvent[] = [];
  let cancelFlush: (() => void) | undefined;
  let drawingMs = 0;
  let cancelRetry: (() => void) | undefined;
  let cancelRest: (() => void) | undefined;
  let source: EventSource | undefined;
  let isClosed = false;

  const tell = () => {
    for (const listener of listeners) listener();
  };
  const flush = () => {
    cancelFlush = undefined;
    const batch = arrived;
    arrived = [];
    if (batch.length === 0) return;
    const begun = monotonic();
    conversation = fold(conversation, batch);
    tell();
    // Listeners draw before this returns.
    later(0, () => {
      drawingMs = monotonic() - begun;
    });
  };
  const next = () => (drawingMs > QUICK_MS ? later(drawingMs * REST, flush) : nextFrame(flush));
  const take = (event: StreamEvent) => {
    arrived.push(event);
    if (event.type === 'CUSTOM' && event.name === REPLAY_END.name) {
      cancelFlush?.();
      flush();
    } else {
      // Stored events arrive as fast as they are read: painting in between would slow them down.
      cancelFlush ??= conversation.isReplayed ? next() : later(REPLAY_PAINT_MS, flush);
    }
  };
  const setLink = (value: StreamState) => {
    if (link === value) return;
    link = value;
    tell();
  };
  const connect = () => {
    source = new EventSource(address(['sessions', sessionId, 'events']));
    source.onopen = () => setLink('live');
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const event = parseEvent(data);
      if (event) take(event);
    };
    source.onerror = () => {
      setLink('lost');
      void checkServer();
      // A refusal closes the source for good; after a lost connection it reconnects itself.
      if (source?.readyState === EventSource.CLOSED) void refused();
    };
  };
  /** Retries later, unless this browser is no longer signed in: another request shows which. */
  const refused = async () => {
    try {
      await read(address(['sessions', sessionId, 'pending']));
    } catch (error) {
      if (error instanceof WireError && error.code === 'AUTH_REQUIRED') return;
    }
    if (!isClosed) cancelRetry = later(RETRY_MS, connect);
  };
  connect();

  const see = () => {
    cancelRest?.();
    if (document.visibilityState === 'hidden') {
      cancelRest = later(OUT_OF_SIGHT_MS, () => {
        cancelRetry?.();
        source?.close();
        source = undefined;
      });
    } else if (!source) connect();
  };
  document.addEventListener('visibilitychange', see);

  return {
    conversation: () => conversation,
    link: () => link,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      document.removeEventListener('visibilitychange', see);
      cancelRest?.();
      source?.close();
      cancelFlush?.();
      cancelRetry?.();
      flush();
      remember(sessionId, conversation);
    },
  };
}
