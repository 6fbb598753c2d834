import type { CodeHostRelease } from '@fucina/git';
import type { ChosenSettings } from '@fucina/providers';
import type { Ambient, Environment, OutboundHttp } from '@fucina/shared';
import type { RuleTexts, SandboxRules } from '@fucina/tools';
import type { SavedRules } from './domains/permission-rules.ts';

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
  /** Whoever reaches the port is answered: see the same fact of the tools. */
  isWithoutToken?: boolean;
  /** The port this process answers on, once it does: no page of the live browser reaches it. */
  ownPort?(): number;
  /** What the user's settings file says of providers and models; default: nothing. */
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
  standingRules: SavedRules;
  rules(): Promise<SandboxRules>;
}
