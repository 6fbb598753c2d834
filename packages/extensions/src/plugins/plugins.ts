import { join } from 'node:path';
import {
  type Ambient,
  capturedText,
  type Environment,
  listInside,
  PathError,
  readFileInside,
  realFolder,
  runProcess,
  type Tool,
} from '@fucina/shared';
import * as z from 'zod';
import { extensionsError } from '../errors.ts';
import type { RowsOrProblem, TrustedHook } from '../hooks/hooks.ts';
import { definitionOf, hookShape } from '../hooks/hooks-file.ts';
import { hookArgv } from '../hooks/run-hook.ts';
import { declaredId, parseDeclared } from '../project-file.ts';
import { splitCommand } from '../trust/program.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { packageHash } from './package-hash.ts';
import { type PluginWarning, warningsIn } from './warnings.ts';

export interface PluginRow {
  id: string;
  name: string;
  description: string;
  hooks: readonly string[];
  tools: readonly string[];
  isTrusted: boolean;
  /** Why it is not trusted. */
  because: 'never' | 'changed' | 'too-large' | null;
  warnings: readonly { origin: string; warning: PluginWarning }[];
  /** What its tools and hooks would run. */
  commands: readonly { origin: string; command: string }[];
}

/**
 * Packages of a project that contain hooks and tools. A plugin runs code, so nothing of it is used before all of it is
 * trusted.
 */
export interface Plugins {
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
  isEnabled(id: string): boolean;
}

const PATH = '.svc/plugins';
const MAX_MANIFEST = 256 * 1024;
const MAX_SCRIPT = 64 * 1024;
const MAX_PLUGINS = 100;
const TOOL_TIMEOUT_MS = 120_000;
const TOOL_OUTPUT = 64 * 1024;
const TOOL_VARIABLE = 'SVC_STRUMENTO_INPUT';

const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);
const toolCommand = z.string().min(1).max(8_192);
/** For the model; if absent, the command is used. */
const toolDescription = z.string().min(1).max(1_000).optional();
/** Both languages of the keys: of two with the same meaning the first wins. */
const toolShape = z
  .object({
    nome: toolName.optional(),
    name: toolName.optional(),
    comando: toolCommand.optional(),
    command: toolCommand.optional(),
    descrizione: toolDescription,
    description: toolDescription,
  })
  .transform((given, context) => {
    const { nome = given.name, comando = given.command, descrizione = given.description } = given;
    if (nome !== undefined && comando !== undefined) return { nome, comando, descrizione };
    context.addIssue({ code: 'custom', path: [nome === undefined ? 'name' : 'command'], message: 'missing' });
    return z.NEVER;
  });
const packageName = z.string().trim().min(1).max(120).optional();
const description = z.string().max(2_000).optional();
/** The document names the first two fields in both languages: either is accepted. */
const manifest = z
  .object({
    name: packageName,
    nome: packageName,
    description,
    descrizione: description,
    hooks: z.array(hookShape).max(64).default([]),
    tools: z.array(toolShape).max(64).default([]),
  })
  .refine(({ name, nome }) => (name ?? nome) !== undefined, { path: ['name'], error: 'a name is needed' })
  .transform(({ name, nome, descrizione, ...plugin }) => ({
    ...plugin,
    name: name ?? nome ?? '',
    description: plugin.description ?? descrizione ?? '',
  }));
type Manifest = z.infer<typeof manifest>;
type DeclaredTool = z.infer<typeof toolShape>;

interface Package extends Manifest {
  id: string;
  /** Absolute. */
  folder: string;
}

export function createPlugins({ ambient, environment, trust, isEnabled }: PluginsNeeds): Plugins {
  const subject = (folder: string, id: string) => ({ kind: 'plugins' as const, folder, id });

  const because = async (folder: string, plugin: Package): Promise<PluginRow['because']> => {
    const known = await trust.trustedHash(subject(folder, plugin.id));
    if (known === undefined) return 'never';
    const hash = await packageHash(plugin.folder);
    if (hash === undefined) return 'too-large';
    return hash === known ? null : 'changed';
  };
  /** The allowed ones. */
  const trusted = async (folder: string): Promise<Package[]> => {
    const found = await readPackages(folder);
    if ('problem' in found) {
      ambient.log.warn('plugins.not-read', { problem: found.problem });
      return [];
    }
    const enabled = found.packages.filter(({ id }) => isEnabled(id));
    const states = await Promise.all(enabled.map((plugin) => because(folder, plugin)));
    return enabled.filter((_plugin, at) => states[at] === null);
  };

  return {
    async list(folder) {
      const found = await readPackages(folder);
      if ('problem' in found) return found;
      const rows = found.packages.map(async (plugin): Promise<PluginRow> => {
        const why = await because(folder, plugin);
        return {
          id: plugin.id,
          name: plugin.name,
          description: plugin.description,
          hooks: plugin.hooks.map(({ id }) => id),
          tools: plugin.tools.map(({ nome }) => nome),
          isTrusted: why === null,
          because: why,
          warnings: await warningsOf(plugin),
          commands: commandsOf(plugin),
        };
      });
      return { rows: await Promise.all(rows), broken: found.broken };
    },

    async trust(folder, id) {
      const found = await readPackages(folder);
      if ('problem' in found) throw extensionsError('PLUGIN_INVALID', { details: { problem: found.problem } });
      const broken = found.broken.find((each) => each.id === id);
      if (broken) throw extensionsError('PLUGIN_INVALID', { details: broken });
      const plugin = found.packages.find((each) => each.id === id);
      if (!plugin) throw extensionsError('NOT_FOUND', { reason: 'plugin' });
      const hash = await packageHash(plugin.folder);
      if (hash === undefined) throw extensionsError('PLUGIN_INVALID', { reason: 'too-large' });
      await trust.trust(subject(folder, id), hash);
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
            isTrusted: async () => (await because(folder, plugin)) === null,
          }),
        ),
      );
    },
  };
}

type Found = { packages: Package[]; broken: { id: string; problem: string }[] };

async function readPackages(folder: string): Promise<Found | { problem: string }> {
  let names: string[];
  try {
    const { entries } = await listInside(folder, PATH);
    names = entries
      .filter(({ isFolder }) => isFolder)
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return error.problem === 'missing' ? { packages: [], broken: [] } : { problem: `${PATH}: ${error.problem}` };
  }
  const found: Found = { packages: [], broken: [] };
  for (const id of names.slice(0, MAX_PLUGINS)) {
    const read = await readPackage(folder, id);
    if ('problem' in read) found.broken.push({ id, problem: read.problem });
    else found.packages.push(read);
  }
  return found;
}

async function readPackage(folder: string, id: string): Promise<Package | { problem: string }> {
  if (!declaredId.safeParse(id).success) return { problem: 'its folder has a name that is no id' };
  const path = `${PATH}/${id}/plugin.json`;
  try {
    const { bytes } = await readFileInside(folder, path, MAX_MANIFEST);
    const parsed = parseDeclared(bytes.toString('utf8'), path, manifest as z.ZodType<Manifest>);
    if ('problem' in parsed) return parsed;
    return { ...parsed.value, id, folder: await realFolder(join(folder, PATH, id)) };
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return { problem: `${path}: ${error.problem}` };
  }
}

function commandsOf({ tools, hooks }: Package): PluginRow['commands'] {
  return [
    ...tools.map(({ nome, comando }) => ({ origin: `tool:${nome}`, command: comando })),
    ...hooks.map(({ id, comando }) => ({ origin: `hook:${id}`, command: comando })),
  ];
}

/** In the commands, and in the plugin files that they name. */
async function warningsOf(plugin: Package): Promise<PluginRow['warnings']> {
  const found = commandsOf(plugin).map(async ({ origin, command }) => {
    const texts = [command, ...(await filesNamed(plugin.folder, command))];
    return [...new Set(texts.flatMap(warningsIn))].map((warning) => ({ origin, warning }));
  });
  return (await Promise.all(found)).flat();
}

async function filesNamed(folder: string, command: string): Promise<string[]> {
  const texts: string[] = [];
  for (const argument of splitCommand(command) ?? []) {
    try {
      texts.push((await readFileInside(folder, argument.replace(/^\.\//, ''), MAX_SCRIPT)).bytes.toString('utf8'));
    } catch (error) {
      // Most arguments are not files of the plugin.
      if (!(error instanceof PathError)) throw error;
    }
  }
  return texts;
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
    description: `${declared.descrizione ?? `Runs: ${declared.comando}`} (From the project's plugin ${plugin.name}.)`,
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
