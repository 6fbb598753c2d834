import { join } from 'node:path';
import { listInside, PathError, readFileInside, readJson, realFolder } from '@fucina/shared';
import * as z from 'zod';
import { hookShape } from '../hooks/hooks-file.ts';
import type { Reference } from '../own/reference.ts';
import { declaredId, mayExist } from '../project-file.ts';
import { splitCommand } from '../trust/program.ts';
import type { TrustStore, TrustSubject } from '../trust/trust-store.ts';
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

const PATH = '.svc/plugins';
const MAX_MANIFEST = 256 * 1024;
const MAX_SCRIPT = 64 * 1024;
const MAX_PLUGINS = 100;

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
export type DeclaredTool = z.infer<typeof toolShape>;

/** Where packages are, one folder each: below a folder. */
export interface PackagePlace extends Omit<Reference, 'id'> {
  root: string;
  /** Below the root; `.` is the root. */
  path: string;
}

export interface Package extends Manifest {
  id: string;
  place: PackagePlace;
  /** Absolute. */
  folder: string;
}

/** The packages that a project brings. */
export const projectPackages = (folder: string): PackagePlace => ({ scope: 'file', folder, root: folder, path: PATH });

export function referenceOf({ place: { scope, folder }, id }: Package): Reference {
  return { scope, folder, id };
}

/** The trust of a package, as it is stored; one of the user has it by its own folder. */
export function packageSubject({ place: { scope, folder, root }, id }: Package): TrustSubject {
  if (scope === 'file' && folder !== null) return { kind: 'plugins', folder, id };
  return { kind: 'plugins-own', folder: root, id };
}

/** Why it may not run; null for one that is trusted as it is. */
export async function distrustOf(trust: TrustStore, plugin: Package): Promise<PluginRow['because']> {
  const known = await trust.trustedHash(packageSubject(plugin));
  if (known === undefined) return 'never';
  const hash = await packageHash(plugin.folder);
  if (hash === undefined) return 'too-large';
  return hash === known ? null : 'changed';
}

export async function pluginRow(plugin: Package, because: PluginRow['because']): Promise<PluginRow> {
  return {
    id: plugin.id,
    name: plugin.name,
    description: plugin.description,
    hooks: plugin.hooks.map(({ id }) => id),
    tools: plugin.tools.map(({ nome }) => nome),
    isTrusted: because === null,
    because,
    warnings: await warningsOf(plugin),
    commands: commandsOf(plugin),
  };
}

export type FoundPackages = { packages: Package[]; broken: { id: string; problem: string }[] };

/** Whether there may be a plugin. */
export function mayHavePackages({ root, path }: PackagePlace): boolean {
  return mayExist(root, path);
}

export async function readPackages(place: PackagePlace): Promise<FoundPackages | { problem: string }> {
  const { root, path } = place;
  if (!mayHavePackages(place)) return { packages: [], broken: [] };
  let names: string[];
  try {
    const { entries } = await listInside(root, path);
    names = entries
      .filter(({ name, isFolder }) => isFolder && !name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return error.problem === 'missing' ? { packages: [], broken: [] } : { problem: `${path}: ${error.problem}` };
  }
  const found: FoundPackages = { packages: [], broken: [] };
  for (const id of names.slice(0, MAX_PLUGINS)) {
    const read = await readPackage(place, id);
    if ('problem' in read) found.broken.push({ id, problem: read.problem });
    else found.packages.push(read);
  }
  return found;
}

export async function readPackage(place: PackagePlace, id: string): Promise<Package | { problem: string }> {
  if (!declaredId.safeParse(id).success) return { problem: 'its folder has a name that is no id' };
  const { root } = place;
  const own = place.path === '.' ? id : `${place.path}/${id}`;
  const path = `${own}/plugin.json`;
  try {
    const { bytes } = await readFileInside(root, path, MAX_MANIFEST);
    const parsed = await readJson(bytes.toString('utf8'), path, manifest as z.ZodType<Manifest>);
    if ('problem' in parsed) return parsed;
    return { ...parsed.value, id, place, folder: await realFolder(join(root, own)) };
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
