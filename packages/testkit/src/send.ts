import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Fault, finishOf, type Reply, replySteps, usageOf } from './reply.ts';
import type { Wire, WireContext } from './wires/wire.ts';

const WRITE_SIZE = 32_768;

export interface Sending {
  response: ServerResponse;
  reply: Reply;
  wire: Wire;
  context: WireContext;
  isStream: boolean;
  /** Aborted when the client is gone or the server closes. */
  signal: AbortSignal;
}

/** Sends one reply with its fault, if any. Resolves when the answer is over or the client is gone. */
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
  await stream(sending);
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
    // The wait comes before the next step is made, since a stamped delta carries the time of its making.
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

/** How long to wait before delta number `sent`. */
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

/** Many frames per socket write, and no more than the socket takes. */
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
  if (fault.kind === 'error-event') out.add(wire.errorEvent);
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

/** True when the fault took the place of the whole answer. */
async function faultInsteadOfAnswer(sending: Sending, fault: Fault): Promise<boolean> {
  const { response, reply, wire, signal } = sending;
  const error = (status: number, kind: 'plain' | 'context-too-long' | 'credit', message?: string): true => {
    const retryAfter =
      fault.kind === 'status' && fault.retryAfter !== undefined ? { 'retry-after': String(fault.retryAfter) } : {};
    response.writeHead(status, { 'content-type': 'application/json', ...retryAfter, ...reply.headers });
    response.end(JSON.stringify(wire.error({ status, kind, message })));
    return true;
  };
  switch (fault.kind) {
    case 'status':
      return error(fault.status, 'plain', fault.message);
    case 'context-too-long':
      return error(fault.status ?? 400, 'context-too-long');
    case 'credit':
      return error(fault.status ?? 429, 'credit');
    case 'refuse':
      response.socket?.destroy();
      return true;
    case 'hang':
      await untilGone(signal);
      return true;
    case 'redirect':
      response.writeHead(fault.status ?? 307, { location: fault.location }).end();
      return true;
    case 'html':
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Sign in</title><p>Please sign in.');
      return true;
    case 'empty':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      return true;
    default:
      return rawFault(sending, fault);
  }
}

async function rawFault({ response, reply, wire, context, signal }: Sending, fault: Fault): Promise<boolean> {
  switch (fault.kind) {
    case 'huge-headers':
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'x-padding': 'p'.repeat(fault.bytes ?? 262_144) })
        .end();
      return true;
    case 'gzip-bomb': {
      const body = gzipSync(Buffer.alloc(fault.inflatedBytes ?? 268_435_456, 0x20));
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(body);
      return true;
    }
    case 'endless-line': {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"');
      const block = 'a'.repeat(65_536);
      for (let left = fault.bytes ?? 67_108_864; left > 0 && !signal.aborted; left -= block.length) {
        if (!response.write(block)) await once(response, 'drain', { signal }).catch(gone);
      }
      response.end();
      return true;
    }
    case 'trickle': {
      const encoder = wire.encoder(context);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const steps = [...replySteps(reply)].map((step) => encoder.step(step)).join('');
      const text = encoder.start(usageOf(reply)) + steps + encoder.end(finishOf(reply), usageOf(reply));
      for (const byte of Buffer.from(text)) {
        if (signal.aborted) return true;
        response.write(Buffer.of(byte));
        await pause(1000 / fault.bytesPerSecond, signal);
      }
      response.end();
      return true;
    }
    default:
      return false;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(gone);
}

async function untilGone(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** A wait ended because the client left: the caller looks at the signal itself. */
function gone(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
