import type { Runtimes } from './connection/runtime.ts';
import { isKeyStoreUnavailable } from './keys/key-store.ts';
import type { KeyRow, Keys } from './keys/keys.ts';
import type { BuiltInExclusion, Exclusions } from './routing/exclusions.ts';
import type { ProviderRecord } from './table/record.ts';
import { PROVIDERS, providerOf } from './table/registry.ts';

/** The public data of a provider; never a key. */
export interface ProviderRow {
  id: string;
  label: string;
  requiresKey: boolean;
  /** Whether a key is available for the current address. */
  keyConfigured: boolean;
  pool: KeyRow[];
  reserveModels: string[];
  defaultEndpoint: string | null;
  supportsEndpoint: boolean;
  supportsTimeout: boolean;
  endpoint: string | null;
  endpointConfigured: boolean;
  timeoutSeconds: number;
  execution: ProviderRecord['execution'];
  supportsSignIn: boolean;
  /** Origin of the key in use; null without one. */
  keyOrigin: 'saved' | 'signed-in' | null;
  /** Aggregator only. */
  excluded?: string[];
  /** Aggregator only. */
  builtInExclusions?: BuiltInExclusion[];
}

/** Both throw PROVIDER_STORE_UNAVAILABLE when the settings cannot be read. */
export interface Registry {
  /** Without a key store every pool is empty: providers without keys still work. */
  list(): Promise<ProviderRow[]>;
  /**
   * Throws PROVIDER_INVALID; PROVIDER_STORE_UNAVAILABLE also without a key store, because it is the result of a key
   * change.
   */
  row(provider: string): Promise<ProviderRow>;
}

export interface RegistryNeeds {
  keys: Keys;
  runtime: Runtimes;
  exclusions: Exclusions;
}

export function createRegistry(needs: RegistryNeeds): Registry {
  return {
    async list() {
      const pools = await poolsOf(needs.keys);
      return PROVIDERS.map((record) => rowOf(needs, record, pools.get(record.id) ?? []));
    },
    async row(provider) {
      const record = providerOf(provider);
      return rowOf(needs, record, record.key === 'never' ? [] : await needs.keys.list(record.id));
    },
  };
}

async function poolsOf(keys: Keys): Promise<Map<string, KeyRow[]>> {
  const pools = new Map<string, KeyRow[]>();
  try {
    for (const { id, key } of PROVIDERS) if (key !== 'never') pools.set(id, await keys.list(id));
    return pools;
  } catch (error) {
    if (isKeyStoreUnavailable(error)) return new Map();
    throw error;
  }
}

function rowOf({ runtime, exclusions }: RegistryNeeds, record: ProviderRecord, pool: KeyRow[]): ProviderRow {
  const usable = pool.find(({ cause }) => cause !== 'address-changed');
  const { endpoint, endpointConfigured, timeoutSeconds } = runtime.get(record.id);
  const row: ProviderRow = {
    id: record.id,
    label: record.label,
    requiresKey: record.key === 'required',
    keyConfigured: usable !== undefined,
    pool,
    reserveModels: [...record.reserveModels],
    defaultEndpoint: record.defaultEndpoint || null,
    supportsEndpoint: record.supportsEndpoint,
    supportsTimeout: record.supportsTimeout,
    endpoint,
    endpointConfigured,
    timeoutSeconds,
    execution: record.execution,
    supportsSignIn: record.supportsSignIn,
    keyOrigin: usable?.origin ?? null,
  };
  if (record.id !== 'aggregator') return row;
  const { excluded, builtIn } = exclusions.get();
  return { ...row, excluded, builtInExclusions: builtIn };
}
