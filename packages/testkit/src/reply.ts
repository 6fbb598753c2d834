/** The answer of the scripted server, for any wire. */
export interface Reply {
  reasoning?: Deltas;
  text?: Deltas;
  toolCalls?: readonly ScriptedToolCall[];
  /** Default: 10 prompt tokens, one completion token per delta, nothing cached. `null` sends none. */
  usage?: ScriptedUsage | null;
  /** Default: `tool-calls` when there are calls, else `stop`. */
  finish?: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'malformed-call';
  /** Delay before the first byte of the answer. */
  delayMs?: number;
  /** Delay between deltas. */
  deltaDelayMs?: number;
  /** Deltas per second; late ones are sent at once, none is dropped. */
  deltasPerSecond?: number;
  /** The signature (Anthropic) or encrypted content (Responses) that closes a reasoning block. */
  proof?: string;
  headers?: Record<string, string>;
  /** The whole body of a streamed answer, instead of the fields above. */
  raw?: string;
  fault?: Fault;
}

/**
 * One string is one delta. `{ count }` repeats `delta` (default `word `); `stamped` makes each delta start with
 * `@<nanoseconds> `, the CLOCK_MONOTONIC time of sending, comparable between processes of one machine.
 */
export type Deltas = string | readonly string[] | { count: number; delta?: string; stamped?: boolean };

export interface ScriptedToolCall {
  id?: string;
  /** On the Responses wire `namespace/name` names a tool inside a namespace. */
  name: string;
  /** A string is sent unchanged, even if it is not JSON. */
  arguments: Record<string, unknown> | string;
  /** Number of deltas of the arguments; default 1. */
  pieces?: number;
}

export interface ScriptedUsage {
  promptTokens: number;
  completionTokens: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  /** Sent on the chat-completions wire, as the aggregator does. */
  costUsd?: number;
}

/** `after`: how many deltas are sent before the fault (default 1). */
export type Fault =
  /** `body` is sent unchanged, in place of the vendor's own form. */
  | { kind: 'status'; status: number; retryAfter?: number | string; message?: string; body?: string }
  /** The vendor's own error for it; `status` defaults to 400. */
  | { kind: 'context-too-long'; status?: number }
  /** The vendor's own error for an account without credit. */
  | { kind: 'credit'; status?: number }
  /** The connection is dropped before any answer. */
  | { kind: 'refuse' }
  | { kind: 'hang' }
  | { kind: 'hang-mid-stream'; after?: number }
  /** RST in the middle of the stream. */
  | { kind: 'cut'; after?: number }
  /** A clean end of the body without the closing events. */
  | { kind: 'end-early'; after?: number }
  /** An error event of the vendor inside a 200 stream. */
  | { kind: 'error-event'; after?: number; message?: string }
  | { kind: 'broken-json'; after?: number }
  | { kind: 'endless-line'; bytes?: number }
  | { kind: 'html' }
  | { kind: 'empty' }
  | { kind: 'redirect'; location: string; status?: number }
  | { kind: 'trickle'; bytesPerSecond: number }
  | { kind: 'gzip-bomb'; inflatedBytes?: number }
  | { kind: 'huge-headers'; bytes?: number }
  | { kind: 'tool-flood'; count: number }
  | { kind: 'wrong-order' };

export type FinishWord = NonNullable<Reply['finish']>;

/** One step of a stream, in the order of sending. */
export type ReplyStep =
  | { type: 'reasoning'; delta: string }
  | { type: 'text'; delta: string }
  | { type: 'tool-start'; index: number; id: string; name: string }
  | { type: 'tool-arguments'; index: number; delta: string }
  | { type: 'tool-end'; index: number };

export function* replySteps(reply: Reply): Generator<ReplyStep> {
  for (const delta of deltasOf(reply.reasoning)) yield { type: 'reasoning', delta };
  for (const delta of deltasOf(reply.text)) yield { type: 'text', delta };
  for (const [index, call] of toolCallsOf(reply).entries()) {
    yield { type: 'tool-start', index, id: call.id, name: call.name };
    for (const delta of call.pieces) yield { type: 'tool-arguments', index, delta };
    yield { type: 'tool-end', index };
  }
}

export function* deltasOf(deltas: Deltas | undefined): Generator<string> {
  if (deltas === undefined) return;
  if (typeof deltas === 'string') yield deltas;
  else if (!('count' in deltas)) yield* deltas;
  else {
    const delta = deltas.delta ?? 'word ';
    for (let sent = 0; sent < deltas.count; sent++) {
      yield deltas.stamped ? `@${process.hrtime.bigint()} ${delta}` : delta;
    }
  }
}

export interface PlannedToolCall {
  id: string;
  name: string;
  arguments: string;
  pieces: string[];
}

let calls = 0;
const planned = new WeakMap<Reply, PlannedToolCall[]>();

/** The calls with their ids assigned once, so that every encoder of a reply uses the same ones. */
export function toolCallsOf(reply: Reply): PlannedToolCall[] {
  const known = planned.get(reply);
  if (known) return known;
  const flood = reply.fault?.kind === 'tool-flood' ? reply.fault.count : 0;
  const scripted = flood
    ? Array.from({ length: flood }, () => ({ name: 'leggi', arguments: { percorso: 'a.txt' } }) as ScriptedToolCall)
    : (reply.toolCalls ?? []);
  const plan = scripted.map((call) => {
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return {
      id: call.id ?? `call_${++calls}`,
      name: call.name,
      arguments: text,
      pieces: split(text, call.pieces ?? 1),
    };
  });
  planned.set(reply, plan);
  return plan;
}

export function usageOf(reply: Reply): ScriptedUsage | null {
  if (reply.usage !== undefined) return reply.usage;
  const count = (deltas: Deltas | undefined): number =>
    deltas === undefined ? 0 : typeof deltas === 'string' ? 1 : 'count' in deltas ? deltas.count : deltas.length;
  return { promptTokens: 10, completionTokens: count(reply.text) + count(reply.reasoning), cachedTokens: 0 };
}

export function finishOf(reply: Reply): FinishWord {
  return reply.finish ?? (toolCallsOf(reply).length > 0 ? 'tool-calls' : 'stop');
}

function split(text: string, pieces: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / pieces));
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
  return parts.length > 0 ? parts : [''];
}
