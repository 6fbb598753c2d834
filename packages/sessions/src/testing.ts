import type { FinishReason, ModelClient, ModelEvent, ModelFailure, ModelRequest } from '@fucina/shared';

/** One answer of a scripted model; `hold` delays it until the promise settles or the turn is stopped. */
export interface ScriptedAnswer {
  events: readonly ModelEvent[];
  hold?: Promise<void>;
}

export interface ScriptedModel extends ModelClient {
  readonly requests: ModelRequest[];
}

/** Answers in order; after the last one it says `done`. For tests of callers of a model. */
export function scriptedModel(answers: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request, signal) {
      requests.push({ ...request, messages: [...request.messages] });
      const answer = answers[requests.length - 1] ?? { events: [...say('done'), finish('stop')] };
      if (answer.events.length) yield answer.events;
      if (answer.hold) await Promise.race([answer.hold, aborted(signal)]);
      if (signal.aborted) yield [{ type: 'failure', failure: CANCELLED }];
    },
  };
}

/** A break of the connection that may pass; the retry comes after a millisecond. */
export function broken(facts: Partial<ModelFailure> = {}): ModelEvent {
  const failure: ModelFailure = {
    class: 'stream-interrupted',
    code: 'PROVIDER_OUTCOME_UNKNOWN',
    message: 'The answer broke off.',
    httpStatus: null,
    retryAfterMs: 1,
    isOutcomeKnown: false,
    ...facts,
  };
  return { type: 'failure', failure };
}

const CANCELLED = {
  class: 'cancelled',
  code: 'fermato',
  message: 'Stopped.',
  httpStatus: null,
  retryAfterMs: null,
  isOutcomeKnown: true,
} as const;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export function say(text: string): ModelEvent[] {
  return [{ type: 'text', delta: text }];
}

export function call(id: string, name: string, input: unknown): ModelEvent[] {
  return [
    { type: 'tool-start', id, name },
    { type: 'tool-arguments', id, delta: JSON.stringify(input) },
    { type: 'tool-end', id },
  ];
}

export function used(promptTokens: number, completionTokens: number, cachedTokens: number | null = null): ModelEvent {
  return { type: 'usage', usage: { promptTokens, completionTokens, cachedTokens } };
}

export function finish(reason: FinishReason): ModelEvent {
  return { type: 'finish', reason };
}
