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
  fase?: string;
  attesaMs?: number;
  tentativo?: number;
  tentativiMassimi?: number;
  httpStatus?: number;
}

/** Undefined for any other event. */
export function retryStep(event: StreamEvent): RetryStep | undefined {
  if (event.type !== 'CUSTOM' || event.name !== 'svc.provider-retry') return undefined;
  const value = event.value as RetryValue;
  const { requestId = '', fase, attesaMs = 0, tentativo = 2, tentativiMassimi = 2, httpStatus } = value;
  return {
    phase: fase === 'attesa' ? 'waiting' : 'over',
    id: `retry-${requestId}-${tentativo}`,
    cause: retryCause(httpStatus),
    seconds: Math.ceil(attesaMs / 1000),
    attempt: tentativo,
    of: tentativiMassimi,
  };
}
