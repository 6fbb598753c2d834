import { join } from 'node:path';
import type { Ambient, Environment, OutboundHttp, Tool } from '@fucina/shared';
import { createForge, type Forge } from './forge/forge.ts';
import type { Capabilities } from './forge/run-flow.ts';
import { type ConfiguredHooks, createConfiguredHooks } from './hooks/configured-hooks.ts';
import { createHooks, type Hooks } from './hooks/hooks.ts';
import { createOwnHooks } from './hooks/own-hooks.ts';
import { createMcp, type Mcp } from './mcp/mcp.ts';
import type { SecretStore } from './mcp/own/own-servers.ts';
import { createSwitches } from './own/switches.ts';
import { type ConfiguredPlugins, createConfiguredPlugins } from './plugins/configured-plugins.ts';
import { createOwnPackages } from './plugins/own-packages.ts';
import { createPlugins, type Plugins } from './plugins/plugins.ts';
import { hasProjectFolder } from './project-file.ts';
import { type ConfiguredSkills, createConfiguredSkills } from './skills/configured-skills.ts';
import { createSkills, type Skills } from './skills/skills.ts';
import { createTrustStore } from './trust/trust-store.ts';
import { createTrustedPrograms, type TrustedPrograms } from './trust/trusted-programs.ts';
import { createTrustedScripts, type TrustedScripts } from './trust/trusted-scripts.ts';

export interface ExtensionsNeeds {
  ambient: Ambient;
  dataDir: string;
  /** The server's environment; child processes get only its safe part. */
  environment: Environment;
  /** Absolute. */
  homeDir: string;
  /** Where the secrets of MCP servers are kept. */
  secrets: SecretStore;
  /** Address of a public document about this program, for MCP servers that accept one instead of a registration. */
  clientMetadataUrl?: string | undefined;
  /** How remote servers are reached. */
  http: OutboundHttp;
  /** The actions available to forged tools. */
  capabilities: Capabilities;
  /** Whether the hook, plugin, skill, forged tool or MCP server with this id may run here. Default: each may. */
  isEnabled?(id: string): boolean;
}

/**
 * Extensions of the agent, from a project or the user. Nothing of a project runs before the user has trusted its
 * current version.
 */
export interface Extensions extends AsyncDisposable {
  hooks: Hooks;
  configuredHooks: ConfiguredHooks;
  configuredSkills: ConfiguredSkills;
  plugins: Plugins;
  configuredPlugins: ConfiguredPlugins;
  skills: Skills;
  forge: Forge;
  mcp: Mcp;
  programs: TrustedPrograms;
  scripts: TrustedScripts;
  /** The tools that extensions currently add to a session. */
  tools(session: { sessionId: string; folder: string }): Promise<readonly Tool[]>;
  /** What goes to the model with a message that names resources of MCP servers. */
  resourceText(session: { sessionId: string; folder: string }, message: string): Promise<string | undefined>;
}

export function createExtensions(given: ExtensionsNeeds): Extensions {
  const needs = { ...given, isEnabled: given.isEnabled ?? (() => true) };
  const { ambient, dataDir, isEnabled } = needs;
  const trust = createTrustStore({ ambient, dataDir });
  const pluginsNeeds = {
    ...needs,
    trust,
    own: createOwnPackages(dataDir),
    switches: createSwitches(dataDir, 'plugins'),
  };
  const plugins = createPlugins(pluginsNeeds);
  const hooksNeeds = {
    ...needs,
    trust,
    own: createOwnHooks(dataDir),
    switches: createSwitches(dataDir, 'hooks'),
    pluginHooks: (folder: string) => plugins.hooks(folder),
  };
  const hooks = createHooks(hooksNeeds);
  const skillsNeeds = {
    ambient,
    isEnabled,
    personalFolder: join(dataDir, 'skills'),
    switches: createSwitches(dataDir, 'skills'),
  };
  const skills = createSkills(skillsNeeds);
  const forge = createForge(needs);
  const mcp = createMcp({ ...needs, trust });
  return {
    hooks,
    configuredHooks: createConfiguredHooks(hooksNeeds),
    configuredSkills: createConfiguredSkills(skillsNeeds),
    plugins,
    configuredPlugins: createConfiguredPlugins(pluginsNeeds),
    skills,
    forge,
    mcp,
    programs: createTrustedPrograms(trust),
    scripts: createTrustedScripts(trust),
    async tools(session) {
      const { folder } = session;
      const hasProject = hasProjectFolder(folder);
      const [skill, ...others] = await Promise.all([
        skills.tool(hasProject ? folder : undefined),
        plugins.tools(folder),
        mcp.tools(session, { mayDeclare: hasProject }),
        forge.tools(),
      ]);
      return [...(skill ? [skill] : []), ...others.flat()];
    },
    resourceText: (session, message) =>
      mcp.resourceText(session, message, { mayDeclare: hasProjectFolder(session.folder) }),
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}
