import { type Ambient, type ModelFailure, type SessionEvent, TRANSIENT_FAILURES } from '@fucina/shared';

/** Calls of the model for one answer, unless the user set fewer. */
export const MAX_TRIES = 10;
/** Before the tries after the first: over five minutes in all. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 20_000, 45_000, 75_000, 90_000, 120_000] as const;
/** A longer wait that the provider asks for ends the turn. */
const MAX_ASKED_WAIT_MS = 600_000;
/** Of steps and runs, whose engines wait longer themselves, also over a restart. */
const MAX_WAIT_OF_RUN_MS = 60_000;
/** With a fallback configured it takes over after this many tries, or before a wait would end later. */
const TRIES_BEFORE_FALLBACK = 4;
const MS_BEFORE_FALLBACK = 15_000;

export interface RetryLimits {
  maxTries: number;
  hasFallback: boolean;
  /** An agent that runs its own tools: what it did before a break is not known. */
  isExternal: boolean;
  /** A step of a workflow or a run of an automation. */
  isOfRun: boolean;
  /** Of the first try, in epoch ms. */
  startedAt: number;
}

/** Nothing of the answer was run, so the same request can be sent again. */
export function isTransient(failure: ModelFailure): boolean {
  return TRANSIENT_FAILURES.has(failure.class) && failure.isLasting !== true;
}

/** Whether the call is made once more after the failure of try number `attempt`, from 1. */
export function isRetried(
  failure: ModelFailure,
  attempt: number,
  { limits, now }: { limits: RetryLimits; now: number },
) {
  if (!isTransient(failure)) return false;
  if (limits.isExternal && !failure.isOutcomeKnown) return false;
  if ((failure.retryAfterMs ?? 0) > (limits.isOfRun ? MAX_WAIT_OF_RUN_MS : MAX_ASKED_WAIT_MS)) return false;
  if (!limits.hasFallback) return attempt < limits.maxTries;
  const endsAt = now + (failure.retryAfterMs ?? WAITS_MS[attempt - 1] ?? 0);
  return attempt < Math.min(limits.maxTries, TRIES_BEFORE_FALLBACK) && endsAt - limits.startedAt <= MS_BEFORE_FALLBACK;
}

/** What the provider asks for, else longer after each try, with jitter. @param attempt the try that failed, from 1 */
export function waitBeforeRetry(failure: ModelFailure, attempt: number, ambient: Ambient): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs;
  const jitter = 0.85 + ambient.randomBytes(1).readUInt8() / 850;
  return Math.round((WAITS_MS[attempt - 1] ?? 0) * jitter);
}

/** What the interface knows of a failure: only these statuses are retried. */
export function retryStatus({ class: failureClass, httpStatus }: ModelFailure): number {
  if (httpStatus !== null && (httpStatus === 408 || httpStatus === 429 || httpStatus >= 500)) return httpStatus;
  if (failureClass === 'rate-limit') return 429;
  return failureClass === 'timeout' ? 408 : 503;
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
  maxTries: number;
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
      tentativiMassimi: notice.maxTries,
      httpStatus: notice.httpStatus,
      modello: notice.model,
      attesaMs: notice.waitMs,
      retryAt: notice.retryAt,
    },
  };
}
