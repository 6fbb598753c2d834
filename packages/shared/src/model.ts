import type { ExternalTurn } from './external-turn.ts';

/** What sessions ask of a model and what any provider answers: the one port between the two. */

export interface ModelClient {
  /**
   * Streams one answer. Yields batches (all events of one network read), never empty ones.
   * Never throws for a provider's failure: the last event is then `failure`. Ends with `finish` or `failure`.
   * Aborting the signal closes the socket and ends the stream with a `cancelled` failure.
   * What follows a `notice` begins only when the next batch is asked for: a caller that stores the notice first, and
   * leaves the loop when it cannot, keeps the reserve from being called. A notice is a batch of its own.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<readonly ModelEvent[]>;
}

export interface ModelRequest {
  /** `vendor/name` (aggregator) or `<provider>:<model>`. */
  model: string;
  /** Stable prefix first, so that provider prompt caches hit. */
  system: readonly string[];
  messages: readonly ModelMessage[];
  tools: readonly ToolSpec[];
  reasoning?: ReasoningChoice;
  maxOutputTokens?: number;
  /** Groups requests for the provider's prompt cache; the session id. */
  cacheKey?: string;
  fallback?: ModelFallback;
  /** The hands of an external agent (`esterno:`); without them such a model cannot be asked. */
  external?: ExternalTurn;
}

/** A model of a provider, its id without the provider's prefix. */
export interface ModelPair {
  provider: string;
  model: string;
}

/** Who answers when the model asked cannot. Given only by callers that can store the notice of a switch. */
export interface ModelFallback {
  /** In the order of use, each asked at most once in a call. */
  reserves: readonly ModelPair[];
  /** Whether the caller would make this same call again after the failure: the reserves wait until it would not. */
  wouldRetry(failure: ModelFailure): boolean;
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
  | { role: 'assistant'; text: string; reasoning: readonly ReasoningPart[]; toolCalls: readonly ModelToolCall[] }
  | {
      role: 'tool';
      toolCallId: string;
      toolName: string;
      content: string;
      isError: boolean;
      /** Pictures the tool read. A wire whose tool messages take text only shows them in a user message that follows. */
      images?: readonly ImagePart[];
    };

export type UserPart = { type: 'text'; text: string } | ImagePart;
export interface ImagePart {
  type: 'image';
  mimeType: string;
  bytes: Uint8Array;
}

/** `proof` is the provider's opaque signature or encrypted content: sent back unread to the provider that made it. */
export interface ReasoningPart {
  text: string;
  proof?: { provider: string; data: string };
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it; may be broken. */
  arguments: string;
}

export type ModelEvent =
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  /** Ends one reasoning block. */
  | { type: 'reasoning-end'; proof?: { provider: string; data: string } }
  | { type: 'tool-start'; id: string; name: string }
  | { type: 'tool-arguments'; id: string; delta: string }
  | { type: 'tool-end'; id: string }
  | { type: 'usage'; usage: ModelUsage }
  | { type: 'notice'; notice: ModelNotice }
  | { type: 'finish'; reason: FinishReason }
  | { type: 'failure'; failure: ModelFailure };

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other';

/** From now on `to` answers in the place of `from`, which failed with an explicit refusal of the moment. */
export interface ModelNotice {
  kind: 'fallback';
  from: ModelPair;
  to: ModelPair;
  /** The class of the failure and its HTTP status. */
  cause: ModelFailureClass;
  httpStatus: number | null;
}

/** Tokens of one call. `cachedTokens` is null when the provider does not say. */
export interface ModelUsage {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number | null;
  /** What the provider itself says the call cost, in US dollars; absent when it does not say. */
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

export interface ModelFailure {
  class: ModelFailureClass;
  /** One of the interface's codes, or a code that lives in events only (PROVIDER_OUTCOME_UNKNOWN). */
  code: string;
  /** One plain sentence of ours, no key, no address with credentials, no upstream body. */
  message: string;
  /** What the provider itself said, in one line: redacted, at most 2,000 characters. Absent when it said nothing. */
  providerMessage?: string;
  httpStatus: number | null;
  /** What the provider asked to wait (Retry-After and kin), else null; 0 when another key of its pool is ready now. */
  retryAfterMs: number | null;
  /** False when the provider may have done the work: never retried. */
  isOutcomeKnown: boolean;
}
