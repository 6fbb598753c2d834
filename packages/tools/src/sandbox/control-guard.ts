import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Ambient, ControlWrite } from '@fucina/shared';
import { controlPartsOf } from '../control-files.ts';
import { harmlessRepositoryConfig } from './repository-config.ts';

/**
 * Finds the control files a command made where there were none: those that exist are mounted read-only, but nothing can be
 * mounted over a name that does not exist without creating it. They are taken away at once and handed to the user.
 */
export interface ControlGuard {
  /** What the command made, removed from the folder; the oldest name first. Never rejects. */
  settle(): Promise<readonly ControlWrite[]>;
}

const MAX_FILES = 64;
const MAX_BYTES = 256 * 1024;

export async function guardControlFiles(ambient: Ambient, folder: string): Promise<ControlGuard> {
  const before = await controlNames(folder);
  return {
    async settle() {
      try {
        const found: ControlWrite[] = [];
        for (const [path, identity] of await controlNames(folder)) {
          if (before.get(path) === identity) continue;
          found.push(...(await take(folder, path)));
        }
        return found;
      } catch (error) {
        ambient.log.error('sandbox.control-files-unchecked', { error });
        return [];
      }
    },
  };
}

/** Control files at the root of the folder, by relative path; the identity changes when one is replaced. */
async function controlNames(folder: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const note = async (path: string): Promise<void> => {
    const found = await lstat(join(folder, path)).catch(() => undefined);
    if (found) names.set(path, `${found.dev} ${found.ino} ${found.isSymbolicLink()}`);
  };
  const entries = await readdir(folder).catch(() => []);
  await Promise.all(
    entries.map((name) => {
      const parts = controlPartsOf(name);
      return parts === 'whole' ? note(name) : Promise.all(parts.map((part) => note(join(name, part))));
    }),
  );
  // Those of a repository that is there, but that it had not yet.
  for (const name of ['commondir', 'hooks', 'modules']) await note(join('.git', name));
  return names;
}

async function take(folder: string, path: string): Promise<ControlWrite[]> {
  const isDirectory = (await lstat(join(folder, path)).catch(() => undefined))?.isDirectory() ?? false;
  if (isDirectory && REPOSITORIES.has(path)) return takeFromRepositories(folder, path);
  return takeWhole(folder, path);
}

/** Where git keeps repositories, and the hooks of one. */
const REPOSITORIES: ReadonlySet<string> = new Set(['.git', join('.git', 'hooks'), join('.git', 'modules')]);

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
