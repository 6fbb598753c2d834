import type { Dirent } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '@fucina/shared';
import { isFolder, type Mount, realOf } from '../view/mounts.ts';
import { controlPartsOf } from './control-files.ts';
import type { ControlFolder } from './control-folders.ts';

/** In a repository's own folder: what git runs or obeys. Commits need the rest. */
const OF_REPOSITORY = ['config', 'config.worktree', 'hooks', 'modules', 'worktrees', 'commondir', 'gitdir'];

/**
 * Read-only places inside a writable folder: what other programs run or obey later. A folder with such a place becomes
 * a separate mount, so that it cannot be renamed and recreated.
 */
export async function controlMounts(folder: string, folders: readonly ControlFolder[]): Promise<Mount[]> {
  const mounts = folders.flatMap(({ path, entries }) => [
    ...entries.map((entry) => entryMounts(join(path, entry.name), entry, folder)),
    hooksElsewhere(path, entries, folder),
  ]);
  return (await Promise.all(mounts)).flat();
}

async function entryMounts(path: string, entry: Dirent, folder: string): Promise<Mount[]> {
  if (entry.name === '.git') return repositoryAt(path, folder);
  const parts = controlPartsOf(entry.name);
  if (parts === 'whole') return entry.isSymbolicLink() ? linkedMounts(path, folder) : readOnly(path);
  if (!entry.isDirectory()) return [];
  const inner = (await Promise.all(parts.map((name) => readOnly(join(path, name))))).flat();
  return inner.length === 0 ? [] : [writable(path), ...inner];
}

/**
 * The repository around a session in one of its subfolders, read-only: its other packages, its settings, its history.
 */
export async function projectAround(folder: string, home: string): Promise<Mount[]> {
  const isRepository = await lstat(join(folder, '.git')).catch(() => undefined);
  if (isRepository) return [];
  for (let at = dirname(folder); at !== dirname(at) && !isWithin(at, home); at = dirname(at)) {
    const found = await lstat(join(at, '.git')).catch(() => undefined);
    if (found) return [{ kind: 'read-only', source: at, target: at }];
  }
  return [];
}

/** A folder, a link to one, or the `.git` file of a submodule or worktree that names one. */
async function repositoryAt(path: string, folder: string): Promise<Mount[]> {
  const real = await realOf(path);
  if (real === undefined || real === folder || !isWithin(folder, real)) return [];
  return (await isFolder(real)) ? repositoryMounts(real) : readOnly(real);
}

async function repositoryMounts(path: string): Promise<Mount[]> {
  return [writable(path), ...(await controlledParts(path))];
}

/** Parts of a repository, or of a worktree's part of one, that exist. */
export async function controlledParts(path: string): Promise<Mount[]> {
  return (await Promise.all(OF_REPOSITORY.map((name) => readOnly(join(path, name))))).flat();
}

/** `core.hooksPath` of a repository, if it is inside the session's folder. */
async function hooksElsewhere(repository: string, entries: readonly Dirent[], folder: string): Promise<Mount[]> {
  if (!entries.some(({ name }) => name === '.git')) return [];
  const config = await readFile(join(repository, '.git', 'config'), 'utf8').catch(() => '');
  const named = /^\s*hookspath\s*=\s*"?([^"\n#;]+)"?/im.exec(config)?.[1]?.trim();
  const path = named === undefined ? undefined : await realOf(resolve(repository, named));
  if (path === undefined || path === folder || !isWithin(folder, path)) return [];
  return readOnly(path);
}

async function linkedMounts(path: string, folder: string): Promise<Mount[]> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && real !== folder && isWithin(folder, real) ? readOnly(real) : [];
}

export async function readOnly(path: string): Promise<Mount[]> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return [];
  return [{ kind: 'read-only', source: path, target: path }];
}

export const writable = (path: string): Mount => ({ kind: 'writable', source: path, target: path });
