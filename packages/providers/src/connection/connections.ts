import { providersError } from '../errors.ts';
import type { ExtraHeaders, HeaderChange, HeaderRow } from '../keys/extra-headers.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import type { createRuntimes } from './runtime.ts';

/**
 * How a provider is reached: its address, also where the registry's is fixed, and headers of the user's own. Unknown
 * ids throw PROVIDER_INVALID, a missing store PROVIDER_STORE_UNAVAILABLE.
 */
export interface Connections {
  get(provider: string): Promise<ConnectionRow>;
  /** Throws PROVIDER_RUNTIME_INVALID; PROVIDER_RUNTIME_UNAVAILABLE when the address could not be saved. */
  change(provider: string, change: ConnectionChange): Promise<ConnectionRow>;
}

export interface ConnectionRow {
  provider: string;
  endpoint: string | null;
  /** True when the user chose the address. */
  endpointConfigured: boolean;
  /** False for what runs in this process or as a program: it has neither address nor headers. */
  isChangeable: boolean;
  /** Without their values. */
  headers: HeaderRow[];
}

/** Absent fields are unchanged. */
export interface ConnectionChange {
  /** Null restores the registry's. */
  endpoint?: string | null;
  /** All headers. Those without a value keep the stored one, and the address it was entered for. */
  headers?: readonly HeaderChange[];
}

export function createConnections(needs: {
  runtimes: ReturnType<typeof createRuntimes>;
  extraHeaders: ExtraHeaders;
}): Connections {
  const { runtimes, extraHeaders } = needs;
  const get = async (provider: string): Promise<ConnectionRow> => {
    const record = providerOf(provider);
    const { endpoint, endpointConfigured } = runtimes.get(provider);
    const { origin } = runtimes.address(record);
    const headers = await extraHeaders.list(provider, origin);
    return { provider, endpoint, endpointConfigured, isChangeable: isChangeable(record), headers };
  };
  return {
    get,
    async change(provider, { endpoint, headers }) {
      const record = providerOf(provider);
      if (!isChangeable(record)) throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'no-connection' });
      const origin = runtimes.originAfter(record, endpoint);
      // The headers first: bound to an address that is not saved after all, they are not sent.
      if (headers) await extraHeaders.change(provider, headers, origin);
      if (endpoint !== undefined) runtimes.setEndpoint(record, endpoint);
      return get(provider);
    },
  };
}

function isChangeable({ wire }: ProviderRecord): boolean {
  return wire !== 'acp' && wire !== 'locale';
}
