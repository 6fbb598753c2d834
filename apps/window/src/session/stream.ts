import { ApiError } from '@fucina/client';
import { type Conversation, EMPTY, fold, REPLAY_END, type StreamEvent } from '@fucina/conversation';
import { parseEvent } from '@fucina/conversation/reader';
import { later, monotonic, nextFrame } from '../ambient.ts';
import { takeFirstSource } from '../first-requests.ts';
import { api } from '../wire/client.ts';
import { keepSource } from '../wire/seen-source.ts';
import { checkServer } from '../wire/server-state.ts';

/** `lost`: the stream broke and is reconnecting; the content may be outdated. */
export type StreamState = 'connecting' | 'live' | 'lost';

export interface SessionStream {
  conversation(): Conversation;
  link(): StreamState;
  subscribe(listener: () => void): () => void;
  close(): void;
}

const REPLAY_PAINT_MS = 300;
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
  if (stream.conversation().isReplayed) return Promise.resolve();
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
  const leave = keepSource({
    open() {
      const { source, messages } = takeFirstSource(sessionId) ?? newSource(sessionId);
      const read = ({ data }: MessageEvent<string>) => {
        const event = parseEvent(data);
        if (event) take(event);
      };
      if (source.readyState === EventSource.OPEN) setLink('live');
      source.onopen = () => setLink('live');
      source.onmessage = read;
      messages.forEach(read);
      return source;
    },
    onError() {
      setLink('lost');
      void checkServer();
    },
    mayRetry: () => isSignedIn(sessionId),
  });

  return {
    conversation: () => conversation,
    link: () => link,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      leave();
      cancelFlush?.();
      flush();
      remember(sessionId, conversation);
    },
  };
}

function newSource(sessionId: string): { source: EventSource; messages: MessageEvent<string>[] } {
  const address = api.address('get', '/sessions/{sessionId}/events', { path: { sessionId } });
  return { source: new EventSource(address), messages: [] };
}

/** A refusal does not say why: another request shows whether this browser is still signed in. */
async function isSignedIn(sessionId: string): Promise<boolean> {
  try {
    await api.get('/sessions/{sessionId}/pending', { path: { sessionId } });
    return true;
  } catch (error) {
    return !(error instanceof ApiError && error.code === 'AUTH_REQUIRED');
  }
}
