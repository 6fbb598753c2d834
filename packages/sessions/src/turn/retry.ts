import type { Ambient, ModelFailure, SessionEvent } from '@fucina/shared';

/** Four calls in total; waits as the provider asks, up to MAX_WAIT_MS, else with exponential backoff and jitter. */
export const MAX_ATTEMPTS = 4;
const BASE_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

export function isRetryable(failure: ModelFailure): boolean {
  const isTransient = failure.class === 'rate-limit' || failure.class === 'server';
  return isTransient && failure.isOutcomeKnown && (failure.retryAfterMs ?? 0) <= MAX_WAIT_MS;
}

/** @param attempt the attempt that failed, from 1 */
export function waitBeforeRetry(failure: ModelFailure, attempt: number, ambient: Ambient): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs;
  const jitter = 0.5 + ambient.randomBytes(1).readUInt8() / 510;
  return Math.round(Math.min(BASE_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS) * jitter);
}

export interface RetryNotice {
  runId: string;
  threadId: string;
  requestId: string;
  /** Model call of the turn, from 1. */
  step: number;
  phase: 'attesa' | 'invio' | 'fine';
  /** The attempt about to be made, at least 2. */
  attempt: number;
  httpStatus: number;
  model: string;
  waitMs: number;
  retryAt: number | null;
}

export function retryNotice(notice: RetryNotice): SessionEvent {
  return {
    type: 'CUSTOM',
    name: 'svc.provider-retry',
    value: {
      schema: 'svc.provider-retry.v1',
      runId: notice.runId,
      threadId: notice.threadId,
      requestId: notice.requestId,
      giro: notice.step,
      fase: notice.phase,
      tentativo: notice.attempt,
      tentativiMassimi: MAX_ATTEMPTS,
      httpStatus: notice.httpStatus,
      modello: notice.model,
      attesaMs: notice.waitMs,
      retryAt: notice.retryAt,
    },
  };
}
