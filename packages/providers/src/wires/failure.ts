import { type ModelFailure, type ModelFailureClass, type OutboundError, proxySentence } from '@fucina/shared';

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
export function failureOfOutbound(error: OutboundError, hasStarted: boolean): ModelFailure {
  const { problem, requestSent } = error;
  if (problem === 'aborted') return cancelled();
  if (problem === 'redirect') {
    return failureOf('request-refused', {
      message: 'The address sends requests on to another one; enter that one instead.',
    });
  }
  if (hasStarted) return problem === 'timeout' ? lateStream() : interrupted();
  const isOutcomeKnown = !requestSent;
  if (problem === 'timeout') return failureOf('timeout', { isOutcomeKnown });
  if (problem === 'refused' && isLoopback(error.origin)) return failureOf('network', { isLasting: true });
  if (problem === 'proxy')
    return failureOf('network', { code: 'PROXY_FAILED', message: proxySentence(error), isLasting: true });
  if (problem === 'certificate')
    return failureOf('network', {
      code: 'CERTIFICATE_REJECTED',
      message: certificateMessage(error),
      isLasting: true,
    });
  return failureOf('network', { isOutcomeKnown });
}

/** A program of this computer that is not running. */
function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

const CERTIFICATES: Readonly<Record<string, string>> = {
  'unknown-issuer':
    'its issuer is unknown. Set NODE_EXTRA_CA_CERTS to the file with the certificate of the issuer and restart Fucina.',
  expired: 'it has expired. Check the date of this computer, or ask the operator to renew the certificate.',
  'not-yet-valid': 'it is not valid yet. Check the date of this computer.',
  'wrong-name': 'it belongs to another host name. Check the address of the provider.',
  revoked: 'it was revoked.',
};

function certificateMessage({ origin, facts: { reason = '' } }: OutboundError): string {
  if (reason === 'client-not-usable')
    return 'FUCINA_CLIENT_CERT and FUCINA_CLIENT_KEY are not the PEM files of a certificate and its key.';
  return `The certificate of ${origin} was not accepted: ${CERTIFICATES[reason] ?? 'the reason is unknown.'}`;
}

const lateStream = (): ModelFailure => interrupted('The answer stopped coming.');
