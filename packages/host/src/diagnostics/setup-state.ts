import type { SetupState } from '@fucina/diagnostics';
import type { LocalModels } from '@fucina/local-models';
import { readyModels } from '../domains/runtimes.ts';
import type { Services } from '../services.ts';

export async function readSetup(
  { providers, files }: Pick<Services, 'providers' | 'files'>,
  localModels: LocalModels | undefined,
): Promise<SetupState> {
  const rows = await providers.registry.list();
  return {
    isIntroOff: false,
    withKey: rows.filter(({ keyConfigured }) => keyConfigured).map(({ id }) => id),
    withAddress: rows
      .filter(({ requiresKey, endpointConfigured }) => !requiresKey && endpointConfigured)
      .map(({ id }) => id),
    hasExternalAgent: Boolean(providers.runtime.get('esterno').agent),
    isLocalConfigured: (await readyModels(localModels)).length > 0,
    projectFolders: (await files.projects.list()).length,
  };
}
