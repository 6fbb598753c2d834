import type { ModelFailure, ModelFailureClass, OutboundError } from '@fucina/shared';

/** Carries a classified failure through code that can only throw. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
  }
}

const SENTENCES: Record<ModelFailureClass, string> = {
  'rate-limit': 'The provider asks to slow down.',
  server: 'The provider had a failure of its own.',
  credential: 'The provider refused the key.',
  credit: 'The account at the provider has no credit left.',
  'context-too-long': 'The conversation is longer than the model can read.',
  'request-refused': 'The provider refused the request.',
  network: 'The provider cannot be reached.',
  timeout: 'The provider did not answer in time.',
  'stream-interrupted': 'The answer broke off.',
  'not-configured': 'The provider is not set up.',
  cancelled: 'Stopped.',
};

export function failureOf(failureClass: ModelFailureClass, facts: Partial<ModelFailure> = {}): ModelFailure {
  const isOutcomeKnown = facts.isOutcomeKnown ?? true;
  return {
    class: failureClass,
    code: isOutcomeKnown ? 'MODEL_CALL_FAILED' : 'PROVIDER_OUTCOME_UNKNOWN',
    message: SENTENCES[failureClass],
    httpStatus: null,
    retryAfterMs: null,
    isOutcomeKnown,
    ...facts,
  };
}

export const cancelled = (): ModelFailure => failureOf('cancelled', { code: 'CANCELLED_BY_OWNER' });

/** The answer started and broke off: whether the provider executed it is unknown. */
export const interrupted = (message?: string, providerMessage?: string): ModelFailure =>
  failureOf('stream-interrupted', {
    isOutcomeKnown: false,
    ...(message && { message }),
    ...(providerMessage && { providerMessage }),
  });

export const CANNOT_BE_READ = 'The answer cannot be read.';
export const STOPPED_WITH_ERROR = 'The provider stopped the answer with an error.';

/** @param hasStarted whether the answer's headers had arrived */
export function failureOfOutbound({ problem, requestSent }: OutboundError, hasStarted: boolean): ModelFailure {
  if (problem === 'aborted') return cancelled();
  if (problem === 'redirect') {
    return failureOf('request-refused', {
      message: 'The address sends requests on to another one; enter that one instead.',
    });
  }
  if (hasStarted) return problem === 'timeout' ? lateStream() : interrupted();
  const isOutcomeKnown = !requestSent;
  if (problem === 'timeout') return failureOf('timeout', { isOutcomeKnown });
  return failureOf('network', { isOutcomeKnown });
}

const lateStream = (): ModelFailure => interrupted('The answer stopped coming.');
