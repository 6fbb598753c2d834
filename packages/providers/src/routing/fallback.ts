import type { ModelFailure, ModelPair } from '@fucina/shared';
import type { ProviderRecord } from '../table/record.ts';

/**
 * Whether another provider may answer in the place of this one: only after an explicit refusal of the moment, which says
 * that nothing was done. A local engine is given up also when it is not there; its caller gives reserves only with consent.
 */
export function mayFallBack(failure: ModelFailure, { wire }: ProviderRecord): boolean {
  if (!failure.isOutcomeKnown) return false;
  const { class: failureClass, httpStatus } = failure;
  if (wire === 'locale' && (failureClass === 'network' || failure.code === 'RUNTIME_NOT_AVAILABLE')) return true;
  const isTransient = failureClass === 'rate-limit' || failureClass === 'server';
  return isTransient && httpStatus !== null && (httpStatus === 429 || httpStatus >= 500);
}

/** Whether the account or the key is at fault: another key of the pool may do what this one may not. */
export function isKeyAtFault({ class: failureClass, isOutcomeKnown }: ModelFailure): boolean {
  return isOutcomeKnown && (failureClass === 'credential' || failureClass === 'credit');
}

export function isSamePair(one: ModelPair, other: ModelPair): boolean {
  return one.provider === other.provider && one.model === other.model;
}
