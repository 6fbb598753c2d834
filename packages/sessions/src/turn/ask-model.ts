import {
  type Ambient,
  type ExternalTurn,
  type ModelFailure,
  type ModelNotice,
  once,
  type SessionEvent,
  type ToolSpec,
} from '@fucina/shared';
import type { CallReader } from '../calls/reading/call-reader.ts';
import { contextUse } from '../context/context-use.ts';
import { withImages } from '../context/with-images.ts';
import type { ShowMessages } from '../dialects/shown-messages.ts';
import { answeringModel, fallbackEvent } from '../state/answering-model.ts';
import type { SessionHeader } from '../state/session.ts';
import { interruptedCall } from './closing.ts';
import { type ModelStep, readModelStep } from './model-step.ts';
import {
  isRetried,
  isTransient,
  MAX_TRIES,
  type RetryLimits,
  retryNotice,
  retryStatus,
  waitBeforeRetry,
} from './retry.ts';
import { append, type Turn } from './turn-context.ts';
import { startModelSpan } from './turn-spans.ts';
import { callUsage } from './usage-events.ts';

export interface StepRequest {
  /** Model call of the turn, from 1. */
  step: number;
  system: readonly string[];
  specs: readonly ToolSpec[];
  /** The conversation with calls as the specs name them. */
  show: ShowMessages;
  reader: CallReader;
  /** The tools for an external agent that runs its own loop. */
  external: ExternalTurn;
}

/**
 * One answer of the model: the call is repeated after a failure that may pass, also in the middle of the answer. What had
 * come of it stays and goes back; the calls in it were not run.
 */
export async function askModel(turn: Turn, request: StepRequest): Promise<ModelStep> {
  const { needs, record } = turn;
  const { ambient } = needs;
  const limits = limitsOf(turn);
  const notice = {
    runId: turn.runId,
    threadId: record.header.sessionId,
    requestId: ambient.newId(),
    step: request.step,
    model: answeringModel(record),
    maxTries: limits.maxTries,
  };
  const stop = turn.cut.signal;
  let httpStatus = 0;
  let failed: ModelFailure | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await callModel(turn, request, { attempt, limits, after: failed, signal: stop });
    const { failure } = answer;
    if (attempt > 1) {
      append(turn, [retryNotice({ ...notice, phase: 'fine', attempt, httpStatus, waitMs: 0, retryAt: null })]);
    }
    if (!failure || stop.aborted) return answer;
    const isRepeated = isRetried(failure, attempt, { limits, now: ambient.now() });
    // The fallback takes over an answer that broke off; before any of it the client has tried it already.
    const isHandedOver = !isRepeated && limits.hasFallback && answer.hasOutput && !failed && isTransient(failure);
    if (!isRepeated && !isHandedOver) return answer;
    failed = isHandedOver ? failure : undefined;
    httpStatus = retryStatus(failure);
    const next = { ...notice, attempt: attempt + 1, httpStatus };
    const waitMs = isHandedOver ? 0 : waitBeforeRetry(failure, attempt, ambient);
    closeBroken(turn, retryNotice({ ...next, phase: 'attesa', waitMs, retryAt: ambient.now() + waitMs }));
    if (!(await waited(turn, waitMs, stop))) return answer;
    append(turn, [retryNotice({ ...next, phase: 'invio', waitMs: 0, retryAt: null })]);
  }
}

/** Whether an agent with tools and a loop of its own answers. */
export function isExternal({ record }: Pick<Turn, 'record'>): boolean {
  return answeringModel(record).startsWith('esterno:');
}

function limitsOf(turn: Turn): RetryLimits {
  const { needs, record } = turn;
  const model = answeringModel(record);
  return {
    maxTries: needs.modelTries ?? MAX_TRIES,
    hasFallback: record.settings.fallbackProviders.length > 0 && mayLeave(record.header, model),
    isExternal: isExternal(turn),
    isOfRun: record.header.workflowStep !== null || needs.isUnattended(record),
    startedAt: needs.ambient.now(),
  };
}

/** The notice first: with it the model's view drops the calls that had begun, whose results then only close them. */
function closeBroken(turn: Turn, notice: SessionEvent): void {
  const { needs, record } = turn;
  needs.journal.flush(record.key);
  const content = 'The answer broke off before this call was complete: it was not run.';
  const closed = record.fold.openCalls.map((toolCallId) =>
    interruptedCall(toolCallId, { messageId: needs.ambient.newId(), content }),
  );
  append(turn, [notice, ...closed]);
}

/** Falling back from a local model to a remote one requires the user's consent. */
function mayLeave({ runtime }: SessionHeader, model: string): boolean {
  return runtime.hasFallbackConsent || (runtime.provider === 'cloud' && !model.startsWith('local:'));
}

/** False when the turn was stopped or redirected during the wait; the user may end it early. */
async function waited(turn: Turn, ms: number, stop: AbortSignal): Promise<boolean> {
  const tryNow = new AbortController();
  turn.tryNow = () => tryNow.abort();
  try {
    await turn.needs.ambient.sleep(ms, AbortSignal.any([stop, tryNow.signal]));
    return true;
  } catch (error) {
    if (stop.aborted) return false;
    if (tryNow.signal.aborted) return true;
    throw error;
  } finally {
    turn.tryNow = undefined;
  }
}

interface CallTry {
  attempt: number;
  limits: RetryLimits;
  /** The failure after which a fallback answers at once. */
  after: ModelFailure | undefined;
  signal: AbortSignal;
}

/** Caches of providers last five minutes unless something else is asked for. */
const MIN_PAUSE_MS = 270_000;

async function callModel(
  turn: Turn,
  { system, specs, show, reader, external }: StepRequest,
  { attempt, limits, after, signal }: CallTry,
): Promise<ModelStep> {
  const { needs, record, conversation } = turn;
  const { reasoning, fallbackProviders } = record.settings;
  const model = answeringModel(record);
  const messages = conversation.messages();
  const at = needs.ambient.now();
  // Sent with the first text of the answer: a separate commit would delay the model.
  let opening = whileWaiting(needs.ambient, () => [contextUse({ at, model, system, specs, messages })]);
  const send = (events: readonly SessionEvent[], how: 'gather' | 'hold'): void => {
    for (const event of events) conversation.apply(event, 0);
    needs.journal[how](record, [...opening(), ...events]);
    opening = () => [];
  };
  const { pace } = turn;
  pace.isPausing ||= pace.answeredAt !== undefined && at - pace.answeredAt > MIN_PAUSE_MS;
  const span = startModelSpan(turn, { model, system, messages, attempt });
  const stream = needs.model.stream(
    {
      model,
      system,
      messages: await withImages(show(messages), needs.images),
      tools: specs,
      ...(reasoning && { reasoning }),
      ...(limits.hasFallback && {
        fallback: {
          reserves: fallbackProviders,
          wouldRetry: (failure) => isRetried(failure, attempt, { limits, now: needs.ambient.now() }),
          ...(after && { after }),
        },
      }),
      cacheKey: record.header.sessionId,
      ...(pace.isPausing && { isPausing: true }),
      traceparent: span?.traceparent,
      external,
    },
    signal,
  );
  const answer = await readModelStep(stream, {
    ambient: needs.ambient,
    emit(events) {
      send(events, 'gather');
      if (events.some(({ type }) => type === 'ToolCallStart')) needs.changes.expect(record);
    },
    emitLast: (events) => send(events, 'hold'),
    usedCallIds: turn.usedCallIds,
    reader,
    onNotice: (notice: ModelNotice) => append(turn, [fallbackEvent(notice, record.settings.model)]),
  });
  span?.end(answer);
  pace.answeredAt = needs.ambient.now();
  if (answer.usage) turn.contextBudget.lastPromptTokens = answer.usage.promptTokens + answer.usage.completionTokens;
  for (const value of answer.vendorValues) conversation.learn(value);
  const usage = usageEvents(turn, answer);
  if (answer.vendorValues.length) append(turn, usage, { vendorValues: answer.vendorValues });
  else send(usage, 'hold');
  return answer;
}

/** Computed after the request is sent: estimating a long conversation takes as long as a short answer. */
function whileWaiting<Value>(ambient: Ambient, compute: () => Value): () => Value {
  const value = once(compute);
  ambient.timer(0, value);
  return value;
}

function usageEvents(turn: Turn, { usage, failure, hasOutput }: ModelStep): SessionEvent[] {
  if (!usage && !hasOutput) return [];
  return callUsage(turn, { model: answeringModel(turn.record), usage, failure });
}
