import type { ModelFailure, ModelPair } from '@fucina/shared';
import type { ProviderRecord } from '../table/record.ts';

/**
 * Whether another provider may answer instead: only after an explicit temporary refusal, which means that nothing was
 * executed. A local engine also falls back when it is not running; its caller passes fallbacks only with consent.
 */
export function mayFallBack(failure: ModelFailure, { wire }: ProviderRecord): boolean {
  if (!failure.isOutcomeKnown) return false;
  const { class: failureClass, httpStatus } = failure;
  if (wire === 'locale' && (failureClass === 'network' || failure.code === 'RUNTIME_NOT_AVAILABLE')) return true;
  const isTransient = failureClass === 'rate-limit' || failureClass === 'server';
  return isTransient && httpStatus !== null && (httpStatus === 429 || httpStatus >= 500);
}

/** Whether the failure concerns the account or the key: another key of the pool may work. */
export function isKeyAtFault({ class: failureClass, isOutcomeKnown }: ModelFailure): boolean {
  return isOutcomeKnown && (failureClass === 'credential' || failureClass === 'credit');
}

export function isSamePair(one: ModelPair, other: ModelPair): boolean {
  return one.provider === other.provider && one.model === other.model;
}
