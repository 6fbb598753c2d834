import type { Dirent } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { entryAt, isWithin, realPathAt } from '@fucina/shared';
import { isFolder, type Mount } from '../view/mounts.ts';
import { controlPartsOf } from './control-files.ts';
import type { ControlFolder } from './control-folders.ts';

/** In a repository's own folder: what git runs or obeys. Commits need the rest. */
const OF_REPOSITORY = ['config', 'config.worktree', 'hooks', 'modules', 'worktrees', 'commondir', 'gitdir'];

/**
 * Read-only places inside a writable folder: what other programs run or obey later. A folder with such a place becomes
 * a separate mount, so that it cannot be renamed and recreated.
 */
export async function controlMounts(folder: string, folders: readonly ControlFolder[]): Promise<Mount[]> {
  const mounts = folders.map(async ({ path, entries }) => [
    ...entries.flatMap((entry) => entryMounts(join(path, entry.name), entry, folder)),
    ...(await hooksElsewhere(path, entries, folder)),
  ]);
  return (await Promise.all(mounts)).flat();
}

function entryMounts(path: string, entry: Dirent, folder: string): Mount[] {
  if (entry.name === '.git') return repositoryAt(path, folder);
  const parts = controlPartsOf(entry.name);
  if (parts === 'whole') return entry.isSymbolicLink() ? linkedMounts(path, folder) : readOnly(path);
  if (!entry.isDirectory()) return [];
  const inner = parts.flatMap((name) => readOnly(join(path, name)));
  return inner.length === 0 ? [] : [writable(path), ...inner];
}

/**
 * The repository around a session in one of its subfolders, read-only: its other packages, its settings, its history.
 */
export function projectAround(folder: string, home: string): Mount[] {
  if (entryAt(join(folder, '.git'))) return [];
  for (let at = dirname(folder); at !== dirname(at) && !isWithin(at, home); at = dirname(at)) {
    if (entryAt(join(at, '.git'))) return [{ kind: 'read-only', source: at, target: at }];
  }
  return [];
}

/** A folder, a link to one, or the `.git` file of a submodule or worktree that names one. */
function repositoryAt(path: string, folder: string): Mount[] {
  const real = realPathAt(path);
  if (real === undefined || real === folder || !isWithin(folder, real)) return [];
  return isFolder(real) ? repositoryMounts(real) : readOnly(real);
}

function repositoryMounts(path: string): Mount[] {
  return [writable(path), ...controlledParts(path)];
}

/** Parts of a repository, or of a worktree's part of one, that exist. */
export function controlledParts(path: string): Mount[] {
  return OF_REPOSITORY.flatMap((name) => readOnly(join(path, name)));
}

/** `core.hooksPath` of a repository, if it is inside the session's folder. */
async function hooksElsewhere(repository: string, entries: readonly Dirent[], folder: string): Promise<Mount[]> {
  if (!entries.some(({ name }) => name === '.git')) return [];
  const config = await readFile(join(repository, '.git', 'config'), 'utf8').catch(() => '');
  const named = /^\s*hookspath\s*=\s*"?([^"\n#;]+)"?/im.exec(config)?.[1]?.trim();
  const path = named === undefined ? undefined : realPathAt(resolve(repository, named));
  if (path === undefined || path === folder || !isWithin(folder, path)) return [];
  return readOnly(path);
}

function linkedMounts(path: string, folder: string): Mount[] {
  const real = realPathAt(path);
  return real !== undefined && real !== folder && isWithin(folder, real) ? readOnly(real) : [];
}

export function readOnly(path: string): Mount[] {
  const found = entryAt(path);
  if (!found || found.isSymbolicLink()) return [];
  return [shownReadOnly(path)];
}

export const shownReadOnly = (path: string): Mount => ({ kind: 'read-only', source: path, target: path });

export const writable = (path: string): Mount => ({ kind: 'writable', source: path, target: path });
