import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import type { Ambient } from './ambient.ts';
import { certificateReason, OutboundError, type OutboundProblem, problemOf } from './outbound-error.ts';

export interface ExchangeRequest {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  limits: ExchangeLimits;
}

/** All in ms; 0 disables `totalMs`. */
export interface ExchangeLimits {
  connectMs: number;
  /** From the start of the request to the response's headers. */
  firstResponseMs: number;
  /** Longest pause in the body while the reader is waiting. */
  idleMs: number;
  totalMs: number;
}

export interface ExchangeAnswer {
  status: number;
  headers: Record<string, string>;
  /** Raw bytes, one item per network read. Leaving the loop early closes the socket. */
  body: AsyncIterable<Uint8Array>;
  /** Closes the socket without reading on; no effect when all was read. */
  close(): void;
  /** Declares that only the end follows: leaving the loop now preserves the connection if the end arrives soon. */
  settle(): void;
}

/** Above this size the socket is paused until the reader has caught up. */
const QUEUE_BYTES = 262_144;

/**
 * One request and its response on one socket, with our own timeouts. Rejects, and the body throws, only with
 * OutboundError.
 */
export function exchange(ambient: Ambient, agent: Agent, request: ExchangeRequest): Promise<ExchangeAnswer> {
  return new Promise((resolve, reject) => {
    const { url, signal } = request;
    let controller: Dispatcher.DispatchController | undefined;
    let isSent = false;
    let isOver = false;
    const fail = (problem: OutboundProblem, cause?: unknown): void => {
      if (isOver) return;
      const facts = cause instanceof OutboundError ? cause.facts : { reason: certificateReason(cause) };
      const failure = new OutboundError(problem, { origin: url.origin, requestSent: isSent, cause, ...facts });
      finish();
      controller?.abort(failure);
      body.end(failure);
      reject(failure);
    };
    const deadlines = createDeadlines(ambient, request.limits, {
      expire: () => fail('timeout'),
      isReaderBehind: () => controller?.paused === true,
    });
    let isSettled = false;
    const body = createBody({
      leave() {
        if (!isSettled) return fail('aborted');
        controller?.resume();
        deadlines.ending(() => fail('aborted'));
      },
      drained() {
        if (!controller?.paused) return;
        deadlines.heard();
        controller.resume();
      },
    });
    const settle = (): void => {
      isSettled = true;
    };
    const onAbort = (): void => fail('aborted', signal?.reason);
    const finish = (): void => {
      isOver = true;
      deadlines.stop();
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });

    agent.dispatch(dispatchOptions(request), {
      onRequestStart(started) {
        controller = started;
        // The request may have failed while it waited for its connection.
        if (isOver) return started.abort(new Error('over'));
        isSent = true;
        deadlines.connected();
      },
      onResponseStart(_started, status, headers) {
        if (status < 200) return;
        deadlines.answered();
        resolve({ status, headers: flat(headers), body: body.items, close: () => fail('aborted'), settle });
      },
      onResponseData(started, chunk) {
        deadlines.heard();
        if (body.add(chunk) > QUEUE_BYTES) started.pause();
      },
      onResponseEnd() {
        if (isOver) return;
        finish();
        body.end();
      },
      onResponseError: (_started, error) =>
        fail(error instanceof OutboundError ? error.problem : problemOf(error), error),
    });
  });
}

/** Our timeouts are the only ones: the driver's are coarse and have no total limit. */
function dispatchOptions({ url, method, headers, body }: ExchangeRequest): Dispatcher.DispatchOptions {
  const path = url.pathname + url.search;
  return { origin: url.origin, path, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 };
}

interface Deadlines {
  connected(): void;
  answered(): void;
  heard(): void;
  /** Nothing reads any more; the end gets a short time to arrive. */
  ending(expired: () => void): void;
  stop(): void;
}

const END_MS = 500;
const LATE_MS = 20;

/** After a busy period the process first processes received data before it applies the timeout. */
function fairTimer(ambient: Ambient, ms: number, act: () => void): () => void {
  const dueAt = ambient.monotonic() + ms;
  let cancel = ambient.timer(ms, () => {
    if (ambient.monotonic() - dueAt < LATE_MS) act();
    else cancel = ambient.timer(1, act);
  });
  return () => cancel();
}

function createDeadlines(
  ambient: Ambient,
  limits: ExchangeLimits,
  { expire, isReaderBehind }: { expire(): void; isReaderBehind(): boolean },
): Deadlines {
  const startedAt = ambient.monotonic();
  let lastAt = startedAt;
  const cancelTotal = limits.totalMs > 0 ? ambient.timer(limits.totalMs, expire) : undefined;
  let cancel = fairTimer(ambient, Math.min(limits.connectMs, limits.firstResponseMs), expire);
  /** The timer is rescheduled only when it fires, so that a chunk costs nothing. */
  const waitForMore = (): void => {
    cancel = fairTimer(ambient, Math.max(1, lastAt + limits.idleMs - ambient.monotonic()), () => {
      if (isReaderBehind()) lastAt = ambient.monotonic();
      if (ambient.monotonic() - lastAt < limits.idleMs) waitForMore();
      else expire();
    });
  };
  return {
    connected() {
      cancel();
      cancel = fairTimer(ambient, Math.max(1, startedAt + limits.firstResponseMs - ambient.monotonic()), expire);
    },
    answered() {
      cancel();
      lastAt = ambient.monotonic();
      waitForMore();
    },
    heard() {
      lastAt = ambient.monotonic();
    },
    ending(expired) {
      cancel();
      cancel = ambient.timer(END_MS, expired);
    },
    stop() {
      cancel();
      cancelTotal?.();
    },
  };
}

interface Body {
  items: AsyncIterable<Uint8Array>;
  /** Returns the number of unread bytes. */
  add(chunk: Uint8Array): number;
  end(failure?: OutboundError): void;
}

function createBody(socket: { leave(): void; drained(): void }): Body {
  const chunks: Uint8Array[] = [];
  let waitingBytes = 0;
  let outcome: { failure?: OutboundError | undefined } | undefined;
  let isLeft = false;
  let wake = (): void => {};
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk) {
          waitingBytes -= chunk.length;
          if (waitingBytes === 0) socket.drained();
          yield chunk;
        } else if (outcome) {
          if (outcome.failure) throw outcome.failure;
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      isLeft = true;
      chunks.length = 0;
      if (!outcome) socket.leave();
    }
  }
  return {
    items: { [Symbol.asyncIterator]: read },
    add(chunk) {
      if (isLeft) return 0;
      chunks.push(chunk);
      waitingBytes += chunk.length;
      wake();
      return waitingBytes;
    },
    end(failure) {
      outcome ??= { failure };
      wake();
    },
  };
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
