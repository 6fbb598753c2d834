import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import { systemCode } from '@fucina/shared';
import { bytesOf } from './paths.ts';

/**
 * File operations by the exact bytes of names, one character each, relative to a root: git also tracks names that other
 * systems reject or that are not valid text. Links in the path are never followed (ELOOP, ENOTDIR).
 */

export const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** A link is refused (ELOOP), and a named pipe does not wait. */
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
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

/** What is open, where the system supports such paths, so that its name may change in the meantime. */
export function handled<Path extends string | Buffer>({ fd }: FileHandle, asked: Path): Path | string {
  return process.platform === 'linux' ? `/proc/self/fd/${fd}` : asked;
}

function entryOf(folder: FileHandle, asked: Buffer, name: string): Buffer {
  return Buffer.concat([Buffer.from(handled(folder, asked)), bytesOf(`/${name}`)]);
}

/** Of a regular file: what takes its name meanwhile is not read. ELOOP for a link, EINVAL for anything else. */
async function withOpenFile<T>(entry: Buffer | string, act: (path: Buffer | string, file: FileHandle) => Promise<T>) {
  const file = await open(entry, FILE);
  try {
    if (!(await file.stat()).isFile()) throw Object.assign(new Error('Not a regular file'), { code: 'EINVAL' });
    return await act(handled(file, entry), file);
  } finally {
    await file.close();
  }
}

/** To a new name. */
const copyOpened = (entry: Buffer | string, to: Buffer | string): Promise<void> =>
  withOpenFile(entry, (path) => copyFile(path, to, constants.COPYFILE_EXCL));

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

/**
 * Hash of a file with its executable bit, or of a link's target; null when it is missing, `folder` for a
 * folder, `other` for what is no file, or became a link meanwhile.
 */
export async function rawHash(root: string, path: string): Promise<string | null> {
  try {
    return await withParent({ root, path }, async (entry) => {
      const facts = await lstat(entry);
      if (facts.isDirectory()) return 'folder';
      const hash = createHash('sha256');
      if (facts.isSymbolicLink()) return `link:${hash.update(await readlink(entry, 'buffer')).digest('hex')}`;
      await withOpenFile(entry, async (_path, file) => {
        for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
      });
      return `${facts.mode & 0o100 ? 'x' : '-'}:${hash.digest('hex')}`;
    });
  } catch (error) {
    if (GONE.has(systemCode(error) ?? '')) return null;
    if (['ELOOP', 'EINVAL', 'ENXIO'].includes(systemCode(error) ?? '')) return 'other';
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
      else await copyOpened(from, beside);
      await rename(beside, entry);
      await unlink(from);
    }
  });
}

/** Moves a file, a link or a folder to an absolute path on the same disk. */
export async function moveRawTo(root: string, path: string, to: string): Promise<void> {
  await withParent({ root, path }, (entry) => rename(entry, to));
}

export async function copyRaw(root: string, path: string, to: string): Promise<void> {
  await withParent({ root, path }, (entry) => copyOpened(entry, to));
}

/** A copy of a file, or of a link itself; false when it is missing. */
export async function copyRawEntry(root: string, path: string, to: string): Promise<boolean> {
  try {
    await withParent({ root, path }, async (entry) => {
      if ((await lstat(entry)).isSymbolicLink()) await symlink(await readlink(entry, 'buffer'), to);
      else await copyOpened(entry, to);
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
