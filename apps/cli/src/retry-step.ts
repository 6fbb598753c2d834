import { type Retry, retryCause, type StreamEvent } from '@fucina/conversation';

/** A wait before the model is asked again, or its end. */
export interface RetryStep {
  phase: 'waiting' | 'over';
  /** Equal for a wait and its end. */
  id: string;
  cause: Retry['cause'];
  seconds: number;
  /** The try about to be made. */
  attempt: number;
  of: number;
}

interface RetryValue {
  requestId?: string;
  phase?: string;
  waitMs?: number;
  attempt?: number;
  maxAttempts?: number;
  httpStatus?: number;
}

/** Undefined for any other event. */
export function retryStep(event: StreamEvent): RetryStep | undefined {
  if (event.type !== 'CUSTOM' || event.name !== 'svc.provider-retry') return undefined;
  const value = event.value as RetryValue;
  const { requestId = '', phase, waitMs = 0, attempt = 2, maxAttempts = 2, httpStatus } = value;
  return {
    phase: phase === 'waiting' ? 'waiting' : 'over',
    id: `retry-${requestId}-${attempt}`,
    cause: retryCause(httpStatus),
    seconds: Math.ceil(waitMs / 1000),
    attempt: attempt,
    of: maxAttempts,
  };
}
