import type { Automations } from '@fucina/automations';
import type { BrowserPages } from '@fucina/browser';
import type { Diagnostics, Problem } from '@fucina/diagnostics';
import type { Extensions } from '@fucina/extensions';
import type { Files } from '@fucina/files';
import type { CodeHostRelease } from '@fucina/git';
import type { Library } from '@fucina/library';
import type { LocalModels, LocalRuntimes } from '@fucina/local-models';
import type { ChosenSettings, Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import { type Ambient, type Environment, type OutboundHttp, storeFailureOf } from '@fucina/shared';
import type { RuleTexts } from '@fucina/tools';
import type { Workflows } from '@fucina/workflows';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { createDefaultModel, type DefaultModel } from './default-model.ts';
import { type Domains, joinDomains } from './domains.ts';
import { createStandingRules, type StandingRules } from './permission-rules.ts';
import { createProcessOutputs, type ProcessOutputs } from './process-outputs.ts';
import { createProviderKeys, type ProviderKeys } from './provider-keys.ts';
import { createSessionBrowser, type SessionBrowser } from './session-browser.ts';
import { createSessionExtensions, type SessionExtensions } from './session-extensions.ts';
import { createSessionFiles, type SessionFiles } from './session-files.ts';
import { createFolderGit, createSessionGit, type FolderGit, type SessionGit } from './session-git.ts';
import { createSessionLibrary, type SessionLibrary } from './session-library.ts';
import { createSessionPrompts, type SessionPrompts } from './session-prompts.ts';
import { createSessionResearch, type SessionResearch } from './session-research.ts';
import { createSessionTerminals, type SessionTerminals } from './session-terminals.ts';
import { type StartRequest, startSession } from './start-session.ts';
import { startTemplate, sweepTemplatesLater, type TemplateRequest } from './start-template.ts';
import { createToolCatalog, type ToolCatalog } from './tool-catalog.ts';
import { createWithReserve, type WithReserve } from './with-reserve.ts';
import { beginWorkflows, removeSession, type SessionRemoval } from './workflows.ts';
import { createWslSettings, type WslSettings } from './wsl-settings.ts';

export interface HostSettings {
  ambient: Ambient;
  version: string;
  dataDir: string;
  /** Project folders, absolute. */
  projects: readonly string[];
  /** Default model of new sessions. */
  model: string | undefined;
  keyStore: 'system' | 'memory';
  /** The process environment, of which children get the harmless part. */
  environment: Environment;
  /** True for the server: it alone recovers, sweeps and fires. The command line shares the folder without it. */
  background: boolean;
  /** Absolute paths of the task templates and of the help pages (a folder per language); without one there are none. */
  templatesDir?: string;
  helpDir?: string;
  /** Steps of workflows at once; default: by the cores of this computer. */
  workflowSteps?: number | undefined;
  /** Standing answers to calls of tools, `Tool(pattern)`; default: none. */
  permissionRules?: RuleTexts | undefined;
  /** Ids of the only extensions that act; default and empty: all that are trusted. */
  enabledExtensions?: readonly string[] | undefined;
  /** The port this process answers on, once it does: no page of the live browser reaches it. */
  ownPort?(): number;
  /** What the person's settings file says of providers and models; default: nothing. */
  providerSettings?: ChosenSettings | undefined;
  /** Whether the public catalog of models may be asked; default: yes. */
  publicCatalog?: boolean;
  /** The way out of this computer; default: its own. The caller's is not closed here. */
  http?: OutboundHttp | undefined;
  /** The build of the code host's program that can be installed, and for which system; default: this release's own. */
  codeHostBuild?: { platform: NodeJS.Platform; release: CodeHostRelease } | undefined;
  onShutdown?(): void;
}

/** With what is made before the domains are joined. */
export interface JoinSettings extends HostSettings {
  standingRules: StandingRules;
}

/** Everything a client can ask, each part built at its first use. */
export interface Services {
  readonly sessions: Sessions;
  readonly files: Files;
  readonly sessionFiles: SessionFiles;
  readonly sessionGit: SessionGit;
  readonly folderGit: FolderGit;
  readonly processOutputs: ProcessOutputs;
  readonly providers: Providers;
  readonly providerKeys: ProviderKeys;
  readonly sessionPrompts: SessionPrompts;
  /** Notes, tasks and memories of the person. */
  readonly library: Library;
  readonly sessionLibrary: SessionLibrary;
  readonly sessionResearch: SessionResearch;
  readonly sessionTerminals: SessionTerminals;
  readonly wsl: WslSettings;
  /** Pages of the web and of development servers on this computer, as a person looks at them. */
  readonly browser: BrowserPages;
  readonly sessionBrowser: SessionBrowser;
  readonly automations: Automations;
  /** Models on this computer, the hub they come from, and their downloads. */
  readonly localModels: LocalModels;
  /** Engines of this computer. */
  readonly localRuntimes: LocalRuntimes;
  readonly sessionExtensions: SessionExtensions;
  /** Of any folder. */
  extensions(): Promise<Extensions>;
  readonly workflows: Workflows;
  readonly diagnostics: Diagnostics;
  readonly tools: ToolCatalog;
  readonly standingRules: StandingRules;
  startSession(request: StartRequest): Promise<{ sessionId: string }>;
  startTemplate(request: TemplateRequest): Promise<{ sessionId: string }>;
  removeSession(sessionId: string): Promise<SessionRemoval>;
  /** For whatever removes something on behalf of the user. */
  withReserve: WithReserve;
  shutdown(): void;
}

export interface Host {
  services: Services;
  remember(problem: Problem): void;
  /** Refuses new turns and ends the running ones, while everything can still be read. */
  quiesce(): Promise<void>;
  /** Ends turns, closes stores, lets go of the folder, in reverse order of opening. */
  close(): Promise<void>;
}

/** The composition root: opens the data folder and joins domains that do not know each other. */
export async function createHost(settings: HostSettings): Promise<Host> {
  const { ambient } = settings;
  const folder = openDataFolder(ambient, settings.dataDir, { isServer: settings.background });
  const standingRules = createStandingRules(settings.permissionRules);
  const domains = joinDomains({ ...settings, standingRules }, folder, () => services);
  const services = Object.assign(servicesOf(settings, domains), {
    standingRules,
    withReserve: createWithReserve(folder),
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
      // First: a run that goes on would begin its next steps on sessions that take none any more.
      const settled = usedWorkflows()?.runs[Symbol.asyncDispose]();
      await closeTurns(sessions);
      await settled;
    },
    remember: (problem) => domains.diagnostics().problems.remember(problem),
    async close() {
      stopBeginning();
      stopSweeping();
      stopWaking();
      for (const part of opened.reverse()) await part[Symbol.asyncDispose]();
      folder.release();
    },
  };
}

/** In a store that cannot be opened no turn runs. */
async function closeTurns(sessions: () => Sessions): Promise<void> {
  try {
    await sessions().turns.close();
  } catch (error) {
    if (!storeFailureOf(error)) throw error;
  }
}

function servicesOf(settings: HostSettings, domains: Domains): Omit<Services, 'standingRules' | 'withReserve'> {
  const { files, git, library, providers, sessions, toolList, copies } = domains;
  const { workflows, extensions, diagnostics, terminals, automations, browser, local } = domains;
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
    diagnostics,
    sessionFiles: () =>
      createSessionFiles({ files: files(), sessions: sessions(), items: library().items, keep: copies.keepGiven }),
    sessionGit: () => createSessionGit({ git: git(), sessions: sessions(), providers }),
    folderGit: () => createFolderGit({ git: git(), providers }),
    sessionLibrary: () => createSessionLibrary({ library: library(), files: files(), sessions: sessions() }),
    sessionExtensions: () => createSessionExtensions({ extensions: extensions.open, sessions: sessions() }),
    sessionResearch: () => createSessionResearch({ library: library(), sessions: sessions() }),
    sessionBrowser: () => createSessionBrowser({ live: domains.liveBrowser(), sessions }),
    sessionTerminals: () => createSessionTerminals({ terminals: terminals(), sessions: sessions() }),
    wsl: () => createWslSettings(domains.dataDir),
    processOutputs: () => createProcessOutputs({ sessions: sessions(), commands: toolList.commands }),
    sessionPrompts: () => createSessionPrompts({ sessions: sessions(), providers: providers() }),
    providerKeys: () => createProviderKeys(providers()),
  });
  return Object.assign(parts, {
    tools: createToolCatalog({ ambient: settings.ambient, list: toolList, sessions }),
    extensions: extensions.open,
    startSession: (request: StartRequest) =>
      startSession(request, starting(settings, { files, sessions, defaultModel })),
    startTemplate: (request: TemplateRequest) =>
      startTemplate(request, {
        files: files(),
        sessions: sessions(),
        localRuntimes: local.runtimes,
        defaultModel,
      }),
    removeSession: (sessionId: string) =>
      removeSession({ ambient: settings.ambient, sessions, workflows: domains.usedWorkflows }, sessionId),
    shutdown: () => settings.onShutdown?.(),
  });
}

const FIRST_LOOK_MS = 1_000;

/** Where there are automations, they begin to fire once the start is over; the answer calls it off. */
function wakeAutomations({ ambient }: HostSettings, folder: DataFolder, { automations }: Domains): () => void {
  if (!folder.isServer || !folder.hasHeld('automations.db')) return () => undefined;
  return ambient.timer(FIRST_LOOK_MS, () => void automations());
}

/** The session runs already: a count that cannot be kept must not look like a session that did not start. */
async function noteUse({ log }: Ambient, files: Files, path: string): Promise<void> {
  try {
    await files.projects.remember(path);
  } catch (error) {
    log.warn('folder.use-not-kept', { error });
  }
}

function starting(
  { ambient }: HostSettings,
  { files, sessions, defaultModel }: { files(): Files; sessions(): Sessions; defaultModel: DefaultModel },
): Parameters<typeof startSession>[1] {
  return {
    files: files(),
    sessions: sessions(),
    defaultModel,
    detectTestCommand: async (path) => (await import('@fucina/tools')).detectTestCommand(path),
    noteUse: (path) => noteUse(ambient, files(), path),
  };
}

type Parts = Record<string, () => unknown>;

/** Each part is made when it is first read. */
function lazily<Made extends Parts>(parts: Made): { readonly [Name in keyof Made]: ReturnType<Made[Name]> } {
  const getters = Object.entries(parts).map(([name, get]) => [name, { get, enumerable: true }] as const);
  return Object.defineProperties({}, Object.fromEntries(getters)) as {
    readonly [Name in keyof Made]: ReturnType<Made[Name]>;
  };
}
