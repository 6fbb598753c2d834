import type { Automations } from '@fucina/automations';
import { createWatcher } from '@fucina/files';
import type { Library } from '@fucina/library';
import type { Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import { createOutboundHttp, once } from '@fucina/shared';
import type { Workflows } from '@fucina/workflows';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { Services } from '../services.ts';
import type { JoinSettings } from '../settings.ts';
import type { ToolList } from '../tools/tool-list.ts';
import { openToolList } from './agent-tools.ts';
import { openAutomations } from './automations.ts';
import { openExtensions } from './extensions.ts';
import { openLanguage } from './language.ts';
import { createLibraryCopies } from './library-copies.ts';
import { joinLocal } from './local-models.ts';
import {
  openBrowserPages,
  openDiagnostics,
  openFileHistory,
  openFiles,
  openGit,
  openLibrary,
  openLiveBrowser,
  openPages,
  openProviders,
  openSessions,
  openTerminals,
  openWorkflows,
} from './open-domains.ts';
import { researchNeeds } from './research.ts';
import { createSharedEdits } from './shared-edits.ts';

/** The domains, each opened at its first use and connected to the others, which do not import each other. */
export type Domains = ReturnType<typeof joinDomains>;

/** `opened` lists what must be closed, in order of opening. `services` is read only after everything is connected. */
export function joinDomains(settings: JoinSettings, folder: DataFolder, services: () => Services) {
  const { ambient } = settings;
  const opened: AsyncDisposable[] = [];
  const own = keeperOf(opened);

  const toolList: ToolList = own(
    openToolList(settings, folder, () => ({
      sessions,
      git,
      providers,
      library,
      workflows,
      automations,
      browser: { pages, liveBrowser },
      extensions: extensions.open,
      outlineRepository: async (...asked) => (await language.open()).map.outline(...asked),
      changing: (tools) => sharedEdits.telling(language.checking(copies.keeping(tools))),
    })),
  );
  const http = once(() => settings.http ?? own(createOutboundHttp({ ambient, environment: settings.environment })));
  const git = once(() =>
    openGit(settings, folder, { http, extensions: () => extensions.open(), commands: toolList.commands }),
  );
  const local = joinLocal(settings, folder, { own, http, providers: () => providers() });
  const providers: () => Providers = once(() => own(openProviders(settings, folder, local.answers())));
  const pages = once(() => openPages(http()));
  const browser = once(() =>
    own(openBrowserPages(settings, folder, { http, pages, liveBrowser, sessions: () => sessions() })),
  );
  const liveBrowser = once(() =>
    own(openLiveBrowser(settings, folder, { commands: toolList.commands, sessions: () => sessions() })),
  );
  const files = once(() => own(openFiles(settings, folder, git)));
  const library: () => Library = once(() =>
    own(openLibrary(settings, folder, researchNeeds({ providers, pages, sessions: () => sessions() }))),
  );
  const extensions = own(openExtensions(settings, folder, { library, http, providers: () => providers() }));
  const watcher = once(() => own(createWatcher({ ambient })));
  const language = own(
    openLanguage(settings, folder.path, { toolList: () => toolList, extensions: extensions.open, watcher }),
  );
  const copies = createLibraryCopies({ ambient, items: () => library().items, sessions: () => sessions() });
  const sharedEdits = createSharedEdits({ ambient, git, sessions: () => sessions() });
  const fileHistory = once(() => own(openFileHistory(settings, folder, { git, own })));
  const terminals = once(() => own(openTerminals(settings, git)));
  const sessions: () => Sessions = once(() =>
    own(
      openSessions({
        settings,
        folder,
        toolList,
        git,
        providers,
        watcher,
        library,
        fileHistory: fileHistory(),
        usedWorkflows,
        terminals,
        liveBrowser,
        extensions,
        language,
        sharedEdits,
        usedAutomations,
      }),
    ),
  );
  const workflows: () => Workflows = once(() => own(openWorkflows(settings, folder, () => sessions())));
  const usedWorkflows = (): Workflows | undefined => (folder.hasHeld('workflows.db') ? workflows() : undefined);
  const automations: () => Automations = once(() => {
    const made = own(openAutomations(settings, folder, { files, sessions, providers, watcher }));
    if (folder.isServer)
      made.start().catch((error: unknown) => ambient.log.error('automations.not-started', { error }));
    return made;
  });
  const usedAutomations = (): Automations | undefined => (folder.hasHeld('automations.db') ? automations() : undefined);
  const diagnostics = once(() => openDiagnostics({ settings, folder, services, toolList, local, git, watcher }));

  return {
    dataDir: folder.path,
    opened,
    toolList,
    copies,
    browser,
    liveBrowser,
    git,
    providers,
    files,
    library,
    sessions,
    usedWorkflows,
    workflows,
    terminals,
    automations,
    local,
    extensions,
    language,
    diagnostics,
  };
}

function keeperOf(opened: AsyncDisposable[]) {
  return <Part extends AsyncDisposable>(part: Part): Part => {
    opened.push(part);
    return part;
  };
}
