import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Fault, finishOf, type Reply, replySteps, usageOf } from './reply.ts';
import type { Wire, WireContext, WireProblem } from './wires/wire.ts';

const WRITE_SIZE = 32_768;

export interface Sending {
  response: ServerResponse;
  reply: Reply;
  wire: Wire;
  context: WireContext;
  isStream: boolean;
  /** Aborted when the client disconnects or the server closes. */
  signal: AbortSignal;
}

/** Sends one reply with its fault, if any. Resolves when the answer has ended or the client has disconnected. */
export async function send(sending: Sending): Promise<void> {
  const { reply, signal } = sending;
  if (reply.delayMs) await pause(reply.delayMs, signal);
  if (signal.aborted) return;
  if (reply.fault && (await faultInsteadOfAnswer(sending, reply.fault))) return;
  const { response, wire, context } = sending;
  if (!sending.isStream) {
    response.writeHead(200, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(wire.whole(reply, context)));
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...reply.headers,
  });
  if (reply.raw === undefined) await stream(sending);
  else response.end(reply.raw);
}

async function stream({ response, reply, wire, context, signal }: Sending): Promise<void> {
  const encoder = wire.encoder(context);
  const out = writer(response, signal);
  const { fault } = reply;
  const faultAt = fault && 'after' in fault ? (fault.after ?? 1) : isMidStream(fault) ? 1 : -1;
  if (fault?.kind === 'wrong-order') out.add(encoder.end(finishOf(reply), usageOf(reply)));
  out.add(encoder.start(usageOf(reply)));
  const waitFor = pacer(reply);
  const steps = replySteps(reply);
  let sent = 0;
  for (;;) {
    if (sent === faultAt && fault) return faultInStream(fault, { out, response, wire, signal });
    // The wait comes before the next step is created, because a stamped delta contains its creation time.
    const waitMs = waitFor(sent);
    if (waitMs > 0) {
      await out.flush();
      await pause(waitMs, signal);
    }
    if (signal.aborted) return;
    const step = steps.next();
    if (step.done) break;
    out.add(encoder.step(step.value));
    if (out.isFull()) await out.flush();
    sent += 1;
  }
  if (sent <= faultAt && fault) return faultInStream(fault, { out, response, wire, signal });
  out.add(encoder.end(finishOf(reply), usageOf(reply)));
  await out.flush();
  response.end();
}

/** Delay before delta number `sent`. */
function pacer({ deltaDelayMs = 0, deltasPerSecond = 0 }: Reply): (sent: number) => number {
  const startedAt = performance.now();
  if (deltasPerSecond > 0) return (sent) => startedAt + (sent * 1000) / deltasPerSecond - performance.now();
  return (sent) => (sent === 0 ? 0 : deltaDelayMs);
}

interface Writer {
  add(frame: string): void;
  isFull(): boolean;
  flush(): Promise<void>;
}

/** Many frames per socket write, with backpressure. */
function writer(response: ServerResponse, signal: AbortSignal): Writer {
  let pending = '';
  return {
    add(frame) {
      pending += frame;
    },
    isFull: () => pending.length >= WRITE_SIZE,
    async flush() {
      if (pending === '' || signal.aborted) return;
      const isRoom = response.write(pending);
      pending = '';
      if (!isRoom) await once(response, 'drain', { signal }).catch(gone);
    },
  };
}

interface MidStream {
  out: Writer;
  response: ServerResponse;
  wire: Wire;
  signal: AbortSignal;
}

function isMidStream(fault: Fault | undefined): boolean {
  return (
    fault !== undefined && ['hang-mid-stream', 'cut', 'end-early', 'error-event', 'broken-json'].includes(fault.kind)
  );
}

async function faultInStream(fault: Fault, { out, response, wire, signal }: MidStream): Promise<void> {
  if (fault.kind === 'error-event') out.add(wire.errorEvent(fault.message));
  if (fault.kind === 'broken-json') out.add('data: {"choices":[{"delta":{"content":"half\n\n');
  await out.flush();
  if (fault.kind === 'hang-mid-stream') return untilGone(signal);
  if (fault.kind === 'cut') {
    // Without the pause the reset may overtake the bytes already sent.
    await pause(20, signal);
    response.socket?.resetAndDestroy();
    return;
  }
  response.end();
}

/** True when the fault replaces the whole answer. */
async function faultInsteadOfAnswer(sending: Sending, fault: Fault): Promise<boolean> {
  const act = INSTEAD[fault.kind] as ((sending: Sending, fault: Fault) => void | Promise<void>) | undefined;
  await act?.(sending, fault);
  return act !== undefined;
}

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;
type Instead = { [Kind in Fault['kind']]?: (sending: Sending, fault: FaultOf<Kind>) => void | Promise<void> };

const INSTEAD: Instead = {
  status(sending, { status, message, retryAfter, body }) {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    if (body !== undefined) {
      sending.response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      return;
    }
    refuse(sending, { status, kind: 'plain', message }, headers);
  },
  'context-too-long': (sending, { status = 400 }) => refuse(sending, { status, kind: 'context-too-long' }),
  credit: (sending, { status = 429 }) => refuse(sending, { status, kind: 'credit' }),
  refuse: ({ response }) => void response.socket?.destroy(),
  hang: ({ signal }) => untilGone(signal),
  redirect: ({ response }, { status = 307, location }) => void response.writeHead(status, { location }).end(),
  html: ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Sign in</title><p>Please sign in.'),
  empty: ({ response }) => void response.writeHead(200, EVENT_STREAM).end(),
  'huge-headers': ({ response }, { bytes = 262_144 }) =>
    void response.writeHead(200, { ...EVENT_STREAM, 'x-padding': 'p'.repeat(bytes) }).end(),
  'gzip-bomb'({ response }, { inflatedBytes = 268_435_456 }) {
    response
      .writeHead(200, { ...EVENT_STREAM, 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(inflatedBytes, 0x20)));
  },
  async 'endless-line'({ response, signal }, { bytes = 67_108_864 }) {
    response.writeHead(200, EVENT_STREAM);
    response.write('data: {"choices":[{"delta":{"content":"');
    const block = 'a'.repeat(65_536);
    for (let left = bytes; left > 0 && !signal.aborted; left -= block.length) {
      if (!response.write(block)) await once(response, 'drain', { signal }).catch(gone);
    }
    response.end();
  },
  async trickle({ response, reply, wire, context, signal }, { bytesPerSecond }) {
    const encoder = wire.encoder(context);
    response.writeHead(200, EVENT_STREAM);
    const steps = [...replySteps(reply)].map((step) => encoder.step(step)).join('');
    const text = encoder.start(usageOf(reply)) + steps + encoder.end(finishOf(reply), usageOf(reply));
    for (const byte of Buffer.from(text)) {
      if (signal.aborted) return;
      response.write(Buffer.of(byte));
      await pause(1000 / bytesPerSecond, signal);
    }
    response.end();
  },
};

const EVENT_STREAM = { 'content-type': 'text/event-stream' };

function refuse({ response, reply, wire }: Sending, problem: WireProblem, headers: Record<string, string> = {}): void {
  response.writeHead(problem.status, { 'content-type': 'application/json', ...headers, ...reply.headers });
  response.end(JSON.stringify(wire.error(problem)));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(gone);
}

async function untilGone(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** A wait ended because the client disconnected: the caller checks the signal. */
function gone(error: unknown): void {
  if ((error as { name?: unknown }).name !== 'AbortError') throw error;
}
