import { providersError } from './errors.ts';
import { GATHERED, HOSTS } from './table/hosts.ts';
import { PLATFORMS } from './table/platforms.ts';
import type { ProviderRecord } from './table/record.ts';
import { ANTHROPIC_COMPATIBLE, VENDORS } from './table/vendors.ts';

/** All providers in the order people see them. */
export const PROVIDERS: readonly ProviderRecord[] = [
  ...VENDORS,
  ...GATHERED,
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
