import type { ModelFailure, ModelFailureClass, ModelPair } from '@fucina/shared';
import type { ProviderRecord } from '../table/record.ts';

const TRANSIENT = new Set<ModelFailureClass>(['rate-limit', 'server', 'network', 'timeout', 'stream-interrupted']);

/**
 * Whether another provider may answer instead: after a failure of traffic, of the provider or of the network. Only an
 * agent with tools of its own may have done something before it. A local engine also falls back when it is not running;
 * its caller passes fallbacks only with consent.
 */
export function mayFallBack(failure: ModelFailure, { wire }: ProviderRecord): boolean {
  if (wire === 'acp' && !failure.isOutcomeKnown) return false;
  return TRANSIENT.has(failure.class) || (wire === 'locale' && failure.code === 'RUNTIME_NOT_AVAILABLE');
}

/** Whether the failure concerns the account or the key: another key of the pool may work. */
export function isKeyAtFault({ class: failureClass, isOutcomeKnown }: ModelFailure): boolean {
  return isOutcomeKnown && (failureClass === 'credential' || failureClass === 'credit');
}

export function isSamePair(one: ModelPair, other: ModelPair): boolean {
  return one.provider === other.provider && one.model === other.model;
}
