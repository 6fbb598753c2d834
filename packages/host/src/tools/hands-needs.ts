import type { HandsNeeds } from '@fucina/tools';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { HostSettings } from '../settings.ts';

/** What the tools and the sandbox of their commands must know of this process. */
export function handsNeeds(settings: HostSettings, folder: DataFolder): HandsNeeds {
  const { ambient, environment, isWithoutToken, ownPort } = settings;
  return {
    ambient,
    environment,
    dataDir: folder.path,
    isWithoutToken: isWithoutToken ?? false,
    network: { ownPorts: () => (ownPort ? [ownPort()] : []) },
  };
}
