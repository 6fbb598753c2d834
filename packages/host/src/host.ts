import { homedir } from 'node:os';
import { createPageReader, createReadPageTool, type PageReader } from '@fucina/browser';
import { createDiagnostics, type Diagnostics, type Problem } from '@fucina/diagnostics';
import {
  createFileHistory,
  createFiles,
  createWatcher,
  type FileHistory,
  type Files,
  type FolderWatcher,
} from '@fucina/files';
import { createGit, type Git } from '@fucina/git';
import { createLibrary, type Library, type LibraryNeeds } from '@fucina/library';
import { checkFallback, createProviders, type Providers, parseModelId } from '@fucina/providers';
import { createSessions, type Sessions } from '@fucina/sessions';
import {
  type Ambient,
  createOutboundHttp,
  type Environment,
  type OutboundHttp,
  PathError,
  readFileInside,
} from '@fucina/shared';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { doctorChecks } from './doctor-checks.ts';
import { createLibraryCopies } from './library-copies.ts';
import { createProcessOutputs, isKnownSession, type ProcessOutputs } from './process-outputs.ts';
import { createProviderKeys, type ProviderKeys } from './provider-keys.ts';
import { answeringModel, researchNeeds } from './research.ts';
import { createSessionFiles, type SessionFiles } from './session-files.ts';
import { createSessionGit, type SessionGit } from './session-git.ts';
import { createSessionLibrary, type SessionLibrary } from './session-library.ts';
import { createSessionPrompts, type SessionPrompts } from './session-prompts.ts';
import { createSessionResearch, type SessionResearch } from './session-research.ts';
import { readSetup } from './setup-state.ts';
import { type StartRequest, startSession } from './start-session.ts';
import { startTemplate, sweepTemplatesLater, type TemplateRequest } from './start-template.ts';
import { createToolCatalog, type ToolCatalog } from './tool-catalog.ts';
import { createToolList, type ToolList } from './tool-list.ts';

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
  /** Whether the public catalog of models may be asked; default: yes. */
  publicCatalog?: boolean;
  /** The way out of this computer; default: its own. The caller's is not closed here. */
  http?: OutboundHttp | undefined;
  onShutdown?(): void;
}

/** Everything a client can ask, each part built at its first use. */
export interface Services {
  readonly sessions: Sessions;
  readonly files: Files;
  readonly sessionFiles: SessionFiles;
  readonly sessionGit: SessionGit;
  readonly processOutputs: ProcessOutputs;
  readonly providers: Providers;
  readonly providerKeys: ProviderKeys;
  readonly sessionPrompts: SessionPrompts;
  /** Notes, tasks and memories of the person. */
  readonly library: Library;
  readonly sessionLibrary: SessionLibrary;
  readonly sessionResearch: SessionResearch;
  readonly diagnostics: Diagnostics;
  readonly tools: ToolCatalog;
  startSession(request: StartRequest): Promise<{ sessionId: string }>;
  startTemplate(request: TemplateRequest): Promise<{ sessionId: string }>;
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

/** The composition root: opens the data folder and wires domains that do not know each other. */
export async function createHost(settings: HostSettings): Promise<Host> {
  const { ambient, environment } = settings;
  const folder = openDataFolder(ambient, settings.dataDir, { isServer: settings.background });
  const opened: AsyncDisposable[] = [];
  const own = <Part extends AsyncDisposable>(part: Part): Part => {
    opened.push(part);
    return part;
  };

  const toolList: ToolList = own(
    createToolList({
      ambient,
      environment,
      dataDir: folder.path,
      ownTools: () => sessions().ownTools,
      keeping: (tools) => copies.keeping(tools),
      providerTools: () => providers().tools(),
      otherTools: () => [createReadPageTool(pages()), ...library().tools],
      isKnownSession: folder.isServer ? (sessionId) => isKnownSession(sessions(), sessionId) : undefined,
    }),
  );
  const git = once(() => createGit({ ambient, environment, homeDir: environment.HOME ?? homedir() }));
  const http = once(() => settings.http ?? own(createOutboundHttp({ ambient })));
  const providers = once(() => own(openProviders(settings, folder, http())));
  const pages = once(() => openPages(http()));
  const files = once(() => own(openFiles(settings, folder, git)));
  const library: () => Library = once(() =>
    own(openLibrary(settings, folder, researchNeeds({ providers, pages, sessions: () => sessions() }))),
  );
  const copies = createLibraryCopies({ ambient, items: () => library().items, sessions: () => sessions() });
  const watcher = once(() => own(createWatcher({ ambient })));
  const fileHistory = once(() => own(openFileHistory(settings, folder)));
  const sessions: () => Sessions = once(() =>
    own(openSessions({ settings, folder, toolList, git, providers, watcher, library, fileHistory: fileHistory() })),
  );
  const diagnostics = once(() => openDiagnostics({ settings, folder, services, toolList }));

  const services: Services = {
    get sessions() {
      return sessions();
    },
    get files() {
      return files();
    },
    get providers() {
      return providers();
    },
    get library() {
      return library();
    },
    get diagnostics() {
      return diagnostics();
    },
    tools: createToolCatalog({ ambient, list: toolList, sessions }),
    get sessionFiles() {
      return createSessionFiles({
        files: files(),
        sessions: sessions(),
        items: library().items,
        keep: copies.keepGiven,
      });
    },
    get sessionGit() {
      return createSessionGit({ git: git(), sessions: sessions(), providers });
    },
    get sessionLibrary() {
      return createSessionLibrary({ library: library(), files: files(), sessions: sessions() });
    },
    get sessionResearch() {
      return createSessionResearch({ library: library(), sessions: sessions() });
    },
    get processOutputs() {
      return createProcessOutputs({ sessions: sessions(), commands: toolList.commands });
    },
    get sessionPrompts() {
      return createSessionPrompts({ sessions: sessions(), providers: providers() });
    },
    get providerKeys() {
      return createProviderKeys(providers());
    },
    startSession: (request) =>
      startSession(request, {
        files: files(),
        sessions: sessions(),
        defaultModel: settings.model,
        detectTestCommand: async (path) => (await import('@fucina/tools')).detectTestCommand(path),
        noteUse: (path) => noteUse(ambient, files(), path),
      }),
    startTemplate: (request) =>
      startTemplate(request, { files: files(), sessions: sessions(), defaultModel: settings.model }),
    shutdown: () => settings.onShutdown?.(),
  };

  const stopSweeping = folder.isServer ? sweepTemplatesLater({ ambient, files, sessions }) : () => undefined;

  return {
    services,
    async quiesce() {
      await sessions().turns.close();
    },
    remember: (problem) => diagnostics().problems.remember(problem),
    async close() {
      stopSweeping();
      for (const part of opened.reverse()) await part[Symbol.asyncDispose]();
      folder.release();
    },
  };
}

/** The session runs already: a count that cannot be kept must not look like a session that did not start. */
async function noteUse({ log }: Ambient, files: Files, path: string): Promise<void> {
  try {
    await files.projects.remember(path);
  } catch (error) {
    log.warn('folder.use-not-kept', { error });
  }
}

function openProviders(
  { ambient, keyStore, publicCatalog, environment }: HostSettings,
  folder: DataFolder,
  http: OutboundHttp,
): Providers {
  return createProviders({
    ambient,
    dataDir: folder.path,
    keyStore,
    http,
    environment,
    ...(publicCatalog === false && { publicCatalog }),
  });
}

function openPages(http: OutboundHttp): PageReader {
  return createPageReader({
    http,
    readDocument: async (file, signal) => (await import('@fucina/tools')).plainText(file, signal),
  });
}

function openFiles(
  { ambient, projects, templatesDir, environment }: HostSettings,
  folder: DataFolder,
  git: () => Git,
): Files {
  return createFiles({
    ambient,
    dataDir: folder.path,
    isInitialised: folder.hasHeld('files.db'),
    projectFolders: projects,
    homeDir: homedir(),
    environment,
    templatesDir,
    gitPortrait: (path) => git().portrait(path),
    onOpened: () => folder.noteStore('files.db'),
  });
}

function openLibrary({ ambient }: HostSettings, folder: DataFolder, research: LibraryNeeds['research']): Library {
  return createLibrary({
    ambient,
    dataDir: folder.path,
    isInitialised: folder.hasHeld('library.db'),
    onOpened: () => folder.noteStore('library.db'),
    readText: async (file, signal) => (await import('@fucina/tools')).plainText(file, signal),
    writeDocument: async (document, format) => (await import('@fucina/tools')).writeReport(document, format),
    research,
  });
}

interface DiagnosticsParts {
  settings: HostSettings;
  folder: DataFolder;
  services: Services;
  toolList: ToolList;
}

function openDiagnostics({ settings, folder, services, toolList }: DiagnosticsParts): Diagnostics {
  const sandbox = async () => (await toolList.commands()).sandboxState();
  return createDiagnostics({
    ambient: settings.ambient,
    version: settings.version,
    checks: doctorChecks({ settings, folder, services, sandbox }),
    setup: () => readSetup(services),
    helpDir: settings.helpDir,
  });
}

function openFileHistory({ ambient, environment }: HostSettings, folder: DataFolder): FileHistory {
  return createFileHistory({
    ambient,
    dataDir: folder.path,
    homeDir: homedir(),
    async listFiles(path, options) {
      const { listFiles } = await import('@fucina/tools');
      return listFiles({ ambient, environment }, { folder: path, ...options });
    },
  });
}

interface SessionParts {
  settings: HostSettings;
  folder: DataFolder;
  toolList: ToolList;
  git: () => Git;
  providers: () => Providers;
  watcher: () => FolderWatcher;
  library: () => Library;
  fileHistory: FileHistory;
}

function openSessions(parts: SessionParts): Sessions {
  const { settings, folder, toolList, git, providers, watcher, library, fileHistory } = parts;
  const sessions = createSessions({
    ambient: settings.ambient,
    dataDir: folder.path,
    lease: folder.lease,
    mustExist: folder.hasHeld('sessions.db'),
    freeDisk: () => folder.freeReserve(),
    recovers: folder.isServer,
    model: answeringModel({ providers, library, sessions: () => sessions }),
    tools: toolList.tools,
    toolSpecs: toolList.specs,
    isControlFile: async (path) => (await import('@fucina/tools')).isControlFile(path),
    commands: {
      runOwn: async (command) => (await toolList.commands()).runOwn(command),
      forget: async (sessionId) => (await toolList.commands()).forget(sessionId),
    },
    // The command line looks at its own turn only.
    ...(folder.isServer && { watchFolder: (path, onChange) => watcher().watch(path, onChange) }),
    fileHistory,
    windowOf: (model) => providers().knowledge.windowOf(model),
    priceOf: (model) => providers().knowledge.priceOf(model),
    readTextFile: readSmallText,
    checkModelId: (model) => void parseModelId(model),
    checkFallback: (fallback) => checkFallback(fallback, { hasTools: true }),
    branchOf: (path) => git().branchOf(path),
    slashCommands: library().commands,
  });
  folder.noteStore('sessions.db');
  return sessions;
}

const SMALL_TEXT_BYTES = 64 * 1024;

/** Undefined for what is not there, no text, or large: a summary does without it. */
async function readSmallText(root: string, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await readFileInside(root, path, SMALL_TEXT_BYTES);
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

function once<Part>(make: () => Part): () => Part {
  let made: { part: Part } | undefined;
  return () => {
    made ??= { part: make() };
    return made.part;
  };
}
