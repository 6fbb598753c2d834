import { isAppError } from '@fucina/shared';
import type { KeyPool } from '../keys/keys.ts';
import { parseModelId } from '../models/model-id.ts';
import { providerOf } from '../table/registry.ts';
import type { OwnAddresses, Runtimes } from './runtime.ts';

/** Why a model cannot be called now, as the error code that a call would have. */
export type ModelProblem =
  | 'MODEL_ID_INVALID'
  | 'PROVIDER_KEY_REQUIRED'
  | 'PROVIDER_RUNTIME_INVALID'
  | 'PROVIDER_STORE_UNAVAILABLE';

interface ProblemNeeds {
  address: OwnAddresses['address'];
  runtimes: Pick<Runtimes, 'get'>;
  keys: Pick<KeyPool, 'isAny'>;
}

/**
 * What is missing before a model can be called: its provider's key, its address, its program. Nothing is sent: whether the
 * provider knows the model shows only in a call. Undefined: nothing is missing. A local model is loaded at its first call.
 */
export async function modelProblem(
  { address, runtimes, keys }: ProblemNeeds,
  model: string,
): Promise<ModelProblem | undefined> {
  try {
    const { provider } = parseModelId(model);
    const record = providerOf(provider);
    if (record.wire === 'locale') return undefined;
    if (record.wire === 'acp') return runtimes.get('esterno').agent ? undefined : 'PROVIDER_RUNTIME_INVALID';
    const { endpoint, origin } = address(record);
    if (!endpoint || !origin) return 'PROVIDER_RUNTIME_INVALID';
    if (record.key !== 'required') return undefined;
    return (await keys.isAny(provider, origin)) ? undefined : 'PROVIDER_KEY_REQUIRED';
  } catch (error) {
    if (isAppError(error, 'MODEL_ID_INVALID')) return 'MODEL_ID_INVALID';
    if (isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) return 'PROVIDER_STORE_UNAVAILABLE';
    throw error;
  }
}
