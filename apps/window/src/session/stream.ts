import { type Conversation, EMPTY, fold, parseEvent, REPLAY_END, type StreamEvent } from '@fucina/conversation';
import { later, monotonic, nextFrame } from '../ambient.ts';
import { address, read, WireError } from '../wire/call.ts';
import { checkServer } from '../wire/server-state.ts';

/** `lost`: the stream broke and is being tried again; what is shown may be old. */
export type StreamState = 'connecting' | 'live' | 'lost';

export interface SessionStream {
  conversation(): Conversation;
  link(): StreamState;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** A page out of sight gives its connection back: a browser has six of them for all its tabs. */
const OUT_OF_SIGHT_MS = 60_000;
const REPLAY_PAINT_MS = 300;
const RETRY_MS = 2_000;
/** After a drawing that took long, this many times as long is left to the user. */
const REST = 3;
const QUICK_MS = 8;
const REMEMBERED = 4;

/** Conversations left not long ago, so that coming back shows them at once; the replay repeats nothing. */
const remembered = new Map<string, Conversation>();

function remember(sessionId: string, conversation: Conversation): void {
  remembered.delete(sessionId);
  remembered.set(sessionId, conversation);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

let ahead: { sessionId: string; stream: SessionStream } | undefined;

/** Events travel while the page is still being drawn. Whoever follows that session first takes the stream over. */
export function prefetchStream(sessionId: string): void {
  ahead = { sessionId, stream: openStream(sessionId) };
}

/** The stream that was opened ahead, left where it is: what is drawn first may already hold its events. */
export function prefetchedStream(sessionId: string): SessionStream | undefined {
  return ahead?.sessionId === sessionId ? ahead.stream : undefined;
}

/** The stream that was opened ahead, or a new one: whoever takes it closes it. */
export function takeStream(sessionId: string): SessionStream {
  const stream = prefetchedStream(sessionId);
  if (stream) ahead = undefined;
  return stream ?? openStream(sessionId);
}

/** For a page that turned out not to follow what was opened ahead. */
export function closePrefetchedStream(): void {
  ahead?.stream.close();
  ahead = undefined;
}

/** Follows the events of a session: however many arrive, its listeners are called once a frame. */
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
    // What listens draws before this comes back.
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
      // The stored part comes as fast as it is read: painting each piece of it would only slow it.
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
      // A refusal closes the source for good; silence it tries again by itself.
      if (source?.readyState === EventSource.CLOSED) void refused();
    };
  };
  /** Tried again after a while, unless this browser is no longer let in: asking for anything else shows which. */
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
