import { type Dirent, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { entryAt, isWithin, readRegularFile, realPathAt } from '@fucina/shared';
import { type DiskMount, isFolder } from '../view/mounts.ts';
import { controlPartsOf, spelledParts } from './control-files.ts';
import type { ControlFolder } from './control-folders.ts';

/** In a repository's own folder: what git runs or obeys. Commits need the rest. */
const OF_REPOSITORY = ['config', 'config.worktree', 'hooks', 'modules', 'worktrees', 'commondir', 'gitdir'];

/** Far above what git itself reads in a bearable time: in a longer one, the hooks that it names would stay writable. */
const MAX_CONFIG_BYTES = 256 * 1024 ** 2;

/**
 * Read-only places inside a writable folder: what other programs run or obey later. A folder with such a place becomes
 * a separate mount, so that it cannot be renamed and recreated.
 */
export async function controlMounts(folder: string, folders: readonly ControlFolder[]): Promise<DiskMount[]> {
  const mounts = folders.map(async ({ path, entries }) => [
    ...entries.flatMap((entry) => entryMounts(join(path, entry.name), entry, folder)),
    ...(await hooksElsewhere(path, entries, folder)),
  ]);
  return inOrder((await Promise.all(mounts)).flat());
}

/** Outer ones first, since later mounts cover earlier ones; nothing is writable inside what is read-only. */
function inOrder(mounts: readonly DiskMount[]): DiskMount[] {
  const closed = mounts.filter(({ kind }) => kind === 'read-only').map(({ target }) => target);
  const isClosed = (path: string): boolean => closed.some((target) => isWithin(target, path));
  const kept = mounts.filter(({ kind, target }) => kind === 'read-only' || !isClosed(target));
  const byTarget = new Map(kept.map((mount) => [mount.target, mount]));
  return [...byTarget.values()].toSorted((one, other) => one.target.length - other.target.length);
}

function entryMounts(path: string, entry: Dirent, folder: string): DiskMount[] {
  if (entry.name === '.git') return repositoryAt(path, folder);
  const parts = controlPartsOf(entry.name);
  if (parts === 'whole') return entry.isSymbolicLink() ? linkedMounts(path, folder) : readOnly(path);
  const at = entry.isSymbolicLink() ? realPathInside(path, folder) : path;
  if (at === undefined || !(entry.isDirectory() || isFolder(at))) return [];
  const inner = spelledParts(namesNow(at), parts).flatMap((name) => partMounts(join(at, name), folder));
  return inner.length === 0 ? [] : [writable(at), ...inner];
}

/** Of a settings folder, which has few; none when it is gone or unreadable. */
function namesNow(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** One part, which may be a link to elsewhere in the folder. */
function partMounts(path: string, folder: string): DiskMount[] {
  return entryAt(path)?.isSymbolicLink() ? linkedMounts(path, folder) : readOnly(path);
}

/**
 * The repository around a session in one of its subfolders, read-only: its other packages, its settings, its history.
 */
export function projectAround(folder: string, home: string): DiskMount[] {
  if (entryAt(join(folder, '.git'))) return [];
  for (let at = dirname(folder); at !== dirname(at) && !isWithin(at, home); at = dirname(at)) {
    if (entryAt(join(at, '.git'))) return [{ kind: 'read-only', source: at, target: at }];
  }
  return [];
}

/** A folder, a link to one, or the `.git` file of a submodule or worktree that names one. */
function repositoryAt(path: string, folder: string): DiskMount[] {
  const real = realPathInside(path, folder);
  if (real === undefined) return [];
  if (!isFolder(real)) return readOnly(real);
  return [writable(real), ...OF_REPOSITORY.flatMap((name) => partMounts(join(real, name), folder))];
}

/** Parts of a repository, or of a worktree's part of one, that exist. */
export function controlledParts(path: string): DiskMount[] {
  return OF_REPOSITORY.flatMap((name) => readOnly(join(path, name)));
}

/** `core.hooksPath` of a repository, if it is inside the session's folder. */
async function hooksElsewhere(repository: string, entries: readonly Dirent[], folder: string): Promise<DiskMount[]> {
  if (!entries.some(({ name }) => name === '.git')) return [];
  const config = String((await readRegularFile(join(repository, '.git', 'config'), MAX_CONFIG_BYTES)) ?? '');
  const named = /^\s*hookspath\s*=\s*"?([^"\n#;]+)"?/im.exec(config)?.[1]?.trim();
  return named === undefined ? [] : linkedMounts(resolve(repository, named), folder);
}

function linkedMounts(path: string, folder: string): DiskMount[] {
  const real = realPathInside(path, folder);
  return real === undefined ? [] : [...foldersAround(real, folder), ...readOnly(real)];
}

/** Each a mount of its own: nothing else keeps a folder around a mount from being renamed and made anew. */
function foldersAround(path: string, folder: string): DiskMount[] {
  const around: DiskMount[] = [];
  for (let at = dirname(path); at !== folder; at = dirname(at)) around.push(writable(at));
  return around;
}

/** Where a path leads, if that is below the folder. */
function realPathInside(path: string, folder: string): string | undefined {
  const real = realPathAt(path);
  return real !== undefined && real !== folder && isWithin(folder, real) ? real : undefined;
}

export function readOnly(path: string): DiskMount[] {
  const found = entryAt(path);
  if (!found || found.isSymbolicLink()) return [];
  return [shownReadOnly(path)];
}

export const shownReadOnly = (path: string): DiskMount => ({ kind: 'read-only', source: path, target: path });

export const writable = (path: string): DiskMount => ({ kind: 'writable', source: path, target: path });
