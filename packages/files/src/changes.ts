import { createHash } from 'node:crypto';
import { access, constants, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Ambient,
  copyInside,
  createFolderInside,
  entryInside,
  moveInside,
  PathError,
  parseFileName,
  parseRelativePath,
  readFileInside,
  removeInside,
  systemCode,
  takeOut,
  writeFileInside,
} from '@fucina/shared';
import { asFileError, filesError } from './errors.ts';

/**
 * File operations of the user in a folder (absolute real path). All throw QUERY_INVALID for an invalid path or one
 * outside, FILE_NOT_FOUND for a missing entry, FILE_EXISTS for a name in use. Return the new relative path.
 */
export interface FileChanges {
  create(folder: string, entry: { parent: string; name: string; kind: 'file' | 'folder' }): Promise<string>;
  rename(folder: string, path: string, name: string): Promise<string>;
  /** `target` is a folder, '' the root. */
  move(folder: string, path: string, target: string): Promise<string>;
  /** Next to the original: `name (copia).ext`, then `name (copia 2).ext` … */
  copy(folder: string, path: string): Promise<string>;
  /**
   * Replaces the text of a file that still has the content it was read with; without `expected` creates a new one. Any
   * other content is FILE_EXISTS, reason `changed`, and stays. FILE_TOO_LARGE above 2 MiB.
   */
  write(folder: string, file: TextWrite): Promise<WrittenFile>;
  /** Moves it to the system's trash if there is one on the same disk; else deletes it. */
  remove(folder: string, path: string): Promise<{ isInBin: boolean }>;
}

export interface TextWrite {
  path: string;
  text: string;
  /** SHA-256 of the bytes that were read, in hexadecimal; null: the file must not exist. */
  expected: string | null;
}

export interface WrittenFile {
  /** SHA-256 of the new bytes, in hexadecimal. */
  hash: string;
  sizeBytes: number;
}

interface ChangesNeeds {
  ambient: Ambient;
  /** Absolute path of the data directory that contains the desktop's trash. */
  homeDir: string;
}

const COPY_LIMITS = { maxEntries: 50_000, maxBytes: 2 * 1024 * 1024 * 1024 };
const MAX_COPIES = 1_000;
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

export function createFileChanges(needs: ChangesNeeds): FileChanges {
  return {
    create: (folder, { parent, name, kind }) =>
      asFileChange(async () => {
        const path = childOf(parseRelativePath(parent, { allowRoot: true }), parseFileName(name));
        if (kind === 'folder') await createFolderInside(folder, path);
        else await writeFileInside(folder, path, { data: '', ifExists: 'fail' });
        return path;
      }),

    rename: (folder, path, name) =>
      asFileChange(async () => {
        const from = parseRelativePath(path);
        const to = childOf(parentOf(from), parseFileName(name));
        await entryInside(folder, from);
        if (to !== from) await moveInside(folder, from, to);
        return to;
      }),

    move: (folder, path, target) =>
      asFileChange(async () => {
        const from = parseRelativePath(path);
        const to = childOf(parseRelativePath(target, { allowRoot: true }), basename(from));
        await entryInside(folder, from);
        if (to !== from) await moveInside(folder, from, to);
        return to;
      }),

    copy: (folder, path) => asFileChange(() => copyBeside(folder, parseRelativePath(path))),

    write: (folder, file) => asFileChange(() => writeText(folder, file)),

    remove: (folder, path) =>
      asFileChange(async () => {
        const wanted = parseRelativePath(path);
        await entryInside(folder, wanted);
        const isInBin = await toBin(needs, folder, wanted);
        if (!isInBin) await removeInside(folder, wanted);
        return { isInBin };
      }),
  };
}

async function asFileChange<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const isTaken = error instanceof PathError && (error.problem === 'exists' || error.problem === 'not-a-file');
    if (isTaken) throw filesError('FILE_EXISTS', { cause: error });
    if (error instanceof PathError && error.problem === 'too-large') {
      throw filesError('QUERY_INVALID', { reason: 'copy-too-large', cause: error });
    }
    throw asFileError(error);
  }
}

async function copyBeside(folder: string, path: string): Promise<string> {
  const stats = await entryInside(folder, path);
  for (let count = 1; count <= MAX_COPIES; count += 1) {
    const copy = childOf(parentOf(path), copyName(basename(path), { count, isFolder: stats.isDirectory() }));
    try {
      await copyInside(folder, { from: path, to: copy, limits: COPY_LIMITS });
      return copy;
    } catch (error) {
      if (!(error instanceof PathError) || error.problem !== 'exists') throw error;
    }
  }
  throw filesError('QUERY_INVALID', { reason: 'too-many-copies' });
}

async function writeText(folder: string, { path, text, expected }: TextWrite): Promise<WrittenFile> {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_TEXT_BYTES) throw filesError('FILE_TOO_LARGE', { params: { limitBytes: MAX_TEXT_BYTES } });
  const assertUnchanged = async (): Promise<void> => {
    if (expected !== null && (await hashInside(folder, path)) !== expected) {
      throw filesError('FILE_EXISTS', { reason: 'changed', params: { path } });
    }
  };
  await assertUnchanged();
  // Once more when the new content is on the disk, just before it replaces the old one.
  const data = (async function* () {
    yield bytes;
    await assertUnchanged();
  })();
  await writeFileInside(folder, path, { data, ifExists: expected === null ? 'fail' : 'replace' });
  return { hash: hashOf(bytes), sizeBytes: bytes.length };
}

/** Undefined for a file that grew beyond any text that could have been read. */
async function hashInside(folder: string, path: string): Promise<string | undefined> {
  try {
    return hashOf((await readFileInside(folder, path, 2 * MAX_TEXT_BYTES)).bytes);
  } catch (error) {
    if (error instanceof PathError && error.problem === 'too-large') return undefined;
    throw error;
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A leading dot does not start an extension, and a folder has none. */
function copyName(name: string, { count, isFolder }: { count: number; isFolder: boolean }): string {
  const dot = isFolder ? -1 : name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  return `${stem} (copia${count > 1 ? ` ${count}` : ''})${extension}`;
}

/** The trash as the freedesktop specification defines it; false when there is none or it is on another disk. */
async function toBin({ ambient, homeDir }: ChangesNeeds, folder: string, path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const bin = join(homeDir, '.local', 'share', 'Trash');
  const isThere = await access(bin, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const name = `${createHash('sha256').update(ambient.newId()).digest('hex').slice(0, 8)}-${basename(path)}`;
  const info = join(bin, 'info', `${name}.trashinfo`);
  try {
    for (const part of ['files', 'info']) await mkdir(join(bin, part), { recursive: true, mode: 0o700 });
    const date = new Date(ambient.now()).toISOString().slice(0, 19);
    const origin = join(folder, path).split('/').map(encodeURIComponent).join('/');
    await writeFile(info, `[Trash Info]\nPath=${origin}\nDeletionDate=${date}\n`, { mode: 0o600, flag: 'wx' });
    await takeOut(folder, path, join(bin, 'files', name));
    return true;
  } catch (error) {
    await removeQuietly(bin, `info/${name}.trashinfo`);
    if (['EXDEV', 'EACCES', 'EROFS', 'ENOSPC', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) return false;
    if (error instanceof PathError && (error.problem === 'denied' || error.problem === 'invalid')) return false;
    throw error;
  }
}

async function removeQuietly(root: string, path: string): Promise<void> {
  await removeInside(root, path).catch(() => undefined); // it was never written
}

function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? '' : parent;
}

function childOf(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}
