import type { Automations } from '@fucina/automations';
import type { BrowserPages } from '@fucina/browser';
import type { Diagnostics, Problem } from '@fucina/diagnostics';
import type { Extensions } from '@fucina/extensions';
import type { Files } from '@fucina/files';
import type { Library } from '@fucina/library';
import type { LocalModels, LocalRuntimes } from '@fucina/local-models';
import type { Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import type { Workflows } from '@fucina/workflows';
import type { WithReserve } from './data-folder/with-reserve.ts';
import type { WslSettings } from './data-folder/wsl-settings.ts';
import type { SavedRules } from './domains/permission-rules.ts';
import type { ProviderKeys } from './domains/provider-keys.ts';
import type { SessionRemoval } from './domains/workflows.ts';
import type { ProcessOutputs } from './sessions/process-outputs.ts';
import type { SessionBrowser } from './sessions/session-browser.ts';
import type { SessionExtensions } from './sessions/session-extensions.ts';
import type { SessionFiles } from './sessions/session-files.ts';
import type { FolderGit, SessionGit } from './sessions/session-git.ts';
import type { SessionLibrary } from './sessions/session-library.ts';
import type { SessionPrompts } from './sessions/session-prompts.ts';
import type { SessionResearch } from './sessions/session-research.ts';
import type { SessionTerminals } from './sessions/session-terminals.ts';
import type { StartRequest } from './sessions/start-session.ts';
import type { TemplateRequest } from './sessions/start-template.ts';
import type { SandboxControl } from './tools/sandbox-control.ts';
import type { ToolCatalog } from './tools/tool-catalog.ts';

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
  /** Notes, tasks and memories of the user. */
  readonly library: Library;
  readonly sessionLibrary: SessionLibrary;
  readonly sessionResearch: SessionResearch;
  readonly sessionTerminals: SessionTerminals;
  readonly wsl: WslSettings;
  /** Pages of the web and of development servers on this computer, as a user looks at them. */
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
  readonly standingRules: SavedRules;
  readonly sandbox: SandboxControl;
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
