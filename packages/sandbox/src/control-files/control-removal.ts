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
}

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
  try {
    return await withExactFolder(removal.folder, parentOf(seen.path), async (parent) => {
      const place = { ...removal, parent, path: seen.path };
      const entry = await lstat(join(parent, basename(seen.path)), { bigint: true });
      if (identityOf(entry) !== seen.identity) return [];
      const isRepository = entry.isDirectory() && holdsRepositories(seen.path);
      return isRepository ? takeFromRepositories(place, 0) : takeWhole(place, seen.identity);
    });
  } catch (error) {
    // Gone, or behind a link now: what is there is seen under its own name.
    const isElsewhere = error instanceof PathError && (error.problem === 'missing' || error.problem === 'outside');
    if (isElsewhere || systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

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

/** A new repository or submodule stays, but without the files that git would run. */
async function takeFromRepositories(place: Place, depth: number): Promise<ControlWrite[]> {
  const name = basename(place.path);
  if (depth > MAX_DEPTH) return takeWhole(place);
  return withFolderHandle(join(place.parent, name), async (folder) => {
    const writes: ControlWrite[] = [];
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const inner: Place = { ...place, parent: folder, path: `${place.path}/${entry.name}` };
      // Branches and tags may have these names, too.
      if (depth === 0 && name === '.git' && /^(refs|logs)$/.test(entry.name)) continue;
      const isHook = name === 'hooks' && !entry.name.endsWith('.sample');
      if (isHook || (entry.name === 'hooks' && entry.isSymbolicLink())) writes.push(...(await takeWhole(inner)));
      else if (entry.isDirectory()) writes.push(...(await unlessGone(takeFromRepositories(inner, depth + 1))));
      else if (entry.name === 'config') writes.push(...(await configOf(inner)));
    }
    return writes;
  });
}

async function configOf(place: Place): Promise<ControlWrite[]> {
  return (await harmlessRepositoryConfig(place.folder, place.path, place.parent)) ?? takeWhole(place);
}

/**
 * Renamed first: running processes cannot change it any more, and of two commands that end at once only one removes it.
 * With an identity, an entry that took the name meanwhile is put back.
 */
async function takeWhole({ ambient, parent, path }: Place, identity?: string): Promise<ControlWrite[]> {
  const at = join(parent, basename(path));
  const aside = `${at}.removed-${ambient.newId()}`;
  return unlessGone(
    (async () => {
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
    })(),
  );
}

async function unlessGone(writes: Promise<ControlWrite[]>): Promise<ControlWrite[]> {
  return writes.catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return [];
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
