import type { WorkflowNode } from '../../definition/core.ts';
import type { StepErrorClass } from '../ports.ts';

const BASE_MS = 1_000;
const MOST_MS = 5 * 60_000;
const MOST_ASKED_MS = 60 * 60_000;

/** How long the `retry`-th retry (from 1) waits, in ms; `chance` from 0 to below 1. A provider's own wish is a floor. */
export function retryDelay(
  { backoff, jitter }: WorkflowNode['retryPolicy'],
  { retry, chance, retryAfterMs = 0 }: { retry: number; chance: number; retryAfterMs?: number | undefined },
): number {
  const grown =
    backoff === 'none' ? 0 : backoff === 'linear' ? BASE_MS * retry : BASE_MS * 2 ** Math.min(retry - 1, 30);
  const bounded = Math.min(grown, MOST_MS);
  // Half of it by chance: steps that failed together do not come back together.
  const own = jitter ? Math.round(bounded / 2 + (bounded / 2) * chance) : bounded;
  return Math.max(own, Math.min(Math.max(0, retryAfterMs), MOST_ASKED_MS));
}

/** Whether a step whose `retries`-th retry (0: the first attempt) failed in this way may try again by itself. */
export function mayRetry(
  { activityPolicy, retryPolicy, budget }: WorkflowNode,
  { retries, errorClass }: { retries: number; errorClass: StepErrorClass },
): boolean {
  if (activityPolicy.retryMode === 'at-most-once') return false;
  if (!(retryPolicy.retryOn as readonly string[]).includes(errorClass)) return false;
  return retries + 1 < Math.min(activityPolicy.maxAttempts, budget.attempts ?? activityPolicy.maxAttempts);
}

/** Whether a step that was cut off, its effects unknown, may be done again without asking. */
export function mayRepeatUnknown({ activityPolicy: { effectClass, retryMode } }: WorkflowNode): boolean {
  return retryMode === 'at-least-once' && ['pure', 'idempotent', 'reconcilable'].includes(effectClass);
}
