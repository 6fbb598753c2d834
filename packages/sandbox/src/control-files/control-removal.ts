import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Ambient,
  type ControlWrite,
  PathError,
  readEntry,
  removeEntry,
  systemCode,
  withExactFolder,
  withFolderHandle,
} from '@fucina/shared';
import { harmlessRepositoryConfig } from '../view/repository-config.ts';
import type { ApprovedContents } from './approved-contents.ts';
import { identityOf } from './control-names.ts';

/** What was seen under a name. */
export interface SeenEntry {
  /** Relative to the session's folder. */
  path: string;
  /** See `identityOf`. */
  identity: string;
}

export interface Removal {
  ambient: Pick<Ambient, 'newId'>;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Files with these contents stay. */
  approved: Pick<ApprovedContents, 'has' | 'isNear'>;
  /** The command has ended: nothing that it holds open may change later. */
  isFinal: boolean;
}

const [FORMAT, DIRECTORY] = [BigInt(constants.S_IFMT), BigInt(constants.S_IFDIR)];
const MAX_FILES = 64;
const MAX_BYTES = 256 * 1024;
/** Nested folders of one control folder; what is deeper is removed unread. */
const MAX_DEPTH = 64;

/**
 * Removes a control file or folder and returns its files. Works from one open folder to the next, never by path: while a
 * command runs, a name may become a link at any moment. Does nothing to an entry that is not the one that was seen, nor
 * behind a link. Throws the system's errors.
 */
export async function removeControlEntry(removal: Removal, seen: SeenEntry): Promise<ControlWrite[]> {
  return inExactFolder<ControlWrite[]>({ folder: removal.folder, path: seen.path, gone: [] }, async (parent) => {
    const place = { ...removal, parent, path: seen.path };
    const entry = await lstat(join(parent, basename(seen.path)), { bigint: true });
    if (identityOf(entry) !== seen.identity) return [];
    if (entry.isDirectory() && holdsRepositories(seen.path)) return takeFromRepositories(place, 0);
    if (entry.isDirectory() && removal.approved.isNear(removal.folder, seen.path)) return takeUnapproved(place, 0);
    return takeWhole(place, seen.identity);
  });
}

/** Of a file, or of all that is in a folder; undefined when it is gone, or behind a link now. */
export async function digestOf(folder: string, path: string): Promise<string | undefined> {
  return inExactFolder<string | undefined>({ folder, path, gone: undefined }, async (parent) => {
    const hash = createHash('sha256');
    const add = async (entry: string, depth: number): Promise<void> => {
      const { size, mtimeNs, mode } = await lstat(entry, { bigint: true });
      const bytes = await readEntry(entry, MAX_BYTES);
      hash.update(`\0${basename(entry)}\0${mode} ${bytes ? size : `${size} ${mtimeNs}`}\0`).update(bytes ?? '');
      if ((mode & FORMAT) !== DIRECTORY || depth > MAX_DEPTH) return;
      await withFolderHandle(entry, async (below) => {
        for (const inner of (await readdir(below)).sort()) await add(join(below, inner), depth + 1);
      });
    };
    await add(join(parent, basename(path)), 0);
    return hash.digest('hex');
  });
}

async function inExactFolder<T>(
  { folder, path, gone }: { folder: string; path: string; gone: T },
  act: (parent: string) => Promise<T>,
): Promise<T> {
  try {
    return await withExactFolder(folder, parentOf(path), act);
  } catch (error) {
    // Gone, or behind a link now: what is there is seen under its own name.
    const isElsewhere = error instanceof PathError && (error.problem === 'missing' || error.problem === 'outside');
    if (isElsewhere || GONE.has(systemCode(error) ?? '')) return gone;
    throw error;
  }
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

interface Place extends Removal {
  /** Leads to the open folder around the entry. */
  parent: string;
  /** Of the entry, relative to the session's folder. */
  path: string;
}

/** A repository, or one of its folders (its hooks, the repositories of its submodules): stays without what git runs. */
export function holdsRepositories(path: string): boolean {
  const isPart = basename(path) === 'hooks' || basename(path) === 'modules';
  return basename(isPart ? dirname(path) : path) === '.git';
}

async function takeFromRepositories(place: Place, depth: number): Promise<ControlWrite[]> {
  const name = basename(place.path);
  if (depth > MAX_DEPTH) return takeWhole(place);
  return inEntries(place, async (inner, entry) => {
    // Branches and tags may have these names, too.
    if (depth === 0 && name === '.git' && /^(refs|logs)$/.test(entry.name)) return [];
    const isHook = name === 'hooks' && !entry.name.endsWith('.sample');
    if (isHook || (entry.name === 'hooks' && entry.isSymbolicLink())) return takeWhole(inner);
    if (entry.isDirectory()) return takeFromRepositories(inner, depth + 1);
    return entry.name === 'config' ? configOf(inner) : [];
  });
}

async function configOf(place: Place): Promise<ControlWrite[]> {
  return (await harmlessRepositoryConfig(place)) ?? takeWhole(place);
}

/** A folder in which the user allowed some files. */
async function takeUnapproved(place: Place, depth: number): Promise<ControlWrite[]> {
  if (depth > MAX_DEPTH) return takeWhole(place);
  return inEntries(place, (inner, entry) =>
    entry.isDirectory() ? takeUnapproved(inner, depth + 1) : takeWhole(inner),
  );
}

type EntryKind = { name: string; isDirectory(): boolean; isSymbolicLink(): boolean };

async function inEntries(
  place: Place,
  take: (inner: Place, entry: EntryKind) => Promise<ControlWrite[]>,
): Promise<ControlWrite[]> {
  return unlessGone(
    withFolderHandle(join(place.parent, basename(place.path)), async (folder) => {
      const writes: ControlWrite[] = [];
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        writes.push(...(await take({ ...place, parent: folder, path: `${place.path}/${entry.name}` }, entry)));
      }
      return writes;
    }),
  );
}

/**
 * Renamed first: running processes cannot change it any more, and of two commands that end at once only one removes it.
 * With an identity, an entry that took the name meanwhile is put back.
 */
async function takeWhole(place: Place, identity?: string): Promise<ControlWrite[]> {
  const { ambient, folder, parent, path, approved } = place;
  const at = join(parent, basename(path));
  const aside = `${at}.removed-${ambient.newId()}`;
  const take = async (): Promise<ControlWrite[]> => {
    if (approved.isNear(folder, path)) {
      const bytes = await readEntry(at, MAX_BYTES);
      if (bytes && approved.has(folder, path, bytes)) return [];
    }
    await rename(at, aside);
    const entry = await lstat(aside, { bigint: true });
    if (identity !== undefined && identityOf(entry) !== identity) {
      await rename(aside, at);
      return [];
    }
    const writes = entry.isDirectory()
      ? await filesOf(aside, path, { left: MAX_FILES, depth: 0 })
      : [{ path, content: await contentOf(aside) }];
    await removeEntry(aside);
    return writes;
  };
  return unlessGone(take());
}

async function unlessGone(writes: Promise<ControlWrite[]>): Promise<ControlWrite[]> {
  return writes.catch((error: unknown) => {
    if (GONE.has(systemCode(error) ?? '')) return [];
    throw error;
  });
}

/** The files of the folder at `at`, under their original names. */
async function filesOf(at: string, path: string, limits: { left: number; depth: number }): Promise<ControlWrite[]> {
  if (limits.depth > MAX_DEPTH) return [{ path, content: null }];
  return withFolderHandle(at, async (folder) => {
    const writes: ControlWrite[] = [];
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (limits.left === 0) break;
      const [inner, name] = [join(folder, entry.name), `${path}/${entry.name}`];
      if (entry.isDirectory()) {
        limits.depth += 1;
        writes.push(...(await filesOf(inner, name, limits)));
        limits.depth -= 1;
      } else {
        limits.left -= 1;
        writes.push({ path: name, content: await contentOf(inner) });
      }
    }
    return writes;
  });
}

/** Null for a link, a large file or a binary file: only the user can write such a file again. */
async function contentOf(file: string): Promise<string | null> {
  const bytes = await readEntry(file, MAX_BYTES);
  return bytes === undefined || bytes.includes(0) ? null : bytes.toString('utf8');
}

function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? '' : parent;
}
