import { type Ambient, capturedText, type Environment, runProcess, type Tool } from '@fucina/shared';
import * as z from 'zod';
import { extensionsError } from '../errors.ts';
import type { RowsOrProblem, TrustedHook } from '../hooks/hooks.ts';
import { definitionOf } from '../hooks/hooks-file.ts';
import { hookArgv } from '../hooks/run-hook.ts';
import type { Switches } from '../own/switches.ts';
import { firstOfEach } from '../project-file.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { type OwnPackages } from './own-packages.ts';
import { packageHash } from './package-hash.ts';
import {
  type DeclaredTool,
  distrustOf,
  mayHavePackages,
  type Package,
  type PluginRow,
  packageSubject,
  pluginRow,
  projectPackages,
  readPackages,
  referenceOf,
} from './plugin-package.ts';

/**
 * Packages of a project or of the user that contain hooks and tools. A plugin runs code, so nothing of it is used
 * before all of it is trusted.
 */
export interface Plugins {
  /** Those of the project. */
  list(folder: string): Promise<RowsOrProblem<PluginRow> & { broken?: readonly { id: string; problem: string }[] }>;
  /** PLUGIN_INVALID for an unreadable one; NOT_FOUND. */
  trust(folder: string, id: string): Promise<void>;
  /** Of trusted plugins. */
  hooks(folder: string): Promise<readonly TrustedHook[]>;
  tools(folder: string): Promise<readonly Tool[]>;
}

export interface PluginsNeeds {
  ambient: Ambient;
  environment: Environment;
  trust: TrustStore;
  own: OwnPackages;
  switches: Switches;
  isEnabled(id: string): boolean;
}

const TOOL_TIMEOUT_MS = 120_000;
const TOOL_OUTPUT = 64 * 1024;
const TOOL_VARIABLE = 'SVC_STRUMENTO_INPUT';

export function createPlugins(needs: PluginsNeeds): Plugins {
  const { ambient, environment, trust, own, switches, isEnabled } = needs;
  /** The allowed ones: with the same id the user's is used, not the project's. */
  const trusted = async (folder: string): Promise<Package[]> => {
    const places = [...own.places(folder), projectPackages(folder)].filter(mayHavePackages);
    // Asked around each tool call, and most users have none.
    if (places.length === 0) return [];
    const found = await Promise.all(places.map(readPackages));
    const packages = found.flatMap((each) => {
      if (!('problem' in each)) return each.packages;
      ambient.log.warn('plugins.not-read', { problem: each.problem });
      return [];
    });
    const states = await Promise.all(
      packages.map(async (plugin) => isEnabled(plugin.id) && (await switches.isOn(referenceOf(plugin)))),
    );
    const used = firstOfEach(packages.filter((_plugin, at) => states[at]));
    const reasons = await Promise.all(used.map((plugin) => distrustOf(trust, plugin)));
    return used.filter((_plugin, at) => reasons[at] === null);
  };

  return {
    async list(folder) {
      const found = await readPackages(projectPackages(folder));
      if ('problem' in found) return found;
      const rows = found.packages.map(async (plugin) => pluginRow(plugin, await distrustOf(trust, plugin)));
      return { rows: await Promise.all(rows), broken: found.broken };
    },

    async trust(folder, id) {
      const found = await readPackages(projectPackages(folder));
      if ('problem' in found) throw extensionsError('PLUGIN_INVALID', { details: { problem: found.problem } });
      const broken = found.broken.find((each) => each.id === id);
      if (broken) throw extensionsError('PLUGIN_INVALID', { details: broken });
      const plugin = found.packages.find((each) => each.id === id);
      if (!plugin) throw extensionsError('NOT_FOUND', { reason: 'plugin' });
      const hash = await packageHash(plugin.folder);
      if (hash === undefined) throw extensionsError('PLUGIN_INVALID', { reason: 'too-large' });
      await trust.trust(packageSubject(plugin), hash);
    },

    async hooks(folder) {
      const found: TrustedHook[] = [];
      for (const plugin of await trusted(folder)) {
        for (const hook of plugin.hooks) {
          const made = await hookArgv(hook.comando, environment);
          if ('problem' in made) ambient.log.warn('plugins.hook-not-run', { id: plugin.id, problem: made.problem });
          else {
            const { argv } = made;
            found.push({ id: `${plugin.id}/${hook.id}`, definition: definitionOf(hook), argv, folder: plugin.folder });
          }
        }
      }
      return found;
    },

    async tools(folder) {
      const plugins = await trusted(folder);
      return plugins.flatMap((plugin) =>
        plugin.tools.map((tool) =>
          pluginTool(plugin, tool, {
            ambient,
            environment,
            isTrusted: async () => (await distrustOf(trust, plugin)) === null,
          }),
        ),
      );
    },
  };
}

const toolInput = z.strictObject({
  argomenti: z.record(z.string(), z.json()).optional().describe('what the tool works on'),
});

interface PluginToolNeeds {
  ambient: Ambient;
  environment: Environment;
  isTrusted(): Promise<boolean>;
}

function pluginTool(plugin: Package, declared: DeclaredTool, needs: PluginToolNeeds): Tool<z.infer<typeof toolInput>> {
  const name = `plugin_${plugin.id}_${declared.nome}`;
  return {
    name,
    description: `${declared.descrizione ?? `Runs: ${declared.comando}`} (From the ${plugin.place.scope === 'file' ? "project's" : "user's"} plugin ${plugin.name}.)`,
    category: 'extended',
    effect: 'process',
    gate: 'shell',
    input: toolInput,
    action: ({ argomenti }) => ({ tipo: name, comando: declared.comando, argomenti: argomenti ?? {} }),
    async run({ argomenti = {} }, { signal }) {
      if (!(await needs.isTrusted()))
        return { content: 'The plugin has changed: the user has to trust it again.', isError: true };
      const made = await hookArgv(declared.comando, needs.environment);
      if ('problem' in made) return { content: `The tool cannot be run: ${made.problem}.`, isError: true };
      const outcome = await runProcess({
        ...needs,
        extraEnvironment: { [TOOL_VARIABLE]: JSON.stringify(argomenti) },
        argv: made.argv,
        cwd: plugin.folder,
        timeoutMs: TOOL_TIMEOUT_MS,
        keepBytes: TOOL_OUTPUT,
        signal,
      });
      const stdout = capturedText(outcome.stdout);
      const stderr = capturedText(outcome.stderr);
      const isError = outcome.ending !== 'exit' || outcome.exitCode !== 0;
      return {
        content: [stdout, isError ? stderr : ''].filter(Boolean).join('\n') || '(no output)',
        isError,
        command: {
          command: declared.comando,
          cwd: plugin.folder,
          stdout,
          stderr,
          exitCode: outcome.exitCode,
          durationMs: outcome.durationMs,
          enforcement: 'none',
        },
      };
    },
  };
}
