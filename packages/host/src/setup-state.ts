import type { SetupState } from '@fucina/diagnostics';
import type { Services } from './host.ts';

export async function readSetup({ providers, files }: Pick<Services, 'providers' | 'files'>): Promise<SetupState> {
  const rows = await providers.registry.list();
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
