import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Ambient, ControlWrite } from '@fucina/shared';
import { controlPartsOf } from '../control-files.ts';
import type { ControlFolder } from './control-folders.ts';
import { harmlessRepositoryConfig } from './repository-config.ts';

/**
 * Finds the control files a command made where there were none: those that exist are mounted read-only, but nothing can be
 * mounted over a name that does not exist without creating it. They are taken away at once and handed to the user.
 */
export interface ControlGuard {
  /** What the command made, removed from the folder; the oldest name first. Never rejects. */
  settle(): Promise<readonly ControlWrite[]>;
}

const LINK = 'link';
const MAX_FILES = 64;
const MAX_BYTES = 256 * 1024;

export interface GuardNeeds {
  ambient: Ambient;
  folder: string;
  /** What `look` found before the command began. */
  before: readonly ControlFolder[];
  look(): Promise<readonly ControlFolder[]>;
  /** A rule of the user lets commands write this path, relative to the folder. Default: none does. */
  isOpened?(path: string): boolean;
}

export async function guardControlFiles(needs: GuardNeeds): Promise<ControlGuard> {
  const { ambient, folder, before, look, isOpened = () => false } = needs;
  // What a rule opens can be renamed: under another name it is a new control file.
  const closed = [...(await controlNames(folder, before))].filter(([path]) => !isOpened(path));
  const known = new Set(closed.map(([, identity]) => identity));
  // Of those at the root a command can replace none: they are mounted. Where one is another file now, the user's editor did it.
  const atRoot = await controlNames(folder, before.slice(0, 1));
  const isReplacedByUser = (path: string): boolean => atRoot.has(path) && !atRoot.get(path)?.endsWith(LINK);
  return {
    async settle() {
      try {
        const found: ControlWrite[] = [];
        for (const [path, identity] of await controlNames(folder, await look())) {
          const isExpected = known.has(identity) || isReplacedByUser(path) || isOpened(path);
          if (!isExpected) found.push(...(await take(folder, path)));
        }
        return found;
      } catch (error) {
        ambient.log.error('sandbox.control-files-unchecked', { error });
        return [];
      }
    },
  };
}

/** Control files below the folder, by relative path; the identity changes when one is replaced. */
async function controlNames(folder: string, folders: readonly ControlFolder[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const note = async (path: string): Promise<void> => {
    const found = await lstat(path).catch(() => undefined);
    if (found) names.set(relative(folder, path), `${found.dev} ${found.ino} ${found.isSymbolicLink() ? LINK : ''}`);
  };
  const paths = folders.flatMap(({ path, entries }) => entries.flatMap(({ name }) => controlPaths(join(path, name))));
  await Promise.all(paths.map(note));
  return names;
}

function controlPaths(path: string): string[] {
  // What a repository that is there had not yet.
  if (basename(path) === '.git') return [path, ...['commondir', 'hooks', 'modules'].map((name) => join(path, name))];
  const parts = controlPartsOf(basename(path));
  return parts === 'whole' ? [path] : parts.map((part) => join(path, part));
}

async function take(folder: string, path: string): Promise<ControlWrite[]> {
  const isDirectory = (await lstat(join(folder, path)).catch(() => undefined))?.isDirectory() ?? false;
  if (isDirectory && holdsRepositories(path)) return takeFromRepositories(folder, path);
  return takeWhole(folder, path);
}

/** A repository, or one of its folders: its hooks, or where git keeps the repositories of submodules. */
function holdsRepositories(path: string): boolean {
  const isPart = basename(path) === 'hooks' || basename(path) === 'modules';
  return basename(isPart ? dirname(path) : path) === '.git';
}

/** A new repository or submodule stays; what git would run from it does not. */
async function takeFromRepositories(folder: string, path: string): Promise<ControlWrite[]> {
  const entries = await readdir(join(folder, path), { recursive: true, withFileTypes: true });
  const writes = entries.map(async ({ name, parentPath }): Promise<ControlWrite[]> => {
    const at = relative(folder, join(parentPath, name));
    if (basename(parentPath) === 'hooks' && !name.endsWith('.sample')) return takeWhole(folder, at);
    return name === 'config' ? harmlessRepositoryConfig(folder, at) : [];
  });
  return (await Promise.all(writes)).flat();
}

async function takeWhole(folder: string, path: string): Promise<ControlWrite[]> {
  const writes = await filesOf(folder, path);
  await remove(join(folder, path));
  return writes;
}

async function filesOf(folder: string, path: string): Promise<ControlWrite[]> {
  const found = await lstat(join(folder, path)).catch(() => undefined);
  if (!found) return [];
  if (!found.isDirectory()) return [{ path, content: await contentOf(join(folder, path), found) }];
  const names = await readdir(join(folder, path), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => !entry.isDirectory()).slice(0, MAX_FILES);
  return Promise.all(
    files.map(async (entry) => {
      const at = join(entry.parentPath, entry.name);
      return { path: at.slice(folder.length + 1), content: await contentOf(at, await lstat(at)) };
    }),
  );
}

/** Null for a link, a large file or one that is no text: such a file can only be written again by the user. */
async function contentOf(path: string, found: { isFile(): boolean; size: number }): Promise<string | null> {
  if (!found.isFile() || found.size > MAX_BYTES) return null;
  const bytes = await readFile(path);
  return bytes.includes(0) ? null : bytes.toString('utf8');
}

/** Renamed first: nothing that is still running can fill a folder while it is being deleted. */
async function remove(path: string): Promise<void> {
  const aside = `${path}.removed-${process.pid}`;
  await rename(path, aside).catch(() => undefined);
  await rm(aside, { recursive: true, force: true });
  await rm(path, { recursive: true, force: true });
}
