import type { Automations } from '@fucina/automations';
import type { LiveBrowser, PageReader } from '@fucina/browser';
import type { Extensions } from '@fucina/extensions';
import type { Git } from '@fucina/git';
import type { Library } from '@fucina/library';
import type { Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import { storeFailureOf, type Tool } from '@fucina/shared';
import type { createMapTool } from '@fucina/tools';
import type { Workflows } from '@fucina/workflows';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { isKnownSession } from '../sessions/process-outputs.ts';
import type { JoinSettings } from '../settings.ts';
import { createToolList, type ToolList } from '../tools/tool-list.ts';
import { workspaceToolsNeeds } from '../tools/workspace-tools-needs.ts';
import { automationAgentTools } from './automations.ts';
import { browserTools } from './open-domains.ts';

/** The domains whose tools agents get. */
interface ToolDomains {
  sessions(): Sessions;
  git(): Git;
  providers(): Providers;
  library(): Library;
  workflows(): Workflows;
  automations(): Automations;
  browser: { pages(): PageReader; liveBrowser(): LiveBrowser };
  extensions(): Promise<Extensions>;
  outlineRepository: Parameters<typeof createMapTool>[0];
  /** What other domains add to the calls of tools. */
  changing(tools: readonly Tool[]): readonly Tool[];
}

/** `domains` is called after everything is connected. */
export function openToolList(settings: JoinSettings, folder: DataFolder, domains: () => ToolDomains): ToolList {
  const sessions = (): Sessions => domains().sessions();
  return createToolList({
    ...workspaceToolsNeeds(settings, folder, {
      sessions,
      git: () => domains().git(),
      providers: () => domains().providers(),
    }),
    rules: settings.rules,
    lineageOf: (sessionId) => lineageOf(sessions, sessionId),
    ownTools: () => sessions().ownTools,
    changing: (tools) => domains().changing(tools),
    providerTools: () => domains().providers().tools(),
    async otherTools() {
      const { browser, library, workflows, automations, extensions, outlineRepository } = domains();
      return [
        ...browserTools(settings, folder, browser),
        ...library().tools,
        ...workflows().tools,
        ...automationAgentTools(automations, sessions),
        (await extensions()).forge.createTool,
        (await import('@fucina/tools')).createMapTool(outlineRepository),
      ];
    },
    isKnownSession: folder.isServer ? (sessionId) => isKnownSession(sessions(), sessionId) : undefined,
  });
}

/** Empty when the session store cannot be opened: no session runs a command then. */
function lineageOf(sessions: () => Sessions, sessionId: string): readonly string[] {
  try {
    return sessions().lineage(sessionId);
  } catch (error) {
    if (!storeFailureOf(error)) throw error;
    return [];
  }
}
