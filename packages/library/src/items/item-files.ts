import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  createFolderInside,
  type OpenedPath,
  openFileInside,
  PathError,
  readFileInside,
  writeFileInside,
} from '@fucina/shared';
import { libraryError } from '../errors.ts';
import { isAbsent, isOwnId, keepOutOfGit, ownIds, removeOwn } from '../own-folder.ts';
import { type ItemMeta, readMeta } from './item-meta.ts';

/** The library's folder in a project; separate from the project's own files. */
export const LIBRARY_FOLDER = '.svc/library';
/** An item's metadata, in the item's folder. */
export const META_FILE = 'meta.json';
const META_BYTES = 64 * 1024;

/** LIBRARY_INVALID for an invalid id. */
export function checkedId(id: string): string {
  if (!isOwnId(id)) throw libraryError('LIBRARY_INVALID', { reason: 'item-id' });
  return id;
}

/** Path of an item's metadata, relative to the project. */
export function metaPath(id: string): string {
  return `${LIBRARY_FOLDER}/${id}/${META_FILE}`;
}

export interface ReadItem {
  meta: ItemMeta;
  /** Of the file, as it was before the first byte was read. */
  stats: Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;
}

/** Undefined for a missing item, also for a folder without metadata. Throws LIBRARY_MALFORMED, LIBRARY_READ_FAILED. */
export async function readItem(project: string, id: string): Promise<ReadItem | undefined> {
  try {
    const { bytes, stats } = await readFileInside(project, metaPath(id), META_BYTES);
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    const meta = readMeta(bytes.toString('utf8'), id);
    if (!meta) throw libraryError('LIBRARY_MALFORMED', { reason: 'metadata', details: { id } });
    return { meta, stats: { dev, ino, size, mtimeMs, ctimeMs } };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw asLibraryError(error);
  }
}

/** The ids of all existing folders; empty without a library. */
export async function itemIds(project: string): Promise<string[]> {
  try {
    return await ownIds(project, LIBRARY_FOLDER);
  } catch (error) {
    throw asLibraryError(error);
  }
}

export async function writeMeta(project: string, meta: ItemMeta): Promise<void> {
  try {
    const data = `${JSON.stringify(meta, null, 2)}\n`;
    await writeFileInside(project, metaPath(meta.id), { data });
  } catch (error) {
    throw asLibraryError(error);
  }
}

/** Writes a new item; it becomes visible with its metadata, which is written last. */
export async function writeItem(project: string, meta: ItemMeta, content: Uint8Array): Promise<void> {
  try {
    const folder = `${LIBRARY_FOLDER}/${meta.id}`;
    await createFolderInside(project, folder, { recursive: true });
    await keepOutOfGit(project, LIBRARY_FOLDER);
    await writeFileInside(project, `${folder}/${meta.file}`, { data: content });
    await writeMeta(project, meta);
  } catch (error) {
    throw asLibraryError(error);
  }
}

export async function removeItem(project: string, id: string): Promise<void> {
  try {
    await removeOwn(project, LIBRARY_FOLDER, id);
  } catch (error) {
    throw asLibraryError(error);
  }
}

/** Opens the content and verifies it, or throws LIBRARY_MALFORMED. The caller closes it. */
export async function openContent(project: string, meta: ItemMeta, maxBytes: number): Promise<OpenedPath> {
  try {
    const opened = await openFileInside(project, `${LIBRARY_FOLDER}/${meta.id}/${meta.file}`);
    try {
      if (opened.stats.size > maxBytes) throw libraryError('LIBRARY_TOO_LARGE');
      if (meta.sha256 !== undefined && (await hashOf(opened)) !== meta.sha256) {
        throw libraryError('LIBRARY_MALFORMED', { reason: 'content-changed', details: { id: meta.id } });
      }
      return opened;
    } catch (error) {
      await opened.handle.close();
      throw error;
    }
  } catch (error) {
    // Metadata without content is damage, not absence.
    if (isAbsent(error)) throw libraryError('LIBRARY_MALFORMED', { reason: 'content-missing', cause: error });
    throw asLibraryError(error);
  }
}

async function hashOf({ handle, stats }: OpenedPath): Promise<string> {
  const hash = createHash('sha256');
  if (stats.size === 0) return hash.digest('hex');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function asLibraryError(error: unknown): unknown {
  if (!(error instanceof PathError)) return error;
  return libraryError('LIBRARY_READ_FAILED', { reason: `path-${error.problem}`, cause: error });
}
