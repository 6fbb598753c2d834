import type { BuiltInExclusion, Exclusions } from './exclusions.ts';
import type { KeyRow, Keys } from './keys/keys.ts';
import { PROVIDERS, providerOf } from './registry.ts';
import type { Runtimes } from './runtime.ts';
import type { ProviderRecord } from './table/record.ts';

/** What everybody may know about a provider; never a key. */
export interface ProviderRow {
  id: string;
  label: string;
  requiresKey: boolean;
  /** Whether a key can be used at the present address. */
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
  /** How the key in use came; null without one. */
  keyOrigin: 'saved' | 'signed-in' | null;
  /** Aggregator only. */
  excluded?: string[];
  /** Aggregator only. */
  builtInExclusions?: BuiltInExclusion[];
}

/** All throw PROVIDER_STORE_UNAVAILABLE. */
export interface Registry {
  list(): Promise<ProviderRow[]>;
  /** Throws PROVIDER_INVALID. */
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
      const rows: ProviderRow[] = [];
      for (const record of PROVIDERS) rows.push(await rowOf(needs, record));
      return rows;
    },
    row: (provider) => rowOf(needs, providerOf(provider)),
  };
}

async function rowOf({ keys, runtime, exclusions }: RegistryNeeds, record: ProviderRecord): Promise<ProviderRow> {
  const pool = record.key === 'never' ? [] : await keys.list(record.id);
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
