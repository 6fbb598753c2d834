import type { NewKey, ProviderRow, Providers } from '@fucina/providers';

/** Changes a provider's keys; each returns the provider's updated row. */
export interface ProviderKeys {
  set(provider: string, key: string): Promise<ProviderRow>;
  removeAll(provider: string): Promise<ProviderRow>;
  add(provider: string, added: NewKey): Promise<ProviderRow>;
  remove(provider: string, fingerprint: string): Promise<ProviderRow>;
}

export function createProviderKeys({ keys, registry }: Providers): ProviderKeys {
  const then = async (change: Promise<void>, provider: string): Promise<ProviderRow> => {
    await change;
    return registry.row(provider);
  };
  return {
    set: (provider, key) => then(keys.set(provider, key), provider),
    removeAll: (provider) => then(keys.removeAll(provider), provider),
    add: (provider, added) => then(keys.add(provider, added), provider),
    remove: (provider, fingerprint) => then(keys.remove(provider, fingerprint), provider),
  };
}
