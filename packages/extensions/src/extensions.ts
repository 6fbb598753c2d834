import { join } from 'node:path';
import type { Ambient, Environment, OutboundHttp, Tool } from '@fucina/shared';
import { createForge, type Forge } from './forge/forge.ts';
import type { Capabilities } from './forge/run-flow.ts';
import { createHooks, type Hooks } from './hooks/hooks.ts';
import { createMcp, type Mcp } from './mcp/mcp.ts';
import { createPlugins, type Plugins } from './plugins/plugins.ts';
import { hasProjectFolder } from './project-file.ts';
import { createSkills, type Skills } from './skills/skills.ts';
import { createTrustStore } from './trust/trust-store.ts';

export interface ExtensionsNeeds {
  ambient: Ambient;
  dataDir: string;
  /** The server's own; children get the harmless part. */
  environment: Environment;
  /** The way to servers that run elsewhere. */
  http: OutboundHttp;
  /** What forged tools may do. */
  capabilities: Capabilities;
  /** By the id of a hook, plugin, skill, forged tool or MCP server: whether it may act here. Default: each may. */
  isEnabled?(id: string): boolean;
}

/** What a project and its people add to the agent. Nothing of a project runs before a user trusted it as it is now. */
export interface Extensions extends AsyncDisposable {
  hooks: Hooks;
  plugins: Plugins;
  skills: Skills;
  forge: Forge;
  mcp: Mcp;
  /** The tools they bring to a session, now. */
  tools(session: { sessionId: string; folder: string }): Promise<readonly Tool[]>;
}

export function createExtensions(given: ExtensionsNeeds): Extensions {
  const needs = { ...given, isEnabled: given.isEnabled ?? (() => true) };
  const { ambient, dataDir, isEnabled } = needs;
  const trust = createTrustStore({ ambient, dataDir });
  const plugins = createPlugins({ ...needs, trust });
  const hooks = createHooks({ ...needs, trust, pluginHooks: (folder) => plugins.hooks(folder) });
  const skills = createSkills({ ambient, isEnabled, personalFolder: join(dataDir, 'skills') });
  const forge = createForge(needs);
  const mcp = createMcp({ ...needs, trust });
  return {
    hooks,
    plugins,
    skills,
    forge,
    mcp,
    async tools(session) {
      const { folder } = session;
      const hasProject = hasProjectFolder(folder);
      const [skill, ...others] = await Promise.all([
        hasProject.then((has) => skills.tool(has ? folder : undefined)),
        hasProject.then((has) => (has ? plugins.tools(folder) : [])),
        hasProject.then((has) => mcp.tools(session, { mayDeclare: has })),
        forge.tools(),
      ]);
      return [...(skill ? [skill] : []), ...others.flat()];
    },
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}
