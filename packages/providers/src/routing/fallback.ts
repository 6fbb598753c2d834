import { type ModelFailure, type ModelPair, TRANSIENT_FAILURES } from '@fucina/shared';
import type { ProviderRecord } from '../table/record.ts';

/**
 * Whether another provider may answer instead: after a failure of traffic, of the provider or of the network that
 * may pass. Only an agent with tools of its own may have done something before it. A local engine also falls back when
 * it is not running; its caller passes fallbacks only with consent.
 */
export function mayFallBack(failure: ModelFailure, { wire }: ProviderRecord): boolean {
  if (wire === 'acp' && !failure.isOutcomeKnown) return false;
  if (wire === 'locale' && (failure.class === 'network' || failure.code === 'RUNTIME_NOT_AVAILABLE')) return true;
  return TRANSIENT_FAILURES.has(failure.class) && failure.isLasting !== true;
}

/** Whether the failure concerns the account or the key: another key of the pool may work. */
export function isKeyAtFault({ class: failureClass, isOutcomeKnown }: ModelFailure): boolean {
  return isOutcomeKnown && (failureClass === 'credential' || failureClass === 'credit');
}

export function isSamePair(one: ModelPair, other: ModelPair): boolean {
  return one.provider === other.provider && one.model === other.model;
}
