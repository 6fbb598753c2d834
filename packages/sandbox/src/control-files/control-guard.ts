import type { Dirent } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import {
  type Ambient,
  type ControlWrite,
  entriesBelow,
  entryAt,
  PathError,
  readFileInside,
  systemCode,
} from '@fucina/shared';
import { harmlessRepositoryConfig } from '../view/repository-config.ts';
import { controlPartsOf } from './control-files.ts';
import type { ControlFolder } from './control-folders.ts';

/**
 * Finds control files that a command created: existing ones are mounted read-only, but a mount needs an existing path.
 * New ones are removed at once and passed to the user for a decision.
 */
export interface ControlGuard {
  /** The control files that the command wrote, removed from the folder; oldest name first. Never rejects. */
  settle(): Promise<readonly ControlWrite[]>;
}

const LINK = 'link';
const MAX_FILES = 64;
const MAX_BYTES = 256 * 1024;

export interface GuardNeeds {
  ambient: Ambient;
  folder: string;
  /** The result of `look` before the command started. */
  before: readonly ControlFolder[];
  look(): Promise<readonly ControlFolder[]>;
  /** A rule of the user lets commands write this path, relative to the folder. Default: none does. */
  isOpened?(path: string): boolean;
}

export async function guardControlFiles(needs: GuardNeeds): Promise<ControlGuard> {
  const { ambient, folder, before, look, isOpened = () => false } = needs;
  // A file that a rule allows can be renamed: under another name it is a new control file.
  const closed = [...(await controlNames(folder, before))].filter(([path]) => !isOpened(path));
  const known = new Set(closed.map(([, identity]) => identity));
  // A command cannot replace those at the root, because they are mounted. If one is a different file now, the user's
  // editor replaced it.
  const atRoot = await controlNames(folder, before.slice(0, 1));
  const isReplacedByUser = (path: string): boolean => atRoot.has(path) && !atRoot.get(path)?.endsWith(LINK);
  return {
    async settle() {
      try {
        const found: ControlWrite[] = [];
        for (const [path, identity] of await controlNames(folder, await look())) {
          const isExpected = known.has(identity) || isReplacedByUser(path) || isOpened(path);
          if (!isExpected) found.push(...(await take({ ambient, folder }, path)));
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
  const paths = folders.flatMap(({ path, entries }) => entries.flatMap((entry) => controlPaths(path, entry)));
  const all = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  for (const [index, found] of all.entries()) {
    const path = relative(folder, paths[index] ?? '');
    if (found) names.set(path, `${found.dev} ${found.ino} ${found.isSymbolicLink() ? LINK : ''}`);
  }
  return names;
}

/** What an existing repository did not have before. */
const NEW_IN_REPOSITORY = ['commondir', 'config.worktree', 'hooks', 'modules'];

function controlPaths(folder: string, entry: Dirent): string[] {
  const path = join(folder, entry.name);
  if (entry.name === '.git') return [path, ...NEW_IN_REPOSITORY.map((name) => join(path, name))];
  const parts = controlPartsOf(entry.name);
  if (parts === 'whole') return [path];
  const inner = parts.map((part) => join(path, part));
  // What is written later where such a link leads has an ordinary name.
  return entry.isSymbolicLink() ? [path, ...inner] : inner;
}

type Place = Pick<GuardNeeds, 'ambient' | 'folder'>;

async function take(place: Place, path: string): Promise<ControlWrite[]> {
  const isDirectory = (await lstat(join(place.folder, path)).catch(() => undefined))?.isDirectory() ?? false;
  return isDirectory && holdsRepositories(path) ? takeFromRepositories(place, path) : takeWhole(place, path);
}

/** A repository, or one of its folders: its hooks, or the repositories of its submodules. */
function holdsRepositories(path: string): boolean {
  const isPart = basename(path) === 'hooks' || basename(path) === 'modules';
  return basename(isPart ? dirname(path) : path) === '.git';
}

/** A new repository or submodule stays, but without the files that git would run. */
async function takeFromRepositories(place: Place, path: string): Promise<ControlWrite[]> {
  const { folder } = place;
  const entries = await entriesBelow(join(folder, path));
  const writes = entries.map(async (entry): Promise<ControlWrite[]> => {
    const { name, parentPath } = entry;
    const at = relative(folder, join(parentPath, name));
    // Branches and tags may have these names, too.
    if (basename(path) === '.git' && /^(refs|logs)\//.test(relative(path, at))) return [];
    const isHook = basename(parentPath) === 'hooks' && !name.endsWith('.sample');
    if (isHook || (name === 'hooks' && entry.isSymbolicLink())) return takeWhole(place, at);
    if (name !== 'config' || entry.isDirectory()) return [];
    return (await harmlessRepositoryConfig(folder, at)) ?? takeWhole(place, at);
  });
  return (await Promise.all(writes)).flat();
}

/**
 * Renamed first: running processes cannot change it any more, and of two commands that end at once only one removes it.
 */
async function takeWhole({ ambient, folder }: Place, path: string): Promise<ControlWrite[]> {
  const at = join(folder, path);
  const aside = `${at}.removed-${ambient.newId()}`;
  try {
    await rename(at, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const writes = await filesOf(aside, path);
  await rm(aside, { recursive: true, force: true });
  return writes;
}

/** The file at `aside`, under its original name in the folder. */
async function filesOf(aside: string, path: string): Promise<ControlWrite[]> {
  const found = await lstat(aside);
  if (!found.isDirectory()) return [{ path, content: await contentOf(dirname(aside), basename(aside)) }];
  const names = await entriesBelow(aside);
  const files = names.filter((entry) => !entry.isDirectory()).slice(0, MAX_FILES);
  return Promise.all(
    files.map(async (entry) => {
      const inner = relative(aside, join(entry.parentPath, entry.name));
      return { path: join(path, inner), content: await contentOf(aside, inner) };
    }),
  );
}

/** Null for a link, a large file or a binary file: only the user can write such a file again. */
async function contentOf(root: string, path: string): Promise<string | null> {
  if (!entryAt(join(root, path))?.isFile()) return null;
  try {
    const { bytes } = await readFileInside(root, path, MAX_BYTES);
    return bytes.includes(0) ? null : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof PathError) return null;
    throw error;
  }
}
