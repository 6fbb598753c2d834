import type { SetupState } from '@fucina/diagnostics';
import type { ProviderRow } from '@fucina/providers';
import { isAppError } from '@fucina/shared';
import type { Services } from './host.ts';

/** A key store that is missing or locked counts as "no key", never as an error. */
export async function readSetup({ providers, files }: Pick<Services, 'providers' | 'files'>): Promise<SetupState> {
  const rows = await listProviders(providers);
  return {
    isIntroOff: false,
    withKey: rows.filter(({ keyConfigured }) => keyConfigured).map(({ id }) => id),
    withAddress: rows
      .filter(({ requiresKey, endpointConfigured }) => !requiresKey && endpointConfigured)
      .map(({ id }) => id),
    hasExternalAgent: Boolean(providers.runtime.get('esterno').agent),
    isLocalConfigured: false,
    projectFolders: (await files.projects.list()).length,
  };
}

async function listProviders({ registry }: Services['providers']): Promise<ProviderRow[]> {
  try {
    return await registry.list();
  } catch (error) {
    if (isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) return [];
    throw error;
  }
}
