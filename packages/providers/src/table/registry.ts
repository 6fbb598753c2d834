import { providersError } from '../errors.ts';
import { AGGREGATOR_AND_ENGINES, HOSTS } from './hosts.ts';
import { PLATFORMS } from './platforms.ts';
import type { ProviderRecord } from './record.ts';
import { ANTHROPIC_COMPATIBLE, VENDORS } from './vendors.ts';

/** All providers in display order. */
export const PROVIDERS: readonly ProviderRecord[] = [
  ...VENDORS,
  ...AGGREGATOR_AND_ENGINES,
  ...HOSTS,
  ...ANTHROPIC_COMPATIBLE,
  ...PLATFORMS,
];

const byId = new Map(PROVIDERS.map((record) => [record.id, record]));

export function findProvider(id: string): ProviderRecord | undefined {
  return byId.get(id);
}

/** Throws PROVIDER_INVALID. */
export function providerOf(id: string): ProviderRecord {
  const record = byId.get(id);
  if (!record) throw providersError('PROVIDER_INVALID');
  return record;
}
