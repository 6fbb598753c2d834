import {
  type Ambient,
  type ExternalTurn,
  type ModelFailure,
  type ModelNotice,
  once,
  type SessionEvent,
  type ToolSpec,
} from '@fucina/shared';
import { contextUse } from '../context/context-use.ts';
import { withImages } from '../context/with-images.ts';
import type { SessionHeader } from '../state/session.ts';
import { type ModelStep, readModelStep } from './model-step.ts';
import { answeringModel, fallbackEvent } from './provider-fallback.ts';
import { isRetryable, MAX_ATTEMPTS, retryNotice, waitBeforeRetry } from './retry.ts';
import { startModelSpan } from './turn-spans.ts';
import { append, type TurnState } from './turn-state.ts';
import { callUsage } from './usage-events.ts';

export interface StepRequest {
  /** Model call of the turn, from 1. */
  step: number;
  system: readonly string[];
  specs: readonly ToolSpec[];
  /** The tools for an external agent that runs its own loop. */
  external: ExternalTurn;
}

/** One model call, retried on transient failures that happened before any of the answer was visible. */
export async function askModel(state: TurnState, request: StepRequest): Promise<ModelStep> {
  const { needs, record } = state;
  const notice = {
    runId: state.runId,
    threadId: record.header.sessionId,
    requestId: needs.ambient.newId(),
    step: request.step,
    model: answeringModel(record),
  };
  const stop = state.cut.signal;
  let httpStatus = 0;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await callModel(state, request, { attempt, signal: stop });
    const { failure } = answer;
    if (attempt > 1) {
      append(state, [retryNotice({ ...notice, phase: 'fine', attempt, httpStatus, waitMs: 0, retryAt: null })]);
    }
    if (!failure || answer.hasOutput || !mayRetry(failure, attempt)) return answer;
    httpStatus = failure.httpStatus ?? 503;
    const next = { ...notice, attempt: attempt + 1, httpStatus };
    const waitMs = waitBeforeRetry(failure, attempt, needs.ambient);
    append(state, [retryNotice({ ...next, phase: 'attesa', waitMs, retryAt: needs.ambient.now() + waitMs })]);
    if (!(await waited(needs.ambient, waitMs, stop))) return answer;
    append(state, [retryNotice({ ...next, phase: 'invio', waitMs: 0, retryAt: null })]);
  }
}

function mayRetry(failure: ModelFailure, attempt: number): boolean {
  return isRetryable(failure) && attempt < MAX_ATTEMPTS;
}

/** Falling back from a local model to a remote one requires the user's consent. */
function mayLeave({ runtime }: SessionHeader, model: string): boolean {
  return runtime.hasFallbackConsent || (runtime.provider === 'cloud' && !model.startsWith('local:'));
}

/** False when the turn was stopped or redirected during the wait. */
async function waited(ambient: Ambient, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await ambient.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

async function callModel(
  state: TurnState,
  { system, specs, external }: StepRequest,
  { attempt, signal }: { attempt: number; signal: AbortSignal },
): Promise<ModelStep> {
  const { needs, record, conversation } = state;
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
  const span = startModelSpan(state, { model, system, messages, attempt });
  const stream = needs.model.stream(
    {
      model,
      system,
      messages: await withImages(messages, needs.images),
      tools: specs,
      ...(reasoning && { reasoning }),
      ...(fallbackProviders.length > 0 &&
        mayLeave(record.header, model) && {
          fallback: { reserves: fallbackProviders, wouldRetry: (failure) => mayRetry(failure, attempt) },
        }),
      cacheKey: record.header.sessionId,
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
    usedCallIds: state.usedCallIds,
    onNotice: (notice: ModelNotice) => append(state, [fallbackEvent(notice, record.settings.model)]),
  });
  span?.end(answer);
  if (answer.usage) state.contextBudget.lastPromptTokens = answer.usage.promptTokens + answer.usage.completionTokens;
  for (const value of answer.vendorValues) conversation.learn(value);
  const usage = usageEvents(state, answer);
  if (answer.vendorValues.length) append(state, usage, { vendorValues: answer.vendorValues });
  else send(usage, 'hold');
  return answer;
}

/** Computed after the request is sent: estimating a long conversation takes as long as a short answer. */
function whileWaiting<Value>(ambient: Ambient, compute: () => Value): () => Value {
  const value = once(compute);
  ambient.timer(0, value);
  return value;
}

function usageEvents(state: TurnState, { usage, failure, hasOutput }: ModelStep): SessionEvent[] {
  if (!usage && !hasOutput) return [];
  return callUsage(state, { model: answeringModel(state.record), usage, failure });
}
