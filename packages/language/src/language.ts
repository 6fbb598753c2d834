import { createKeyedQueue, type Tool } from '@fucina/shared';
import { createEditChecks, type EditChecks } from './edit-checks.ts';
import { createFormatterChoices } from './formatters/formatter-choices.ts';
import { createFormatters, type Formatters } from './formatters/formatters.ts';
import { createRepositoryMap, type RepositoryMap, type RepositoryMapNeeds } from './map/repository-map.ts';
import { createServers, type Servers, type ServersNeeds } from './servers.ts';
import { type ChangeFiles, createChangeTool } from './tools/change-tool.ts';
import { createNavigateTool } from './tools/navigate-tool.ts';
import { createRecentFiles } from './tools/recent-files.ts';

/** Language servers of projects, what they say about the files that agents edit, and the map of a repository. */
export interface Language extends AsyncDisposable {
  servers: Omit<Servers, typeof Symbol.asyncDispose>;
  checks: Omit<EditChecks, 'forget'>;
  /** Tools of the agent, for projects with a server. */
  tools: readonly Tool[];
  formatters: Formatters;
  map: Pick<RepositoryMap, 'outline' | 'symbols'>;
  /** Ends the servers of folders in which only this session worked. */
  forget(sessionId: string): Promise<void>;
}

export interface LanguageNeeds extends ServersNeeds {
  changeFiles: ChangeFiles;
  /** JSON file with the formatters that are on. */
  formattersFile: string;
  listFiles: RepositoryMapNeeds['listFiles'];
}

export function createLanguage(needs: LanguageNeeds): Language {
  const servers = createServers(needs);
  const map = createRepositoryMap(needs);
  // One act at a time with the server of a folder: the texts of two edits must not alternate.
  const inOrder = createKeyedQueue();
  const code = { servers, inOrder, tellRecentFiles: createRecentFiles(needs) };
  const checks = createEditChecks({ ambient: needs.ambient, servers, inOrder });
  const choices = createFormatterChoices(needs.ambient, needs.formattersFile);
  return {
    servers,
    checks,
    tools: [createNavigateTool(code), createChangeTool({ ...code, changeFiles: needs.changeFiles })],
    formatters: createFormatters({ ...needs, choices }),
    map,
    async forget(sessionId) {
      const left = checks.forget(sessionId);
      await Promise.all(left.flatMap((folder) => [servers.stop(folder), map.stop(folder)]));
    },
    async [Symbol.asyncDispose]() {
      await map[Symbol.asyncDispose]();
      await servers[Symbol.asyncDispose]();
    },
  };
}
