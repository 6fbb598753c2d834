import type { Files } from '@fucina/files';
import type { Sessions } from '@fucina/sessions';
import { type Ambient, createProcessLauncher, storeFailureOf } from '@fucina/shared';
import { createAgUiRuns } from './ag-ui/ag-ui-run.ts';
import { createBackupControl } from './backup/backup-control.ts';
import { startScheduledBackups } from './backup/scheduled-backups.ts';
import { type DataFolder, openDataFolder } from './data-folder/data-folder.ts';
import { refuseNewerStores } from './data-folder/store-versions.ts';
import { createWithReserve } from './data-folder/with-reserve.ts';
import { createWslSettings } from './data-folder/wsl-settings.ts';
import { type Domains, joinDomains } from './domains/domains.ts';
import { createSavedRules } from './domains/permission-rules.ts';
import { createProviderKeys } from './domains/provider-keys.ts';
import { beginWorkflows, removeSession } from './domains/workflows.ts';
import type { Host, Services } from './services.ts';
import { createDefaultModel, type DefaultModel } from './sessions/default-model.ts';
import { createExtensionsControl } from './sessions/extensions-control.ts';
import { createLanguageControl } from './sessions/language-control.ts';
import { createMcpControl } from './sessions/mcp-control.ts';
import { createProcessOutputs } from './sessions/process-outputs.ts';
import { createSessionBrowser } from './sessions/session-browser.ts';
import { createSessionExtensions } from './sessions/session-extensions.ts';
import { createSessionFiles } from './sessions/session-files.ts';
import { createFolderGit, createSessionGit } from './sessions/session-git.ts';
import { createSessionLibrary } from './sessions/session-library.ts';
import { createSessionPorts } from './sessions/session-ports.ts';
import { createSessionPrompts } from './sessions/session-prompts.ts';
import { createSessionResearch } from './sessions/session-research.ts';
import { createSessionResolver, type SessionResolver } from './sessions/session-resolver.ts';
import { createSessionTerminals } from './sessions/session-terminals.ts';
import { createSessionTitles } from './sessions/session-titles.ts';
import { type ImportRequest, importSession, type StartRequest, startSession } from './sessions/start-session.ts';
import { startTemplate, sweepTemplatesLater, type TemplateRequest } from './sessions/start-template.ts';
import { createUsageControl } from './sessions/usage-control.ts';
import { createWorktreeControl } from './sessions/worktree-control.ts';
import { createWorktreeSetups } from './sessions/worktree-setup.ts';
import type { HostSettings } from './settings.ts';
import { openRules } from './tools/open-rules.ts';
import { createSandboxControl } from './tools/sandbox-control.ts';
import { createToolCatalog } from './tools/tool-catalog.ts';
import { openTracing } from './tracing/open-tracing.ts';

/**
 * The composition root: opens the data folder and connects the domains. Throws CONFIG_INVALID (`store-newer`) when a
 * newer Fucina has written it.
 */
export async function createHost(given: HostSettings): Promise<Host> {
  await refuseNewerStores(given.dataDir);
  // The command line starts few programs: creating a launcher would take longer than it saves.
  const launcher = given.background ? createProcessLauncher(given) : undefined;
  const traces = await openTracing(given);
  const ambient = { ...given.ambient, launcher, tracing: traces?.tracing };
  const settings = { ...given, ambient };
  const folder = openDataFolder(ambient, settings.dataDir, { isServer: settings.background });
  const rules = openRules(settings, folder);
  const standingRules = createSavedRules(
    settings.permissionRules,
    async (project) => (await rules()).inForce(project).network,
  );
  const domains = joinDomains({ ...settings, standingRules, rules }, folder, () => services);
  const backups = folder.isServer ? startScheduledBackups({ ...settings, dataDir: folder.path }) : undefined;
  const resolver = createSessionResolver(domains.sessions);
  const services: Services = Object.assign(servicesOf(settings, domains, resolver), {
    mcpServer: async ({ folder: own }: { folder?: string } = {}) => {
      const { mcpServerFactory } = await import('./mcp-server/mcp-server.ts');
      return mcpServerFactory({ services, ambient, version: settings.version, folder: own });
    },
    standingRules,
    sandbox: createSandboxControl({ ...domains, resolver, isWithoutToken: settings.isWithoutToken ?? false, rules }),
    withReserve: createWithReserve(folder),
    backups: createBackupControl({ dataDir: folder.path, environment: settings.environment, backups }),
  });
  const { files, sessions, opened } = domains;
  const { usedWorkflows } = domains;
  const begin = (): void => void beginWorkflows({ ambient, sessions, workflows: usedWorkflows });
  const stopBeginning = folder.isServer ? ambient.timer(0, begin) : () => undefined;
  const stopWaking = wakeAutomations(settings, folder, domains);
  const stopSweeping = folder.isServer ? sweepTemplatesLater({ ambient, files, sessions }) : () => undefined;

  return {
    services,
    async quiesce() {
      stopBeginning();
      // First: a run in progress would start its next steps in sessions that no longer accept turns.
      const settled = usedWorkflows()?.runs[Symbol.asyncDispose]();
      await closeTurns(sessions);
      await settled;
    },
    remember: (problem) => domains.diagnostics().problems.remember(problem),
    async close() {
      stopBeginning();
      stopSweeping();
      stopWaking();
      await backups?.[Symbol.asyncDispose]();
      for (const part of opened.reverse()) await part[Symbol.asyncDispose]();
      await rules[Symbol.asyncDispose]();
      await launcher?.[Symbol.asyncDispose]();
      await traces?.[Symbol.asyncDispose]();
      folder.release();
    },
  };
}

/** No turn can run in a store that cannot be opened. */
async function closeTurns(sessions: () => Sessions): Promise<void> {
  try {
    await sessions().turns.close();
  } catch (error) {
    if (!storeFailureOf(error)) throw error;
  }
}

function servicesOf(
  settings: HostSettings,
  domains: Domains,
  resolver: SessionResolver,
): Omit<Services, 'standingRules' | 'sandbox' | 'withReserve' | 'mcpServer' | 'backups'> {
  const { files, git, library, providers, sessions, toolList, copies } = domains;
  const { workflows, extensions, diagnostics, terminals, automations, browser, local } = domains;
  const { ambient } = settings;
  const setups = createWorktreeSetups({ ambient, git, extensions: extensions.open, commands: toolList.commands });
  const worktrees = createWorktreeControl({ ambient, git, files, sessions, resolver, setups });
  const defaultModel = createDefaultModel({ chosen: settings.model, providers });
  const parts = lazily({
    sessions,
    files,
    providers,
    library,
    workflows,
    browser,
    automations,
    localModels: local.models,
    localRuntimes: local.runtimes,
    engineLibrary: local.library,
    diagnostics,
    sessionFiles: () =>
      createSessionFiles({ files: files(), resolver, items: library().items, keep: copies.keepGiven }),
    sessionGit: () => createSessionGit({ git: git(), resolver, providers }),
    folderGit: () => createFolderGit({ git: git(), providers }),
    sessionLibrary: () => createSessionLibrary({ library: library(), files: files(), resolver }),
    sessionExtensions: () => createSessionExtensions({ extensions: extensions.open, resolver }),
    worktrees: () => worktrees,
    usage: () => createUsageControl({ now: () => ambient.now(), sessions, providers }),
    mcp: () => createMcpControl({ extensions: extensions.open, files, resolver }),
    configuredExtensions: () => createExtensionsControl({ extensions: extensions.open, files, resolver }),
    language: () => createLanguageControl({ language: domains.language, files, resolver }),
    sessionResearch: () => createSessionResearch({ library: library(), resolver }),
    sessionBrowser: () => createSessionBrowser({ live: domains.liveBrowser(), resolver }),
    sessionTerminals: () => createSessionTerminals({ terminals: terminals(), resolver }),
    sessionPorts: () => createSessionPorts({ resolver, commands: toolList.commands }),
    wsl: () => createWslSettings(domains.dataDir),
    processOutputs: () => createProcessOutputs({ resolver, commands: toolList.commands }),
    sessionTitles: () => createSessionTitles({ sessions: sessions(), providers }),
    sessionPrompts: () => createSessionPrompts({ resolver, providers: providers() }),
    providerKeys: () => createProviderKeys(providers()),
  });
  const start = (request: StartRequest) =>
    startSession(request, starting(settings, { files, git, sessions, defaultModel }));
  return Object.assign(parts, {
    agUiRun: createAgUiRuns({ sessions, startSession: start }),
    tools: createToolCatalog({ ambient, list: toolList, sessions }),
    extensions: extensions.open,
    startSession: start,
    importSession: (request: ImportRequest) =>
      importSession(request, starting(settings, { files, git, sessions, defaultModel })),
    startTemplate: (request: TemplateRequest) =>
      startTemplate(request, {
        files: files(),
        sessions: sessions(),
        localRuntimes: local.runtimes,
        defaultModel,
      }),
    removeSession: (sessionId: string) =>
      removeSession(
        { ambient, sessions, workflows: domains.usedWorkflows, releaseFolder: worktrees.release },
        sessionId,
      ),
    shutdown: () => settings.onShutdown?.(),
  });
}

const FIRST_LOOK_MS = 1_000;

/** Starts the scheduler of automations after startup, if there are any; the returned function cancels that. */
function wakeAutomations({ ambient }: HostSettings, folder: DataFolder, { automations }: Domains): () => void {
  if (!folder.isServer || !folder.hasHeld('automations.db')) return () => undefined;
  return ambient.timer(FIRST_LOOK_MS, () => void automations());
}

/** The session is already running: a failed count must not look like a failed start. */
async function noteUse({ log }: Ambient, files: Files, path: string): Promise<void> {
  try {
    await files.projects.remember(path);
  } catch (error) {
    log.warn('folder.use-not-kept', { error });
  }
}

function starting(
  { ambient }: HostSettings,
  { files, git, sessions, defaultModel }: Pick<Domains, 'files' | 'git' | 'sessions'> & { defaultModel: DefaultModel },
): Parameters<typeof startSession>[1] {
  return {
    files: files(),
    sessions: sessions(),
    defaultModel,
    detectTestCommand: async (path) => (await import('@fucina/tools')).detectTestCommand(path),
    // A worktree is no folder of the user's: its project is.
    noteUse: async (path) => noteUse(ambient, files(), (await git().worktrees.at(path))?.source ?? path),
  };
}

type Parts = Record<string, () => unknown>;

/** Each part is created at first use. */
function lazily<Made extends Parts>(parts: Made): { readonly [Name in keyof Made]: ReturnType<Made[Name]> } {
  const getters = Object.entries(parts).map(([name, get]) => [name, { get, enumerable: true }] as const);
  return Object.defineProperties({}, Object.fromEntries(getters)) as {
    readonly [Name in keyof Made]: ReturnType<Made[Name]>;
  };
}
