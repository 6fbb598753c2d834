import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Ambient, SessionEvent, StoredEvent } from '@fucina/shared';
import { foldEvent, type SessionFold } from '../state/fold.ts';
import { createCoalescer } from './coalesce.ts';
import type { MessageQueue } from './queue-table.ts';
import type { AppendOptions, SessionRecord, SessionStore } from './store.ts';

/** The only way to write and to follow events: append → commit → broadcast. */
export interface Journal {
  /** Commits pending events and these, then broadcasts. Undefined when `extras.move` lost its race. */
  append(record: SessionRecord, events: readonly SessionEvent[], extras?: AppendOptions): StoredEvent[] | undefined;
  /**
   * For streamed deltas: committed at the end of this turn of the event loop, so that what arrived together is one
   * commit. Once commits take half of the time, for more than SLACK_MS, they are batched, for at most GATHER_MS or
   * GATHER_MAX events. Any `append` commits them first, so the order never changes.
   */
  gather(record: SessionRecord, events: readonly SessionEvent[]): void;
  /** For events that nothing waits for: committed with the session's next write, or `ms` (HELD_MS) later. */
  hold(record: SessionRecord, events: readonly SessionEvent[], ms?: number): void;
  /** Commits pending events, so that the record's fold is up to date. */
  flush(key: number): void;
  /** The same, before an operation that requires it: also throws the error of an earlier background commit. */
  secure(key: number): void;
  /** The record's fold including pending events, as the next commit will store it. */
  foldOf(record: SessionRecord): SessionFold;
  /**
   * Everything above `after`: stored events with contiguous deltas merged, then `replayed` and the queue, then live
   * batches as this or another process commits them, and the queue whenever it changes. Ends when the signal aborts,
   * the session is deleted, or the reader's backlog exceeds FOLLOWER_LIMIT bytes (the client reconnects with its last
   * sequence). A single batch is always delivered to a reader without backlog, however large: reconnecting would only
   * bring the same batch again.
   */
  follow(record: SessionRecord, after: number, signal: AbortSignal): AsyncGenerator<FollowItem>;
  /** Reports commits of any session, by this or another process, without saying what they are. */
  watch(watcher: JournalWatcher): () => void;
  /** One event, undefined past the end. */
  read(record: SessionRecord, seq: number): SessionEvent | undefined;
  queueOf(record: SessionRecord): MessageQueue;
  /** Sends the current queue to followers. */
  publishQueue(key: number): void;
  /** Ends every follower of a deleted session. */
  forget(key: number): void;
  close(): void;
}

export interface JournalWatcher {
  changed(): void;
  /** The journal is closed. */
  end(): void;
}

export type FollowItem =
  | { kind: 'events'; events: readonly StoredEvent[] }
  | { kind: 'replayed' }
  | { kind: 'queue'; queue: MessageQueue };

const GATHER_MS = 2;
const GATHER_MAX = 256;
/** Deltas do not arrive evenly: two commits in a row are no load. */
const SLACK_MS = 4;
const HELD_MS = 100;
const PAGE = 2_000;
const FOLLOWER_LIMIT = 1024 * 1024;
const OTHER_PROCESS_MS = 250;

interface Gathered {
  record: SessionRecord;
  events: SessionEvent[];
  cancel: () => void;
  /** Committed with the next write, or after this time; undefined: at once. */
  heldMs: number | undefined;
}

interface Follower {
  key: number;
  /** Last sequence passed to `push`; commits of other processes are read from here on. */
  lastSeq: number;
  push(events: readonly StoredEvent[]): void;
  /** The queue may have changed. */
  nudge(): void;
  end(): void;
}

export function createJournal({ ambient, store }: { ambient: Ambient; store: SessionStore }): Journal {
  const gathered = new Map<number, Gathered>();
  const failures = new Map<number, unknown>();
  /** Per session, when it has rested for as long as its commits took: a slow disk gets fewer and larger commits. */
  const restedAt = new Map<number, number>();
  const followers = new Map<number, Set<Follower>>();
  const watchers = new Set<JournalWatcher>();
  let stopWatching: (() => void) | undefined;

  const raiseFailure = (key: number): void => {
    if (!failures.has(key)) return;
    const failure = failures.get(key);
    failures.delete(key);
    throw failure;
  };

  const reportChange = (): void => {
    for (const watcher of watchers) watcher.changed();
  };

  const commit = (record: SessionRecord, events: readonly SessionEvent[], extras?: AppendOptions) => {
    const startedAt = ambient.monotonic();
    const stored = store.append(record, events, extras);
    const endedAt = ambient.monotonic();
    const tookMs = endedAt - startedAt;
    const rested = Math.max(restedAt.get(record.key) ?? 0, startedAt) + tookMs + Math.min(tookMs, GATHER_MS);
    restedAt.set(record.key, Math.min(rested, endedAt + SLACK_MS + GATHER_MS));
    if (stored?.length) for (const follower of followers.get(record.key) ?? []) follower.push(stored);
    reportChange();
    return stored;
  };

  const flush = (key: number): void => {
    const waiting = gathered.get(key);
    if (!waiting) return;
    gathered.delete(key);
    waiting.cancel();
    for (let start = 0; start < waiting.events.length; start += GATHER_MAX) {
      commit(waiting.record, waiting.events.slice(start, start + GATHER_MAX));
    }
  };

  /** A timer's error has no caller: it is thrown at the session's next write. */
  const flushLater = (key: number): void => {
    try {
      flush(key);
    } catch (error) {
      failures.set(key, error);
    }
  };

  const gather = (record: SessionRecord, events: readonly SessionEvent[]): void => {
    raiseFailure(record.key);
    const waiting = gathered.get(record.key);
    if (waiting && waiting.heldMs === undefined) {
      waiting.events.push(...events);
      if (waiting.events.length >= GATHER_MAX) flush(record.key);
      return;
    }
    const waitMs = (restedAt.get(record.key) ?? 0) - SLACK_MS - ambient.monotonic();
    waiting?.cancel();
    const all = [...(waiting?.events ?? []), ...events];
    const entry: Gathered = { record, events: all, cancel: () => undefined, heldMs: undefined };
    gathered.set(record.key, entry);
    const flushIt = (): void => flushLater(record.key);
    if (all.length >= GATHER_MAX) flush(record.key);
    else entry.cancel = waitMs <= 0 ? afterThisTurn(flushIt) : ambient.timer(waitMs, flushIt);
  };

  const hold = (record: SessionRecord, events: readonly SessionEvent[], ms = HELD_MS): void => {
    raiseFailure(record.key);
    const waiting = gathered.get(record.key);
    if (waiting && (waiting.heldMs ?? 0) <= ms) return void waiting.events.push(...events);
    waiting?.cancel();
    const all = [...(waiting?.events ?? []), ...events];
    gathered.set(record.key, {
      record,
      events: all,
      cancel: ambient.timer(ms, () => flushLater(record.key)),
      heldMs: ms,
    });
  };

  const watchOtherProcesses = (): void => {
    let version = store.dataVersion();
    const look = (): void => {
      const current = store.dataVersion();
      if (current !== version) {
        for (const follower of [...followers.values()].flatMap((set) => [...set])) catchUp(follower);
        reportChange();
      }
      version = current;
      stopWatching = ambient.timer(OTHER_PROCESS_MS, look);
    };
    stopWatching = ambient.timer(OTHER_PROCESS_MS, look);
  };

  const catchUp = (follower: Follower): void => {
    for (;;) {
      const events = store.eventsAfter(follower.key, follower.lastSeq, PAGE);
      if (events.length) follower.push(events);
      if (events.length < PAGE) break;
    }
    follower.nudge();
  };

  const listen = (follower: Follower): (() => void) => {
    const set = followers.get(follower.key) ?? new Set();
    followers.set(follower.key, set.add(follower));
    if (!stopWatching) watchOtherProcesses();
    return () => {
      set.delete(follower);
      if (!set.size) followers.delete(follower.key);
      stopIfUnused();
    };
  };

  const stopIfUnused = (): void => {
    if (followers.size || watchers.size) return;
    stopWatching?.();
    stopWatching = undefined;
  };

  return {
    append(record, events, extras) {
      raiseFailure(record.key);
      const waiting = gathered.get(record.key);
      if (!waiting || waiting.events.length > GATHER_MAX) {
        flush(record.key);
        return commit(record, events, extras);
      }
      // One commit for both: pending events come first.
      gathered.delete(record.key);
      waiting.cancel();
      const stored = commit(record, [...waiting.events, ...events], extras);
      // A move that lost its race must not affect the pending events.
      if (!stored) commit(record, waiting.events);
      return stored?.slice(waiting.events.length);
    },
    gather,
    hold,
    flush,
    secure(key) {
      raiseFailure(key);
      flush(key);
    },
    foldOf({ key, fold, lastSeq }) {
      const at = ambient.now();
      const events = gathered.get(key)?.events ?? [];
      return events.reduce((last, event, index) => foldEvent(last, event, { seq: lastSeq + index + 1, at }), fold);
    },
    follow: (record, after, signal) => followSession({ store, listen, record, after, signal }),
    watch(watcher) {
      watchers.add(watcher);
      if (!stopWatching) watchOtherProcesses();
      return () => {
        watchers.delete(watcher);
        stopIfUnused();
      };
    },
    read({ key }, seq) {
      const [stored] = store.eventsAfter(key, seq - 1, 1);
      return stored?.seq === seq ? (JSON.parse(stored.json) as SessionEvent) : undefined;
    },
    queueOf: ({ key }) => store.queue.read(key),
    publishQueue(key) {
      for (const follower of followers.get(key) ?? []) follower.nudge();
    },
    forget(key) {
      for (const follower of followers.get(key) ?? []) follower.end();
      restedAt.delete(key);
      reportChange();
    },
    close() {
      for (const key of gathered.keys()) flush(key);
      for (const follower of [...followers.values()].flatMap((set) => [...set])) follower.end();
      for (const watcher of watchers) watcher.end();
      stopWatching?.();
    },
  };
}

/** The returned function cancels it. */
function afterThisTurn(act: () => void): () => void {
  const immediate = setImmediate(act);
  return () => clearImmediate(immediate);
}

interface FollowRequest {
  store: SessionStore;
  listen(follower: Follower): () => void;
  record: SessionRecord;
  after: number;
  signal: AbortSignal;
}

async function* followSession({ store, listen, record, after, signal }: FollowRequest): AsyncGenerator<FollowItem> {
  const coalescer = createCoalescer();
  let replayed = after;
  for (;;) {
    const page = store.eventsAfter(record.key, replayed, PAGE);
    replayed = page.at(-1)?.seq ?? replayed;
    const events = coalescer.push(page);
    // The last read finds nothing new and is followed by `listen` in the same tick: no gap.
    if (page.length < PAGE) {
      events.push(...coalescer.flush());
      const live = createLiveQueue(
        record.key,
        { lastSeq: replayed, queue: () => store.queue.read(record.key) },
        signal,
      );
      const unlisten = listen(live.follower);
      // Deleted in the meantime: nothing would end this follower.
      if (!store.read(record.header.sessionId)) live.follower.end();
      try {
        if (events.length) yield { kind: 'events', events };
        yield { kind: 'replayed' };
        yield* live.items();
      } finally {
        unlisten();
      }
      return;
    }
    if (events.length) yield { kind: 'events', events };
    // Reading is synchronous: without yielding to the event loop the first page would be sent with the last one.
    await yieldToOthers();
    if (signal.aborted) return;
  }
}

interface LiveSource {
  lastSeq: number;
  queue(): MessageQueue;
}

function createLiveQueue(key: number, { lastSeq, queue: readQueue }: LiveSource, signal: AbortSignal) {
  let queue: StoredEvent[] = [];
  let lastText = '';
  let mayHaveChanged = true;
  let bytes = 0;
  let isOver = signal.aborted;
  let wake: (() => void) | undefined;
  const end = (): void => {
    isOver = true;
    wake?.();
  };
  signal.addEventListener('abort', end, { once: true });

  const follower: Follower = {
    key,
    lastSeq,
    end,
    nudge() {
      mayHaveChanged = true;
      wake?.();
    },
    push(events) {
      // After a cut nothing more is sent: later events would leave a gap.
      if (isOver) return;
      const fresh = events.filter(({ seq }) => seq > follower.lastSeq);
      follower.lastSeq = fresh.at(-1)?.seq ?? follower.lastSeq;
      const isBehind = queue.length > 0;
      queue = isBehind ? queue.concat(fresh) : fresh;
      bytes += fresh.reduce((sum, { json }) => sum + json.length, 0);
      if (isBehind && bytes > FOLLOWER_LIMIT) {
        queue = [];
        isOver = true;
      }
      wake?.();
    },
  };

  const changedQueue = (): MessageQueue | undefined => {
    mayHaveChanged = false;
    const now = readQueue();
    const text = JSON.stringify(now);
    if (text === lastText) return undefined;
    lastText = text;
    return now;
  };

  async function* items(): AsyncGenerator<FollowItem> {
    try {
      for (;;) {
        if (mayHaveChanged && !isOver) {
          const changed = changedQueue();
          if (changed) yield { kind: 'queue', queue: changed };
        } else if (queue.length) {
          const events = queue;
          queue = [];
          bytes = 0;
          yield { kind: 'events', events };
        } else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  return { follower, items };
}
