import type { Automations } from '@fucina/automations';
import type { BrowserPages } from '@fucina/browser';
import type { Diagnostics, Problem } from '@fucina/diagnostics';
import type { Extensions } from '@fucina/extensions';
import type { Files } from '@fucina/files';
import type { Library } from '@fucina/library';
import type { LibraryInstaller, LocalModels, LocalRuntimes } from '@fucina/local-models';
import type { Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import type { Workflows } from '@fucina/workflows';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { AgUiRuns } from './ag-ui/ag-ui-run.ts';
import type { BackupControl } from './backup/backup-control.ts';
import type { WithReserve } from './data-folder/with-reserve.ts';
import type { WslSettings } from './data-folder/wsl-settings.ts';
import type { SavedRules } from './domains/permission-rules.ts';
import type { ProviderKeys } from './domains/provider-keys.ts';
import type { SessionRemoval } from './domains/workflows.ts';
import type { ExtensionsControl } from './sessions/extensions-control.ts';
import type { LanguageControl } from './sessions/language-control.ts';
import type { McpControl } from './sessions/mcp-control.ts';
import type { ProcessOutputs } from './sessions/process-outputs.ts';
import type { SessionBrowser } from './sessions/session-browser.ts';
import type { SessionExtensions } from './sessions/session-extensions.ts';
import type { SessionFiles } from './sessions/session-files.ts';
import type { FolderGit, SessionGit } from './sessions/session-git.ts';
import type { SessionLibrary } from './sessions/session-library.ts';
import type { SessionPorts } from './sessions/session-ports.ts';
import type { SessionPrompts } from './sessions/session-prompts.ts';
import type { SessionResearch } from './sessions/session-research.ts';
import type { SessionTerminals } from './sessions/session-terminals.ts';
import type { SessionTitles } from './sessions/session-titles.ts';
import type { ImportRequest, StartRequest } from './sessions/start-session.ts';
import type { TemplateRequest } from './sessions/start-template.ts';
import type { UsageControl } from './sessions/usage-control.ts';
import type { WorktreeControl } from './sessions/worktree-control.ts';
import type { SandboxControl } from './tools/sandbox-control.ts';
import type { ToolCatalog } from './tools/tool-catalog.ts';

/** Everything that a client can call; each part is created at first use. */
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
  readonly sessionTitles: SessionTitles;
  /** The user's notes, tasks and memories. */
  readonly library: Library;
  readonly sessionLibrary: SessionLibrary;
  readonly sessionResearch: SessionResearch;
  readonly sessionTerminals: SessionTerminals;
  readonly sessionPorts: SessionPorts;
  readonly wsl: WslSettings;
  /** Web pages and pages of development servers on this computer, as the user views them. */
  readonly browser: BrowserPages;
  readonly sessionBrowser: SessionBrowser;
  readonly automations: Automations;
  /** Local models, the hub, and downloads. */
  readonly localModels: LocalModels;
  /** Local engines. */
  readonly localRuntimes: LocalRuntimes;
  /** The library that our own engine runs models with. */
  readonly engineLibrary: LibraryInstaller;
  readonly sessionExtensions: SessionExtensions;
  readonly configuredExtensions: ExtensionsControl;
  readonly mcp: McpControl;
  readonly language: LanguageControl;
  readonly usage: UsageControl;
  readonly worktrees: WorktreeControl;
  /** The MCP server, for other agents. `folder`: of a call that names none. */
  mcpServer(options?: { folder?: string }): Promise<McpServerFactory>;
  /** For any folder. */
  extensions(): Promise<Extensions>;
  readonly workflows: Workflows;
  readonly diagnostics: Diagnostics;
  readonly tools: ToolCatalog;
  readonly standingRules: SavedRules;
  readonly sandbox: SandboxControl;
  readonly backups: BackupControl;
  startSession(request: StartRequest): Promise<{ sessionId: string }>;
  /** Runs of the AG-UI protocol. */
  agUiRun: AgUiRuns;
  importSession(request: ImportRequest): Promise<{ sessionId: string }>;
  startTemplate(request: TemplateRequest): Promise<{ sessionId: string }>;
  removeSession(sessionId: string): Promise<SessionRemoval>;
  /** For operations that delete something for the user. */
  withReserve: WithReserve;
  shutdown(): void;
}

export interface Host {
  services: Services;
  remember(problem: Problem): void;
  /** Rejects new turns and ends the running ones, while everything can still be read. */
  quiesce(): Promise<void>;
  /** Ends turns, closes stores and releases the folder, in reverse order of opening. */
  close(): Promise<void>;
}
