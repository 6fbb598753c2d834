import type { WorkflowNode } from '../../definition/core.ts';
import type { StepErrorClass } from '../ports.ts';

const BASE_MS = 1_000;
const MOST_MS = 5 * 60_000;
const MOST_ASKED_MS = 60 * 60_000;

/**
 * The pause before the `retry`-th retry (from 1), in ms; `chance` from 0 to below 1. The wait that a provider asks for
 * is a minimum.
 */
export function retryDelay(
  { backoff, jitter }: WorkflowNode['retryPolicy'],
  { retry, chance, retryAfterMs = 0 }: { retry: number; chance: number; retryAfterMs?: number | undefined },
): number {
  const grown =
    backoff === 'none' ? 0 : backoff === 'linear' ? BASE_MS * retry : BASE_MS * 2 ** Math.min(retry - 1, 30);
  const bounded = Math.min(grown, MOST_MS);
  // Half of it is random: steps that failed together should not retry together.
  const own = jitter ? Math.round(bounded / 2 + (bounded / 2) * chance) : bounded;
  return Math.max(own, Math.min(Math.max(0, retryAfterMs), MOST_ASKED_MS));
}

/** Whether a step whose `retries`-th retry (0: the first attempt) failed in this way may be retried automatically. */
export function mayRetry(
  { activityPolicy, retryPolicy, budget }: WorkflowNode,
  { retries, errorClass }: { retries: number; errorClass: StepErrorClass },
): boolean {
  if (activityPolicy.retryMode === 'at-most-once') return false;
  if (!(retryPolicy.retryOn as readonly string[]).includes(errorClass)) return false;
  return retries + 1 < Math.min(activityPolicy.maxAttempts, budget.attempts ?? activityPolicy.maxAttempts);
}

/** Whether an interrupted step with unknown effects may be run again without asking. */
export function mayRepeatUnknown({ activityPolicy: { effectClass, retryMode } }: WorkflowNode): boolean {
  return retryMode === 'at-least-once' && ['pure', 'idempotent', 'reconcilable'].includes(effectClass);
}
