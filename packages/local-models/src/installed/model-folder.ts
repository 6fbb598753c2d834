import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isPortableName, parseRelativePath, syncFolder } from '@fucina/shared';
import type { ModelFile } from '../model-record.ts';

/** Reserved on the disk with the models; imports and downloads stop before it. */
export const RESERVE_BYTES = 1_073_741_824;
const MODEL_ID = /^[a-z0-9][a-z0-9._-]{0,127}$/;

/** An id that is also a valid folder name on every system; checked before it becomes part of a path. */
export function isModelId(id: string): boolean {
  return MODEL_ID.test(id) && isPortableName(id);
}

/** Location of the models: `models/<id>/<path>` in the data folder. */
export interface ModelFolders {
  /** Absolute; the id and the path were validated before. */
  fileOf(id: string, path: string): string;
  folderOf(id: string): string;
  /** Creates it if it is missing, with the parent folders of a file. */
  prepare(id: string, path?: string): Promise<void>;
  /** Deletes a model's folder; a missing one is fine. */
  remove(id: string): Promise<void>;
  /** Free bytes, minus the reserve. */
  roomBytes(): Promise<number>;
}

export function createModelFolders(needs: { dataDir: string; freeBytes?: () => Promise<number> }): ModelFolders {
  const root = join(needs.dataDir, 'models');
  const freeBytes = needs.freeBytes ?? (() => freeOf(root));
  const folderOf = (id: string): string => {
    if (!isModelId(id)) throw new Error('not the id of a model');
    return join(root, id);
  };
  return {
    folderOf,
    fileOf: (id, path) => join(folderOf(id), parseRelativePath(path)),
    async prepare(id, path) {
      const folder = path === undefined ? folderOf(id) : join(folderOf(id), parseRelativePath(path), '..');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await syncFolder(root);
    },
    async remove(id) {
      await rm(folderOf(id), { recursive: true, force: true });
    },
    async roomBytes() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      return Math.max(0, (await freeBytes()) - RESERVE_BYTES);
    },
  };
}

async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** For one file its own checksum; for several that of the list `<sha256>  <path>`, one line each, in their order. */
export function sumOf(files: readonly ModelFile[]): string {
  const [first] = files;
  if (first && files.length === 1) return first.sha256;
  const list = files.map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
  return createHash('sha256').update(list).digest('hex');
}

const WRITE_BYTES = 1_048_576;
/** Other programs fill the disk, too: free space is checked after this many bytes. */
const LOOK_BYTES = 67_108_864;

/**
 * Writes bytes to a file in large blocks while hashing them: one write at a time, with bounded memory. Throws Node's
 * own errors, and ENOSPC when the disk reserve would be used.
 */
export interface FileSink {
  write(chunk: Uint8Array): Promise<void>;
  /** Flushed to disk. */
  finish(): Promise<void>;
  /** Bytes passed to the file so far. */
  readonly bytes: number;
}

export interface SinkParts {
  handle: FileHandle;
  hash: Hash;
  /** Bytes that are already in the file. */
  start?: number;
  /** Bytes that may still be written. */
  roomBytes(): Promise<number>;
}

export function createFileSink({ handle, hash, start = 0, roomBytes }: SinkParts): FileSink {
  let position = start;
  let nextLook = start + LOOK_BYTES;
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    if (gatheredBytes === 0) return;
    const [chunks, bytes] = [gathered, gatheredBytes];
    gathered = [];
    gatheredBytes = 0;
    writing = writeAll(handle, chunks, position);
    // The next write reports the error; there may be none.
    writing.catch(() => undefined);
    position += bytes;
  };
  return {
    async write(chunk) {
      hash.update(chunk);
      gathered.push(chunk);
      gatheredBytes += chunk.length;
      if (gatheredBytes < WRITE_BYTES) return;
      await flush();
      if (position < nextLook) return;
      nextLook = position + LOOK_BYTES;
      if ((await roomBytes()) <= 0) throw Object.assign(new Error('the reserve of the disk'), { code: 'ENOSPC' });
    },
    async finish() {
      await flush();
      await writing;
      await handle.sync();
    },
    get bytes() {
      return position + gatheredBytes;
    },
  };
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<void> {
  const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  for (let written = 0; written < whole.length; ) {
    const { bytesWritten } = await handle.write(whole, written, whole.length - written, position + written);
    written += bytesWritten;
  }
}
