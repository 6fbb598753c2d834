import type { CodeHostRelease } from '@fucina/git';
import type { LibraryInstallerNeeds } from '@fucina/local-models';
import type { ChosenSettings } from '@fucina/providers';
import type { RuleTexts, SandboxRules } from '@fucina/sandbox';
import type { Ambient, DialectChoice, Environment, OutboundHttp } from '@fucina/shared';
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
  /** The process environment; child processes get only its safe part. */
  environment: Environment;
  /**
   * True for the server: only it recovers, cleans up and runs automations. The command line shares the folder without
   * it.
   */
  background: boolean;
  /** Absolute paths of the task templates and of the help pages (one folder per language); both optional. */
  templatesDir?: string;
  helpDir?: string;
  /** Workflow steps at once; default: by the number of cores. */
  workflowSteps?: number | undefined;
  /** Calls of a model for one answer, 1 to 10; default: 10. */
  modelTries?: number | undefined;
  /** The words in which models know the tools; default: by the family of each model. */
  dialects?: DialectChoice | undefined;
  /** Permission rules, `Tool(pattern)`; default: none. */
  permissionRules?: RuleTexts | undefined;
  /** Ids of the only enabled extensions; empty (the default): all trusted ones. */
  enabledExtensions?: readonly string[] | undefined;
  /** Anyone who reaches the port is served: see the same field of the tools. */
  isWithoutToken?: boolean;
  /** The port of this process, once it listens: pages of the live browser cannot reach it. */
  ownPort?(): number;
  /** Providers and models in the user's settings file; default: nothing. */
  providerSettings?: ChosenSettings | undefined;
  /** Whether the public catalog of models may be asked; default: yes. */
  publicCatalog?: boolean;
  /** Outbound HTTP; default: created here. One passed in is not closed here. */
  http?: OutboundHttp | undefined;
  /** The installable build of gh, by system; default: this release's own. */
  codeHostBuild?: { platform: NodeJS.Platform; release: CodeHostRelease } | undefined;
  /** The library that runs local models, and what to install when there is none; default: this build's own. */
  engineLibrary?: Pick<LibraryInstallerNeeds, 'library' | 'list'> | undefined;
  onShutdown?(): void;
}

/** With the parts created before the domains are connected. */
export interface JoinSettings extends HostSettings {
  standingRules: SavedRules;
  rules(): Promise<SandboxRules>;
}
