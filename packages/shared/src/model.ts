import type { ExternalTurn } from './external-turn.ts';
import type { Media } from './media.ts';

/** The port between sessions and providers: requests to a model and its answers. */

export interface ModelClient {
  /**
   * Streams one answer. Yields non-empty batches (all events of one network read). Does not throw for a provider's
   * failure: the last event is then `failure`. Ends with `finish` or `failure`. Aborting the signal closes the socket
   * and ends the stream with a `cancelled` failure. After a `notice`, work continues only when the next batch is
   * requested: a caller that cannot store the notice can leave the loop and so prevent the call of the fallback. A
   * notice is a separate batch.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<readonly ModelEvent[]>;
}

export interface ModelRequest {
  /** `vendor/name` (aggregator) or `<provider>:<model>`. */
  model: string;
  /** Stable prefix first, for the provider's prompt cache. */
  system: readonly string[];
  messages: readonly ModelMessage[];
  tools: readonly ToolSpec[];
  reasoning?: ReasoningChoice;
  maxOutputTokens?: number;
  /** Groups requests for the provider's prompt cache; the session id. */
  cacheKey?: string;
  /** The session pauses between its requests: the cache should last for an hour, where the provider has the choice. */
  isPausing?: boolean;
  fallback?: ModelFallback;
  /** Of a request that is no step of a turn: only then does it have a span of its own. */
  purpose?: 'title' | 'compaction' | 'commit-message' | 'prompt' | 'research' | 'mcp-sampling';
  /** The trace context of what made the request. */
  traceparent?: string | undefined;
  /** Tools for an external agent (`esterno:`); required for such a model. */
  external?: ExternalTurn;
}

/** A model of a provider, its id without the provider's prefix. */
export interface ModelPair {
  provider: string;
  model: string;
}

/** The fallbacks of a call. Only for callers that can store the notice of a switch. */
export interface ModelFallback {
  /** In order, each used at most once per call. */
  reserves: readonly ModelPair[];
  /** Whether the caller would retry this call after the failure: fallbacks are used only when it would not. */
  wouldRetry(failure: ModelFailure): boolean;
  /** The failure that broke off the answer before: a fallback answers at once. */
  after?: ModelFailure;
}

export const REASONING_EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const;
export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed'] as const;
export interface ReasoningChoice {
  effort?: (typeof REASONING_EFFORTS)[number];
  summary?: (typeof REASONING_SUMMARIES)[number];
}

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema 2020-12 of the arguments object. */
  inputSchema: Record<string, unknown>;
}

export type ModelMessage =
  | { role: 'user'; content: readonly UserPart[] }
  | { role: 'assistant'; parts: readonly AnswerPart[] }
  | {
      role: 'tool';
      toolCallId: string;
      toolName: string;
      content: string;
      isError: boolean;
      /**
       * Images that the tool read. Where tool messages only support text, they are sent in a following user message.
       */
      images?: readonly ImagePart[];
      /** Audio and PDF that the tool read; for a model that does not take them, a sentence says what they are. */
      media?: readonly Media[];
    };

export type UserPart = { type: 'text'; text: string } | ImagePart;
export interface ImagePart {
  type: 'image';
  mimeType: string;
  bytes: Uint8Array;
}

/** A part of an answer. They are stored and sent back in the order in which the model sent them. */
export type AnswerPart =
  | { type: 'text'; text: string; vendor?: VendorValue }
  | { type: 'reasoning'; text: string; vendor?: VendorValue }
  | ({ type: 'call'; vendor?: VendorValue } & ModelToolCall);

/**
 * What a vendor adds to a part and wants back byte for byte: a signature, encrypted reasoning, an item's id, the field
 * of the reasoning. Only the wire that made it reads it; it goes to the same provider and family of models, to no other.
 */
export interface VendorValue {
  provider: string;
  /** '' when a version of Fucina stored it that did not know the model. */
  model: string;
  /** A JSON object, at most MAX_VENDOR_VALUE characters. */
  data: string;
}

/** A larger value is dropped: the answer continues without it. */
export const MAX_VENDOR_VALUE = 1_048_576;

export function answerText(parts: readonly AnswerPart[]): string {
  let text = '';
  for (const part of parts) if (part.type === 'text') text += part.text;
  return text;
}

export function answerCalls(parts: readonly AnswerPart[]): Extract<AnswerPart, { type: 'call' }>[] {
  return parts.filter((part) => part.type === 'call');
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it; may be invalid. */
  arguments: string;
}

export type ModelEvent =
  | { type: 'text'; delta: string }
  /** Ends one part of the text. */
  | { type: 'text-end'; vendor?: VendorValue }
  | { type: 'reasoning'; delta: string }
  /** Ends one part of the reasoning. */
  | { type: 'reasoning-end'; vendor?: VendorValue }
  | { type: 'tool-start'; id: string; name: string }
  | { type: 'tool-arguments'; id: string; delta: string }
  | { type: 'tool-end'; id: string; vendor?: VendorValue }
  | { type: 'usage'; usage: ModelUsage }
  | { type: 'notice'; notice: ModelNotice }
  | { type: 'finish'; reason: FinishReason }
  | { type: 'failure'; failure: ModelFailure };

/** `pause`: the model wants to continue in another answer. `malformed-call`: the vendor dropped a call that it could not read. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'pause' | 'malformed-call' | 'other';

/** From now on `to` answers instead of `from`, which refused the call temporarily. */
export interface ModelNotice {
  kind: 'fallback';
  from: ModelPair;
  to: ModelPair;
  /** The class of the failure and its HTTP status. */
  cause: ModelFailureClass;
  httpStatus: number | null;
}

/**
 * Tokens of one call. `cachedTokens`, read from the provider's cache, is null when the provider does not report it;
 * `cacheWriteTokens`, written to it at a price of their own, is absent then. Both are part of `promptTokens`.
 */
export interface ModelUsage {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number | null;
  cacheWriteTokens?: number;
  /** What was written stays for an hour, at another price. */
  isHourCache?: boolean;
  /** Cost of the call as the provider reports it, in US dollars; absent when it does not. */
  declaredCostUsd?: number;
}

export type ModelFailureClass =
  | 'rate-limit'
  | 'server'
  | 'credential'
  | 'credit'
  | 'context-too-long'
  | 'request-refused'
  | 'network'
  | 'timeout'
  | 'stream-interrupted'
  | 'not-configured'
  | 'cancelled';

/** Of failures that may pass: the same request may succeed later, or at another provider. */
export const TRANSIENT_FAILURES: ReadonlySet<ModelFailureClass> = new Set([
  'rate-limit',
  'server',
  'network',
  'timeout',
  'stream-interrupted',
]);

export interface ModelFailure {
  class: ModelFailureClass;
  /** A code of the interface, or one that occurs only in events (PROVIDER_OUTCOME_UNKNOWN). */
  code: string;
  /** One plain sentence of ours, without keys, addresses with credentials or upstream bodies. */
  message: string;
  /** The provider's own message, in one line: redacted, at most 2,000 characters. Absent without one. */
  providerMessage?: string;
  httpStatus: number | null;
  /**
   * How long the provider asked to wait (Retry-After and similar), else null; 0 when another key of its pool is ready
   * now.
   */
  retryAfterMs: number | null;
  /** False when the provider may have executed the request: an agent with tools of its own is then not asked again. */
  isOutcomeKnown: boolean;
  /** The same request would fail in the same way: it is not made again by itself. */
  isLasting?: true;
}
