import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Automations } from '@fucina/automations';
import {
  type BrowserFinding,
  type BrowserPages,
  createBrowserPages,
  createBrowserTools,
  createLiveBrowser,
  createPageReader,
  createReadPageTool,
  type LiveBrowser,
  type PageReader,
} from '@fucina/browser';
import { createDiagnostics, type Diagnostics } from '@fucina/diagnostics';
import type { Extensions } from '@fucina/extensions';
import { createFileHistory, createFiles, type FileHistory, type Files, type FolderWatcher } from '@fucina/files';
import { createGit, type Git } from '@fucina/git';
import { createLibrary, type Library, type LibraryNeeds } from '@fucina/library';
import { checkFallback, createProviders, type Providers, type ProvidersNeeds, parseModelId } from '@fucina/providers';
import { type Attendance, createSessions, type Sessions } from '@fucina/sessions';
import { isTooWide, type OutboundHttp, PathError, readFileInside, type Tool } from '@fucina/shared';
import { createTerminals, type Terminals } from '@fucina/terminals';
import { createWorkflows, type Workflows } from '@fucina/workflows';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { doctorChecks } from '../diagnostics/doctor-checks.ts';
import { readSetup } from '../diagnostics/setup-state.ts';
import type { Services } from '../services.ts';
import { createAgentWorktrees } from '../sessions/agent-worktrees.ts';
import { hookSandbox } from '../sessions/hook-sandbox.ts';
import type { HostSettings, JoinSettings } from '../settings.ts';
import { createOpenHosts, createReach } from '../tools/reach.ts';
import type { ToolList } from '../tools/tool-list.ts';
import { folderEnvironment } from '../tools/workspace-tools-needs.ts';
import { extensionsOfSessions, type OpenedExtensions } from './extensions.ts';
import { createIndexPlaces } from './index-places.ts';
import type { OpenedLanguage } from './language.ts';
import type { Local } from './local-models.ts';
import { answeringModel } from './research.ts';
import type { SharedEdits } from './shared-edits.ts';
import { checkRemoval, workflowNeeds } from './workflows.ts';

/**
 * Opens each domain with its settings and the functions it needs from others; host.ts decides who owns and closes it.
 */

export function openProviders(
  { ambient, keyStore, publicCatalog, providerSettings, environment, dialects }: HostSettings,
  folder: DataFolder,
  parts: { http: OutboundHttp } & Pick<ProvidersNeeds, 'localEngine' | 'localModels' | 'localWindow'>,
): Providers {
  return createProviders({
    ambient,
    dataDir: folder.path,
    keyStore,
    ...parts,
    environment,
    dialects,
    ...(publicCatalog === false && { publicCatalog }),
    chosen: providerSettings,
  });
}

export function openPages(http: OutboundHttp): PageReader {
  return createPageReader({
    http,
    readDocument: async (file, signal) => (await import('@fucina/tools')).plainText(file, signal),
  });
}

export function openBrowserPages(
  settings: JoinSettings,
  folder: DataFolder,
  parts: {
    http: () => OutboundHttp;
    pages: () => PageReader;
    liveBrowser: () => LiveBrowser;
    sessions: () => Sessions;
  },
): BrowserPages {
  return createBrowserPages({
    ambient: settings.ambient,
    http: parts.http(),
    reader: parts.pages(),
    dataDir: folder.path,
    canDrive: async () => canDrive(await parts.liveBrowser().check()),
    reachableHosts: createOpenHosts(settings, parts.sessions),
  });
}

function canDrive(finding: BrowserFinding): boolean {
  return finding === 'usable' || finding === 'without-sandbox';
}

/** Only the server drives it, because it owns the profile folder. */
export function openLiveBrowser(
  { ambient, environment, ownPort }: HostSettings,
  folder: DataFolder,
  { commands, sessions }: { commands: ToolList['commands']; sessions: () => Sessions },
): LiveBrowser {
  return createLiveBrowser({
    ambient,
    environment,
    dataDir: folder.path,
    ownPorts: () => (ownPort ? [ownPort()] : []),
    connectInside: async (sessionId, port) => (await (await commands()).servers(sessionId))?.connect(port),
    judge: async (sessionId, request, signal) =>
      (await sessions().requests.judgePage(sessionId, request, signal)) === 'allow',
    isOffered: folder.isServer,
  });
}

/** The command line has no live browser and does not offer it. */
export function browserTools(
  { ambient }: HostSettings,
  folder: DataFolder,
  { pages, liveBrowser }: { pages: () => PageReader; liveBrowser: () => LiveBrowser },
): Tool[] {
  const drives = folder.isServer ? createBrowserTools({ ambient, live: liveBrowser }) : [];
  return [createReadPageTool(pages()), ...drives];
}

interface GitParts {
  http: () => OutboundHttp;
  extensions: () => Promise<Pick<Extensions, 'scripts'>>;
  commands: ToolList['commands'];
}

export function openGit(
  { ambient, environment, codeHostBuild }: HostSettings,
  folder: DataFolder,
  { http, extensions, commands }: GitParts,
): Git {
  return createGit({
    ambient,
    environment,
    programTrust: {
      isTrusted: async (program) => (await extensions()).scripts.isTrusted(program),
      trust: async (program) => (await extensions()).scripts.trust(program),
    },
    hookSandbox: hookSandbox(commands),
    homeDir: environment.HOME ?? homedir(),
    worktreesDir: join(folder.path, 'worktrees'),
    install: {
      ...codeHostBuild,
      dataDir: folder.path,
      http,
      async unzip(archive, entry) {
        const { readZip } = await import('@fucina/tools');
        return (await readZip(archive, (name) => name === entry)).get(entry);
      },
    },
  });
}

export function openTerminals({ ambient, environment }: HostSettings, git: () => Git): Terminals {
  return createTerminals({ ambient, environment, folderEnvironment: (path) => folderEnvironment(git, path) });
}

export function openFiles(
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
    worktreeSource: async (path) => (await git().worktrees.at(path))?.source,
    onOpened: () => folder.noteStore('files.db'),
  });
}

export function openLibrary(
  { ambient }: HostSettings,
  folder: DataFolder,
  research: LibraryNeeds['research'],
): Library {
  return createLibrary({
    ambient,
    dataDir: folder.path,
    isInitialised: folder.hasHeld('library.db'),
    onOpened: () => folder.noteStore('library.db'),
    readText: async (file, signal) => (await import('@fucina/tools')).plainText(file, signal),
    isControlFile: async (path) => (await import('@fucina/sandbox')).isControlFile(path),
    writeDocument: async (document, format) => (await import('@fucina/tools')).writeReport(document, format),
    research,
  });
}

export function openWorkflows(
  { ambient, workflowSteps }: HostSettings,
  folder: DataFolder,
  sessions: () => Sessions,
): Workflows {
  return createWorkflows({
    ...workflowNeeds(sessions, workflowSteps),
    ambient,
    isBackground: folder.isServer,
    dataDir: folder.path,
    isInitialised: folder.hasHeld('workflows.db'),
    onOpened: () => folder.noteStore('workflows.db'),
  });
}

interface DiagnosticsParts {
  settings: HostSettings;
  folder: DataFolder;
  services: () => Services;
  toolList: ToolList;
  local: Pick<Local, 'used'>;
  git: () => Git;
  watcher: () => FolderWatcher;
}

export function openDiagnostics(parts: DiagnosticsParts): Diagnostics {
  const { settings, folder, toolList, local } = parts;
  const services = parts.services();
  const sandbox = async () => (await toolList.commands()).sandboxState();
  return createDiagnostics({
    ambient: settings.ambient,
    version: settings.version,
    checks: doctorChecks({
      settings,
      folder,
      services,
      sandbox,
      gitView: () => parts.git().viewState(),
      watching: () => parts.watcher().state(),
    }),
    setup: () => readSetup(services, local.used.localModels()),
    helpDir: settings.helpDir,
  });
}

export function openFileHistory(
  { ambient, environment }: HostSettings,
  folder: DataFolder,
  { git, own }: { git: () => Git; own: <Owned extends AsyncDisposable>(one: Owned) => Owned },
): FileHistory {
  const indexPlaces = own(createIndexPlaces(folder.path));
  return createFileHistory({
    ambient,
    dataDir: folder.path,
    homeDir: homedir(),
    gitSettings: gitSettings(environment),
    snapshotOf: async (path) => git().snapshot(path, await indexPlaces.of(path)),
    async listFiles(path, options) {
      const { listFiles } = await import('@fucina/tools');
      return listFiles({ ambient, environment }, { folder: path, ...options });
    },
  });
}

/** After a command, a folder without events of the system is read again. */
export function thenLookedAt(history: FileHistory, lookAt: (folder: string) => void): FileHistory {
  return {
    ...history,
    command(folder) {
      const command = history.command(folder);
      return {
        look: command.look,
        end() {
          command.end();
          lookAt(folder);
        },
      };
    },
  };
}

function gitSettings({ XDG_CONFIG_HOME }: HostSettings['environment']): string[] {
  const settings = join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'git');
  return [join(homedir(), '.gitconfig'), join(settings, 'config'), join(settings, 'ignore')];
}

interface SessionParts {
  settings: JoinSettings;
  folder: DataFolder;
  toolList: ToolList;
  git: () => Git;
  providers: () => Providers;
  watcher: () => FolderWatcher;
  library: () => Library;
  fileHistory: FileHistory;
  /** Undefined if it never existed. */
  usedWorkflows: () => Workflows | undefined;
  terminals: () => Terminals;
  liveBrowser: () => LiveBrowser;
  extensions: OpenedExtensions;
  language: OpenedLanguage;
  sharedEdits: SharedEdits;
  /** Undefined if it never existed. */
  usedAutomations: () => Automations | undefined;
}

export function openSessions(parts: SessionParts): Sessions {
  const { settings, folder, toolList, git, providers, watcher, library, fileHistory, terminals, extensions } = parts;
  const sessions = createSessions({
    ambient: settings.ambient,
    checkRemoval: (header) => checkRemoval({ ambient: settings.ambient, workflows: parts.usedWorkflows }, header),
    dataDir: folder.path,
    lease: folder.lease,
    mustExist: folder.hasHeld('sessions.db'),
    recovers: folder.isServer,
    modelTries: settings.modelTries,
    dialects: settings.dialects,
    model: answeringModel({ providers, library, sessions: () => sessions }),
    tools: toolList.tools,
    toolSpecs: toolList.specs,
    isControlFile: async (path, ofFolder) =>
      (await import('@fucina/sandbox')).isControlFile(path) && !(await settings.rules()).opens(ofFolder, path),
    rule: settings.standingRules.judge,
    reach: createReach(settings, (sessionId: string) => sessions.lineage(sessionId)),
    isSending: async (line) => (await import('@fucina/sandbox')).isSending(line),
    commandPrefixes: async (line) => (await import('@fucina/sandbox')).commandPrefixes(line),
    commands: {
      runOwn: async (command) => (await toolList.commands()).runOwn(command),
      isSandboxed: async () => (await (await toolList.commands()).sandboxState()).isWorking,
      prepare(writes) {
        // Such a command runs without a sandbox.
        if (writes === 'anything') return;
        // An error here recurs at the command itself, which reports it.
        void toolList
          .commands()
          .then((commands) => commands.sandboxState())
          .catch(() => undefined);
      },
      async forget(sessionId) {
        await terminals().forget(sessionId);
        await parts.liveBrowser().forget(sessionId);
        await extensions.forget(sessionId);
        await parts.language.forget(sessionId);
        parts.sharedEdits.forget(sessionId);
        await (await toolList.commands()).forget(sessionId);
      },
    },
    // The command line only watches its own turn.
    ...(folder.isServer && { watchFolder: (path, onChange) => watcher().watch(path, onChange) }),
    fileHistory: thenLookedAt(fileHistory, (path) => watcher().rescan(path)),
    windowOf: (model) => providers().knowledge.windowOf(model),
    lookUp: (model) => providers().lookUp(model),
    priceOf: (model) => providers().knowledge.priceOf(model),
    readTextFile: readSmallText,
    checkModelId: (model) => void parseModelId(model),
    checkFallback: (fallback) => checkFallback(fallback, { hasTools: true }),
    branchOf: (path) => git().branchOf(path),
    isolation: createAgentWorktrees(git),
    async keepCommandSettings(from, to) {
      const rules = await settings.rules();
      const { session: network } = rules.modes({ lineage: sessions.lineage(from) });
      if (network !== null) await rules.setMode('session', to, network);
    },
    isTooWide: async (path) => isTooWide(path, settings.environment, folder.path),
    unattended: (rootId) => unattendedRun(parts.usedAutomations()?.runOf(rootId)),
    slashCommands: library().commands,
    ...extensionsOfSessions(settings.ambient, extensions.open, async (session) =>
      parts.sharedEdits.telling(await parts.language.tools(session)),
    ),
  });
  folder.noteStore('sessions.db');
  return sessions;
}

/** A run in progress; once it ends, its conversation is an ordinary one. */
function unattendedRun(known: ReturnType<Automations['runOf']>): Attendance | undefined {
  if (known?.run.state !== 'running') return undefined;
  return { mayDelegate: known.coordinates, readsAnyAddress: !known.asksAddresses };
}

const SMALL_TEXT_BYTES = 64 * 1024;

/** Undefined for a missing, binary or large file: the summary omits it. */
async function readSmallText(root: string, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await readFileInside(root, path, SMALL_TEXT_BYTES);
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}
