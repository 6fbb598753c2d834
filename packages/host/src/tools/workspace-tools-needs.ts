import type { Git } from '@fucina/git';
import type { Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import type { WorkspaceToolsNeeds } from '@fucina/tools';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { JoinSettings } from '../settings.ts';
import { reservedPorts } from './reserved-ports.ts';

/** What the tools and their sandbox need to know about this process. */
export function workspaceToolsNeeds(
  settings: JoinSettings,
  folder: DataFolder,
  { sessions, git, providers }: { sessions: () => Sessions; git: () => Git; providers: () => Providers },
): Omit<WorkspaceToolsNeeds, 'rules'> {
  const { ambient, environment, isWithoutToken, ownPort, standingRules } = settings;
  return {
    ambient,
    environment,
    dataDir: folder.path,
    isWithoutToken: isWithoutToken ?? false,
    folderEnvironment: (path) => folderEnvironment(git, path),
    sessionReads: (sessionId) => sessions().requests.grantedReads(sessionId),
    guardsReading: standingRules.guardsReading,
    deniesReading: standingRules.deniesReading,
    smallerPicture: (bytes, maxBytes) => providers().smallerPicture(bytes, maxBytes),
    // For a host that a command wants to reach: first the user's rules, then the list of known hosts, then the user.
    network: {
      ownPorts: () => (ownPort ? [ownPort()] : []),
      isReservedPort: async (port) => reservedPorts(providers().addresses(), environment).has(port),
      rule: standingRules.judgeNetwork,
      localPorts: standingRules.localPorts,
      ask: ({ sessionId, folder: _folder, ...request }, signal) =>
        sessions().requests.askNetwork(sessionId, request, signal),
    },
  };
}

/** In a worktree: the first of the ports that its development servers can use without meeting those of another. */
export async function folderEnvironment(git: () => Git, path: string): Promise<Record<string, string>> {
  const record = await git().worktrees.at(path);
  return record?.portBase == null ? {} : { FUCINA_PORT_BASE: String(record.portBase) };
}
