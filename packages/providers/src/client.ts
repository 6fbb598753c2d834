import {
  type Ambient,
  isAppError,
  type ModelClient,
  type ModelEvent,
  type ModelFailure,
  type ModelNotice,
  type ModelPair,
  type ModelRequest,
} from '@fucina/shared';
import { findTarget, type Target, type TargetNeeds } from './connection/target.ts';
import type { ExternalAgents } from './external/external-agents.ts';
import { modelIdOf, parseModelId } from './models/model-id.ts';
import { wireOfModel } from './models/model-wire.ts';
import { isKeyAtFault, isSamePair, mayFallBack } from './routing/fallback.ts';
import type { ProviderRecord } from './table/record.ts';
import { providerOf } from './table/registry.ts';
import { type RefusedPart, refusedPart } from './wires/classify.ts';
import { cancelled, failureOf, WireFailure } from './wires/failure.ts';
import { hasImages, withoutImages } from './wires/taken-media.ts';
import type { Wire } from './wires/wire.ts';

export type { LocalEngine } from './connection/target.ts';
export interface ClientOptions extends TargetNeeds {
  externalAgents(): Promise<ExternalAgents>;
}

interface ClientNeeds extends ClientOptions {
  /** By provider, model and session: what of a history is not sent. */
  refused: Map<string, ReadonlySet<LeftOut>>;
}

/** `unreadable-images`: pictures were refused, and some of them cannot be read. */
type LeftOut = RefusedPart | 'unreadable-images';

export function createModelClient(options: ClientOptions): ModelClient {
  const needs = { ...options, refused: new Map<string, ReadonlySet<LeftOut>>() };
  return {
    async *stream(request, signal) {
      const failure = yield* answer(needs, request, signal);
      if (failure) yield [{ type: 'failure', failure }];
    },
  };
}

type Batches<End> = AsyncGenerator<readonly ModelEvent[], End>;

/**
 * The requested model, then its fallbacks: each switch is announced before the fallback is called. An answer that had
 * begun is handed over by its caller, with `after`.
 */
async function* answer(
  needs: ClientNeeds,
  request: ModelRequest,
  signal: AbortSignal,
): Batches<ModelFailure | undefined> {
  const reserves = [...(request.fallback?.reserves ?? [])];
  let turn = await firstTurn(needs, request, signal);
  for (let before = request.fallback?.after; ; before = undefined) {
    const known = 'failure' in turn ? turn.failure : before;
    const { failure, hasOutput }: CallOutcome =
      known || 'failure' in turn ? { failure: known, hasOutput: false } : yield* withEveryKey(needs, turn);
    if (!failure || hasOutput || signal.aborted) return failure;
    if ('failure' in turn && !turn.record) return failure;
    const { pair } = turn;
    const record = providerOf(pair.provider);
    const isOver = !request.fallback || !mayFallBack(failure, record) || request.fallback.wouldRetry(failure);
    const next = isOver ? undefined : await nextReserve(needs, { request, signal, reserves, current: pair });
    if (!next) return failure;
    const notice = noticeOf(pair, next.pair, failure);
    needs.ambient.log.info('model.fallback', { from: modelIdOf(pair), to: modelIdOf(next.pair), cause: notice.cause });
    yield [{ type: 'notice', notice }];
    turn = next;
  }
}

/** A model that can be called, or why it cannot. */
type Turn = CallableTurn | { pair: ModelPair; record: ProviderRecord | undefined; failure: ModelFailure };

interface CallableTurn {
  pair: ModelPair;
  request: ModelRequest;
  signal: AbortSignal;
  target: Target;
}

async function firstTurn(needs: ClientNeeds, request: ModelRequest, signal: AbortSignal): Promise<Turn> {
  let pair: ModelPair = { provider: '', model: request.model };
  try {
    if (signal.aborted) throw new WireFailure(cancelled());
    pair = parseModelId(request.model);
    const target = await findTarget(needs, { destination: pair, request, signal });
    return { pair, request, signal, target };
  } catch (error) {
    const failure = judged(error, signal);
    if (!failure) throw error;
    logFailure(needs.ambient, failure, request.model);
    return { pair, record: pair.provider ? providerOf(pair.provider) : undefined, failure };
  }
}

/** The next usable fallback; those without a key or an address are skipped. */
async function nextReserve(
  needs: ClientNeeds,
  { request, signal, reserves, current }: Reserves,
): Promise<CallableTurn | undefined> {
  for (let pair = reserves.shift(); pair; pair = reserves.shift()) {
    if (isSamePair(pair, current)) continue;
    try {
      return { pair, request, signal, target: await findTarget(needs, { destination: pair, request, signal }) };
    } catch (error) {
      if (!judged(error, signal)) throw error;
    }
  }
  return undefined;
}

interface Reserves {
  request: ModelRequest;
  signal: AbortSignal;
  reserves: ModelPair[];
  current: ModelPair;
}

/**
 * Calls the model; retries with the next key when the failure concerns the key, or when the caller would not retry.
 */
async function* withEveryKey(needs: ClientNeeds, turn: CallableTurn): Batches<CallOutcome> {
  const tried = new Set<string | undefined>();
  const { pair, request, signal } = turn;
  for (let { target } = turn; ; ) {
    tried.add(target.chosen?.fingerprint);
    const { failure, hasOutput } = yield* callOnce(needs, target, signal);
    const outcome = { failure, hasOutput };
    if (!failure || hasOutput || signal.aborted || target.origin === null) return outcome;
    const isOthersTurn = isKeyAtFault(failure) || isLastTry(request, failure);
    const ready = await needs.keys.ready(pair.provider, target.origin);
    const isAnyLeft = ready.some((fingerprint) => !tried.has(fingerprint));
    if (!isAnyLeft) return outcome;
    // Only this key has to wait: a retry may use another at once.
    if (!isOthersTurn) {
      return failure.class === 'rate-limit' ? { failure: { ...failure, retryAfterMs: 0 }, hasOutput } : outcome;
    }
    target = await findTarget(needs, { destination: pair, request, signal });
    if (tried.has(target.chosen?.fingerprint)) return outcome;
  }
}

/** The other keys of a provider are tried before its fallbacks. */
function isLastTry({ fallback }: ModelRequest, failure: ModelFailure): boolean {
  const isTransient = failure.class === 'rate-limit' || failure.class === 'server';
  return fallback !== undefined && isTransient && !fallback.wouldRetry(failure);
}

interface CallOutcome {
  failure: ModelFailure | undefined;
  hasOutput: boolean;
}

/**
 * One call; once more without any reasoning, without images (those that cannot be read first) or without an output
 * limit, where the provider refuses what it got of them, so that no history keeps a session from continuing. The session
 * then continues without: each further request would be refused first.
 */
async function* callOnce(
  needs: ClientNeeds,
  target: Target,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelEvent[], CallOutcome> {
  const { record, model, request } = target.call;
  const key = `${record.id}:${model} ${request.cacheKey ?? ''}`;
  const leftOut = new Set(needs.refused.get(key));
  let readable = leftOut.has('unreadable-images') ? await withReadable(needs, target, signal) : undefined;
  for (;;) {
    const outcome = yield* callAsItIs(needs, without(readable ?? target, leftOut), signal);
    const part = outcome.hasOutput || !outcome.failure ? undefined : refusedPart(outcome.failure);
    if (part === 'images' && !leftOut.has('images') && !leftOut.has('unreadable-images')) {
      readable = await withReadable(needs, target, signal);
      if (readable) {
        leftOut.add('unreadable-images');
        continue;
      }
    }
    if (!part || leftOut.has(part) || !isPartSent(part, request)) {
      // Leaving it out helped: the refusal was about it.
      if (leftOut.size > 0 && !outcome.failure && request.cacheKey !== undefined) remember(needs.refused, key, leftOut);
      return outcome;
    }
    leftOut.add(part);
    needs.ambient.log.warn('model.part-refused', { model: modelIdOf({ provider: record.id, model }), part });
  }
}

/** Undefined when all of its pictures can be read. */
async function withReadable(
  { pictures }: ClientNeeds,
  target: Target,
  signal: AbortSignal,
): Promise<Target | undefined> {
  const { request } = target.call;
  if (target.agent || !request.messages.some(hasImages)) return undefined;
  // An aborted one is not called again.
  const messages = await (await pictures()).readable(request.messages, signal).catch(() => undefined);
  return messages && { ...target, call: { ...target.call, request: { ...request, messages } } };
}

function isPartSent(part: RefusedPart, { messages, maxOutputTokens }: ModelRequest): boolean {
  if (part === 'images') return messages.some(hasImages);
  return part !== 'limit' || maxOutputTokens !== undefined;
}

const MAX_REFUSED = 1_000;

function remember(refused: ClientNeeds['refused'], key: string, leftOut: ReadonlySet<LeftOut>): void {
  refused.delete(key);
  refused.set(key, leftOut);
  for (const oldest of [...refused.keys()].slice(0, -MAX_REFUSED)) refused.delete(oldest);
}

function without(target: Target, leftOut: ReadonlySet<LeftOut>): Target {
  if (leftOut.size === 0) return target;
  const { request } = target.call;
  const { maxOutputTokens, ...unlimited } = request;
  const limit = maxOutputTokens !== undefined && !leftOut.has('limit') && { maxOutputTokens };
  const messages = leftOut.has('images') ? request.messages.map(withoutImages) : request.messages;
  return {
    ...target,
    call: { ...target.call, request: { ...unlimited, ...limit, messages }, withoutReasoning: leftOut.has('reasoning') },
  };
}

async function* callAsItIs(
  needs: ClientNeeds,
  { call, chosen, agent }: Target,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelEvent[], CallOutcome> {
  let hasOutput = false;
  try {
    const answer = agent
      ? (await needs.externalAgents()).ask(call, agent)
      : (await wireOf(call.record, call.model))(call);
    for await (const batch of answer) {
      hasOutput = true;
      yield batch;
    }
    return { failure: undefined, hasOutput };
  } catch (error) {
    const failure = judged(error, signal);
    if (!failure) throw error;
    if (chosen) needs.keys.failed(chosen, failure);
    logFailure(needs.ambient, failure, modelIdOf({ provider: call.record.id, model: call.model }));
    return { failure, hasOutput };
  }
}

function noticeOf(from: ModelPair, to: ModelPair, failure: ModelFailure): ModelNotice {
  return { kind: 'fallback', from, to, cause: failure.class, httpStatus: failure.httpStatus };
}

/** Preloads what the first call of this model needs. Throws MODEL_ID_INVALID. */
export async function preloadWire(model: string): Promise<void> {
  const { provider, model: name } = parseModelId(model);
  await wireOf(providerOf(provider), name);
}

/** Wires with a vendor library load it at their first call. */
async function wireOf(record: ProviderRecord, model: string): Promise<Wire> {
  const wire = wireOfModel(record, model);
  if (wire === 'openai-responses') return (await import('./wires/openai-responses.ts')).openaiResponses;
  if (wire === 'anthropic-messages') return (await import('./wires/anthropic-messages.ts')).anthropicMessages;
  if (wire === 'gemini') return (await import('./wires/gemini.ts')).geminiContent;
  return (await import('./wires/openai-chat.ts')).openaiChat;
}

/** Undefined for a bug, which is not a provider's failure. */
function judged(error: unknown, signal: AbortSignal): ModelFailure | undefined {
  if (signal.aborted) return cancelled();
  if (error instanceof WireFailure) return error.failure;
  return isAppError(error) ? failureOf('not-configured', { code: error.code }) : undefined;
}

function logFailure({ log }: Ambient, failure: ModelFailure, model: string): void {
  if (failure.class === 'cancelled') return;
  const { class: failureClass, code, httpStatus, isOutcomeKnown } = failure;
  log.warn('model.call-failed', { model, class: failureClass, code, httpStatus, isOutcomeKnown });
}

/** All events of one answer, for callers that do not stream. */
export async function collect(stream: AsyncIterable<readonly ModelEvent[]>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const batch of stream) events.push(...batch);
  return events;
}
