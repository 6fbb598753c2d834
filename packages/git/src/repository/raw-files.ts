import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readlink,
  rename,
  rmdir,
  stat,
  symlink,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '@fucina/shared';
import { bytesOf } from './paths.ts';
import type { Repository } from './repository.ts';

/**
 * File operations by the exact bytes of names, one character each, relative to a root: git also tracks names that other
 * systems reject or that are not valid text. Links in the path are never followed (ELOOP, ENOTDIR).
 */

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const GONE = new Set(['ENOENT', 'ENOTDIR']);

interface RawPath {
  root: string;
  path: string;
  /** Creates missing parent folders. */
  creates?: boolean;
}

async function withParent<T>({ root, path, creates }: RawPath, act: (entry: Buffer) => Promise<T>): Promise<T> {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  let asked = Buffer.from(root);
  let folder = await open(asked, FOLDER);
  try {
    for (const segment of segments) {
      const next = entryOf(folder, asked, segment);
      if (creates) await mkdir(next).catch(unless('EEXIST'));
      const below = await open(next, FOLDER);
      await folder.close();
      folder = below;
      asked = Buffer.concat([asked, bytesOf(`/${segment}`)]);
    }
    return await act(entryOf(folder, asked, name));
  } finally {
    await folder.close();
  }
}

/** Through the folder's handle where the system supports such paths, so that its name may change in the meantime. */
function entryOf({ fd }: FileHandle, asked: Buffer, name: string): Buffer {
  const folder = process.platform === 'linux' ? Buffer.from(`/proc/self/fd/${fd}`) : asked;
  return Buffer.concat([folder, bytesOf(`/${name}`)]);
}

const unless =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(systemCode(error) ?? '')) throw error;
  };

/** Undefined when it does not exist. */
export async function rawKind(root: string, path: string): Promise<'folder' | 'file' | undefined> {
  try {
    return (await withParent({ root, path }, (entry) => lstat(entry))).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (GONE.has(systemCode(error) ?? '') || systemCode(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

export async function rawExists(root: string, path: string): Promise<boolean> {
  return (await rawKind(root, path)) !== undefined;
}

/** Hash of a file with its executable bit, or of a link's target; null when it is missing. `folder` for a folder. */
export async function rawHash(root: string, path: string): Promise<string | null> {
  try {
    return await withParent({ root, path }, async (entry) => {
      const facts = await lstat(entry);
      if (facts.isDirectory()) return 'folder';
      const hash = createHash('sha256');
      if (facts.isSymbolicLink()) return `link:${hash.update(await readlink(entry, 'buffer')).digest('hex')}`;
      for await (const chunk of createReadStream(entry)) hash.update(chunk as Buffer);
      return `${facts.mode & 0o100 ? 'x' : '-'}:${hash.digest('hex')}`;
    });
  } catch (error) {
    if (GONE.has(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** Moves a file or link to its place, over what is there; from another disk it is copied beside its place first. */
export async function placeRaw(root: string, path: string, from: string): Promise<void> {
  await withParent({ root, path, creates: true }, async (entry) => {
    try {
      await rename(from, entry);
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      const beside = Buffer.concat([entry, Buffer.from('.fucina-restored')]);
      await unlink(beside).catch(unless('ENOENT'));
      if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from, 'buffer'), beside);
      else await copyFile(from, beside, constants.COPYFILE_EXCL);
      await rename(beside, entry);
      await unlink(from);
    }
  });
}

export async function copyRaw(root: string, path: string, to: string): Promise<void> {
  await withParent({ root, path }, (entry) => copyFile(entry, to));
}

/** A copy of a file, or of a link itself; false when it is missing. */
export async function copyRawEntry(root: string, path: string, to: string): Promise<boolean> {
  try {
    await withParent({ root, path }, async (entry) => {
      if ((await lstat(entry)).isSymbolicLink()) await symlink(await readlink(entry, 'buffer'), to);
      else await copyFile(entry, to);
    });
    return true;
  } catch (error) {
    if (GONE.has(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/** A file or a link; a missing one is not an error. */
export async function removeRaw(root: string, path: string): Promise<void> {
  await withParent({ root, path }, unlink).catch(unless(...GONE));
}

/** Removes the empty parent folders, up to `stop` (exclusive). */
export async function removeEmptyAbove(root: string, path: string, stop: string): Promise<void> {
  for (let folder = parentOf(path); folder.length > stop.length; folder = parentOf(folder)) {
    try {
      await withParent({ root, path: folder }, (entry) => rmdir(entry));
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EACCES', 'EPERM', ...GONE].includes(systemCode(error) ?? '')) return;
      throw error;
    }
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Entries moved out of the way; the caller deletes their folder. */
export interface MovedEntries {
  /** Absolute path; each entry is there under the name that `storedAs` gives. */
  readonly folder: string;
  /** Undefined if the entry was missing. */
  storedAs(path: string): string | undefined;
  /** A missing entry is not an error. */
  take(path: string): Promise<void>;
  /** Moves each back to its place, overwriting what is there now. */
  putBack(): Promise<void>;
}

export async function openMovedEntries({ root, gitDir }: Repository): Promise<MovedEntries> {
  const isNear = (await stat(root)).dev === (await stat(gitDir)).dev;
  const folder = await mkdtemp(join(isNear ? gitDir : root, isNear ? 'fucina-aside-' : '.fucina-aside-'));
  const taken: { path: string; to: string }[] = [];
  return {
    folder,
    storedAs: (path) => {
      const place = taken.findIndex((entry) => entry.path === path);
      return place < 0 ? undefined : String(place);
    },
    async take(path) {
      const to = join(folder, String(taken.length));
      try {
        await withParent({ root, path }, (entry) => rename(entry, to));
        taken.push({ path, to });
      } catch (error) {
        if (!GONE.has(systemCode(error) ?? '')) throw error;
      }
    },
    async putBack() {
      for (const { path, to } of taken.reverse()) await placeRaw(root, path, to);
      await rmdir(folder);
    },
  };
}
